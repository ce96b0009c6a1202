"""Feedback edges: some of a graph's, so that every cycle has one, of small total weight.

By local ratio (Bar-Yehuda and Even): take a cycle, subtract the least weight on it from all of it,
cut what has none left, until there are no cycles; then put back what is not needed. One depth-first
search finds all the cycles: where it has left a node no cycle comes back to that, and after a cut
it goes on from the first cut edge of its path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from whorl.property.components import components

Edge = tuple[int, int, int]  # source, target, and the number of the transition
Following = dict[int, list[Edge]]
MOST_LOOKED_AT = 3_000_000  # edges, while those are looked for that can be put back


def feedback(edges: Iterable[Edge], weights: Mapping[int, int]) -> set[int]:
    """Transitions without which the graph has no cycle, of small total weight."""
    following = _following(edges)
    cut = dict.fromkeys(_cut(following, dict(weights)))
    component = _components(following)
    left: dict[int, list[Edge]] = {}  # by component: no cycle has edges of several
    gone: dict[int, list[Edge]] = {}
    for edge in (edge for here in following.values() for edge in here if edge not in cut):
        if component[edge[0]] == component[edge[1]]:
            left.setdefault(component[edge[0]], []).append(edge)
    # The last to be cut may have made an earlier one needless; what costs most goes back first.
    for edge in sorted(cut, key=lambda e: -weights[e[2]]):
        gone.setdefault(component[edge[0]], []).append(edge)
    kept = {edge for number, some in gone.items() for edge in _kept(left.get(number, []), some)}
    return {number for _, _, number in cut.keys() - kept}


def _components(following: Following) -> dict[int, int]:
    """The number of each node's component."""
    sccs = components(following, lambda node: [edge[1] for edge in following.get(node, ())])
    return {node: number for number, members in enumerate(sccs) for node in members}


def _following(edges: Iterable[Edge]) -> Following:
    following: Following = {}
    for edge in edges:
        following.setdefault(edge[0], []).append(edge)
    return following


# --- cutting --------------------------------------------------------------------------------------


def _cut(following: Following, worth: dict[int, int]) -> Iterator[Edge]:
    """The edges that local ratio cuts; what is left has no cycle. Changes `worth`."""
    search = _Search(following)
    for start in following:
        while (cycle := search.cycle(start)) is not None:
            numbers = {number for _, _, number in cycle}  # one of them may be there twice
            least = min(worth[number] for number in numbers)
            for number in numbers:
                worth[number] -= least
            cut = [edge for edge in cycle if worth[edge[2]] == 0]
            search.leave(cut)
            yield from cut


class _Search:
    """A depth-first search that can go on after a cut.

    A node that is left because of a cut and entered again goes on where it was: what lies before is
    gone or done.
    """

    def __init__(self, following: Following) -> None:
        self.following = following
        self.gone: set[Edge] = set()
        self.done: set[int] = set()  # nodes that no cycle comes back to
        self.next = dict.fromkeys(following, 0)  # of each node: the edge to look at
        self.path: list[Edge] = []
        self.depth: dict[int, int] = {}  # of the nodes on the path

    def cycle(self, start: int) -> list[Edge] | None:
        """The edges of the next cycle that is met from a node, without those that are gone."""
        if start not in self.done and not self.depth:
            self.depth[start] = 0
        while self.depth:
            node = self.path[-1][1] if self.path else start
            edges = self.following.get(node, ())
            at = self.next.get(node, 0)
            if at == len(edges):
                self.done.add(self.depth.popitem()[0])
                if self.path:
                    self.path.pop()
                continue
            edge = edges[at]
            if edge in self.gone or edge[1] in self.done:
                self.next[node] = at + 1
            elif edge[1] in self.depth:
                return [*self.path[self.depth[edge[1]] :], edge]
            else:
                self.path.append(edge)
                self.depth[edge[1]] = len(self.path)
        return None

    def leave(self, cut: Iterable[Edge]) -> None:
        """These edges are gone: leaves what is behind the first of them on the path."""
        self.gone.update(cut)
        first = next((n for n, edge in enumerate(self.path) if edge in self.gone), len(self.path))
        del self.path[first:]
        while len(self.depth) > first + 1:
            self.depth.popitem()


# --- putting back ---------------------------------------------------------------------------------


def _kept(left: list[Edge], cut: Sequence[Edge]) -> set[Edge]:
    """Of the cut edges those that close no cycle with what is left and those kept before them.

    They are tried in halves, so that it takes few looks where few of them close a cycle. After too
    many the rest stays cut, which is as sound.
    """
    kept: set[Edge] = set()
    graph = _Graph(left)
    looks = MOST_LOOKED_AT // (len(left) + len(cut))
    waiting = [cut]
    while waiting and looks:
        some = waiting.pop()
        looks -= 1
        if graph.add(some):
            kept.update(some)
        elif len(some) > 1:
            half = len(some) // 2
            waiting += [some[half:], some[:half]]
    return kept


class _Graph:
    """A graph without cycles."""

    def __init__(self, edges: Iterable[Edge]) -> None:
        self.out: dict[int, list[int]] = {}
        self.before: dict[int, int] = {}  # how many edges lead to a node
        for edge in edges:
            self._link(edge)

    def _link(self, edge: Edge) -> None:
        source, target, _ = edge
        self.out.setdefault(source, []).append(target)
        self.before.setdefault(source, 0)
        self.before[target] = self.before.get(target, 0) + 1

    def add(self, edges: Sequence[Edge]) -> bool:
        """Adds edges unless they would close a cycle; whether it has."""
        for edge in edges:
            self._link(edge)
        if not self._has_cycle():
            return True
        for source, target, _ in reversed(edges):
            self.out[source].pop()
            self.before[target] -= 1
        return False

    def _has_cycle(self) -> bool:
        """Whether some node cannot be taken away, each after all that lead to it."""
        before = dict(self.before)
        free = [node for node, count in before.items() if count == 0]
        for node in free:  # grows meanwhile
            for target in self.out.get(node, ()):
                before[target] -= 1
                if before[target] == 0:
                    free.append(target)
        return len(free) < len(before)
