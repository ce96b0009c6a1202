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
    found = components(following, lambda node: [edge[1] for edge in following.get(node, ())])
    return {node: number for number, members in enumerate(found) for node in members}


def _following(edges: Iterable[Edge]) -> Following:
    found: Following = {}
    for edge in edges:
        found.setdefault(edge[0], []).append(edge)
    return found


# --- cutting --------------------------------------------------------------------------------------


def _cut(following: Following, worth: dict[int, int]) -> Iterator[Edge]:
    """The edges that local ratio cuts; what is left has no cycle. Changes `worth`."""
    gone: set[Edge] = set()
    done: set[int] = set()
    for start in following:
        search = _Search(start, following, done)
        while (cycle := search.cycle(gone)) is not None:
            least = min(worth[number] for _, _, number in cycle)
            for _, _, number in cycle:
                worth[number] -= least
            cut = [edge for edge in cycle if worth[edge[2]] == 0]
            gone.update(cut)
            search.back(gone)
            yield from cut


class _Search:
    """A depth-first search that can go on after a cut. `done`: the nodes that it has left."""

    def __init__(self, start: int, following: Following, done: set[int]) -> None:
        self.following = following
        self.done = done
        self.path: list[Edge] = []
        self.depth: dict[int, int] = {}  # of the nodes on the path
        self.waiting: list[Iterator[Edge]] = []
        if start not in done:
            self._enter(start)

    def _enter(self, node: int) -> None:
        self.depth[node] = len(self.path)
        self.waiting.append(iter(self.following.get(node, ())))

    def cycle(self, gone: set[Edge]) -> list[Edge] | None:
        """The edges of the next cycle that is met, without those that are gone."""
        while self.waiting:
            edge = next(self.waiting[-1], None)
            if edge is None:
                self.waiting.pop()
                self.done.add(self.depth.popitem()[0])
                if self.path:
                    self.path.pop()
            elif edge in gone:
                continue
            elif edge[1] in self.depth:
                return [*self.path[self.depth[edge[1]] :], edge]
            elif edge[1] not in self.done:
                self.path.append(edge)
                self._enter(edge[1])
        return None

    def back(self, gone: set[Edge]) -> None:
        """Leaves what is behind the first edge of the path that is gone."""
        first = next((n for n, edge in enumerate(self.path) if edge in gone), len(self.path))
        del self.path[first:], self.waiting[first + 1 :]
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
