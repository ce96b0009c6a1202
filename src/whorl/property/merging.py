"""States merged as long as the language stays the same.

Merging two states of a Büchi automaton (their edges joined) can only add words. So it is right
exactly if the new automaton has no word in common with one of the negation. This finds what
simulations do not see, at the price of an emptiness check for each pair tried. A pair that was
refused stays so when others are merged, for then there are only more words.
"""

from __future__ import annotations

from itertools import combinations

from whorl.property.automaton import Automaton, Buchi, Edge, generalised
from whorl.property.effort import TooMuchWork, Work
from whorl.property.intersection import have_common_word
from whorl.property.postprocess import accepting_states, reduce_generalised, reduce_states
from whorl.property.pruning import join_parallel


def merge_states(automaton: Buchi, negation: Automaton, work: Work) -> Buchi:
    """The automaton with states merged until no pair can be, or until the work is spent.

    A merged state is accepting if one of the two was.
    """
    while True:
        merged = _merge_pairs(generalised(automaton), negation, work, by_states=True)
        if len(merged.edges) == len(automaton.edges):
            return automaton
        automaton = reduce_states(accepting_states(merged))


def merge_generalised(automaton: Automaton, negation: Automaton, work: Work) -> Automaton:
    """The same for acceptance on edges."""
    while True:
        merged = _merge_pairs(automaton, negation, work, by_states=False)
        if len(merged.edges) == len(automaton.edges):
            return automaton
        automaton = reduce_generalised(merged)


def _merge_pairs(
    automaton: Automaton, negation: Automaton, work: Work, by_states: bool
) -> Automaton:
    """The automaton with states merged; each pair is tried once."""
    classes = [1 << state for state in automaton.states]  # of each state, as a set
    refused = [0] * len(classes)  # the states that each one was not merged with
    best = automaton
    for p, q in combinations(automaton.states, 2):
        if classes[p] >> q & 1 or any(refused[s] & classes[q] for s in _members(classes[p])):
            continue
        together = classes[p] | classes[q]
        tried = [together if together >> s & 1 else classes[s] for s in automaton.states]
        merged = _quotient(automaton, tried)
        if by_states:
            merged = generalised(accepting_states(merged))
        try:
            refuse = have_common_word(merged, negation, work)
        except TooMuchWork:
            break
        if refuse:
            refused[p] |= 1 << q
            refused[q] |= 1 << p
        else:
            classes, best = tried, merged
    return best


def _members(states: int) -> list[int]:
    return [state for state in range(states.bit_length()) if states >> state & 1]


def _quotient(automaton: Automaton, classes: list[int]) -> Automaton:
    """The automaton with each class as one state."""
    numbers = {together: n for n, together in enumerate(dict.fromkeys(classes))}
    of = [numbers[together] for together in classes]
    out: list[list[Edge]] = [[] for _ in numbers]
    for state, edges in enumerate(automaton.edges):
        out[of[state]].extend(Edge(edge.label, of[edge.target], edge.marks) for edge in edges)
    joined = tuple(join_parallel(edges) for edges in out)
    return Automaton(automaton.propositions, of[automaton.initial], joined, automaton.sets)
