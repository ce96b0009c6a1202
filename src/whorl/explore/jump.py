"""Jumps: a bounded breadth-first search from a state, on the reference semantics.

It looks at every state that a user could walk to, those inside atomic sequences, too. So the path
that it finds has as few steps as can be.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from whorl.figures import counted
from whorl.program.choice import Choice
from whorl.program.program import LtlProperty
from whorl.program.semantics import Semantics, Step
from whorl.program.state import State
from whorl.trace.where import evaluated

MOST_STATES = 200_000
MOST_SECONDS = 20.0
LOOK_EVERY = 64  # states between two looks at the clock

Wanted = Callable[[State], bool]
Origins = dict[State, tuple[State, Step] | None]


@dataclass(frozen=True, slots=True)
class Jump:
    """Where a search came to: the choices from its start, or None and why there are none."""

    choices: tuple[Choice, ...] | None
    states: int
    said: str


class _Stopped(Exception):
    """The search has to end; the text says why."""


@dataclass(frozen=True, slots=True)
class JumpLimits:
    """How far a jump looks; `cancelled` says whether nobody waits for it any more."""

    states: int = MOST_STATES
    seconds: float = MOST_SECONDS
    cancelled: Callable[[], bool] = lambda: False


def to_violation(semantics: Semantics, start: State, limits: JumpLimits) -> Jump:
    """To the nearest step that fails, or invalid end state."""
    return _Search(semantics, start, limits, None).jump("no violation")


def to_expression(
    semantics: Semantics, start: State, asked: LtlProperty, limits: JumpLimits
) -> Jump:
    """To the nearest state after this one in which the expression is true."""

    def is_true(state: State) -> bool:
        return evaluated(semantics, asked, state).value

    return _Search(semantics, start, limits, is_true).jump("no such state")


class _Search:
    def __init__(
        self, semantics: Semantics, start: State, limits: JumpLimits, wanted: Wanted | None
    ) -> None:
        self.semantics = semantics
        self.start = start
        self.limits = limits
        self.wanted = wanted
        self.ends = time.monotonic() + limits.seconds
        self.origins: Origins = {start: None}
        semantics.look = self._look

    def jump(self, none: str) -> Jump:
        try:
            found = self._find()
        except _Stopped as stopped:
            looked = counted(len(self.origins), "state")
            return Jump(None, len(self.origins), f"{none} among the nearest {looked}: {stopped}")
        states = len(self.origins)
        if found is None:
            looked = "this is the only state" if states == 1 else f"all {counted(states, 'state')}"
            looked = looked if states == 1 else f"{looked} that can be reached were looked at"
            return Jump(None, states, f"{none} from here on: {looked}")
        return Jump(found, states, f"{counted(len(found), 'step')} on")

    def _find(self) -> tuple[Choice, ...] | None:
        """A level at a time, so that an invalid end state counts before a step that fails there."""
        level = [self.start]
        while level:
            failing: tuple[Choice, ...] | None = None
            following: list[State] = []
            for state in level:
                steps = self.semantics.steps(state)
                if self.wanted is None and not steps and not self.semantics.is_valid_end(state):
                    return self._path(state)
                for step in steps:
                    if self.wanted is None and step.failures and failing is None:
                        failing = (*self._path(state), Choice.of(step))
                    if step.state is None or step.state in self.origins:
                        if self.wanted and step.state == self.start and self.wanted(self.start):
                            return (*self._path(state), Choice.of(step))
                        continue
                    self._add(step.state, (state, step))
                    if self.wanted is not None and self.wanted(step.state):
                        return self._path(step.state)
                    following.append(step.state)
            if failing is not None:
                return failing
            level = following
        return None

    def _add(self, state: State, origin: tuple[State, Step]) -> None:
        if len(self.origins) >= self.limits.states:
            raise _Stopped(f"it looks at {counted(self.limits.states, 'state')} at most")
        self.origins[state] = origin
        if len(self.origins) % LOOK_EVERY == 0:
            self._look()

    def _look(self) -> None:
        if self.limits.cancelled():
            raise _Stopped("you stopped it")
        if time.monotonic() > self.ends:
            raise _Stopped(f"it looks for {self.limits.seconds:g} s at most")

    def _path(self, state: State) -> tuple[Choice, ...]:
        taken: list[Choice] = []
        origin = self.origins[state]
        while origin is not None:
            state, step = origin
            taken.append(Choice.of(step))
            origin = self.origins[state]
        return tuple(reversed(taken))
