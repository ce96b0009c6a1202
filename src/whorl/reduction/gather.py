"""Sums over all that a node reaches, in linear time: one for each strongly connected component."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Protocol, Self, TypeVar

from whorl.property.components import components


class Joinable(Protocol):
    """A value of a semilattice: bits, a Footprint."""

    def __or__(self, other: Self, /) -> Self: ...


Node = TypeVar("Node", bound=Hashable)
Value = TypeVar("Value", bound=Joinable)


def gather(
    nodes: Iterable[Node],
    successors: Callable[[Node], Iterable[Node]],
    own: Callable[[Node], Value],
    nothing: Value,
) -> dict[Node, Value]:
    """Of each node that `nodes` reach: the union of what it and those that it reaches have.

    Components come after those that they lead to, and all nodes of one reach the same.
    """
    totals: dict[Node, Value] = {}
    for component in components(nodes, successors):
        total = nothing
        for node in component:
            total |= own(node)
            for target in successors(node):
                if target in totals:  # else it is of this component
                    total |= totals[target]
        totals.update(dict.fromkeys(component, total))
    return totals
