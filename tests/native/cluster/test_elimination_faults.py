"""Workers that look for cycles and are lost, stopped, short of room, or not the right ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from support.cluster import InOneProcess, claim_tasks, safety_task
from support.compilers import QUICK
from whorl.diagnostics import WhorlError
from whorl.native.claim_search import BeyondNative
from whorl.native.cluster import elimination, engine, levels
from whorl.native.cluster.claims import ClaimWorker
from whorl.native.cluster.course import Assignment
from whorl.native.cluster.engine import by, explore_together, planned
from whorl.native.cluster.kept import Pace, opened
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.recovery import EnduringSearch
from whorl.native.cluster.together import Together
from whorl.native.cluster.transport import WorkerLost
from whorl.native.cluster.worker import ClusterWorker
from whorl.native.engine import explore_native
from whorl.native.verifier import Outcome, VerifierError
from whorl.search.exploration import Exploration
from whorl.task import Task

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

# A cycle of accepting nodes alone, one of both kinds, and a row of cycles that are eliminated.
MODEL = """
byte x, y;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0; y = (y + 1) % 5 od }
active proctype Q() { do :: y == 3 -> atomic { y = 4; x = 0 } :: y == 1 -> skip od }
ltl holds { [] (x <= 2 && y < 5) }
ltl again { []<> (x == 0) -> []<> (y == 3) }
ltl rounds { []<> (x == 2) || <>[] (y == 1) }
"""
NAMES = ("holds", "again", "rounds")


def task_of(name: str, **options: Any) -> Task:
    return next(task for task in claim_tasks(MODEL, por="none", **options) if task.name == name)


def figures(found: Exploration) -> tuple[Any, ...]:
    progress = found.progress
    counts = progress.states, progress.transitions, progress.depth
    return (*counts, found.reached, found.violations, found.stopped, found.truncated)


class Dying(InOneProcess):
    """A crew of which a worker is lost in the call with that number, counted from now."""

    left = -1  # calls; below 0: none is lost

    def _live(self) -> None:
        kind = type(self)
        kind.left -= 1
        if kind.left == 0:
            raise WorkerLost(1, "it was killed")

    def all(self, name: str, *arguments: Any) -> list[Any]:
        self._live()
        return super().all(name, *arguments)

    def exchange(self) -> None:
        self._live()
        super().exchange()


@pytest.fixture
def commits_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """After every third level."""
    levels = count()
    monkeypatch.setattr(Pace, "due", property(lambda _: next(levels) % 3 == 0))
    monkeypatch.setattr(os, "fsync", lambda _: None)  # it takes long where others write


@pytest.mark.usefixtures("commits_always")
@pytest.mark.parametrize("name", NAMES)
def test_a_worker_is_lost(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any call: of the exploration, of a round, or of the counterexample."""
    task = task_of(name)
    expected = explore_together(task, QUICK, by(InOneProcess), 2)
    calls = 0
    for call in count(5, 41):
        folder = tmp_path / f"kept{call}"
        monkeypatch.setattr(Dying, "left", call)
        searching = EnduringSearch(Dying, folder, pace=partial(Pace, least=0.0, took=0.0))
        found = explore_together(task, QUICK, searching, 2)
        assert figures(found) == figures(expected)
        if not searching.losses:
            break
        calls += 1
    assert calls > 3


@pytest.mark.usefixtures("commits_always")
@pytest.mark.parametrize("name", NAMES)
def test_it_goes_on_where_it_was_interrupted(name: str, tmp_path: Path) -> None:
    task = task_of(name)
    expected = explore_together(task, QUICK, by(InOneProcess), 2)
    calls, resumed, times = count(), None, 0
    for end in (9, 30, 60, 80, 10_000):
        searching = EnduringSearch(
            InOneProcess, tmp_path, resumed, pace=partial(Pace, least=0.0, took=0.0)
        )
        found = explore_together(task, QUICK, searching, 2, stop_after(calls, end), searching.room)
        if found.stopped is None:
            break
        assert found.interrupted
        assert not found.violations
        resumed, times = opened(tmp_path), times + 1
    assert times >= 2
    assert figures(found) == figures(expected)


