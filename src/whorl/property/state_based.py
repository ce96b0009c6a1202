"""From acceptance on edges to accepting states, without a copy where there is nothing to do."""

from __future__ import annotations

from whorl.property.automaton import Automaton, Buchi, Edge
from whorl.property.degeneralise import degeneralise, orders
from whorl.property.postprocess import size

MOST_ORDERS = 6


def as_buchi(automaton: Automaton) -> Buchi:
    """A Büchi automaton of the same language, the same automaton where its states allow that."""
    everything = (1 << automaton.sets) - 1
    marks = [{edge.marks for edge in out} for out in automaton.edges]
    if automaton.sets <= 1 and all(len(each) <= 1 for each in marks):
        edges = tuple(tuple(Edge(e.label, e.target) for e in out) for out in automaton.edges)
        accepting = frozenset(s for s in automaton.states if marks[s] == {everything})
        return Buchi(automaton.propositions, automaton.initial, edges, accepting)

    ways = (degeneralise(automaton, order) for order in orders(automaton.sets, most=MOST_ORDERS))
    return min(ways, key=size)
