"""The components of an automaton, and what they show to be useless.

`prune` keeps the states that are on an accepting run, and the acceptance sets that matter: a set is
dropped from a component whose cycles that are in all the others are in it too, and the sets that a
component keeps are numbered from 0 again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from whorl.property.automaton import Automaton, Edge
from whorl.property.components import components


@dataclass(frozen=True, slots=True)
class Components:
    """The components in an order such that edges lead to the same or an earlier one.

    `of[s]` is the index of the component of state s, -1 if s is not reachable.
    """

    members: tuple[tuple[int, ...], ...]
    of: tuple[int, ...]


def numbered(
    states: int, roots: Iterable[int], successors: Callable[[int], Iterable[int]]
) -> Components:
    """The components of a graph whose nodes are 0..states-1, as far as the roots reach."""
    of = [-1] * states
    members: list[tuple[int, ...]] = []
    for component in components(roots, successors):
        for state in component:
            of[state] = len(members)
        members.append(tuple(component))
    return Components(tuple(members), tuple(of))


def components_of(automaton: Automaton) -> Components:
    """The components of the reachable part of an automaton."""
    edges = automaton.edges
    return numbered(len(edges), (automaton.initial,), lambda s: (edge.target for edge in edges[s]))


def inner_edges(
    edges: Sequence[Sequence[Edge]], components: Components, component: int
) -> list[tuple[int, Edge]]:
    """The edges within a component, each with its source."""
    return [
        (state, edge)
        for state in components.members[component]
        for edge in edges[state]
        if components.of[edge.target] == component
    ]


def has_accepting_cycle(edges: Iterable[tuple[int, Edge]], wanted: int, without: int = 0) -> bool:
    """Whether some cycle of these edges is in all the `wanted` sets and in none of `without`."""
    out: dict[int, list[Edge]] = {}
    numbers: dict[int, int] = {}
    for state, edge in edges:
        if not edge.marks & without:
            numbers.setdefault(state, len(numbers))
            numbers.setdefault(edge.target, len(numbers))
            out.setdefault(numbers[state], []).append(edge)
    components = numbered(
        len(numbers),
        range(len(numbers)),
        lambda s: (numbers[edge.target] for edge in out.get(s, ())),
    )
    marks: list[int | None] = [None] * len(components.members)
    for state, rest in out.items():
        component = components.of[state]
        for edge in rest:
            if components.of[numbers[edge.target]] == component:
                marks[component] = (marks[component] or 0) | edge.marks
    return any(seen is not None and not wanted & ~seen for seen in marks)


def prune(automaton: Automaton) -> Automaton:
    """The same language, without useless states, edges and acceptance sets."""
    edges = automaton.edges
    components = components_of(automaton)
    everything = (1 << automaton.sets) - 1
    kept_sets: list[list[int] | None] = []  # None: no accepting cycle
    useful: list[bool] = []
    rejects = False
    for component, members in enumerate(components.members):
        inside = inner_edges(edges, components, component)
        accepting = bool(inside) and has_accepting_cycle(inside, everything)
        kept_sets.append(_needed(inside, automaton.sets) if accepting else None)
        later = {components.of[edge.target] for state in members for edge in edges[state]}
        useful.append(accepting or any(useful[c] for c in later if c != component))
        rejects = rejects or (bool(inside) and useful[-1] and not accepting)
    # one set at least where there is a cycle that does not accept
    sets = max([int(rejects), *(len(kept) for kept in kept_sets if kept is not None)])
    if not useful[components.of[automaton.initial]]:
        return nothing(automaton.propositions)
    numbers: dict[int, int] = {}
    for state in automaton.states:
        if components.of[state] >= 0 and useful[components.of[state]]:
            numbers[state] = len(numbers)
    result = []
    for state in numbers:
        component = components.of[state]
        kept = kept_sets[component]
        out = []
        for edge in edges[state]:
            if edge.target not in numbers:
                continue
            marks = 0
            if kept is not None and components.of[edge.target] == component:
                marks = (1 << sets) - (1 << len(kept))  # those that this component does not need
                marks |= sum(1 << n for n, old in enumerate(kept) if edge.marks >> old & 1)
            out.append(Edge(edge.label, numbers[edge.target], marks))
        result.append(join_parallel(out))
    return Automaton(automaton.propositions, numbers[automaton.initial], tuple(result), sets)


def _needed(inside: list[tuple[int, Edge]], sets: int) -> list[int]:
    """The acceptance sets that tell accepting cycles from others in a component."""
    kept = list(range(sets))
    for number in range(sets):
        others = sum(1 << other for other in kept if other != number)
        if not has_accepting_cycle(inside, others, without=1 << number):
            kept.remove(number)
    return kept


def join_parallel(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """The edges, one for each target and marks; letters that have more marks elsewhere dropped."""
    labels: dict[tuple[int, int], int] = {}
    for edge in edges:
        key = edge.target, edge.marks
        labels[key] = labels.get(key, 0) | edge.label
    joined = []
    for (target, marks), label in labels.items():
        for (other, more), covered in labels.items():
            if other == target and more != marks and marks & ~more == 0:
                label &= ~covered
        if label:
            joined.append(Edge(label, target, marks))
    return tuple(joined)


def nothing(propositions: tuple[str, ...]) -> Automaton:
    """An automaton of no words."""
    return Automaton(propositions, 0, ((),), 0)