def stop_after(calls: count[int], end: int) -> Callable[[], str | None]:
    return lambda: "interrupted" if next(calls) > end else None


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_of_depth(name: str) -> None:
    """What is behind it is not explored, and that is said."""
    task = task_of(name, max_depth=20)
    one = explore_native(planned(task), QUICK)
    assert one.truncated
    for workers in (1, 2, 3):
        many = explore_together(task, QUICK, by(InOneProcess), workers)
        assert many.truncated
        assert many.progress.states == one.progress.states
        assert many.progress.depth == one.progress.depth
        assert [v.kind for v in many.violations] == [v.kind for v in one.violations]
        assert one.violations or figures(many) == figures(one)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_limit_of_states(workers: int) -> None:
    found = explore_together(task_of("holds", max_states=20), QUICK, by(InOneProcess), workers)
    assert found.stopped is not None
    assert "20 states" in found.stopped
    assert not found.violations
    assert (
        explore_together(task_of("holds", max_states=106), QUICK, by(InOneProcess), workers).stopped
        is None
    )


def test_memory_that_is_refused() -> None:
    """It ends the search with a reason, and never the process."""
    for megabytes in (1, 9, 21):
        task = task_of("again", memory=megabytes << 20)
        found = explore_together(task, QUICK, by(InOneProcess), 2)
        assert found.stopped is not None
        assert "memory" in found.stopped
        assert not found.violations


def test_a_larger_library_is_made() -> None:
    """If the processes do not fit."""
    text = """
    byte n; proctype child() { n = (n + 1) % 3; n = 0 }
    active proctype P() { run child(); run child(); run child(); do :: n == 0 -> skip od }
    ltl p { []<> (n == 2) }
    """
    (task,) = claim_tasks(text)
    one = explore_native(planned(task), QUICK)
    many = explore_together(task, QUICK, by(InOneProcess), 2, room=(2, 0))
    assert many.progress.states == one.progress.states
    assert [v.kind for v in many.violations] == ["ltl"]


@pytest.mark.parametrize("name", NAMES)
def test_processes(name: str) -> None:
    """The same by workers in processes of their own."""
    task = task_of(name)
    expected = explore_together(task, QUICK, by(InOneProcess), 3)
    assert figures(explore_together(task, QUICK, by(Together), 3)) == figures(expected)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"algorithm": "scc"}, "the search 'scc' goes by one stack"),
        ({"por": "v0"}, "the reduction 'v0' goes by more than the state"),
        ({"por": "pv"}, "the reduction 'pv' goes by more than the state"),
        ({"store": "bitstate"}, "keeps no states"),
    ],
)
def test_what_is_refused(options: dict[str, Any], why: str) -> None:
    (task,) = claim_tasks("bit x; active proctype P() { x = 1 } ltl p { <> x }", **options)
    with pytest.raises(WhorlError, match=why):
        explore_together(task, QUICK, by(InOneProcess), 2)


def test_too_many_to_be_fair_to() -> None:
    text = "active [70] proctype P() { skip } ltl p { <> false }"
    (task,) = claim_tasks(text, fair=True)
    with pytest.raises(BeyondNative):
        explore_together(task, QUICK, by(InOneProcess), 2)


# --- exploring alone is no verdict ---------------------------------------------------------------


def library_of(task: Task) -> Path:
    found: list[Path] = []

    def searched(path: Path, *_: Any) -> Outcome:
        found.append(path)
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        explore_together(task, QUICK, searched, 1)
    return found[0]


def test_a_worker_for_safety_takes_no_claim() -> None:
    with pytest.raises(VerifierError, match="the reverse"):
        ClusterWorker(library_of(task_of("again")), PartitionOptions(0, 1))
    with pytest.raises(VerifierError, match="the reverse"):
        ClaimWorker(library_of(planned(safety_task(MODEL))), PartitionOptions(0, 1, claim=True))


def test_a_search_for_safety_takes_no_claim() -> None:
    crew = InOneProcess(library_of(task_of("again")), [PartitionOptions(0, 1, claim=True)])
    with crew:
        with pytest.raises(VerifierError, match="nothing of a claim"):
            levels.search(crew, Assignment(claim=True))
        with pytest.raises(VerifierError, match="is for claims"):
            elimination.search(crew, Assignment())


def test_a_verdict_needs_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever explores and forgets the rest is found out."""
    monkeypatch.setattr(
        engine, "search", lambda crew, asked: levels.search(crew, replace(asked, claim=False))
    )
    with pytest.raises(VerifierError, match="no round"):
        explore_together(task_of("holds"), QUICK, by(InOneProcess), 2)
