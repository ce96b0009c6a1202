"""Accepting cycles without a stack, by elimination ("one way catch them young").

I. Cerna and R. Pelanek, "Distributed explicit fair cycle detection" (SPIN 2003, doi
10.1007/3-540-44829-2_4), after K. Fisler, R. Fraer, G. Kamhi, M. Vardi and Z. Yang, "Is there a
best symbolic cycle-detection algorithm?" (TACAS 2001).

    proc OWCTY()
      S := what can be reached
      repeat
        S := what accepting nodes of S lead to in S, with these nodes        (reachability)
        while S has a node without predecessor in S: take it away            (elimination)
      until S stays as it is
      report a cycle if S is not empty
    end

A node of an accepting cycle is never taken away. Where S stays as it is, each node has a
predecessor in S and comes after an accepting node in S. So S has a component that no other one
leads to, that has an edge, and that has an accepting node: there is the lasso.

No step depends on an order of nodes, so that many threads or machines can do it together. It takes
generalised acceptance (`scc`), one set after another. It sees everything before it says anything,
but for errors; and the successors of a node must not depend on a stack.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection

from whorl.search.graph import Graph, Lasso, N
from whorl.search.short_lasso import lasso_through, shortest
from whorl.search.watch import Watch


def find(
    graph: Graph[N], watch: Watch, marks: Callable[[N], int] | None = None, sets: int = 1
) -> Lasso[N] | None:
    """A run that visits every set infinitely often, or goes to an error; None if there is none."""
    marked = marks if marks is not None else lambda node: int(graph.is_accepting(node))
    stored, error = _explored(graph, watch)
    if error is not None:
        return Lasso(shortest(graph, graph.initial(), stored, lambda node: node == error), ())
    every = (1 << sets) - 1
    left: Collection[N] = stored
    before = -1
    while len(left) != before:
        before = len(left)
        for mark in [1 << i for i in range(sets)] or [0]:
            seeds = [node for node in left if marked(node) & mark == mark]
            left = _eliminated(graph, watch, _reached(graph, watch, seeds, left))
    if not left:
        return None
    return lasso_through(graph, stored, _first_component(graph, left), marked, every)


def _explored(graph: Graph[N], watch: Watch) -> tuple[dict[N, None], N | None]:
    """All nodes, breadth first; up to the first error, if there is one."""
    stored: dict[N, None] = {}
    level: list[N] = []

    def store(node: N, depth: int) -> bool:
        """Stores a node that is not stored yet; whether it is an error."""
        watch.transition()
        if node in stored or watch.too_deep(depth):
            return False
        watch.state()
        stored[node] = None
        level.append(node)
        return graph.is_error(node)

    for root in graph.initial():
        if store(root, 0):
            return stored, root
    depth = 0
    while level:
        depth += 1
        sources, level = level, []
        for source in sources:
            for target in graph.successors(source, ()):
                if store(target, depth):
                    return stored, target
    return stored, None


def _reached(
    graph: Graph[N], watch: Watch, seeds: Collection[N], within: Collection[N]
) -> dict[N, int]:
    """What the seeds lead to, with them: for each node how many edges lead to it from there."""
    reached = dict.fromkeys(seeds, 0)
    queue = deque(reached)
    while queue:
        for target in graph.successors(queue.popleft(), ()):
            watch.transition()
            if target in reached:
                reached[target] += 1
            elif target in within:
                reached[target] = 1
                queue.append(target)
    return reached


def _eliminated(graph: Graph[N], watch: Watch, left: dict[N, int]) -> dict[N, int]:
    """What is left if nodes to which no edge leads are taken away, again and again."""
    queue = deque(node for node, edges in left.items() if edges == 0)
    while queue:
        node = queue.popleft()
        del left[node]
        for target in graph.successors(node, ()):
            watch.transition()
            if target in left:
                left[target] -= 1
                if left[target] == 0:
                    queue.append(target)
    return left


def _first_component(graph: Graph[N], left: Collection[N]) -> set[N]:
    """A component to which none of the other nodes leads.

    If nodes are visited from one start after another, the last start is in such a component: what
    leads to it from elsewhere would have been visited before, and it from there.
    """
    visited: set[N] = set()
    sources: dict[N, list[N]] = {node: [] for node in left}
    last = next(iter(left))
    for start in left:
        if start in visited:
            continue
        last = start
        visited.add(start)
        queue = deque([start])
        while queue:
            node = queue.popleft()
            for target in graph.successors(node, ()):
                if target in sources:
                    sources[target].append(node)
                    if target not in visited:
                        visited.add(target)
                        queue.append(target)
    component, todo = {last}, [last]
    while todo:
        for source in sources[todo.pop()]:
            if source not in component:
                component.add(source)
                todo.append(source)
    return component
