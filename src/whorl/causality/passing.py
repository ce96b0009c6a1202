"""The nearest passing run: the good run that parts from a counterexample as late as possible.

From the end of the counterexample backwards, each state on it is asked whether a good run leads on
from there. The first that has one is where the two part; from the next state on the violation is
inevitable, in the words of Jin, Ravi and Somenzi ("Fate and free will in error traces", 2002): the
rest of the error trace is fate. What is known of one state is kept for those before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from whorl.causality.good_runs import SETS, GoodNode, GoodRuns
from whorl.program.choice import Choice
from whorl.program.state import State
from whorl.search import scc
from whorl.search.exploration import Options
from whorl.search.limits import Limits
from whorl.search.watch import Stop, Watch

MOST_STATES = 5_000  # that are looked at from one state of the counterexample
MOST_NEAR = 1_000  # that are looked at for a shorter run that stops
MOST_IN_ALL = 15_000
LONGEST = 200  # units of a run that is only followed so far


@dataclass(frozen=True, slots=True)
class Continuation:
    """A good run from a state on; `choices[loop:]` come again and again.

    Without a loop it stops; or, if it is `cut`, it was only followed so far.
    """

    choices: tuple[Choice, ...]
    loop: int | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class NearestPass:
    """The good run that parts from the counterexample after so many of its states' units.

    `continuation` is None if there is none. `certain`: no good run parts later, or there is none at
    all; otherwise a limit was hit, and whether there is one is not known.
    """

    after: int
    continuation: Continuation | None
    certain: bool
    states: int  # that were looked at


def nearest_pass(good: GoodRuns, states: Sequence[State]) -> NearestPass:
    """The good run nearest to a counterexample; `states` are those of it that a claim reads."""
    reading = [frozenset([good.automaton.initial])]
    for state in states[:-1]:
        reading.append(good.after(reading[-1], state))
    certain, looked_at = True, 0
    for after in range(len(states) - 1, -1, -1):
        good.start = [GoodNode(states[after], q) for q in sorted(reading[after])]
        good.seen.clear()
        try:
            found = _continuation(good)
        except Stop:
            certain, found = False, _followed(good)
        looked_at += len(good.seen)
        if found is not None:
            return NearestPass(after, found, certain, looked_at)
        if looked_at > MOST_IN_ALL:
            return NearestPass(after, None, False, looked_at)
    return NearestPass(0, None, certain, looked_at)


def _continuation(good: GoodRuns) -> Continuation | None:
    """A good run from the start, None if there is none; Stop if a limit is hit."""
    stopping = _shortest_stop(good)
    if stopping is not None:
        return stopping
    good.seen.clear()
    watch = Watch(Options(limits=Limits(states=MOST_STATES)))
    lasso = scc.find(good, watch, good.marks, SETS)
    if lasso is None:
        good.doomed |= good.seen
        return None
    cycle = [*lasso.cycle, lasso.cycle[0]]
    before = _choices(good, [*lasso.prefix, lasso.cycle[0]])
    again = _choices(good, cycle)
    return Continuation((*before, *again), len(before) if again else None)


def _choices(good: GoodRuns, nodes: Sequence[GoodNode]) -> tuple[Choice, ...]:
    return tuple(c for node, target in pairwise(nodes) for c in good.choices(node, target))


def _shortest_stop(good: GoodRuns) -> Continuation | None:
    """A shortest good run that stops, if there is one near."""
    origin: dict[GoodNode, GoodNode | None] = dict.fromkeys(good.initial())
    queue = deque(origin)
    while queue and len(origin) < MOST_NEAR:
        node = queue.popleft()
        for target in good.successors(node, ()):
            if target in origin:
                if target == node and node.stopped and good.is_accepting(node):
                    path = [node]
                    while (before := origin[path[-1]]) is not None:
                        path.append(before)
                    return Continuation(_choices(good, path[::-1]))
                continue
            origin[target] = node
            queue.append(target)
    return None


def _followed(good: GoodRuns) -> Continuation | None:
    """A run in which every process is served, as far as it is followed without a failure.

    Only of safety: a claim may not have seen yet what it waits for.
    """
    if good.claim is not None or not good.start:
        return None
    node, choices = good.start[0], list[Choice]()
    for _ in range(LONGEST):
        target = next(iter(good.targets(node)), None)
        if target is None:
            return None
        choices += good.choices(node, target)
        node = target
    return Continuation(tuple(choices), cut=True)
