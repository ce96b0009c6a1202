"""More than 64 processes: sets of them take several words, and nothing else is different."""

from __future__ import annotations

import shutil

import pytest

import whorl
from whorl.engines import reference_semantics, search
from whorl.reduction.candidates import Rule
from whorl.reduction.plan import Plan
from whorl.reduction.schemes import Reduction
from whorl.search.exploration import Options
from whorl.task import NativeOptions, Task

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

STATIC = Plan(Reduction("static"))
STUBBORN = Plan(Reduction("static", rule=Rule.STUBBORN))
ONE = Plan(Reduction("static", rule=Rule.PROCESS))

# The processes that wait come first, so that the others have pids in the second word.
AMONG_MANY = """
    byte turn, met[72];
    chan c = [0] of { byte };
    active [64] proctype Waits() { false }
    active [2] proctype P() {
        byte i;
        do
        :: i < 2 -> i++; met[_pid]++
        :: else -> break
        od;
        turn == _pid; turn++
    }
    active proctype Q() { turn = 64; c!1; met[70] = turn }
    active proctype R() { byte got; c?got; met[71] = got; turn > 0 }
"""


def stored(text: str, engine: str, planned: Plan) -> tuple[int, int]:
    options = Options(end_states=False, all_errors=True)
    native = NativeOptions(merge=False)
    semantics = reference_semantics(whorl.load(text).program)
    found = search(Task(semantics, None, options, native, planned), engine).exploration
    assert not found.violations
    return found.progress.states, found.progress.transitions


@pytest.mark.parametrize("planned", [STATIC, STUBBORN, ONE], ids=["static", "stubborn", "one"])
def test_both_engines_store_the_same(planned: Plan) -> None:
    assert stored(AMONG_MANY, "native", planned) == stored(AMONG_MANY, "reference", planned)


def test_what_is_stored_grows_with_the_number_of_processes() -> None:
    """As Spin has it: 201 states for 100 processes of one step, which end one by one."""
    for count in (64, 65, 100, 255):
        text = f"active [{count}] proctype P() {{ skip }}"
        assert stored(text, "native", STATIC) == (2 * count + 1, 2 * count + 1)
    text = "active [65] proctype P() { skip }"
    assert stored(text, "reference", STATIC)[0] == 131


def test_the_report_says_what_was_done() -> None:
    model = whorl.load("byte x; active [70] proctype P() { x == 1; x = 2 }")
    result = whorl.check(model, safety=True, engine="native")
    assert result.searches[0].reduction is not None
    assert result.searches[0].reduction.startswith("two-phase-ample: ")


MANY_FAIR = """
    byte n;
    active [64] proctype P() { n++ }
    ltl all_end { <> (n == 64) }
"""


def test_fairness_to_more_processes_than_the_native_engine_has_marks_for() -> None:
    """The reference engine does it, and the report says why; unless the native one is asked for."""
    result = whorl.check(MANY_FAIR, fair=True, max_states=200)
    assert result.engine == "reference"
    assert any("fair to at most 63 processes" in note for note in result.notes)
    with pytest.raises(whorl.WhorlError, match="fair to at most 63 processes"):
        whorl.check(MANY_FAIR, fair=True, engine="native")
