"""Simulation relations, and automata made smaller with them.

State q directly simulates p if q can answer each step of p, letter by letter, with a step to a
state that simulates p's next one, in at least the same acceptance sets; so q accepts what p does.
Reverse simulation is the same on incoming edges: q is reached by every word that reaches p. States
that simulate each other are merged, and edges that another one makes superfluous are dropped. On
automata with marked edges: Babiak, Badie, Duret-Lutz, Křetínský and Strejček, "Compositional
approach to suspension and other improvements to LTL translation", SPIN 2013.

A relation is a list: bit q of element p is set if q simulates p. An automaton that accepts by
states is given as one whose marks are on all the edges from accepting states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whorl.property.automaton import Automaton, Edge, union
from whorl.property.pruning import join_parallel

Relation = list[int]


def reduce_direct(automaton: Automaton) -> Automaton:
    """The quotient by direct simulation, without edges that a better one answers."""
    return _reduced(automaton, simulation(automaton))


def reduce_reverse(automaton: Automaton, by_states: bool = False) -> Automaton:
    """The quotient by reverse simulation, without edges from a state where a better one has them.

    `by_states`: accepting states are simulated by such states only.
    """
    accepting = [any(edge.marks for edge in out) for out in automaton.edges]

    def allowed(p: int, q: int) -> bool:
        if p == automaton.initial:
            return q == p
        return not by_states or accepting[p] <= accepting[q]

    turned = _turned(automaton)
    return _turned(_reduced(turned, simulation(turned, allowed)))


def simulation(
    automaton: Automaton, allowed: Callable[[int, int], bool] = lambda p, q: True
) -> Relation:
    """The greatest direct simulation in which q simulates p only where that is allowed."""
    edges = automaton.edges
    states = range(len(edges))
    letters = [union(out) for out in edges]
    relation = [
        sum(1 << q for q in states if p == q or (not letters[p] & ~letters[q] and allowed(p, q)))
        for p in states
    ]
    targets = [sum(1 << t for t in {edge.target for edge in out}) for out in edges]
    changed = (1 << len(edges)) - 1
    while changed:
        before, changed = changed, 0
        for p in states:
            if not targets[p] & (before | changed):
                continue
            rest = relation[p] & ~(1 << p)
            while rest:
                bit = rest & -rest
                rest ^= bit
                if not _answers(edges[p], edges[bit.bit_length() - 1], relation):
                    relation[p] ^= bit
                    changed |= 1 << p
    return relation


def _answers(challenge: Sequence[Edge], answers: Sequence[Edge], relation: Relation) -> bool:
    for edge in challenge:
        label = edge.label
        simulating = relation[edge.target]
        for answer in answers:
            if simulating >> answer.target & 1 and not edge.marks & ~answer.marks:
                label &= ~answer.label
                if not label:
                    break
        if label:
            return False
    return True


def _reduced(automaton: Automaton, relation: Relation) -> Automaton:
    """The quotient, without the letters of an edge that another one reads on the way to better."""
    merged, names = _quotient(automaton, relation)
    edges = []
    for out in merged.edges:
        kept = []
        for edge in out:
            label = edge.label
            simulating = relation[names[edge.target]]
            for other in out:
                if (
                    other.target != edge.target
                    and simulating >> names[other.target] & 1
                    and not edge.marks & ~other.marks
                ):
                    label &= ~other.label
            if label:
                kept.append(Edge(label, edge.target, edge.marks))
        edges.append(tuple(kept))
    return Automaton(automaton.propositions, merged.initial, tuple(edges), automaton.sets)


def _turned(automaton: Automaton) -> Automaton:
    """The automaton with its edges turned round."""
    edges: list[list[Edge]] = [[] for _ in automaton.states]
    for state, out in enumerate(automaton.edges):
        for edge in out:
            edges[edge.target].append(Edge(edge.label, state, edge.marks))
    return Automaton(
        automaton.propositions, automaton.initial, tuple(map(tuple, edges)), automaton.sets
    )


def _quotient(automaton: Automaton, relation: Relation) -> tuple[Automaton, list[int]]:
    """The automaton with states that simulate each other merged, and a member of each class."""
    names: list[int] = []
    of: list[int] = []
    for state in automaton.states:
        for number, name in enumerate(names):
            if relation[state] >> name & 1 and relation[name] >> state & 1:
                of.append(number)
                break
        else:
            of.append(len(names))
            names.append(state)
    edges = [
        join_parallel(
            Edge(edge.label, of[edge.target], edge.marks) for edge in automaton.edges[name]
        )
        for name in names
    ]
    initial = of[automaton.initial]
    return Automaton(automaton.propositions, initial, tuple(edges), automaton.sets), names
