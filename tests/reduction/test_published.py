"""Reduced graphs of the Two phase paper, state by state: Figure 4, and B5 and W5 of its Table 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from support.spin import full_search
from whorl.api import load
from whorl.engines import reference_semantics
from whorl.program.atomic import Run, runs
from whorl.program.state import LOCATION, State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Rule
from whorl.reduction.stack import Choosing
from whorl.reduction.static import Static
from whorl.reduction.two_phase import TwoPhase

# Figure 4 (a): from s0 to s1 or to s2, and back.
B = "active [{n}] proctype P() {{ do :: true -> skip :: true -> skip od }}"
# No state is deterministic, and no path comes back.
W = "active [{n}] proctype P() {{ if :: true -> end1: false :: true -> end2: false fi }}"


def analysis(model: str, n: int) -> Analysis:
    return Analysis(reference_semantics(load(model.format(n=n)).program))


def reached(first: State, successors: Callable[[State], Iterable[Run]]) -> set[State]:
    met, waiting = {first}, [first]
    while waiting:
        for run in successors(waiting.pop()):
            assert run.state is not None
            if run.state not in met:
                met.add(run.state)
                waiting.append(run.state)
    return met


def dfs_po(found: Analysis) -> set[State]:
    """Figure 3, recursively."""
    choosing = Choosing(found, Rule.PROCESS)
    redset: set[State] = set()
    visited: set[State] = set()

    def search(s: State) -> None:
        redset.add(s)
        visited.add(s)
        number = choosing.choose(s, redset.__contains__)
        for run in choosing.selected(s, number).runs:
            assert run.state is not None
            if run.state not in visited:
                search(run.state)
        redset.remove(s)

    search(found.semantics.initial())
    return visited


def all_states(found: Analysis) -> set[State]:
    return reached(found.semantics.initial(), lambda q: runs(found.semantics, q))


def two_phase(found: Analysis) -> set[State]:
    scheme = TwoPhase(found)
    return reached(found.semantics.initial(), lambda q: scheme.ample(q).runs)


def selective(found: Analysis) -> tuple[set[State], int]:
    """The states that are stored, and the most that a phase 1 had to remember."""
    scheme = TwoPhase(found)
    met: set[State] = set()
    most = 0
    waiting = [found.semantics.initial()]
    while waiting:
        phase1 = scheme.phase_1(waiting.pop())
        most = max(most, phase1.remembered)
        if phase1.end not in met:
            met.add(phase1.end)
            waiting += [r.state for r in runs(found.semantics, phase1.end) if r.state is not None]
    return met, most


def places(states: Iterable[State]) -> set[tuple[int, ...]]:
    return {tuple(record[LOCATION] for record in q.processes) for q in states}


def test_figure_4() -> None:
    found = analysis(B, 2)
    assert len(all_states(found)) == 9
    assert len(dfs_po(found)) == 9
    reduced = two_phase(found)
    assert len(reduced) == 5
    # All but those in which both processes have left s0.
    s0 = found.semantics.program.processes[0].start
    assert places(reduced) == {p for p in places(all_states(found)) if s0 in p}


def test_b5() -> None:
    found = analysis(B, 5)
    assert len(dfs_po(found)) == 243
    assert len(two_phase(found)) == 11
    states, remembered = selective(found)
    assert len(states) == 1
    assert remembered <= 1


def test_w5() -> None:
    found = analysis(W, 5)
    assert len(dfs_po(found)) == 63
    assert len(two_phase(found)) == 243
    assert len(selective(found)[0]) == 243


@pytest.mark.parametrize(("model", "states"), [(B, 11), (W, 63)])
def test_static_is_as_good_as_the_better_of_the_two(model: str, states: int) -> None:
    found = analysis(model, 5)
    scheme = Static(found)
    assert len(reached(found.semantics.initial(), lambda q: scheme.ample(q).runs)) == states


@pytest.mark.spin
@pytest.mark.parametrize(
    "name", ["bakery", "barrier", "bounded_buffer", "readers_writer", "river_crossing"]
)
def test_spins_own_rule_gives_spins_figures(name: str) -> None:
    """One process, local statements only, and the weak proviso on a depth-first stack."""
    model = Path(__file__).parents[2] / "examples" / f"{name}.pml"
    found = Analysis(reference_semantics(load(model).program))
    choosing = Choosing(found, Rule.SPIN, safety=True)
    visited: set[State] = set()
    stack: dict[State, Iterator[Run]] = {}

    def push(state: State) -> None:
        visited.add(state)
        stack[state] = iter(())
        number = choosing.choose(state, stack.__contains__)
        stack[state] = iter(choosing.selected(state, number).runs)

    push(found.semantics.initial())
    while stack:
        run = next(next(reversed(stack.values())), None)
        if run is None:
            stack.popitem()
        elif run.state is not None and run.state not in visited:
            push(run.state)
    assert len(visited) == full_search(model, reduce=True).states
