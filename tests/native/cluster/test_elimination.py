"""Several workers look for cycles as one process does: counts, verdicts, runs that are accepted."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.claims import random_atom, random_claim
from support.cluster import InOneProcess, claim_tasks
from support.compilers import QUICK
from support.cycle_models import CLAIMS, LABELS, PROGRESS
from support.generator import PROFILES, programs
from whorl.native.cluster.engine import by, explore_together, planned
from whorl.native.engine import explore_native
from whorl.program.semantics import Semantics
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.selection import Wanted
from whorl.task import NativeOptions, Task
from whorl.trace.replay import confirm

EXAMPLES = Path(__file__).parents[3] / "examples"
SOME = ("traffic_light", "philosophers_ordered", "corridor", "handover", "spin_lock", "token_ring")
WORKERS = (1, 2, 3, 4)
MOST_STATES = 1_000  # of the product; a larger one is left out
FEW, MANY = 1, 40  # programs a profile, in the fast and in the slow tests
# Outboxes that are full at once, and hardly anything that is remembered.
TIGHT = replace(QUICK, added=(*QUICK.added, "-DWHORL_OUTBOX_FULL=200", "-DWHORL_LATELY_LOG=2"))

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def figures(found: Exploration) -> tuple[Any, ...]:
    progress = found.progress
    return (
        progress.states,
        progress.transitions,
        progress.depth,
        found.reached,
        found.met,
        found.endless,
        found.truncated,
        found.violations,
        found.stopped,
    )


def agree(task: Task, workers: tuple[int, ...] = WORKERS) -> Exploration:
    """What a number of workers finds; the others find just that, and one process does, too."""
    one = explore_native(planned(task), QUICK)
    several = [explore_together(task, TIGHT, by(InOneProcess), count) for count in workers]
    for found in several:
        assert figures(found) == figures(several[0])
    many = several[0]
    assert [v.kind for v in many.violations] == [v.kind for v in one.violations]
    if not one.violations:
        assert figures(many) == figures(one)
    elif all(violation.loop is not None for violation in one.violations):
        assert many.progress.states == one.progress.states  # everything was explored before
        assert many.progress.depth == one.progress.depth
    for violation in many.violations:
        confirm(
            task.semantics,
            violation.kind,
            violation.choices,
            task.claim,
            violation.loop,
            task.options.fair,
        )
    return many


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("options", [{}, {"por": "none", "fair": True}], ids=["", "fair"])
def test_examples(name: str, options: dict[str, Any]) -> None:
    for task in claim_tasks(EXAMPLES / f"{name}.pml", **options):
        found = agree(task, (1, 3))
        auto = explore_native(task, QUICK)
        assert bool(found.violations) == bool(auto.violations)


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_never_claims(name: str) -> None:
    (task,) = claim_tasks(CLAIMS[name], all_errors=True)
    agree(task, (1, 2))


@pytest.mark.parametrize("name", sorted(LABELS))
@pytest.mark.parametrize("fair", [False, True])
def test_acceptance(name: str, fair: bool) -> None:
    (task,) = claim_tasks(LABELS[name], Wanted(acceptance=True), fair=fair)
    agree(task, (1, 3))


@pytest.mark.parametrize("name", sorted(PROGRESS))
@pytest.mark.parametrize("fair", [False, True])
def test_non_progress(name: str, fair: bool) -> None:
    (task,) = claim_tasks(PROGRESS[name], Wanted(non_progress=True), fair=fair)
    agree(task, (1, 3))


def random_task(text: str, seed: int) -> Task:
    dice = random.Random(seed)
    program = whorl.load(text).program
    atoms = tuple(random_atom(dice, program) for _ in range(dice.choice((1, 2))))
    options = Options(
        assertions=False,
        end_states=False,
        all_errors=dice.random() < 0.5,
        fair=dice.random() < 0.4,
        infinite_runs=dice.random() < 0.2,
        limits=Limits(states=MOST_STATES),
    )
    native = NativeOptions(store=dice.choice(("exact", "tree")), merge=dice.random() < 0.5)
    claim = random_claim(dice, atoms)
    return Task(Semantics(program), claim, options, native, stutter_invariant=False)


def agree_if_small(text: str, seed: int) -> None:
    task = random_task(text, seed)
    if explore_native(planned(task), QUICK).stopped is None:
        agree(replace(task, options=replace(task.options, limits=Limits())))


@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data(), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_claims(profile: str, data: st.DataObject, seed: int) -> None:
    agree_if_small(data.draw(programs(PROFILES[profile])), seed)


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data(), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=MANY)
def test_many_random_claims(profile: str, data: st.DataObject, seed: int) -> None:
    agree_if_small(data.draw(programs(PROFILES[profile])), seed)
