"""The first search of a nested one: visits every node, and calls the second as it leaves a node.

It is `dfs` of Figures 2, 4 and 5 of Holzmann, Peled and Yannakakis, which differ in what they do at
the end of it:

    proc dfs(s)
      if error(s) then report error fi
      add {s,0} to Statespace; add s to Stack
      for each (selected) successor t of s do
        if {t,0} not in Statespace then dfs(t) fi
      od
      (the second search, or none)
      delete s from Stack
    end
"""

from __future__ import annotations

from collections.abc import Callable

from whorl.search.graph import Graph, Lasso, N, Stack
from whorl.search.watch import Watch


def first_search(
    graph: Graph[N], watch: Watch, leave: Callable[[Stack[N]], Lasso[N] | None]
) -> Lasso[N] | None:
    """What `leave` first finds, called with the stack whose top is left; or a path to an error.

    Nodes are counted here and not in the second search, transitions in both.
    """
    visited: set[N] = set()  # {s,0} in Statespace
    stack = Stack(graph)
    for root in graph.initial():
        watch.transition()
        t: N | None = root
        while True:
            if t is not None and t not in visited and not watch.too_deep(len(stack)):
                watch.state()
                visited.add(t)
                stack.push(t)
                if graph.is_error(t):
                    return Lasso(stack.path, ())
            if not stack:
                break
            t = stack.next()
            if t is not None:
                watch.transition()
                continue
            lasso = leave(stack)
            if lasso is not None:
                return lasso
            stack.pop()
    return None
