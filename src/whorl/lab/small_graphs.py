"""Every small graph with accepting nodes, once up to the names of its nodes.

A set of nodes is a number with a bit for each. Node 0 is the initial one; all nodes can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations


def members(nodes: int) -> Iterator[int]:
    while nodes:
        least = nodes & -nodes
        yield least.bit_length() - 1
        nodes ^= least


@dataclass(frozen=True)
class SmallGraph:
    """Successors of each node, and the accepting nodes."""

    successors: tuple[int, ...]
    accepting: int

    @cached_property
    def reach(self) -> tuple[int, ...]:
        """The nodes to which each node leads by at least one edge."""
        return tuple(self._reached(out) for out in self.successors)

    def _reached(self, nodes: int) -> int:
        while True:
            more = nodes
            for node in members(nodes):
                more |= self.successors[node]
            if more == nodes:
                return nodes
            nodes = more

    @cached_property
    def has_cycle(self) -> bool:
        """Whether a cycle through an accepting node can be reached."""
        return any(self.reach[s] >> s & 1 for s in members(self.accepting & (self.reach[0] | 1)))

    @property
    def is_weak(self) -> bool:
        """Whether of the nodes of a component all are accepting or none is."""
        return not any(
            self.reach[t] >> s & 1
            for s in members(self.accepting)
            for t in members(self.reach[s] & ~self.accepting)
        )

    def is_accepting_cycle(self, nodes: list[int]) -> bool:
        """Whether these nodes, one after another and round again, are one."""
        edges = zip(nodes, [*nodes[1:], *nodes[:1]], strict=True)
        return all(self.successors[s] >> t & 1 for s, t in edges) and any(
            self.accepting >> s & 1 for s in nodes
        )

    def renamed(self, names: tuple[int, ...]) -> SmallGraph:
        def image(nodes: int) -> int:
            return sum(1 << names[node] for node in members(nodes))

        successors = [0] * len(names)
        for node, out in enumerate(self.successors):
            successors[names[node]] = image(out)
        return SmallGraph(tuple(successors), image(self.accepting))

    def __str__(self) -> str:
        edges = "; ".join(
            f"{node} -> {', '.join(map(str, members(out)))}"
            for node, out in enumerate(self.successors)
            if out
        )
        accepting = ", ".join(map(str, members(self.accepting))) or "none"
        return f"{edges or 'no edges'}; accepting: {accepting}"


@cache
def small_graphs(nodes: int) -> tuple[SmallGraph, ...]:
    """Those with so many nodes."""
    return tuple(_small_graphs(nodes))


def _small_graphs(nodes: int) -> Iterator[SmallGraph]:
    orders = [(0, *rest) for rest in permutations(range(1, nodes))]
    seen: set[tuple[tuple[int, ...], int]] = set()
    for code in range(1 << nodes * nodes):
        successors = tuple(code >> node * nodes & (1 << nodes) - 1 for node in range(nodes))
        if SmallGraph(successors, 0).reach[0] | 1 != (1 << nodes) - 1:
            continue
        for accepting in range(1 << nodes):
            graph = SmallGraph(successors, accepting)
            same = (graph.renamed(names) for names in orders)
            least = min((one.successors, one.accepting) for one in same)
            if least not in seen:
                seen.add(least)
                yield SmallGraph(*least)
