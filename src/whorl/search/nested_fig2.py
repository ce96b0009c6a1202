"""Nested depth-first search (Holzmann, Peled, Yannakakis, Figure 2).

The algorithm is of Courcoubetis, Vardi, Wolper and Yannakakis, "Memory-efficient algorithms for the
verification of temporal properties" (1992, doi 10.1007/BF00121128). As the first search leaves an
accepting node, a second one looks for a way back to it; what one second search has seen, the others
leave alone:

      if accepting(s) then seed := s; ndfs(s) fi        at the end of dfs(s)

    proc ndfs(s)
      add {s,1} to Statespace
      for each successor t of s do
        if {t,1} not in Statespace then ndfs(t)
        else if t == seed then report cycle fi
      od
    end

The algorithm needs no stack; ours gives the lasso, and is there for reductions that look at it.
With one of those the search is wrong: the paper's Figure 3.
"""

from __future__ import annotations

from whorl.search.first_search import first_search
from whorl.search.graph import Graph, Lasso, N, Stack
from whorl.search.watch import Watch


def find(graph: Graph[N], watch: Watch) -> Lasso[N] | None:
    """A run through an accepting node again and again, or to an error; None if there is none."""
    visited: set[N] = set()  # {s,1} in Statespace

    def ndfs(stack: Stack[N]) -> Lasso[N] | None:
        seed = stack.top
        if not graph.is_accepting(seed):
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
            if t not in visited:
                visited.add(t)
                nested.push(t)
            elif t == seed:
                return Lasso.of(stack.path[:-1], nested.path)
        return None

    return first_search(graph, watch, ndfs)
