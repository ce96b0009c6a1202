"""Claims on a GPU, for which the processor stands in: as workers and one process find them.

Workers have nothing in common with it but the C of the model. Their counterexamples are made
of the same least nodes, so these are compared to the letter.
"""

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
from support.gpu import stand_in
from whorl.diagnostics import WhorlError
from whorl.native.cluster.engine import by, explore_together
from whorl.native.gpu.engine import explore_gpu
from whorl.native.gpu.fitting import fit
from whorl.program.semantics import Semantics
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.selection import Wanted
from whorl.task import NativeOptions, Task
from whorl.trace.replay import confirm

EXAMPLES = Path(__file__).parents[3] / "examples"
SOME = ("traffic_light", "philosophers_ordered")
MOST_STATES = 1_000  # of the product; a larger one is left out
FEW, MANY = 1, 40  # programs a profile, in the fast and in the slow tests
FAST_PROFILES = sorted(PROFILES)[1::6]

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="needs a C compiler, and this machine has no gcc"
)

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def figures(found: Exploration) -> tuple[Any, ...]:
    """What is the same, however nodes are found."""
    progress = found.progress
    return (
        progress.states,
        progress.depth,
        found.reached,
        found.endless,
        found.truncated,
        found.violations,
        found.stopped,
    )


def agree(task: Task, loops: int = 1, *, small: bool = False) -> Exploration:
    """What the GPU engine finds; workers find just that."""
    task = fit(task)
    one = explore_together(task, QUICK, by(InOneProcess), 1)
    with stand_in(loops, small=small):
        found = explore_gpu(task)
    if one.violations and one.violations[0].loop is None:  # the rest of a level is not looked at
        assert found.violations == one.violations
    else:
        assert figures(found) == figures(one)
    for violation in found.violations:
        confirm(task.semantics, violation.kind, violation.choices, task.claim, violation.loop)
    return found


@pytest.mark.parametrize("name", SOME)
def test_examples(name: str) -> None:
    for task in claim_tasks(EXAMPLES / f"{name}.pml"):
        agree(task)


@pytest.mark.slow
@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("por", ["auto", "none", "static", "two-phase"])
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_all_examples(model: Path, por: str, small: bool) -> None:
    try:
        tasks = claim_tasks(model, por=por, max_states=20_000)
    except WhorlError:  # a formula with X, or none
        return
    for task in tasks:
        with_limit = explore_together(fit(task), QUICK, by(InOneProcess), 1)
        if with_limit.stopped is None:
            agree(task, 1 + small, small=small)


def few(models: dict[str, str]) -> list[Any]:
    """Their names; most of them are for the slow tests."""
    slow = pytest.mark.slow
    names = enumerate(sorted(models))
    return [pytest.param(name, marks=() if at % 6 == 0 else slow) for at, name in names]


@pytest.mark.parametrize("name", few(CLAIMS))
def test_never_claims(name: str) -> None:
    (task,) = claim_tasks(CLAIMS[name], all_errors=True)
    agree(task, 2, small=True)


@pytest.mark.parametrize("name", few(LABELS))
def test_acceptance(name: str) -> None:
    (task,) = claim_tasks(LABELS[name], Wanted(acceptance=True))
    agree(task, 2)


@pytest.mark.parametrize("name", few(PROGRESS))
def test_non_progress(name: str) -> None:
    (task,) = claim_tasks(PROGRESS[name], Wanted(non_progress=True))
    agree(task, 2, small=True)


@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_verdicts_are_those_of_a_nested_search(model: Path) -> None:
    """With what is taken without options, on both sides."""
    options: dict[str, Any] = {"max_states": 30_000, "threads": 1}
    one = whorl.check(model, engine="native", **options)
    with stand_in():
        found = whorl.check(model, engine="gpu", **options)
    for ours, theirs in zip(found.properties, one.properties, strict=True):
        if "inconclusive" not in (ours.verdict, theirs.verdict):
            assert (ours.name, ours.verdict) == (theirs.name, theirs.verdict)


def random_task(text: str, seed: int) -> Task:
    dice = random.Random(seed)
    program = whorl.load(text).program
    atoms = tuple(random_atom(dice, program) for _ in range(dice.choice((1, 2))))
    options = Options(
        assertions=False,
        end_states=False,
        all_errors=dice.random() < 0.5,
        infinite_runs=dice.random() < 0.2,
        limits=Limits(states=MOST_STATES),
    )
    native = NativeOptions(merge=dice.random() < 0.5)
    claim = random_claim(dice, atoms)
    return Task(Semantics(program), claim, options, native, stutter_invariant=False)


def agree_if_small(text: str, seed: int) -> None:
    task = random_task(text, seed)
    if explore_together(fit(task), QUICK, by(InOneProcess), 1).stopped is not None:
        return
    task = replace(task, options=replace(task.options, limits=Limits()))
    agree(task, 1 + seed % 3, small=seed % 2 == 1)


@pytest.mark.parametrize("profile", FAST_PROFILES)
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
