"""From acceptance on edges to accepting states, without a copy where there is nothing to do."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.property.automaton import Automaton, Buchi, Edge
from whorl.property.operations import explored


def as_buchi(automaton: Automaton) -> Buchi:
    """A Büchi automaton of the same language, the same automaton where its states allow that."""
    everything = (1 << automaton.sets) - 1
    marks = [{edge.marks for edge in out} for out in automaton.edges]
    if automaton.sets <= 1 and all(len(each) <= 1 for each in marks):
        edges = tuple(tuple(Edge(e.label, e.target) for e in out) for out in automaton.edges)
        accepting = frozenset(s for s in automaton.states if marks[s] == {everything})
        return Buchi(automaton.propositions, automaton.initial, edges, accepting)

    def successors(pair: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        """The level is how many sets, one after the other, were met since the last acceptance."""
        state, level = pair
        for edge in automaton.edges[state]:
            reached = level % automaton.sets
            while reached < automaton.sets and edge.marks >> reached & 1:
                reached += 1
            yield edge.label, (edge.target, reached)

    start = (automaton.initial, 0)
    return explored(
        automaton.propositions, start, successors, lambda pair: pair[1] == automaton.sets
    )
