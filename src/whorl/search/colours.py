"""Nested depth-first search with early detection (Schwoon and Esparza, 2005).

S. Schwoon and J. Esparza, "A note on on-the-fly verification algorithms" (doi
10.1007/978-3-540-31980-1_12), the improved nested search. One colour a node says everything: white
(not seen), cyan (on the blue search's stack), blue (left by it), red (no accepting cycle can be
closed from it).

    proc dfs_blue(s)                                    proc dfs_red(s)
      allred := true; s.colour := cyan                    for each successor t of s do
      for each successor t of s do                          if t is cyan then report cycle
        if t is cyan and (s or t is accepting)              if t is blue then
          then report cycle                                   t.colour := red; dfs_red(t)
        if t is white then dfs_blue(t)                      fi
        if t is not red then allred := false              od
      od
      if allred then s.colour := red
      else if s is accepting then dfs_red(s); s.colour := red
      else s.colour := blue

A cycle whose nodes are all on the blue stack is thus found at once, without a red search, and a
node all of whose successors are red needs none.
"""

from __future__ import annotations

from enum import Enum

from whorl.search.graph import Graph, Lasso, N, Stack
from whorl.search.watch import Watch


class Colour(Enum):
    CYAN = "cyan"
    BLUE = "blue"
    RED = "red"


def find(graph: Graph[N], watch: Watch) -> Lasso[N] | None:
    """A run through an accepting node again and again, or to an error; None if there is none."""
    colour: dict[N, Colour] = {}  # a node that is not here is white
    stack = Stack(graph)  # the cyan nodes
    all_red: list[bool] = []  # of each of them, so far

    def dfs_red(seed: N) -> Lasso[N] | None:
        red = Stack(graph)
        red.push(seed)
        while red:
            t = red.next()
            if t is None:
                red.pop()
                continue
            watch.transition()
            if colour.get(t) is Colour.CYAN:
                before, back = stack.split(t)
                return Lasso.of(before, (*back, *red.path[1:]))
            if colour.get(t) is Colour.BLUE:
                colour[t] = Colour.RED
                red.push(t)
        return None

    for root in graph.initial():
        watch.transition()
        t: N | None = root
        while True:
            if t is not None and t not in colour and not watch.too_deep(len(stack)):
                watch.state()
                colour[t] = Colour.CYAN
                stack.push(t)
                all_red.append(True)
                if graph.is_error(t):
                    return Lasso(stack.path, ())
            elif all_red and t is not None and colour.get(t) is not Colour.RED:
                all_red[-1] = False
            if not stack:
                break
            s, t = stack.top, stack.next()
            if t is not None:
                watch.transition()
                accepting = graph.is_accepting(s) or graph.is_accepting(t)
                if accepting and colour.get(t) is Colour.CYAN:
                    return Lasso.of(*stack.split(t))
                continue
            if not all_red[-1] and graph.is_accepting(s):
                lasso = dfs_red(s)
                if lasso is not None:
                    return lasso
                all_red[-1] = True
            colour[s] = Colour.RED if all_red[-1] else Colour.BLUE
            stack.pop()
            if not all_red.pop() and all_red:
                all_red[-1] = False
    return None
