"""Nested depth-first search that stops on the first stack (Holzmann, Peled, Yannakakis, Figure 4).

From a node on the first search's stack there is a path to the seed: the rest of the stack. So the
second search need not find the seed itself, and finds shorter cycles sooner:

      if accepting(s) then ndfs(s) fi                   at the end of dfs(s), with s still in Stack

    proc ndfs(s)
      add {s,1} to Statespace
      for each (selected) successor t of s do
        if t in Stack then report cycle
        else if {t,1} not in Statespace then ndfs(t) fi
      od
    end

(The figure asks the two questions the other way round; the text of section 5.1 says that the search
ends where it meets the stack, and so it does here.) With a reduction that looks at the stack, the
selection of the first search must also be kept for the second (section 5.2): `graph.Selection`.
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
            if t in stack:
                before, back = stack.split(t)
                return Lasso.of(before, (*back, *nested.path[1:]))
            if t not in visited:
                visited.add(t)
                nested.push(t)
        return None

    return first_search(graph, watch, ndfs)
