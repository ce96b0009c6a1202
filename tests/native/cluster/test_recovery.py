"""Whatever call a worker is lost in, the search comes to the same end; so it does if resumed."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support.cluster import InOneProcess, claim_tasks, safety_task
from support.compilers import QUICK, as_text
from whorl.api import order_free
from whorl.diagnostics import WhorlError
from whorl.native.cluster import pieces
from whorl.native.cluster.course import Assignment
from whorl.native.cluster.engine import About, explore_together, planned
from whorl.native.cluster.kept import KeptSearch, Pace, opened
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.recovery import MOST_LOSSES, EnduringSearch
from whorl.native.cluster.transport import WorkerLost
from whorl.native.compiler import Compiler, find_compiler
from whorl.native.engine import explore_native
from whorl.native.verifier import Outcome
from whorl.search.exploration import Exploration
from whorl.task import Task

TABLES = "-DWHORL_SURVEY_AT=64 -DWHORL_SENT_LOG=4 -DWHORL_OUTBOX_FULL=512"
# Two assertions fail, one near the initial state and one far from it.
MODEL = """
byte x, y, z;
active [2] proctype P() {
    do :: x < 6 -> x++ :: x == 6 -> x = 0; y = (y + 1) % 12; assert(y < 9) od
}
active proctype Q() { do :: z < 5 -> z++; assert(z != 2) :: z == 5 -> z = 0 od }
"""


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.setenv("WHORL_CC", f"{as_text(QUICK)} {TABLES}")
    found = find_compiler()
    assert found is not None
    return found


class Dying(InOneProcess):
    """A crew of which a worker is lost in the call with that number, counted from now."""

    left = -1  # calls; below 0: none is lost

    def all(self, name: str, *arguments: Any) -> list[Any]:
        self._live()
        return super().all(name, *arguments)

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        self._live()
        return super().at(number, name, *arguments)

    def exchange(self) -> None:
        self._live()
        super().exchange()

    def _live(self) -> None:
        kind = type(self)
        kind.left -= 1
        if kind.left == 0:
            raise WorkerLost(1, "it was killed")


@dataclass
class Small:
    """The same search, but each worker expands few states at a time."""

    searching: EnduringSearch
    budget: int = 80
    outcomes: list[Outcome] = field(default_factory=list)

    def __call__(
        self, library: Path, options: Sequence[PartitionOptions], asked: Assignment, about: About
    ) -> Outcome:
        few = replace(asked, budget=self.budget, report=None)
        self.outcomes.append(self.searching(library, options, few, about))
        return self.outcomes[-1]


def enduring(folder: Path | None, resumed: KeptSearch | None = None, **more: Any) -> EnduringSearch:
    """With a commit after every superstep."""
    return EnduringSearch(Dying, folder, resumed, pace=partial(Pace, least=0.0, took=0.0), **more)


@pytest.fixture(autouse=True)
def always_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "due", True)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # it takes long where others write
    monkeypatch.setattr(Dying, "left", -1)


def task_of(tmp_path: Path, **options: Any) -> Task:
    model = tmp_path / "model.pml"
    model.write_text(MODEL)
    return planned(safety_task(model, **options))


def figures(found: Exploration) -> tuple[Any, ...]:
    """What may not depend on what was lost."""
    violations = sorted((v.kind, v.message or "") for v in found.violations)
    progress = found.progress
    return (
        progress.states,
        progress.transitions,
        found.reached,
        violations,
        found.stopped,
        found.endless,
    )


def after(calls: Iterator[int], most: int) -> Callable[[], str | None]:
    """A request to end after so many calls."""
    return lambda: "interrupted" if next(calls) >= most else None


KINDS = [{"all_errors": True}, {"all_errors": True, "shortest": True}, {"assertions": False}]


@pytest.mark.parametrize("options", KINDS, ids=lambda options: "-".join(options))
@pytest.mark.parametrize(
    ("workers", "points"), [(3, 3), pytest.param(2, 40, marks=pytest.mark.slow)]
)
def test_lost_in_any_call(
    tmp_path: Path, compiler: Compiler, options: dict[str, Any], workers: int, points: int
) -> None:
    task = task_of(tmp_path, **options)
    expected = figures(explore_native(task, compiler))
    drawn = random.Random(workers)
    losses = 0
    for point in [2, *sorted(drawn.sample(range(3, 60), points))]:
        searching = enduring(tmp_path / f"kept{point}")
        Dying.left = point
        found = explore_together(task, compiler, Small(searching), workers)
        assert figures(found) == expected, point
        losses += len(searching.losses)
        assert searching.keeping is not None
        assert 0 < searching.keeping.kept.states <= found.progress.states
    assert losses > points // 2  # few searches end before


def test_lost_again_and_again(tmp_path: Path, compiler: Compiler) -> None:
    """Each time a little further on: it comes to its end, as each crew commits something."""
    task = task_of(tmp_path, all_errors=True)
    expected = figures(explore_native(task, compiler))
    searching = enduring(tmp_path / "kept")

    def gather(library: Path, options: Sequence[PartitionOptions]) -> Dying:
        Dying.left = 60
        return Dying(library, options)

    searching.gather = gather
    found = explore_together(task, compiler, Small(searching), 2)
    assert figures(found) == expected
    assert len(searching.losses) > 2


@pytest.mark.parametrize("keeps", [True, False])
def test_lost_without_a_commit_in_between(tmp_path: Path, compiler: Compiler, keeps: bool) -> None:
    """It is not tried for ever, and nothing is said to hold."""
    task = task_of(tmp_path, all_errors=True)
    searching = enduring(tmp_path / "kept" if keeps else None)

    def gather(library: Path, options: Sequence[PartitionOptions]) -> Dying:
        Dying.left = 4
        return Dying(library, options)

    searching.gather = gather
    found = explore_together(task, compiler, Small(searching), 2)
    assert len(searching.losses) == MOST_LOSSES + 1
    assert found.stopped is not None
    assert "worker 1 is lost: it was killed; so it was 4 times in a row" in found.stopped
    assert not found.violations


@pytest.mark.parametrize("options", KINDS, ids=lambda options: "-".join(options))
def test_resumed_from_any_commit(
    tmp_path: Path, compiler: Compiler, options: dict[str, Any]
) -> None:
    """The driver is killed after some supersteps, and the search goes on in another one."""
    task = task_of(tmp_path, **options)
    expected = figures(explore_native(task, compiler))
    drawn = random.Random(7)
    for point in sorted(drawn.sample(range(12, 60), 3)):
        folder = tmp_path / f"kept{point}"

        class Killed(BaseException):
            pass

        class Driver(Dying):
            def _live(self) -> None:
                type(self).left -= 1
                if type(self).left == 0:
                    raise Killed

        Driver.left = point
        searching = enduring(folder)
        searching.gather = Driver
        try:
            found = explore_together(task, compiler, Small(searching), 2)
        except Killed:
            again = opened(folder)
            before = len(again.commits)
            resumed = enduring(folder, again)
            found = explore_together(task, compiler, Small(resumed), 2, room=resumed.room)
            assert len(again.commits) > before or not found.progress.states
        assert figures(found) == expected, point


def test_a_limit_and_on(tmp_path: Path, compiler: Compiler) -> None:
    """What a limit ends goes on without it; also where the limit came between two commits."""
    task = task_of(tmp_path, all_errors=True)
    expected = figures(explore_native(task, compiler))
    folder = tmp_path / "kept"
    calls = iter(range(1000))
    ends = iter([2, 5, 6, 8, 1000])
    rounds, resumed = 0, None
    while True:
        end = next(ends)
        searching = enduring(folder, resumed)
        found = explore_together(
            task,
            compiler,
            Small(searching),
            2,
            after(calls, end + 1),
            searching.room,
        )
        if found.stopped is None:
            break
        assert found.interrupted
        rounds, resumed = rounds + 1, opened(folder)
    assert figures(found) == expected
    assert rounds == 4


def test_what_ends_between_commits_is_committed(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "due", False)
    task = task_of(tmp_path, assertions=False)
    calls = iter(range(1000))
    searching = enduring(tmp_path / "kept")
    found = explore_together(task, compiler, Small(searching), 2, after(calls, 4))
    again = opened(tmp_path / "kept")
    assert again.states == found.progress.states
    resumed = enduring(tmp_path / "kept", again)
    found = explore_together(task, compiler, Small(resumed), 2, room=resumed.room)
    assert figures(found) == figures(explore_native(task, compiler))


@pytest.mark.parametrize("wanted", [True, False])
def test_a_full_disk(
    tmp_path: Path, compiler: Compiler, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    """What was committed is kept. The search ends if it was asked to keep, and else goes on."""
    task = task_of(tmp_path, all_errors=True)
    expected = figures(explore_native(task, compiler))
    folder = tmp_path / "kept"
    written = 0

    def filling(_: object) -> None:
        nonlocal written
        written += 1
        if written > 10:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pieces, "secured", filling)
        searching = enduring(folder, wanted=wanted)
        found = explore_together(task, compiler, Small(searching), 2)
    kept = opened(folder)
    assert len(kept.commits) == 5
    assert searching.keeping is not None
    assert "No space left" in (searching.keeping.failed or "")
    if not wanted:
        assert figures(found) == expected
        return
    assert "No space left" in (found.stopped or "")
    resumed = enduring(folder, kept)
    assert (
        figures(explore_together(task, compiler, Small(resumed), 2, room=resumed.room)) == expected
    )


@pytest.mark.parametrize("lost", [True, False])
def test_a_damaged_file_is_never_gone_on_from(
    tmp_path: Path, compiler: Compiler, lost: bool
) -> None:
    task = task_of(tmp_path, all_errors=True)
    folder = tmp_path / "kept"

    def damage() -> None:
        path = next(folder.glob("000001.0.*.states"))
        path.write_bytes(path.read_bytes()[:-1])

    class Damaging(Dying):
        def _live(self) -> None:
            type(self).left -= 1
            if type(self).left == 0:
                damage()
                raise WorkerLost(0, "it was killed")

    Damaging.left = 45
    searching = enduring(folder)
    searching.gather = Damaging
    if lost:
        found = explore_together(task, compiler, Small(searching), 2)
        assert "what was committed is gone, too" in (found.stopped or "")
        assert not found.violations
        return
    Damaging.left = -1
    found = explore_together(task, compiler, Small(searching), 2)
    damage()
    resumed = enduring(folder, opened(folder))
    with pytest.raises(WhorlError, match=r"cannot go on from .*is damaged"):
        explore_together(task, compiler, Small(resumed), 2, room=resumed.room)


def test_another_model_is_refused(tmp_path: Path, compiler: Compiler) -> None:
    task = task_of(tmp_path, all_errors=True)
    explore_together(task, compiler, Small(enduring(tmp_path / "kept")), 2)
    other = tmp_path / "other.pml"
    other.write_text(MODEL.replace("y < 9", "y < 8"))
    resumed = enduring(tmp_path / "kept", opened(tmp_path / "kept"))
    with pytest.raises(WhorlError, match="it is of another model"):
        explore_together(planned(safety_task(other, all_errors=True)), compiler, Small(resumed), 2)
    for options, said in (({}, "other options"), ({"all_errors": True}, "other workers")):
        task = task_of(tmp_path, **options)
        resumed = enduring(tmp_path / "kept", opened(tmp_path / "kept"))
        with pytest.raises(WhorlError, match=said):
            explore_together(task, compiler, Small(resumed), 3 if options else 2)


CLAIM = """
byte x, y;
active [2] proctype P() { do :: x < 9 -> x++ :: x == 9 -> x = 0; y = (y + 1) % 4 od }
"""


@pytest.mark.parametrize("formula", ["[] <> (x == 3)", "[] (y == 2 -> <> (y == 1))"])
def test_a_search_for_cycles_goes_on_from_its_levels(
    tmp_path: Path, compiler: Compiler, formula: str
) -> None:
    """Whether a worker is lost while exploring or while eliminating."""
    model = tmp_path / "model.pml"
    model.write_text(f"{CLAIM}\nltl f {{ {formula} }}\n")
    (task,) = order_free(tuple(claim_tasks(model)))
    expected = figures(explore_together(task, compiler, Small(enduring(None)), 2))
    losses = 0
    for point in (3, 40, 90, 160):
        searching = enduring(tmp_path / f"kept{point}")
        Dying.left = point
        assert figures(explore_together(task, compiler, Small(searching), 2)) == expected
        losses += len(searching.losses)
    assert losses > 2
