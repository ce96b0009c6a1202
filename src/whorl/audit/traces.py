"""Decides whether two labelled graphs have the same traces, up to stuttering.

A maximal run of a graph either goes on for ever or stops. Its *stutter trace* is the sequence of
its labels without repetitions; behind it stands how the run ends, if the sequence does: `DIVERGES`
(the run goes on for ever under one label) or the word that the node where it stops has in `stops`.
Two graphs with the same stutter traces satisfy the same stutter-invariant properties over these
labels (Peled and Wilke, "Stutter-invariant temporal properties", 1997), whether runs that stop
count or not.

Every node of a graph accepts, so the sets of traces are equal if the sets of their finite prefixes
are (the graphs are finite, and König's lemma does the rest), and that is decided by the subset
construction: from the pair of the two initial nodes, the pairs of sets of nodes that a prefix may
lead to. A pair in which only one of the two can end in a certain way, or go on to a certain label,
is a difference; a breadth-first search finds a shortest one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

DIVERGES = "goes on for ever"
Label = Hashable
Nodes = frozenset[int]
Mark = str | Label


class Undecided(Exception):
    """There are more pairs of sets than the limit."""


@dataclass(slots=True)
class TraceGraph:
    """Nodes are numbers; the first one is where runs begin."""

    labels: list[Label] = field(default_factory=list)
    edges: list[set[int]] = field(default_factory=list)
    stops: list[set[str]] = field(default_factory=list)  # how a run may stop in a node

    def add(self, label: Label) -> int:
        self.labels.append(label)
        self.edges.append(set())
        self.stops.append(set())
        return len(self.labels) - 1

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class Difference:
    """A trace that only one of the two graphs has.

    After the `labels` it `ends` in this way, or (None) the last label is what only one can come to.
    """

    labels: tuple[Label, ...]
    ends: str | None
    only_first: bool


def difference(
    first: TraceGraph, second: TraceGraph, *, stutters: bool = True, most: int = 1_000_000
) -> Difference | None:
    """A shortest trace that one graph has and the other lacks; None: they have the same.

    Without `stutters` repetitions count, too. Undecided if there are more than `most` pairs.
    """
    graphs = _Sets(first, stutters), _Sets(second, stutters)
    pair = graphs[0].initial, graphs[1].initial
    labels = first.labels[0], second.labels[0]
    if labels[0] != labels[1]:
        return Difference((labels[0],), None, only_first=True)
    before: dict[tuple[Nodes, Nodes], tuple[tuple[Nodes, Nodes], Label] | None] = {pair: None}
    waiting = [pair]
    for pair in waiting:
        ends = [graph.ends(nodes) for graph, nodes in zip(graphs, pair, strict=True)]
        for end in (*sorted(ends[0] - ends[1]), *sorted(ends[1] - ends[0])):
            return Difference(_path(before, pair, labels[0]), end, end in ends[0])
        after = [graph.after(nodes) for graph, nodes in zip(graphs, pair, strict=True)]
        missing = [label for label in after[0] if label not in after[1]]
        for label in (*missing, *(label for label in after[1] if label not in after[0])):
            trace = (*_path(before, pair, labels[0]), label)
            return Difference(trace, None, label in after[0])
        for label in after[0]:
            following = after[0][label], after[1][label]
            if following not in before:
                before[following] = pair, label
                waiting.append(following)
        if len(before) > most:
            raise Undecided
    return None


def _path(
    before: dict[tuple[Nodes, Nodes], tuple[tuple[Nodes, Nodes], Label] | None],
    pair: tuple[Nodes, Nodes],
    initial: Label,
) -> tuple[Label, ...]:
    labels: list[Label] = []
    while (step := before[pair]) is not None:
        pair, label = step
        labels.append(label)
    return (initial, *reversed(labels))


class _Sets:
    """The sets of nodes of a graph that a prefix of a trace may lead to."""

    def __init__(self, graph: TraceGraph, stutters: bool) -> None:
        self.graph = graph
        self.stutters = stutters
        self.diverging = _diverging(graph) if stutters else frozenset()
        self._closed: dict[int, Nodes] = {}
        self.initial = self.closed((0,))

    def ends(self, nodes: Nodes) -> set[str]:
        """How a run may end in one of the nodes."""
        stops = set[str]().union(*(self.graph.stops[node] for node in nodes))
        return stops | {DIVERGES} if nodes & self.diverging else stops

    def after(self, nodes: Nodes) -> dict[Label, Nodes]:
        """Where a run may go on from one of the nodes, by the label it comes to."""
        by_label: dict[Label, set[int]] = {}
        labels = self.graph.labels
        for node in nodes:
            for target in self.graph.edges[node]:
                if not self.stutters or labels[target] != labels[node]:
                    by_label.setdefault(labels[target], set()).add(target)
        return {label: self.closed(targets) for label, targets in by_label.items()}

    def closed(self, nodes: Iterable[int]) -> Nodes:
        """The nodes with all that can be reached from them under the same label."""
        if not self.stutters:
            return frozenset(nodes)
        return frozenset[int]().union(*map(self._reach, nodes))

    def _reach(self, node: int) -> Nodes:
        known = self._closed.get(node)
        if known is None:
            labels, reached, waiting = self.graph.labels, {node}, [node]
            while waiting:
                for target in self.graph.edges[waiting.pop()]:
                    if target not in reached and labels[target] == labels[node]:
                        reached.add(target)
                        waiting.append(target)
            known = self._closed[node] = frozenset(reached)
        return known


def _diverging(graph: TraceGraph) -> Nodes:
    """The nodes from which a run may go on for ever under the same label: what is left if nodes
    without a successor of their label are removed again and again.
    """
    alike = [
        {t for t in targets if graph.labels[t] == label}
        for targets, label in zip(graph.edges, graph.labels, strict=True)
    ]
    left = set(range(len(graph)))
    before = len(left) + 1
    while len(left) < before:
        before = len(left)
        left = {node for node in left if alike[node] & left}
    return frozenset(left)
