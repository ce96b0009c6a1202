"""Nested depth-first search for non-progress cycles (Holzmann, Peled, Yannakakis, Figure 5).

The second search begins at every node and does not pass through progress nodes; a cycle that it
closes on its own stack is one without progress:

      ndfs(s)                                           at the end of dfs(s)

    proc ndfs(s)
      if s is Progress State then return fi
      add {s,1} to Statespace; add s to Stack
      for each successor t of s do
        if {t,1} not in Statespace then ndfs(t)
        else if t in Stack then report cycle fi
      od
      delete s from Stack
    end

It does without the automaton of Figure 6, and so with half the nodes; but it does not go together
with a reduction that looks at the stack. A node that a second search has left is not begun at
again: the figure does, to no effect.
"""

from __future__ import annotations

from collections.abc import Callable

from whorl.search.first_search import first_search
from whorl.search.graph import Graph, Lasso, N, Stack
from whorl.search.watch import Watch


def find(graph: Graph[N], watch: Watch, is_progress: Callable[[N], bool]) -> Lasso[N] | None:
    """A run that is without progress from some point on, or to an error; None if there is none."""
    visited: set[N] = set()  # {s,1} in Statespace

    def ndfs(stack: Stack[N]) -> Lasso[N] | None:
        seed = stack.top
        if is_progress(seed) or seed in visited:
            return None
        nested = Stack(graph)
        visited.add(seed)
        nested.push(seed)
        while nested:
            t = nested.next()
            if t is None:
                nested.pop()
                continue
            watch.transition()
            if t in nested:
                before, cycle = nested.split(t)
                return Lasso.of((*stack.path[:-1], *before), cycle)
            if t not in visited and not is_progress(t):
                visited.add(t)
                nested.push(t)
        return None

    return first_search(graph, watch, ndfs)
