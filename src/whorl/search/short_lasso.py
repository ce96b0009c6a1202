"""A short lasso, once it is known where one is: breadth first to a component, and round in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable
from functools import partial

from whorl.search.graph import Graph, Lasso, N


def lasso_through(
    graph: Graph[N],
    seen: Container[N],
    inside: Container[N],
    marked: Callable[[N], int],
    every: int,
) -> Lasso[N]:
    """A short way into the component `inside`, and round in it through every set."""
    first = every & 1  # 0 where there are no sets at all
    way = shortest(
        graph, graph.initial(), seen, lambda n: n in inside and marked(n) & first == first
    )
    entry = way[-1]
    cycle = [entry]
    missing = every & ~marked(entry)
    while missing:
        goal = partial(_visits, marked, missing)
        further = shortest(graph, graph.successors(cycle[-1], ()), inside, goal)
        cycle += further
        for node in further:
            missing &= ~marked(node)
    back = shortest(graph, graph.successors(cycle[-1], ()), inside, lambda n: n == entry)
    return Lasso.of(way[:-1], (*cycle, *back[:-1]))


def _visits(marked: Callable[[N], int], missing: int, node: N) -> bool:
    return bool(marked(node) & missing)


def shortest(
    graph: Graph[N], starts: Iterable[N], within: Container[N], is_goal: Callable[[N], bool]
) -> tuple[N, ...]:
    """A shortest path from one of `starts` to a goal, through nodes of `within` alone."""
    origin: dict[N, N | None] = {node: None for node in starts if node in within}
    queue = deque(origin)
    while queue:
        node = queue.popleft()
        if is_goal(node):
            path = [node]
            while (before := origin[path[-1]]) is not None:
                path.append(before)
            return tuple(reversed(path))
        for t in graph.successors(node, ()):
            if t in within and t not in origin:
                origin[t] = node
                queue.append(t)
    raise AssertionError("there is a path: the search took one")
