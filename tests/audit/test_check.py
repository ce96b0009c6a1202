"""`--audit`: it passes where nothing is lost, and a planted mistake makes it fail."""

from __future__ import annotations

from pathlib import Path

import pytest

import whorl
from whorl.audit.judge import MOST_STATES
from whorl.native.passes.dead import Liveness
from whorl.native.passes.merge import Merging
from whorl.program.program import ProcessType, Transition
from whorl.reduction.accesses import Accesses

EXAMPLES = Path(__file__).parents[2] / "examples"
INTO_ATOMIC = """
byte x, y;
active proctype A() { byte i; y = 1; atomic { i = 0; assert(x == 0) } }
active proctype B() { y == 1; x = 1 }
"""


def audits(result: whorl.Result) -> list[str]:
    return [note for note in result.notes if note.startswith("audit of")]


@pytest.mark.parametrize("name", ["peterson", "spin_lock", "traffic_light", "leader_election"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_nothing_is_lost_of_an_example(name: str, engine: str) -> None:
    found = audits(whorl.check(EXAMPLES / f"{name}.pml", engine=engine, audit=True))
    assert found
    assert all("nothing is lost" in note for note in found)


def merged_into_atomic(
    self: Merging, process: ProcessType, transition: Transition
) -> list[Transition]:
    """As chains were before: into an atomic sequence."""
    found: list[Transition] = []
    location = transition.target
    while (following := self.local(process, location)) is not None and len(found) < 8:
        found.append(following)
        location = following.target
    return found


def test_a_mistake_of_merging_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert whorl.check(INTO_ATOMIC, por="none", audit=True).verdict == "violated"
    monkeypatch.setattr(Merging, "chain", merged_into_atomic)
    result = whorl.check(INTO_ATOMIC, por="none", end_states=False, audit=True)
    assert result.verdict == "inconclusive"
    (said,) = audits(result)
    assert "WRONG: a failing step was lost" in said


def test_a_run_that_was_lost_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Merging, "chain", merged_into_atomic)
    model = INTO_ATOMIC.replace("assert(x == 0)", "y = 2")
    result = whorl.check(model, ltl="[] (x == 0)", por="none", audit=True)
    (said,) = audits(result)
    assert "WRONG: a run was lost: x == 0 ; !(x == 0) ; ..." in said
    assert "for example process 0 line 3 (y = 1), process 1 line 4 (y == 1)" in said


def test_a_mistake_of_dead_variables_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    model = "byte x; active proctype A() { byte i; i = 1; x = 1; if :: i == 1 -> x = 2 :: else fi }"
    monkeypatch.setattr(Liveness, "at", lambda self, process, location: frozenset())
    (said,) = audits(whorl.check(model, safety=True, por="none", audit=True))
    assert "WRONG" in said


def test_a_mistake_of_the_analysis_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    model = "byte x; active proctype A() { x = 1; x = 0 } active proctype B() { assert(x == 0) }"
    monkeypatch.setattr(Accesses, "load", lambda self, place, process: iter(()))
    for engine in ("native", "reference"):
        result = whorl.check(model, safety=True, engine=engine, audit=True)
        assert any("WRONG" in note for note in audits(result))


def test_a_formula_that_counts_steps_is_compared_step_by_step() -> None:
    model = "byte x; active proctype A() { byte i; i = 1; x = 1 }"
    (said,) = audits(whorl.check(model, ltl="X X (x == 1)", audit=True))
    assert "nothing is lost: the traces over" in said


NO_VALUE = """
byte a[2] = 1, i, x;
active proctype P() { x = 1; i = 2; x = 2; i = 0; x = 3 }
"""
OTHER_TYPE = """
byte x;
proctype C() { byte v = 1; v = 2 }
proctype D() { byte w = 5; w = 6 }
active proctype A() { run C(); _nr_pr == 1; run D(); x = 1 }
"""


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(
    ("model", "formula"),
    [
        (NO_VALUE, "[] (a[i] == 1)"),
        (NO_VALUE, "<> (a[i] != 0 && x == 3)"),
        (NO_VALUE, "[] (x == 2 || a[i] == 1)"),
        (OTHER_TYPE, "[] (C[1]:v != 2 || x == 0)"),
    ],
)
def test_what_has_no_value_counts_as_false_in_both_engines(
    model: str, formula: str, engine: str
) -> None:
    result = whorl.check(model, ltl=formula, engine=engine, audit=True)
    (said,) = audits(result)
    assert "nothing is lost" in said
    assert result.verdict == "violated"


def test_a_large_model_is_not_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.audit.judge.Judge.__init__.__defaults__", (3, ()))
    (said,) = audits(whorl.check(EXAMPLES / "peterson.pml", safety=True, audit=True))
    assert said.startswith("audit of safety: not done: the model has more than")
    assert MOST_STATES == 20_000
