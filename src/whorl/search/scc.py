"""Accepting cycles by strongly connected components (Couvreur 1999, in Gabow's way).

J.-M. Couvreur, "On-the-fly verification of linear temporal logic" (1999, doi
10.1007/3-540-48119-2_16); H. N. Gabow, "Path-based depth-first search for strong and biconnected
components" (2000). One depth-first search keeps the roots of the components that are still open,
each with the acceptance sets met in it; an edge back into an open component joins the components
above it. As soon as a component has all the sets, there is an accepting cycle.

It takes generalised acceptance: a run is accepted if it visits each of `sets` sets infinitely
often, where `marks` gives the sets of a node as bits. The lasso that it gives is short:
breadth-first through the nodes seen so far to the component, and within it from set to set.
So the successors of a node must not depend on the stack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from functools import partial

from whorl.search.graph import Graph, Lasso, N, Stack
from whorl.search.watch import Watch


@dataclass(slots=True)
class _Component:
    """An open component, partly seen: the number of its root, and the sets met in it."""

    root: int
    marks: int


def find(
    graph: Graph[N], watch: Watch, marks: Callable[[N], int] | None = None, sets: int = 1
) -> Lasso[N] | None:
    """A run that visits every set infinitely often, or goes to an error; None if there is none."""
    marked = marks if marks is not None else lambda node: int(graph.is_accepting(node))
    every = (1 << sets) - 1
    number: dict[N, int] = {}  # the order in which nodes were met
    live: dict[N, None] = {}  # those whose component is still open, in that order
    stack = Stack(graph)
    components: list[_Component] = []

    for root in graph.initial():
        watch.transition()
        t: N | None = root
        while True:
            if t is not None and t not in number and not watch.too_deep(len(stack)):
                watch.state()
                number[t] = len(number)
                live[t] = None
                components.append(_Component(number[t], marked(t)))
                stack.push(t)
                if graph.is_error(t):
                    return Lasso(_shortest(graph, graph.initial(), number, graph.is_error), ())
            elif t is not None and t in live:
                joined = 0
                while components[-1].root > number[t]:
                    joined |= components.pop().marks
                components[-1].marks |= joined
                if components[-1].marks == every:
                    least = components[-1].root
                    inside = {node for node in live if number[node] >= least}
                    return _lasso(graph, number, inside, marked, every)
            if not stack:
                break
            t = stack.next()
            if t is not None:
                watch.transition()
                continue
            s = stack.pop()
            if components[-1].root == number[s]:
                components.pop()
                while live.popitem()[0] != s:
                    pass
    return None


def _lasso(
    graph: Graph[N],
    seen: Container[N],
    inside: Container[N],
    marked: Callable[[N], int],
    every: int,
) -> Lasso[N]:
    """A short way into the component `inside`, and round in it through every set."""
    first = every & 1  # 0 where there are no sets at all
    way = _shortest(
        graph, graph.initial(), seen, lambda n: n in inside and marked(n) & first == first
    )
    entry = way[-1]
    cycle = [entry]
    missing = every & ~marked(entry)
    while missing:
        goal = partial(_visits, marked, missing)
        further = _shortest(graph, graph.successors(cycle[-1], ()), inside, goal)
        cycle += further
        for node in further:
            missing &= ~marked(node)
    back = _shortest(graph, graph.successors(cycle[-1], ()), inside, lambda n: n == entry)
    return Lasso.of(way[:-1], (*cycle, *back[:-1]))


def _visits(marked: Callable[[N], int], missing: int, node: N) -> bool:
    return bool(marked(node) & missing)


def _shortest(
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
