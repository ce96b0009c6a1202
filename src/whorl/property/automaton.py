"""Büchi automata over letters: what a property is once it is translated.

A letter is a valuation of the propositions, as a number: bit i is the truth of proposition i. The
label of an edge is the set of letters that it may read, as a truth table: an int whose bit a is
set if letter a is in it. So labels are intersected with `&` and joined with `|`; `letters` says
how they are written down.

Two kinds of automata: `Automaton`, generalised Büchi with acceptance sets on edges, which is what a
translation works with and what HOA files may have; and `Buchi`, with accepting states, which is
what the searches take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MOST_DRAWN = 60  # states
MOST_PROPOSITIONS = 20  # a truth table then has a million bits


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge: the letters it reads, where it leads, and (as bits) the acceptance sets it is in."""

    label: int
    target: int
    marks: int = 0


@dataclass(frozen=True, slots=True)
class Automaton:
    """A generalised Büchi automaton, accepting by edges (TGBA).

    A run is accepting if it takes edges of each of the sets 0..sets-1 infinitely often. `edges[s]`
    are the edges from state s.
    """

    propositions: tuple[str, ...]
    initial: int
    edges: tuple[tuple[Edge, ...], ...]
    sets: int

    def __post_init__(self) -> None:
        _check(self.propositions, self.initial, self.edges, self.sets)

    @property
    def states(self) -> range:
        return range(len(self.edges))

    def _repr_svg_(self) -> str | None:
        return _drawn(self)


@dataclass(frozen=True, slots=True)
class Buchi:
    """A Büchi automaton, accepting by states: a run must visit `accepting` infinitely often."""

    propositions: tuple[str, ...]
    initial: int
    edges: tuple[tuple[Edge, ...], ...]
    accepting: frozenset[int]

    def __post_init__(self) -> None:
        _check(self.propositions, self.initial, self.edges, 0)
        assert self.accepting <= set(self.states)

    @property
    def states(self) -> range:
        return range(len(self.edges))

    def _repr_svg_(self) -> str | None:
        return _drawn(self)

    @property
    def edge_count(self) -> int:
        """How many pairs of states are joined."""
        return sum(len({edge.target for edge in out}) for out in self.edges)

    def successors(self, state: int, letter: int) -> Iterator[int]:
        """The states that `letter` may lead to, each once."""
        seen = set()
        for edge in self.edges[state]:
            if edge.label >> letter & 1 and edge.target not in seen:
                seen.add(edge.target)
                yield edge.target

    def is_accepting(self, state: int) -> bool:
        return state in self.accepting

    @property
    def is_deterministic(self) -> bool:
        """Whether no letter leads from a state to two."""
        for out in self.edges:
            for n, edge in enumerate(out):
                if any(edge.label & o.label and edge.target != o.target for o in out[:n]):
                    return False
        return True

    @property
    def is_complete(self) -> bool:
        """Whether every letter leads somewhere from every state."""
        everything = full(len(self.propositions))
        return all(union(out) == everything for out in self.edges)


def _drawn(automaton: Automaton | Buchi) -> str | None:
    """The automaton as a notebook shows it, unless it is too large for a picture."""
    if len(automaton.states) > MOST_DRAWN:
        return None
    from whorl.property.draw import draw  # which reads an automaton
    from whorl.svg import scoped

    return scoped(draw(automaton))


def generalised(buchi: Buchi) -> Automaton:
    """The same automaton with one acceptance set: the edges that leave an accepting state."""
    edges = tuple(
        tuple(Edge(edge.label, edge.target, int(state in buchi.accepting)) for edge in out)
        for state, out in enumerate(buchi.edges)
    )
    return Automaton(buchi.propositions, buchi.initial, edges, sets=1)


def full(propositions: int) -> int:
    """The label that every letter satisfies."""
    return (1 << (1 << propositions)) - 1


def literal(index: int, propositions: int) -> int:
    """The label of the letters in which proposition `index` is true."""
    block = ((1 << (1 << index)) - 1) << (1 << index)  # one period: false letters, then true ones
    width = 2 << index
    label = block
    while width < 1 << propositions:
        label |= label << width
        width *= 2
    return label


def union(edges: Sequence[Edge]) -> int:
    """The letters that some of the edges read."""
    label = 0
    for edge in edges:
        label |= edge.label
    return label


def _check(
    propositions: tuple[str, ...], initial: int, edges: tuple[tuple[Edge, ...], ...], sets: int
) -> None:
    assert len(propositions) <= MOST_PROPOSITIONS
    assert len(set(propositions)) == len(propositions)
    assert 0 <= initial < len(edges)
    everything = full(len(propositions))
    for out in edges:
        for edge in out:
            assert 0 <= edge.target < len(edges)
            assert edge.label
            assert edge.label & ~everything == 0
            assert edge.marks >> sets == 0
