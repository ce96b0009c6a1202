"""Explicit graphs for the searches: from lists, with or without a reduction that sees the stack."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from whorl.search.exploration import Options
from whorl.search.graph import Graph, Lasso
from whorl.search.watch import Watch


@dataclass
class Explicit:
    """A graph whose nodes are numbers or names. It notes who was asked for successors."""

    edges: Mapping[object, Sequence[object]]
    roots: Sequence[object] = (0,)
    accepting: Container[object] = ()
    errors: Container[object] = ()
    asked: list[object] = field(default_factory=list)

    def initial(self) -> Iterable[object]:
        return self.roots

    def successors(self, node: object, stack: Container[object]) -> Iterable[object]:
        self.asked.append(node)
        return self.edges.get(node, ())

    def is_accepting(self, node: object) -> bool:
        return node in self.accepting

    def is_error(self, node: object) -> bool:
        return node in self.errors


@dataclass
class Reduced(Explicit):
    """Selects the first of a node's choices none of whose nodes is on the stack; else all of them.

    That is the third condition of the reductions in the paper; the first two are left to whoever
    writes the choices down.
    """

    choices: Mapping[object, Sequence[Sequence[object]]] = field(default_factory=dict)

    def successors(self, node: object, stack: Container[object]) -> Iterable[object]:
        for choice in self.choices.get(node, ()):
            if not any(t in stack for t in choice):
                return choice
        return self.edges.get(node, ())


def watch() -> Watch:
    return Watch(Options())


def reachable(graph: Graph[object], starts: Iterable[object]) -> set[object]:
    found = set(starts)
    waiting = list(found)
    while waiting:
        for t in graph.successors(waiting.pop(), ()):
            if t not in found:
                found.add(t)
                waiting.append(t)
    return found


def has_cycle(graph: Graph[object], wanted: Sequence[Callable[[object], bool]]) -> bool:
    """The oracle: whether a reachable strongly connected component has a cycle and meets all sets.

    Components are found naively: two nodes are in one if each reaches the other.
    """
    nodes = reachable(graph, graph.initial())
    after = {node: reachable(graph, graph.successors(node, ())) for node in nodes}
    for node in nodes:
        component = {other for other in after[node] if node in after[other]}
        if node in after[node] and all(any(map(want, component)) for want in wanted):
            return True
    return False


def is_lasso(graph: Graph[object], lasso: Lasso[object]) -> bool:
    """Whether it is a run of the graph, from an initial node and round its cycle."""
    nodes = lasso.nodes
    if not nodes or nodes[0] not in list(graph.initial()):
        return False
    closed = (*nodes, lasso.cycle[0]) if lasso.cycle else nodes
    return all(t in list(graph.successors(s, ())) for s, t in pairwise(closed))
