"""Who owns a state: most successors stay where they are, and still all workers have their part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from support.cluster import InOneProcess, safety_task
from support.compilers import QUICK, as_text
from whorl.native.cluster.course import Assignment
from whorl.native.cluster.engine import About, by, explore_together, planned
from whorl.native.cluster.figures import Figures
from whorl.native.cluster.levels import search
from whorl.native.cluster.library import PartitionOptions
from whorl.native.compiler import Compiler, find_compiler
from whorl.native.engine import explore_native
from whorl.native.verifier import Outcome, VerifierError
from whorl.task import Task

# A step changes one of four counters, or where its process is: 186,624 states.
COUNTERS = """
byte a, b, c, d;
active proctype A() { do :: a < 8 -> a++ :: a == 8 -> a = 0 od }
active proctype B() { do :: b < 8 -> b++ :: b == 8 -> b = 0 od }
active proctype C() { do :: c < 8 -> c++ :: c == 8 -> c = 0 od }
active proctype D() { do :: d < 15 -> d++ :: d == 15 -> d = 0 od }
"""
FEW = "byte x; active [2] proctype P() { x = 1; x = 2 }"  # too few states to judge by
BY_ALL = "-DWHORL_OWNERS_SPREAD=0.0"


def compiler_of(monkeypatch: pytest.MonkeyPatch, more: str = "") -> Compiler:
    monkeypatch.setenv("WHORL_CC", f"{as_text(QUICK)} {more}")
    found = find_compiler()
    assert found is not None
    return found


def workers_of(task: Task, compiler: Compiler, count: int) -> list[Figures]:
    """What each worker has counted."""
    figures: list[Figures] = []

    def do(
        library: Path, options: Sequence[PartitionOptions], asked: Assignment, _: About
    ) -> Outcome:
        with InOneProcess(library, options) as crew:
            outcome = search(crew, asked)
            figures.extend(crew.all("figures"))
            return outcome

    many = explore_together(task, compiler, do, count)
    one = explore_native(task, compiler)
    assert many.progress.states == one.progress.states
    assert many.progress.transitions == one.progress.transitions
    return figures


@pytest.mark.parametrize("count", [2, 4])
def test_most_successors_stay_where_they_are(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    task = planned(safety_task(COUNTERS, por="none", all_errors=True))
    by_all = workers_of(task, compiler_of(monkeypatch, BY_ALL), count)
    by_part = workers_of(task, compiler_of(monkeypatch), count)
    transitions = sum(each.transitions for each in by_all)
    leave = sum(each.sent + each.spared for each in by_all) / transitions
    assert leave == pytest.approx((count - 1) / count, abs=0.1)
    assert sum(each.sent + each.spared for each in by_part) / transitions < 0.75 * leave


@pytest.mark.parametrize("count", [2, 3, 4])
def test_each_worker_has_its_part(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    task = planned(safety_task(COUNTERS, por="none", all_errors=True))
    states = [each.states for each in workers_of(task, compiler_of(monkeypatch), count)]
    assert max(states) * count < 1.3 * sum(states)


@pytest.mark.parametrize("count", [2, 4])
def test_a_small_model_goes_by_all_of_a_state(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    task = planned(safety_task(FEW, por="none", all_errors=True))
    assert sum(each.sent for each in workers_of(task, compiler_of(monkeypatch), count)) > 0


def test_workers_that_disagree_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them thinks that they are three: what it sends to the other may not be its own."""

    class Disagreeing(InOneProcess):
        def __init__(self, library: Path, options: Sequence[PartitionOptions]) -> None:
            first, second = options
            super().__init__(library, [first, PartitionOptions(1, 3, exhaust=second.exhaust)])

        def exchange(self) -> None:
            first, second = self.workers
            for batch in first.outgoing()[1:]:
                second.insert(batch)
            first.insert(second.outgoing()[0])

    task = planned(safety_task(COUNTERS, por="none"))
    with pytest.raises(VerifierError, match="workers disagree about who owns a state"):
        explore_together(task, compiler_of(monkeypatch), by(Disagreeing), 2)
