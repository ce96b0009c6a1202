"""Which way a claim's automaton takes along a run that it accepts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from whorl.property.claim import Claim
from whorl.property.components import components
from whorl.trace.accepted import Reading

Node = tuple[int, int]  # a state of the automaton, and the position of what it reads next
Successors = Callable[[Node], Iterator[Node]]


def states_by_reading(
    claim: Claim, readings: list[Reading], loop: int | None, steps: int, stops: bool
) -> dict[int, tuple[int, ...]]:
    """For each number of steps after which the claim looks, the states in which it does.

    They are those of one accepting run, which is decided as early as can be. There are several
    where the cycle brings the automaton there in different states. Nothing is known of a claim
    without propositions: its automaton says nothing.
    """
    if not claim.automaton.propositions or not readings:
        return {}
    start = len(readings) - 1
    if loop is not None and not stops and loop < steps:
        readings = [reading for reading in readings if reading.after < steps]
        start = next(n for n, reading in enumerate(readings) if reading.after >= loop)
    run = _accepting_run(claim, readings, start, finite=loop is None)
    by_reading: dict[int, list[int]] = {}
    for state, position in run:
        states = by_reading.setdefault(readings[position].after, [])
        if state not in states:
            states.append(state)
    if by_reading and loop is not None and loop < steps and not stops:
        back = by_reading[readings[start].after]
        by_reading[steps] = back[1:] or back  # as it is when it comes here again
    return {after: tuple(states) for after, states in by_reading.items()}


def _accepting_run(claim: Claim, readings: list[Reading], start: int, finite: bool) -> list[Node]:
    """A path of the automaton along the readings, and round from `start` on, until it repeats.

    [] if there is none. `finite`: it has to come to one of the claim's ends.
    """
    automaton = claim.automaton

    def successors(node: Node) -> Iterator[Node]:
        state, position = node
        following = position + 1 if position + 1 < len(readings) else start
        for target in automaton.successors(state, readings[position].letter):
            yield target, following

    def accepts(node: Node) -> bool:
        if finite:
            return node[0] in claim.ends
        return node[0] in automaton.accepting or readings[node[1]].accepting

    first = (automaton.initial, 0)
    good: dict[Node, frozenset[Node]] = {}
    for component in components([first], successors):
        inside = frozenset(component)
        if any(map(accepts, inside)) and any(t in inside for n in inside for t in successors(n)):
            good.update(dict.fromkeys(inside, inside))
    way = _path([first], successors, good.__contains__)
    if not way:
        return []
    inside = good[way[-1]]

    def within(node: Node) -> Iterator[Node]:
        return (target for target in successors(node) if target in inside)

    there = _path([way[-1]], within, accepts)
    back = _path(within(there[-1]), within, there[0].__eq__)
    return [*way, *there[1:], *back]


def _path(
    first: Iterable[Node], successors: Successors, wanted: Callable[[Node], bool]
) -> list[Node]:
    """A shortest path from one of `first` to a node that is wanted; [] if there is none."""
    came: dict[Node, Node | None] = dict.fromkeys(first)
    waiting = deque(came)
    while waiting:
        node = waiting.popleft()
        if wanted(node):
            path = [node]
            while (before := came[path[-1]]) is not None:
                path.append(before)
            return path[::-1]
        for target in successors(node):
            if target not in came:
                came[target] = node
                waiting.append(target)
    return []
