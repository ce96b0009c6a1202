"""From acceptance sets on edges to accepting states.

The classical construction pairs a state with a level: how many of the sets, in some order, were met
since the last accepting state. Here levels are kept only within an accepting component (elsewhere
and between components they are forgotten), sets that every edge into or from a state is in count at
once, and a component is entered at a level at which its state is already known, if there is one.
(See Babiak et al., SPIN 2013, section 5.)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial

from whorl.property.automaton import Automaton, Buchi, Edge
from whorl.property.pruning import Components, components_of, inner_edges


def orders(sets: int, most: int) -> list[tuple[int, ...]]:
    """Orders of the acceptance sets that are worth a try: all of them if they are few."""
    if factorial(sets) <= most:
        return list(permutations(range(sets)))
    forward = tuple(range(sets))
    return [forward, forward[::-1]]


def degeneralise(automaton: Automaton, order: Sequence[int], eager: bool = True) -> Buchi:
    """A Büchi automaton of the same language; `order`: in which the sets are waited for.

    `eager`: sets that all edges from a state are in count when the state is entered.
    """
    return _Degeneralisation(automaton, order, eager).run()


class _Degeneralisation:
    def __init__(self, automaton: Automaton, order: Sequence[int], eager: bool) -> None:
        assert sorted(order) == list(range(automaton.sets))
        self.automaton = automaton
        self.order = order
        self.components: Components = components_of(automaton)
        everything = (1 << automaton.sets) - 1
        self.accepting = []  # for each component
        self.common = [0] * len(automaton.edges)  # sets of all the edges from a state, in its SCC
        for component in range(len(self.components.members)):
            inside = inner_edges(automaton.edges, self.components, component)
            seen = 0
            for _, edge in inside:
                seen |= edge.marks
            self.accepting.append(bool(inside) and seen == everything)
            if eager and inside:
                for state in self.components.members[component]:
                    self.common[state] = everything
                for state, edge in inside:
                    self.common[state] &= edge.marks
        self.numbers: dict[tuple[int, int], int] = {}
        self.states: list[tuple[int, int]] = []
        self.entered: dict[int, int] = {}  # the level at which a state was first met

    def run(self) -> Buchi:
        automaton, of = self.automaton, self.components.of
        top = automaton.sets
        initial = self.number(automaton.initial, self.entry(automaton.initial))
        edges: list[tuple[Edge, ...]] = []
        while len(edges) < len(self.states):
            state, level = self.states[len(edges)]
            labels: dict[int, int] = {}
            for edge in automaton.edges[state]:
                target = edge.target
                if of[target] != of[state] or not self.accepting[of[state]]:
                    reached = self.entry(target)
                else:
                    start = 0 if level == top else level
                    reached = self.climb(start, edge.marks)
                    if reached < top:
                        reached = self.climb(reached, self.common[target])
                number = self.number(target, reached)
                labels[number] = labels.get(number, 0) | edge.label
            edges.append(tuple(Edge(label, target) for target, label in labels.items()))
        accepting = frozenset(
            number
            for number, (state, level) in enumerate(self.states)
            if level == top and self.accepting[of[state]]
        )
        return Buchi(automaton.propositions, initial, tuple(edges), accepting)

    def climb(self, level: int, marks: int) -> int:
        """The level after an edge with these marks."""
        while level < len(self.order) and marks >> self.order[level] & 1:
            level += 1
        return level

    def entry(self, state: int) -> int:
        """The level at which a component is entered."""
        if not self.accepting[self.components.of[state]]:
            return 0
        return self.entered.get(state, self.climb(0, self.common[state]))

    def number(self, state: int, level: int) -> int:
        key = state, level
        self.entered.setdefault(state, level)
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(key)
        return self.numbers[key]
