"""Several workers find what one process does: counts, verdicts, and the way to a violation."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.cluster import InOneProcess, safety_task
from support.compilers import QUICK, SYSTEM, as_text
from whorl.diagnostics import WhorlError
from whorl.native.cluster.course import BUDGET, Assignment, Course
from whorl.native.cluster.engine import by, explore_together, planned
from whorl.native.cluster.figures import Figures
from whorl.native.cluster.levels import search
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.together import Together
from whorl.native.cluster.transport import Crew, WorkerLost
from whorl.native.compiler import Compiler, find_compiler
from whorl.native.engine import explore_native
from whorl.native.verifier import Outcome
from whorl.search.exploration import END_STATE, Exploration
from whorl.search.limits import Limits
from whorl.task import Task
from whorl.trace.replay import confirm

# With small tables, so that small models fill them; and with assertions.
TABLES = "-DWHORL_SURVEY_AT=64 -DWHORL_SENT_LOG=4 -DWHORL_OUTBOX_FULL=512 -DWHORL_OWNERS_SPREAD=0.5"
EXAMPLES = Path(__file__).parents[3] / "examples"
SOME = ("peterson", "peterson_broken", "philosophers", "two_phase_commit", "leader_election")
VIOLATED = ("peterson_broken", "philosophers", "lost_update", "lock_free_queue")
LARGE = """
byte x[6];
active [6] proctype P() { byte i; do :: i < 9 -> i++; x[_pid] = i :: else -> break od }
"""
WORKERS = (1, 2, 3, 4)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.setenv("WHORL_CC", f"{as_text(QUICK)} {TABLES}")
    found = find_compiler()
    assert found is not None
    return found


def task_of(model: str | Path, **options: Any) -> Task:
    return planned(safety_task(model, **options))


def kinds(found: Exploration) -> list[tuple[str, str | None]]:
    return sorted((violation.kind, violation.message) for violation in found.violations)


def agree(task: Task, compiler: Compiler) -> None:
    """All errors: the whole graph is searched, so that everything can be compared."""
    one = explore_native(task, compiler)
    for workers in WORKERS:
        many = explore_together(task, compiler, by(InOneProcess), workers)
        assert many.progress.states == one.progress.states
        assert many.progress.transitions == one.progress.transitions
        assert many.reached == one.reached
        assert (many.endless, many.truncated) == (one.endless, one.truncated)
        assert kinds(many) == kinds(one)
        if task.options.shortest:
            assert many.progress.depth == one.progress.depth


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("options", [{"por": "none"}, {}, {"por": "static"}, {"shortest": True}])
def test_examples(name: str, options: dict[str, Any], compiler: Compiler) -> None:
    agree(task_of(EXAMPLES / f"{name}.pml", all_errors=True, **options), compiler)


@pytest.mark.parametrize("name", VIOLATED)
@pytest.mark.parametrize("all_errors", [False, True])
def test_the_shortest_trail_is_that_of_several_threads(
    name: str, all_errors: bool, compiler: Compiler
) -> None:
    task = task_of(EXAMPLES / f"{name}.pml", shortest=True, all_errors=all_errors)
    threads = replace(task, native=replace(task.native, threads=2))
    one = explore_native(threads, SYSTEM)
    assert one.violations
    for workers in WORKERS:
        many = explore_together(task, compiler, by(InOneProcess), workers)
        assert many.violations == one.violations
        assert many.progress.states == one.progress.states
        assert many.progress.transitions == one.progress.transitions
        assert many.progress.depth == one.progress.depth


def test_an_invalid_end_state_is_nearer_than_a_step_that_fails(compiler: Compiler) -> None:
    text = "byte x; active proctype A() { if :: x = 1; assert(false) :: x = 2; false fi }"
    task = task_of(text, shortest=True)
    for workers in WORKERS:
        (found,) = explore_together(task, compiler, by(InOneProcess), workers).violations
        assert (found.kind, len(found.choices)) == (END_STATE, 1)


@pytest.mark.parametrize("name", VIOLATED[:3])
def test_a_trail_over_several_workers_can_be_replayed(name: str, compiler: Compiler) -> None:
    task = task_of(EXAMPLES / f"{name}.pml")
    kind = explore_native(task, compiler).violations[0].kind
    for workers in WORKERS:
        for budget in (1, BUDGET):
            (found,) = searched(task, compiler, workers, budget=budget).violations
            assert found.kind == kind
            confirm(task.semantics, found.kind, found.choices, said=found.message)


def searched(task: Task, compiler: Compiler, workers: int, **changes: Any) -> Exploration:
    """A search in one process that is asked otherwise than usual."""

    def do(
        library: Path, options: Sequence[PartitionOptions], asked: Assignment, _: object
    ) -> Outcome:
        with InOneProcess(library, options) as crew:
            return search(crew, replace(asked, **changes))

    return explore_together(task, compiler, do, workers)


def test_a_superstep_may_be_one_state(compiler: Compiler) -> None:
    task = task_of(EXAMPLES / "two_phase_commit.pml")
    one = explore_native(task, compiler)
    for workers in (1, 3):
        many = searched(task, compiler, workers, budget=1)
        assert many.progress.states == one.progress.states
        assert many.progress.transitions == one.progress.transitions


def test_processes_find_the_same(compiler: Compiler) -> None:
    task = task_of(EXAMPLES / "two_phase_commit.pml", por="none")
    one = explore_native(task, compiler)
    many = explore_together(task, compiler, by(Together), 3)
    assert many.progress.states == one.progress.states
    assert many.progress.transitions == one.progress.transitions
    task = task_of(EXAMPLES / "peterson_broken.pml", shortest=True)
    assert (
        explore_together(task, compiler, by(Together), 2).violations
        == explore_together(task, compiler, by(InOneProcess), 1).violations
    )


def test_a_worker_that_is_killed_is_told_of(compiler: Compiler) -> None:
    def do(
        library: Path, options: Sequence[PartitionOptions], asked: Assignment, _: object
    ) -> Outcome:
        with Together(library, options) as crew:
            os.kill(crew.pids[1], signal.SIGKILL)
            return search(crew, asked)

    task = task_of(EXAMPLES / "two_phase_commit.pml")
    with pytest.raises(WorkerLost):
        explore_together(task, compiler, do, 3)


@pytest.mark.parametrize("shortest", [False, True])
def test_the_depth_limit(shortest: bool, compiler: Compiler) -> None:
    task = task_of(EXAMPLES / "two_phase_commit.pml", por="none", shortest=shortest, max_depth=9)
    one = explore_native(replace(task, options=replace(task.options, shortest=True)), compiler)
    for workers in WORKERS:
        many = explore_together(task, compiler, by(InOneProcess), workers)
        assert many.truncated
        if shortest:  # what is merged is the same
            assert many.progress.states == one.progress.states
            assert many.progress.depth == one.progress.depth == 9


def test_the_limit_of_states(compiler: Compiler) -> None:
    task = task_of(EXAMPLES / "two_phase_commit.pml", por="none", max_states=500)
    for workers in WORKERS:
        many = explore_together(task, compiler, by(InOneProcess), workers)
        assert many.stopped == "the limit of 500 states was reached"
        assert 500 < many.progress.states < 1500


def test_a_request_to_stop(compiler: Compiler) -> None:
    task = task_of(EXAMPLES / "raft.pml", por="none")
    for why, said in (("interrupted", "it was interrupted"), ("time", None)):
        times = iter(range(3))
        many = searched(
            replace(task, options=replace(task.options, limits=Limits(seconds=9))),
            compiler,
            2,
            budget=20,
            stop=lambda why=why, times=times: None if next(times, None) is not None else why,
        )
        assert many.stopped == (said or "the time limit of 9 s was reached")
        assert many.interrupted == (why == "interrupted")
        assert many.progress.states > 0


@pytest.mark.parametrize("memory", [1 << 12, 12 << 20])
def test_memory_that_is_refused_ends_the_search(memory: int, compiler: Compiler) -> None:
    task = task_of(LARGE, por="none", all_errors=True)
    limits = Limits(memory_bytes=2 * memory)
    task = replace(task, options=replace(task.options, limits=limits))
    many = explore_together(task, compiler, by(InOneProcess), 2)
    assert many.stopped == limits.memory_reached
    assert (many.progress.states > 0) == (memory > 1 << 20)


def test_more_room_is_made_for_processes(compiler: Compiler) -> None:
    text = """
    byte n;
    proctype Q(byte k) { if :: k > 0 -> run Q(k - 1) :: else fi; n++ }
    init { run Q(4) }
    """
    task = task_of(text, por="none")
    one = explore_native(task, compiler)
    many = explore_together(task, compiler, by(InOneProcess), 2, room=(2, 0))
    assert many.progress.states == one.progress.states


REFUSED = (
    ({"por": "persistent"}, "the reduction 'persistent' depends on the order"),
    ({"por": "dfs_po"}, "the reduction 'dfs_po' depends on the order"),
    ({"por": "sleep"}, "the reduction 'sleep' depends on the order"),
    ({"store": "exact"}, "--store exact is for one machine"),
    ({"store": "bitstate"}, "--store bitstate is for one machine"),
)


@pytest.mark.parametrize(("options", "said"), REFUSED)
def test_what_workers_cannot_do_is_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(WhorlError) as error:
        task_of(EXAMPLES / "peterson.pml", **options)
    assert said in str(error.value)
    assert "hint" in str(error.value)


class _Lost(Exception):
    pass


@pytest.mark.parametrize("shortest", [False, True])
@pytest.mark.parametrize("name", ["philosophers", "two_phase_commit"])
def test_a_search_goes_on_from_its_logs(name: str, shortest: bool, compiler: Compiler) -> None:
    task = task_of(EXAMPLES / f"{name}.pml", shortest=shortest)
    for workers in (1, 3):
        whole = searched(task, compiler, workers, budget=2)
        assert interrupted(task, compiler, workers) == (
            whole.progress.states,
            whole.progress.transitions,
            whole.reached,
            whole.violations,
        )


def interrupted(task: Task, compiler: Compiler, workers: int) -> tuple[object, ...]:
    """What a search finds whose workers are all replaced after some supersteps."""

    def do(
        library: Path, options: Sequence[PartitionOptions], asked: Assignment, _: object
    ) -> Outcome:
        kept: list[tuple[list[bytes], list[list[int]], Course]] = []

        def commit(crew: Crew, course: Course) -> None:
            if course.superstep == 3:
                logged = [figures.logged for figures in crew.all("figures")]
                total = Figures()
                for figures in crew.all("figures"):
                    total = total.plus(replace(figures, states=0, logged=0, cursor=0))
                records = [crew.at(n, "records", 0, most) for n, most in enumerate(logged)]
                kept.append((records, crew.all("begins"), replace(course, before=total)))
                raise _Lost

        asked = replace(asked, budget=2)
        with InOneProcess(library, options) as crew, pytest.raises(_Lost):
            search(crew, asked, commit=commit)
        ((records, begins, course),) = kept
        with InOneProcess(library, options) as crew:
            for worker, log, begun in zip(crew.workers, records, begins, strict=True):
                worker.load(log)
                worker.resume(begun)
            return search(crew, asked, course)

    found = explore_together(task, compiler, do, workers)
    return found.progress.states, found.progress.transitions, found.reached, found.violations
