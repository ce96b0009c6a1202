"""Operations on automata: product, emptiness with a witness, and what is useful in one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from whorl.diagnostics import WhorlError
from whorl.property.automaton import Automaton, Buchi, Edge, generalised
from whorl.property.components import components
from whorl.property.letters import first_letter, moved
from whorl.property.words import Word

MOST_STATES = 20_000

State = TypeVar("State", bound=Hashable)
Letters = Iterable[tuple[int, State]]  # labels, and the states that they lead to


def explored(
    propositions: tuple[str, ...],
    start: State,
    successors: Callable[[State], Letters[State]],
    is_accepting: Callable[[State], bool],
    limit: int = MOST_STATES,
) -> Buchi:
    """The automaton of the states that can be reached, numbered as they are met.

    Labels to the same state are joined. More states than `limit` are an error.
    """
    number = {start: 0}
    states = [start]
    edges: list[tuple[Edge, ...]] = []
    for state in states:  # grows meanwhile
        labels: dict[int, int] = {}
        for label, target in successors(state):
            if target not in number:
                if len(number) >= limit:
                    raise WhorlError.at(
                        None, f"an automaton that is needed has more than {limit:,} states"
                    )
                number[target] = len(number)
                states.append(target)
            labels[number[target]] = labels.get(number[target], 0) | label
        edges.append(tuple(Edge(label, target) for target, label in labels.items() if label))
    accepting = frozenset(n for n, state in enumerate(states) if is_accepting(state))
    return Buchi(propositions, 0, tuple(edges), accepting)


# --- product and emptiness -----------------------------------------------------------------------


def over(automaton: Automaton, propositions: tuple[str, ...]) -> Automaton:
    """The same automaton over more propositions, or over the same in another order."""
    if propositions == automaton.propositions:
        return automaton
    places = [propositions.index(name) for name in automaton.propositions]
    labels: dict[int, int] = {}
    for out in automaton.edges:
        for edge in out:
            if edge.label not in labels:
                labels[edge.label] = moved(edge.label, places, len(propositions))
    edges = tuple(
        tuple(Edge(labels[edge.label], edge.target, edge.marks) for edge in out)
        for out in automaton.edges
    )
    return Automaton(propositions, automaton.initial, edges, automaton.sets)


def product(one: Automaton | Buchi, other: Automaton | Buchi) -> Automaton:
    """The words that both accept; its acceptance sets are those of both."""
    a, b = _as_generalised(one), _as_generalised(other)
    propositions = tuple(dict.fromkeys(a.propositions + b.propositions))
    a, b = over(a, propositions), over(b, propositions)
    number = {(a.initial, b.initial): 0}
    states = list(number)
    edges: list[tuple[Edge, ...]] = []
    for s, t in states:  # grows meanwhile
        out = []
        for left in a.edges[s]:
            for right in b.edges[t]:
                label = left.label & right.label
                if label:
                    pair = (left.target, right.target)
                    if pair not in number:
                        number[pair] = len(number)
                        states.append(pair)
                    out.append(Edge(label, number[pair], left.marks | right.marks << a.sets))
        edges.append(tuple(out))
    return Automaton(propositions, 0, tuple(edges), a.sets + b.sets)


def _as_generalised(automaton: Automaton | Buchi) -> Automaton:
    return generalised(automaton) if isinstance(automaton, Buchi) else automaton


def accepted_word(automaton: Automaton | Buchi) -> Word | None:
    """A word that the automaton accepts, or None if there is none."""
    automaton = _as_generalised(automaton)
    lasso = accepting_lasso(automaton)
    if lasso is None:
        return None
    prefix, cycle = (tuple(first_letter(edge.label) for edge in part) for part in lasso)
    return Word(automaton.propositions, prefix, cycle).shortest()


def accepting_lasso(automaton: Automaton) -> tuple[list[Edge], list[Edge]] | None:
    """The edges of an accepting run: those before a cycle and those on it."""
    edges = automaton.edges

    def targets(state: int) -> Iterator[int]:
        return (edge.target for edge in edges[state])

    for component in components([automaton.initial], targets):
        inside = frozenset(component)
        kept = [edge for state in component for edge in edges[state] if edge.target in inside]
        union = 0
        for edge in kept:
            union |= edge.marks
        if kept and union == (1 << automaton.sets) - 1:
            anywhere = frozenset(automaton.states)
            prefix, entry = _path(automaton, automaton.initial, anywhere, _within(inside))
            return prefix, _cycle(automaton, entry, inside)
    return None


def _cycle(automaton: Automaton, entry: int, inside: frozenset[int]) -> list[Edge]:
    """A closed path from `entry` within a component that meets every acceptance set."""
    missing = (1 << automaton.sets) - 1
    cycle: list[Edge] = []
    at = entry
    while missing:
        path, at = _path(automaton, at, inside, _marked(missing))
        cycle += path
        for edge in path:
            missing &= ~edge.marks
    if not cycle or at != entry:
        back, _ = _path(automaton, at, inside, lambda e, s: e is not None and s == entry)
        cycle += back
    return cycle


Goal = Callable[[Edge | None, int], bool]  # of a state and the edge that leads to it


def _within(states: frozenset[int]) -> Goal:
    return lambda _, state: state in states


def _marked(marks: int) -> Goal:
    return lambda edge, _: edge is not None and bool(edge.marks & marks)


def _path(
    automaton: Automaton, start: int, inside: frozenset[int], is_goal: Goal
) -> tuple[list[Edge], int]:
    """A shortest path to a goal, and where it ends."""
    if is_goal(None, start):
        return [], start
    came: dict[int, tuple[int, Edge]] = {}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        for edge in automaton.edges[state]:
            if edge.target not in inside:
                continue
            if is_goal(edge, edge.target):
                path = [edge]
                while state != start:
                    state, edge = came[state]
                    path.append(edge)
                return path[::-1], path[0].target
            if edge.target not in came and edge.target != start:
                came[edge.target] = (state, edge)
                waiting.append(edge.target)
    raise AssertionError("no path to the goal")


# --- what kind of automaton ----------------------------------------------------------------------


def is_weak(buchi: Buchi) -> bool:
    """Whether every component that is reachable is accepting as a whole or not at all.

    A component without a cycle counts as either.
    """
    for component in components([buchi.initial], lambda s: (e.target for e in buchi.edges[s])):
        inside = set(component)
        if any(edge.target in inside for state in component for edge in buchi.edges[state]):
            accepting = inside & buchi.accepting
            if accepting and accepting != inside:
                return False
    return True


def useful(buchi: Buchi) -> Buchi:
    """The automaton without the states that no accepting run visits; the initial one is kept."""
    leads: dict[int, bool] = {}
    order: list[int] = []
    for component in components([buchi.initial], lambda s: (e.target for e in buchi.edges[s])):
        inside = set(component)
        targets = {edge.target for state in component for edge in buchi.edges[state]}
        good = bool(targets & inside and inside & buchi.accepting)
        good = good or any(leads[target] for target in targets - inside)
        leads.update(dict.fromkeys(component, good))
        order += component
    kept = sorted(s for s in order if leads[s] or s == buchi.initial)
    number = {state: n for n, state in enumerate(kept)}
    edges = tuple(
        tuple(Edge(e.label, number[e.target]) for e in buchi.edges[state] if leads[e.target])
        for state in kept
    )
    accepting = frozenset(number[s] for s in kept if s in buchi.accepting)
    return Buchi(buchi.propositions, number[buchi.initial], edges, accepting)
