"""Feedback edges: no cycle is left without them, and each of them is needed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whorl.property.components import components
from whorl.reduction.feedback import Edge, feedback

ENDS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)


def has_cycle(edges: list[Edge]) -> bool:
    def following(node: int) -> list[int]:
        return [target for source, target, _ in edges if source == node]

    nodes = {source for source, _, _ in edges}
    found = components(nodes, following)
    return any(len(c) > 1 for c in found) or any(source == target for source, target, _ in edges)


@given(ENDS, st.lists(st.integers(0, 3), min_size=14, max_size=14))
def test_every_cycle_has_one(ends: list[tuple[int, int]], worth: list[int]) -> None:
    edges = [(source, target, number) for number, (source, target) in enumerate(sorted(ends))]
    cut = feedback(edges, dict(enumerate(worth)))
    left = [edge for edge in edges if edge[2] not in cut]
    assert not has_cycle(left)
    assert all(has_cycle([*left, edge]) for edge in edges if edge[2] in cut)


@given(ENDS, st.lists(st.integers(0, 3), min_size=14, max_size=14), st.integers(1, 3))
def test_a_transition_may_have_several_edges(
    ends: list[tuple[int, int]], numbers: list[int], worth: int
) -> None:
    edges = [(*pair, number) for pair, number in zip(ends, numbers, strict=False)]
    cut = feedback(edges, dict.fromkeys(range(4), worth))
    assert not has_cycle([edge for edge in edges if edge[2] not in cut])


def test_what_costs_least_is_cut() -> None:
    assert feedback([(0, 1, 0), (1, 2, 1), (2, 0, 2)], {0: 8, 1: 1, 2: 4}) == {1}
