"""Ranks of the vertices of a graph, so that nearly every edge leads to a higher rank.

The vertices are put in an order, by distance from the first one or, where that shows control flow
better, by a depth-first search. An edge against the order counts as reversed: so there is no cycle
left, and the rank of a vertex is the length of the longest way to it.
"""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int, int]


def ranks(count: int, first: int, edges: Sequence[Pair], deep: bool = False) -> list[int]:
    """The rank of each of the vertices 0..count-1; the ends of an edge have different ranks."""
    targets: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        targets[source].append(target)
    order = _by_depth(first, targets) if deep else _by_distance(first, targets)
    order += [vertex for vertex in range(count) if vertex not in set(order)]
    place = {vertex: n for n, vertex in enumerate(order)}
    before: list[list[int]] = [[] for _ in range(count)]
    for edge in edges:
        low, high = sorted(edge, key=place.__getitem__)
        if low != high:
            before[high].append(low)
    rank = [0] * count
    for vertex in order:
        rank[vertex] = max((rank[low] + 1 for low in before[vertex]), default=0)
    return rank


def _by_distance(first: int, targets: Sequence[Sequence[int]]) -> list[int]:
    order = {first: None}
    waiting = [first]
    for vertex in waiting:  # grows meanwhile
        for target in targets[vertex]:
            if target not in order:
                order[target] = None
                waiting.append(target)
    return list(order)


def _by_depth(first: int, targets: Sequence[Sequence[int]]) -> list[int]:
    """Reverse postorder: only edges that close a cycle go against it."""
    met, left = {first}, list[int]()
    stack = [(first, iter(targets[first]))]
    while stack:
        vertex, waiting = stack[-1]
        target = next((t for t in waiting if t not in met), None)
        if target is None:
            left.append(vertex)
            stack.pop()
        else:
            met.add(target)
            stack.append((target, iter(targets[target])))
    return left[::-1]
