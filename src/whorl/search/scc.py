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

from collections.abc import Callable
from dataclasses import dataclass

from whorl.search.graph import Graph, Lasso, N, Stack
from whorl.search.short_lasso import lasso_through, shortest
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
                    return Lasso(shortest(graph, graph.initial(), number, graph.is_error), ())
            elif t is not None and t in live:
                joined = 0
                while components[-1].root > number[t]:
                    joined |= components.pop().marks
                components[-1].marks |= joined
                if components[-1].marks == every:
                    least = components[-1].root
                    inside = {node for node in live if number[node] >= least}
                    return lasso_through(graph, number, inside, marked, every)
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
