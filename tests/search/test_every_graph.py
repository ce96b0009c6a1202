"""The reference searches for cycles, on every small graph and others, against the definition."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

import pytest

from support.graphs import Explicit, is_lasso, watch
from support.small_graphs import (
    Small,
    accepts,
    drawn,
    every,
    has_component,
    has_non_progress_cycle,
)
from whorl.search import colours, nested_fig2, nested_fig4, non_progress, owcty, scc
from whorl.search.graph import Graph, Lasso
from whorl.search.watch import Watch

Find = Callable[[Graph[object], Watch], Lasso[object] | None]
SEARCHES: dict[str, Find] = {
    "fig2": nested_fig2.find,
    "fig4": nested_fig4.find,
    "colours": colours.find,
    "scc": scc.find,
    "owcty": owcty.find,
}


def graphs(seed: str, count: int) -> list[Small]:
    dice = random.Random(seed)
    return [*every(3), *(drawn(dice, 8) for _ in range(count))]


def explicit(graph: Small) -> Explicit:
    edges: dict[object, list[object]] = {n: [] for n in range(graph.size)}
    for a, b, *_ in graph.edges:
        edges[a].append(b)
    return Explicit(edges, accepting=graph.good)


def check(find: Find, graph: Small, expected: bool, always: bool) -> None:
    walked = explicit(graph)
    found = find(walked, watch())
    assert (found is not None) == expected, str(graph)
    if found is not None:
        met = [node in graph.good for node in found.cycle]
        assert is_lasso(walked, found), (str(graph), found)
        assert all(met) if always else any(met), (str(graph), found)


@pytest.mark.parametrize("name", SEARCHES)
def test_acceptance(name: str) -> None:
    for graph in graphs(name, 1000):
        check(SEARCHES[name], graph, accepts(graph, infinite_runs=True), always=False)


def test_non_progress() -> None:
    for graph in graphs("fig5", 1000):
        progress = frozenset(range(graph.size)) - graph.good

        def find(
            walked: Graph[object], watched: Watch, progress: frozenset[int] = progress
        ) -> Lasso[object] | None:
            return non_progress.find(walked, watched, progress.__contains__)

        check(find, graph, has_non_progress_cycle(graph), always=True)


@pytest.mark.parametrize("search", [scc, owcty])
def test_generalised_acceptance(search: ModuleType) -> None:
    """Some take several sets at once: here the good nodes with even numbers, and the odd."""
    for graph in graphs("sets", 1000):

        def marks(node: object, good: frozenset[int] = graph.good) -> int:
            assert isinstance(node, int)
            return 1 << node % 2 if node in good else 0

        edges = [(a, b, frozenset({marks(a)})) for a, b, *_ in graph.edges]
        walked = explicit(graph)
        found = search.find(walked, watch(), marks, 2)
        expected = has_component(graph.size, edges, frozenset({1, 2}))
        assert (found is not None) == expected, str(graph)
        if found is not None:
            assert is_lasso(walked, found)
            assert {1, 2} <= set(map(marks, found.cycle))
