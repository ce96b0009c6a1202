"""Short walks through the states of a program: which processes it starts, and how many."""

from __future__ import annotations

import random
from collections.abc import Iterator

from whorl.program.parts import parts
from whorl.program.program import ProcessType, RunProcess, Transition
from whorl.program.semantics import Semantics
from whorl.program.state import LOCATION, NOBODY, TYPE, State

STEPS = 64  # of the walk that starts processes
WALKS, WALK_STEPS = 4, 400  # at random


def starting_walk(semantics: Semantics) -> Iterator[State]:
    """The initial state, and where the program starts processes those on a walk that does.

    Those inside atomic sequences are among them, and do not count as steps of the walk.
    """
    state = semantics.initial()
    yield state
    types = semantics.program.processes
    starting = {t.number for p in types for t in p.transitions() if _starts(t)}
    taken = 0 if starting else STEPS
    for _ in range(STEPS * STEPS):
        if taken == STEPS:
            return
        following = [step for step in semantics.steps(state) if step.state is not None]
        if not following:
            return
        # Whoever starts processes goes first; else who was there first: that is often init.
        first = next((step for step in following if step.transition.number in starting), None)
        chosen = first or min(following, key=lambda step: step.pid)
        assert chosen.state is not None
        state = chosen.state
        taken += state.holder == NOBODY
        yield state


def estimate(semantics: Semantics) -> tuple[int, int]:
    """How many processes and channels there are at a time, by a few random walks.

    A walk goes on as long as some process can still start another one.
    """
    dice = random.Random(0)
    starters = [_starters(process) for process in semantics.program.processes]
    most_processes = most_channels = 0
    for _ in range(WALKS):
        state = semantics.initial()
        for _ in range(WALK_STEPS):
            most_processes = max(most_processes, len(state.processes))
            most_channels = max(most_channels, len(state.channels))
            if not any(record[LOCATION] in starters[record[TYPE]] for record in state.processes):
                break
            steps = [step for step in semantics.steps(state) if step.state is not None]
            if not steps:
                break
            following = dice.choice(steps).state
            assert following is not None
            state = following
    return most_processes, most_channels


def _starters(process: ProcessType) -> set[int]:
    """The locations from which a process can come to start another one."""
    locations = {t.source for t in process.transitions() if _starts(t)}
    if not locations:
        return locations
    before: dict[int, list[int]] = {}
    for transition in process.transitions():
        before.setdefault(transition.target, []).append(transition.source)
    waiting = list(locations)
    while waiting:
        new = set(before.get(waiting.pop(), ())) - locations
        locations |= new
        waiting += new
    return locations


def _starts(transition: Transition) -> bool:
    return any(isinstance(part, RunProcess) for part in parts(transition))
