"""Generalised automata to small Büchi automata: the reductions in the order that pays."""

from __future__ import annotations

from whorl.property.automaton import Automaton, Buchi, Edge, generalised
from whorl.property.degeneralise import degeneralise, orders
from whorl.property.pruning import components_of, prune
from whorl.property.simulation import reduce_direct, reduce_reverse

# Larger automata are reduced with less effort.
MANY_STATES = 40
MANY_EDGES = 2500
MOST_CANDIDATES = 4


def size(automaton: Buchi) -> tuple[int, bool, int]:
    """What makes an automaton better than another: states, determinism, edges."""
    return len(automaton.edges), not automaton.is_deterministic, automaton.edge_count


def reduce_generalised(automaton: Automaton) -> Automaton:
    """Pruning and simulations, until nothing changes."""
    automaton = prune(automaton)
    while not _has_many_edges(automaton):
        before = _measure(automaton)
        automaton = prune(reduce_direct(automaton))
        automaton = prune(reduce_reverse(automaton))
        if _measure(automaton) >= before:
            break
    return automaton


def _has_many_edges(automaton: Automaton | Buchi) -> bool:
    """Whether simulations would take seconds."""
    return sum(map(len, automaton.edges)) > MANY_EDGES


def _measure(automaton: Automaton) -> tuple[int, int, int]:
    edges = [edge for out in automaton.edges for edge in out]
    return len(automaton.edges), len(edges), sum(edge.label.bit_count() for edge in edges)


def candidates(automaton: Automaton) -> list[Buchi]:
    """Büchi automata of the same language: the smallest ways to degeneralise, reduced."""
    many = len(automaton.edges) > MANY_STATES
    automata = dict.fromkeys(
        degeneralise(automaton, order, eager)
        for order in orders(automaton.sets, most=2 if many else 24)
        for eager in (True, False)
    )
    ranked = sorted(automata, key=size)
    if len(ranked[0].edges) > MANY_STATES:
        return [reduce_states(ranked[0])]
    return [reduce_states(one) for one in ranked[:MOST_CANDIDATES]]


def reduce_states(automaton: Buchi) -> Buchi:
    """Pruning and simulations on an automaton that accepts by states."""
    if _has_many_edges(automaton):
        return accepting_states(_with_transient(automaton, False))
    best = automaton
    for transient in (False, True)[: 1 if len(automaton.edges) > MANY_STATES else 2]:
        current = automaton
        while True:
            changed = _pass(current, transient)
            if size(changed) >= size(current):
                break
            current = changed
        if size(current) < size(best):
            best = current
    return best


def renumbered(automaton: Buchi) -> Buchi:
    """The automaton with its states in the order of a breadth-first search from state 0."""
    states = [automaton.initial]
    numbers = {automaton.initial: 0}
    for state in states:
        for edge in automaton.edges[state]:
            if edge.target not in numbers:
                numbers[edge.target] = len(states)
                states.append(edge.target)
    edges = tuple(
        tuple(Edge(e.label, numbers[e.target]) for e in automaton.edges[state]) for state in states
    )
    accepting = frozenset(numbers[state] for state in automaton.accepting if state in numbers)
    return Buchi(automaton.propositions, 0, edges, accepting)


def _pass(automaton: Buchi, transient: bool) -> Buchi:
    """One round; whether states on no cycle accept does not matter: `transient` says if they do."""
    current = accepting_states(_with_transient(automaton, transient))
    current = accepting_states(reduce_direct(generalised(current)))
    current = accepting_states(_with_transient(current, transient))
    return accepting_states(reduce_reverse(generalised(current), by_states=True))


def _with_transient(automaton: Buchi, transient: bool) -> Automaton:
    pruned = prune(generalised(automaton))
    if not pruned.sets:
        pruned = Automaton(
            pruned.propositions,
            pruned.initial,
            tuple(tuple(Edge(edge.label, edge.target, 1) for edge in out) for out in pruned.edges),
            1,
        )
    components = components_of(pruned)
    edges = []
    for state, out in enumerate(pruned.edges):
        inside = any(components.of[edge.target] == components.of[state] for edge in out)
        accepts = any(edge.marks for edge in out) if inside else transient
        edges.append(tuple(Edge(edge.label, edge.target, int(accepts)) for edge in out))
    return Automaton(pruned.propositions, pruned.initial, tuple(edges), 1)


def accepting_states(automaton: Automaton) -> Buchi:
    """The Büchi automaton whose accepting states are those with marked edges."""
    assert automaton.sets == 1
    accepting = frozenset(
        state for state, out in enumerate(automaton.edges) if any(edge.marks for edge in out)
    )
    edges = tuple(
        tuple(Edge(label, target) for target, label in _labels(out).items())
        for out in automaton.edges
    )
    return Buchi(automaton.propositions, automaton.initial, edges, accepting)


def _labels(edges: tuple[Edge, ...]) -> dict[int, int]:
    labels: dict[int, int] = {}
    for edge in edges:
        labels[edge.target] = labels.get(edge.target, 0) | edge.label
    return labels
