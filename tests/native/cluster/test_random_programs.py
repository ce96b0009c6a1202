"""Random programs: several workers store what one process does, whatever the reduction.

Both sides have the expansion in common, and nothing of the search. That the reduction loses nothing
is another question: tests/systematic asks it, and here what fails is compared with a search of
everything.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.cluster import InOneProcess, safety_task
from support.compilers import QUICK
from support.generator import PROFILES, programs
from whorl.native.cluster.engine import by, explore_together, planned
from whorl.native.compiler import Compiler
from whorl.native.engine import explore_native
from whorl.search.exploration import Exploration
from whorl.task import Task
from whorl.trace.replay import confirm

MOST_STATES = 3_000  # a larger program is left out
FEW, MANY = 1, 40  # programs a profile, in the fast and in the slow tests
SCHEMES = (
    {"por": "none"},
    {"por": "auto"},
    {"por": "static"},
    {"por": "static", "cache": "selective"},
    {"por": "two-phase"},
    {"por": "two-phase", "cache": "selective"},
)
TABLES = (
    "-DWHORL_SURVEY_AT=16",
    "-DWHORL_SENT_LOG=3",
    "-DWHORL_OUTBOX_FULL=128",
    "-DWHORL_OWNERS_SPREAD=0.5",
)
COMPILER = replace(QUICK, added=(*QUICK.added, *TABLES), cached=False)

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def failures(found: Exploration) -> set[tuple[str, str | None]]:
    return {(violation.kind, violation.message) for violation in found.violations}


def agree(task: Task, compiler: Compiler, workers: int) -> Exploration | None:
    """What both find; None: it is too much."""
    one = explore_native(task, compiler)
    if one.stopped is not None:
        return None
    limits = replace(task.options.limits, states=None)
    task = replace(task, options=replace(task.options, limits=limits))
    many = explore_together(task, compiler, by(InOneProcess), workers)
    assert many.stopped is None
    assert many.progress.states == one.progress.states
    assert many.progress.transitions == one.progress.transitions
    assert many.reached == one.reached
    assert many.endless == one.endless
    assert failures(many) == failures(one)
    for violation in many.violations:
        kind, choices, said = violation.kind, violation.choices, violation.message
        confirm(task.semantics, kind, choices, said=said)
    if task.options.shortest:
        assert many.progress.depth == one.progress.depth
    return many


def all_agree(text: str, workers: int) -> None:
    task = safety_task(text, all_errors=True, max_states=MOST_STATES, por="none", shortest=True)
    if agree(planned(task), COMPILER, workers) is None:
        return
    found: list[set[tuple[str, str | None]]] = []
    for scheme in SCHEMES:
        task = safety_task(text, all_errors=True, max_states=MOST_STATES, **scheme)
        both = agree(planned(task), COMPILER, workers)
        if both is not None:
            found.append(failures(both))
    assert all(each == found[0] for each in found)


by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))


@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_programs(profile: str, data: st.DataObject) -> None:
    all_agree(data.draw(programs(PROFILES[profile])), 1 + sorted(PROFILES).index(profile) % 4)


@pytest.mark.slow
@by_profile
@given(data=st.data(), workers=st.integers(1, 4))
@settings(relaxed, max_examples=MANY)
def test_many_random_programs(profile: str, data: st.DataObject, workers: int) -> None:
    all_agree(data.draw(programs(PROFILES[profile])), workers)
