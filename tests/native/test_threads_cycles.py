"""Searches for cycles on several threads: the verdict of one thread, and where it holds the states.

The other threads come at once here, so that small programs are searched by all of them; as in
test_random_programs.py the fast tests draw the same programs every time.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.claims import random_atom, random_claim
from support.compilers import QUICK
from support.generator import PROFILES, programs
from whorl.native import engine
from whorl.native.compiler import Compiler
from whorl.native.engine import explore_native
from whorl.native.series import Series
from whorl.native.verifier import FoundViolation, Outcome
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.task import NativeOptions, Task
from whorl.verdict import Result

TOGETHER = ("-DWHORL_SURVEY_AT=1", "-DWHORL_TICK=1", "-DWHORL_JOIN_FROM=0")
THREADED = Compiler(("gcc",), "gcc", ("-O0", "-UNDEBUG", *TOGETHER))
WATCHED = ("gcc", "-O0", "-g", "-fsanitize=thread", "-DWHORL_STRESS=5", *TOGETHER)
MOST_STATES = 2_000  # of the product; a larger one is left out
FEW, MANY = 2, 40  # programs a profile, in the fast and in the slow tests; the first is the least
EXAMPLES = Path(__file__).parents[2] / "examples"
CAPACITY_SITE = 77
WIDE = """
byte x[4], ended;
active [4] proctype P() { do :: x[_pid] < 5 -> x[_pid]++ :: else -> break od; ended++ }
"""
ENDS = WIDE + "ltl p { <> (ended == 4) }"  # a single component of the automaton, which is weak
ANSWERS = (
    WIDE + "ltl p { [] (x[0] == 3 -> <> (x[0] == 5)) }"
)  # one without acceptance, and a weak one
AGAIN = WIDE + "ltl p { ([] <> (x[0] < 5)) -> <> [] (x[1] < 6) }"  # then there is a mixed one

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def searched(program: Program, claim: Claim, options: Options, threads: int) -> Exploration:
    task = Task(
        Semantics(program), claim, options, NativeOptions(threads=threads), stutter_invariant=False
    )
    return explore_native(task, QUICK if threads == 1 else THREADED)


def agree(text: str, seed: int) -> None:
    dice = random.Random(seed)
    program = whorl.load(text).program
    atoms = tuple(random_atom(dice, program) for _ in range(dice.choice((1, 2))))
    claim = random_claim(dice, atoms)
    options = Options(
        assertions=False,
        end_states=False,
        fair=dice.random() < 0.3,
        infinite_runs=dice.random() < 0.2,
        limits=Limits(states=MOST_STATES),
    )
    one = searched(program, claim, options, 1)
    if one.stopped is not None:
        return
    for threads in (2, 3, 8):
        many = searched(
            program, claim, Options(fair=options.fair, infinite_runs=options.infinite_runs), threads
        )
        assert [v.kind for v in many.violations] == [v.kind for v in one.violations], seed
        assert many.threads in (1, threads)
        if not one.violations and not options.fair:
            assert many.progress.states == one.progress.states
            assert many.reached == one.reached


by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))


@by_profile
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_programs(profile: str, data: st.DataObject, seed: int) -> None:
    agree(data.draw(programs(PROFILES[profile])), seed)


@pytest.mark.slow
@by_profile
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(relaxed, max_examples=MANY)
def test_many_random_programs(profile: str, data: st.DataObject, seed: int) -> None:
    agree(data.draw(programs(PROFILES[profile])), seed)


def check(model: str | Path, threads: int, *command: str, **options: Any) -> Result:
    compiler = command or (*THREADED.command, *THREADED.added)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WHORL_CC", " ".join(compiler))
        return whorl.check(model, engine="native", threads=threads, **options)


@pytest.mark.parametrize("text", [ENDS, ANSWERS, AGAIN], ids=["weak", "answers", "mixed"])
def test_what_holds_has_the_states_of_one_thread(text: str) -> None:
    one, many = (check(text, n, por="none", merge=False, claim="p") for n in (1, 3))
    assert one.verdict == many.verdict
    assert many.statistics.threads == 3
    assert many.statistics.states == one.statistics.states > 2000
    assert many.statistics.transitions == one.statistics.transitions
    assert many.unreached == one.unreached
    assert not many.notes


def test_tables_grow_while_threads_wait_for_each_other() -> None:
    tiny = ("-DWHORL_INDEX_SMALL=64", "-DWHORL_LEASE=3", "-DWHORL_RECENT=4", "-DWHORL_MET_LOG=2")
    found = check(AGAIN, 3, *WATCHED, *tiny, por="none", claim="p")
    assert (found.verdict, found.statistics.threads) == ("holds", 3)


def test_cycles_by_labels() -> None:
    accept = "active [2] proctype P() { do :: skip; accept_a: skip :: skip od }"
    found = check(accept, 3, acceptance=True)
    assert [trace.kind for trace in found.traces] == ["acceptance"]
    progress = "active [2] proctype P() { do :: skip; progress_a: skip :: skip od }"
    found = check(progress, 3, non_progress=True)
    assert [trace.kind for trace in found.traces] == ["non-progress"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"por": "v0"}, "the reduction v0 goes by one stack"),
        ({"algorithm": "scc"}, '"scc" is for one thread'),
        ({"store": "exact"}, '"exact" is for one thread'),
    ],
)
def test_what_goes_by_one_stack_says_so(options: dict[str, Any], why: str) -> None:
    found = check(ENDS, 4, claim="p", **options)
    assert found.statistics.threads == 1
    [note] = found.notes
    assert note.startswith("threads 4: one thread did p: ")
    assert note.endswith(why)


LONG_WAY = """
byte n;
active proctype P() {
  do
  :: n < 60 -> n++
  :: n == 60 -> n = 1
  :: n == 3 -> break
  od;
  do :: n = 4 :: n = 3 od
}
ltl p { <> (n == 99) }
"""


def test_a_short_cycle_is_looked_for_once_threads_have_found_one() -> None:
    one = check(LONG_WAY, 1, claim="p", shortest=True)
    many = check(LONG_WAY, 3, claim="p", shortest=True)
    assert (one.verdict, many.verdict) == ("violated", "violated")
    assert many.statistics.threads == 1  # these figures are of that search
    assert many.statistics.states == one.statistics.states
    assert [str(step.text) for step in many.traces[0].steps] == [
        str(step.text) for step in one.traces[0].steps
    ]
    assert many.traces[0].cycle == one.traces[0].cycle
    holds = check(ENDS, 3, claim="p", shortest=True, por="none", merge=False)
    assert (holds.verdict, holds.statistics.threads) == ("holds", 3)
    assert holds.statistics.states > 2000


def outcome(stopped: str | None, *violations: FoundViolation, threads: bool = False) -> Outcome:
    figures: dict[str, Any] = {"stopped": stopped, "seconds": 2.0}
    if threads:
        figures["threads"] = 3
    return Outcome(list(violations), figures, seconds_before=1.0)


def test_what_threads_found_counts_where_the_search_for_a_short_cycle_is_cut() -> None:
    long, short = FoundViolation(-2, (), 0), FoundViolation(-2, (), None)
    found = outcome("violation", long, threads=True)
    both = engine._shorter(found, outcome("time"))
    assert (both.violations, both.figures["stopped"]) == ([long], "time")
    assert both.seconds_before == 4.0  # all that came before it
    assert engine._shorter(found, outcome("violation", short)).violations == [short]


def test_the_search_for_a_short_cycle_has_the_time_that_is_left() -> None:
    assert engine._later(lambda spent: [f"after {spent}"], 3.0, 0.5) == ["after 3.5"]


@pytest.mark.parametrize("full", ["threads", "one thread"])
def test_a_verifier_that_is_full_is_replaced_in_either_search(
    monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    """Whoever met no room says nothing of the property."""
    asked: list[str] = []

    def pretend(*given: Any) -> Outcome:
        who = "one thread" if given[4] is None else "threads"
        site = CAPACITY_SITE if who == full and who not in asked else -2
        asked.append(who)
        return outcome("violation", FoundViolation(site, (), 0), threads=who == "threads")

    monkeypatch.setattr(engine, "_search", pretend)
    monkeypatch.setattr(engine, "is_full", lambda _, o: o.violations[0].site == CAPACITY_SITE)
    program, dice = whorl.load(LONG_WAY).program, random.Random(1)
    claim = random_claim(dice, (random_atom(dice, program),))
    task = Task(
        Semantics(program),
        claim,
        Options(shortest=True),
        NativeOptions(threads=3),
        stutter_invariant=False,
    )
    series = Series(task.semantics)
    _, found = engine._run(task, THREADED, series.job(task), series)
    assert found.violations[0].site == -2
    again = ["threads", "one thread"]
    assert asked == (["threads", *again] if full == "threads" else [*again, *again])


# Process B puts an end to what A does for ever, if it is fair, and if it is there.
A_AND_B = """
byte x, y;
active proctype A() {{ do :: y == 0 -> {accept} x = 1 - x :: y == 1 -> {progress} skip od }}
active proctype B() {{ {stops} }}
"""
GOES_ON_HOA = """HOA: v1
States: 1
Start: 0
AP: 1 "y == 0"
Acceptance: 1 Inf(0)
acc-name: Buchi
--BODY--
State: 0 {0}
[0] 0
--END--
"""
GOES_ON_CLAIM = "never { accept_n: do :: y == 0 od }"


@pytest.mark.parametrize(("stops", "verdict"), [("y = 1", "holds"), ("skip", "violated")])
@pytest.mark.parametrize("kind", ["formula", "next", "never", "hoa", "acceptance", "non-progress"])
def test_every_kind_of_claim_is_searched_with_fairness(
    tmp_path: Path, kind: str, stops: str, verdict: str
) -> None:
    accept = "accept_a:" if kind == "acceptance" else ""
    progress = "progress_a:" if kind == "non-progress" else ""
    text = A_AND_B.format(accept=accept, progress=progress, stops=stops)
    (tmp_path / "goes_on.hoa").write_text(GOES_ON_HOA)
    options: dict[str, dict[str, Any]] = {
        "formula": {"ltl": "<> (y == 1)"},
        "next": {"ltl": "X <> (y == 1)"},
        "never": {},
        "hoa": {"hoa": tmp_path / "goes_on.hoa"},
        "acceptance": {"acceptance": True},
        "non-progress": {"non_progress": True},
    }
    if kind == "never":
        text += GOES_ON_CLAIM
    unfair = check(text, 3, **options[kind])
    assert (unfair.verdict, unfair.statistics.threads) == ("violated", 3)
    many = check(text, 3, fair=True, **options[kind])
    assert (many.verdict, many.statistics.threads) == (verdict, 3)
    assert any("fair by copies" in note for note in many.notes)
    assert check(text, 1, fair=True, **options[kind]).verdict == verdict


def test_copies_of_states_are_counted_and_the_report_says_so() -> None:
    found = check(ENDS, 3, fair=True)
    assert any("fair by copies" in note for note in found.notes)
