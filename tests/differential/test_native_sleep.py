"""Sleep sets in both engines: the states of the full search, and the same transitions in each.

As in test_random_programs.py the fast tests draw the same examples every time.
"""

from __future__ import annotations

import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from whorl.engines import reference_semantics, search
from whorl.program.parts import program_parts
from whorl.program.program import Program, RunProcess
from whorl.reduction.candidates import Rule
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.schemes import Reduction
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.task import NativeOptions, Task

MOST_STATES = 2_000  # of the full search; a larger program is left out
FEW, MANY = 2, 100  # programs a profile, in the fast and in the slow tests; the first is the least
SLEEP = Reduction("sleep")
AMONG = Reduction("persistent-sleep"), Reduction("persistent-sleep", rule=Rule.STUBBORN)

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)
few = settings(relaxed, max_examples=FEW, derandomize=True)
many = settings(relaxed, max_examples=MANY)
by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))


def found(
    engine: str, program: Program, plan: Plan, *, merge: bool = False, store: str = "auto"
) -> Exploration:
    options = Options(all_errors=True, limits=Limits(states=MOST_STATES))
    native = NativeOptions(merge=merge, store=store)
    return search(
        Task(reference_semantics(program), None, options, native, plan), engine
    ).exploration


def figures(exploration: Exploration) -> tuple[int, int]:
    return exploration.progress.states, exploration.progress.transitions


def failures(exploration: Exploration) -> set[tuple[str, str | None, int]]:
    """What fails where, and that something ends where it should not."""
    return {
        (v.kind, v.message, v.choices[-1].transition if v.kind != "end state" else -1)
        for v in exploration.violations
        if v.choices
    }


def nothing_is_lost(data: st.DataObject, profile: str) -> None:
    program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    full = found("reference", program, NONE)
    if full.stopped is not None:
        return
    reduction = data.draw(st.sampled_from((SLEEP, *AMONG)))
    store = data.draw(st.sampled_from(("exact", "tree")))
    ours, theirs = (
        found(engine, program, Plan(reduction), store=store) for engine in ("native", "reference")
    )
    told = reduction, store
    # Of processes that are started the tables know less, and persistent sets may be larger.
    if reduction is SLEEP or not any(isinstance(n, RunProcess) for n in program_parts(program)):
        assert figures(ours) == figures(theirs), told
    assert theirs.progress.states <= full.progress.states, told
    assert reduction is not SLEEP or theirs.progress.states == full.progress.states
    assert reduction is not SLEEP or theirs.progress.transitions <= full.progress.transitions
    assert ours.reached == theirs.reached == full.reached, told
    assert failures(ours) == failures(theirs) == failures(full), told
    if reduction is SLEEP and data.draw(st.booleans()):
        merged, plain = (found("native", program, plan, merge=True) for plan in (Plan(SLEEP), NONE))
        assert merged.progress.states == plain.progress.states
        assert merged.reached == full.reached
        assert failures(merged) == failures(full)


@by_profile
@given(data=st.data())
@few
def test_nothing_is_lost(profile: str, data: st.DataObject) -> None:
    nothing_is_lost(data, profile)


@pytest.mark.slow
@by_profile
@given(data=st.data())
@many
def test_nothing_is_lost_of_many(profile: str, data: st.DataObject) -> None:
    nothing_is_lost(data, profile)
