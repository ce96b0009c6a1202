"""Visits: the states of the paths that were walked, as a tree, so that a path is taken only once.

A path is the choices that make it. Every request of the page names the whole path; what is known of
its beginning is not computed again.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State
from whorl.trace.describe import Narrator, is_shown
from whorl.trace.trace import TraceStep

MOST_PASSED = 1_000  # steps without a text that are taken one after the other


class Visit:
    """The end of a path: its state, the step that led there, and the visits that follow.

    `told` is the step in words; None if it only passes control on. After a fault there is no state:
    `state` is that before it, and nothing follows.
    """

    __slots__ = ("_following", "_seen", "_steps", "before", "narrator", "state", "step", "told")

    def __init__(
        self,
        state: State,
        narrator: Narrator,
        step: Step | None = None,
        before: Visit | None = None,
    ) -> None:
        self.state = state
        self.narrator = narrator
        self.step = step
        self.before = before
        self.told: TraceStep | None = None
        self._steps: list[Step] | None = None
        self._seen: State | None = None
        self._following: dict[Choice, Visit] = {}

    @property
    def broken(self) -> bool:
        """Whether the last step had no meaning, so that nothing follows."""
        return self.step is not None and self.step.state is None

    def steps(self) -> list[Step]:
        """Every step that is possible now."""
        if self._steps is None:
            self._steps = [] if self.broken else self.narrator.semantics.steps(self.state)
        return self._steps

    def then(self, step: Step) -> Visit:
        """The visit after one of the steps."""
        choice = Choice.of(step)
        known = self._following.get(choice)
        if known is None:
            narrator = copy.copy(self.narrator)
            state = self.state if step.state is None else step.state
            known = self._following[choice] = Visit(state, narrator, step, self)
            known.told = narrator.tell(step)
        return known

    def take(self, choice: Choice) -> Visit | None:
        """The visit that a choice leads to; None if it cannot be taken."""
        known = self._following.get(choice)
        if known is not None:
            return known
        step = next((s for s in self.steps() if Choice.of(s) == choice), None)
        return None if step is None else self.then(step)

    def passed_on(self) -> Visit:
        """The visit after the steps that only pass control on, where there is no other."""
        visit = self
        for _ in range(MOST_PASSED):
            steps = visit.steps()
            if len(steps) != 1 or is_shown(steps[0]):
                return visit
            visit = visit.then(steps[0])
        return visit

    def way(self, since: Visit | None = None) -> list[Visit]:
        """The visits from the initial state to this one, or those after `since`."""
        found: list[Visit] = []
        visit: Visit | None = self
        while visit is not since and visit is not None:
            found.append(visit)
            visit = visit.before
        return found[::-1]

    def choices(self, since: Visit | None = None) -> tuple[Choice, ...]:
        """The choices of the path to it, or those after `since`."""
        return tuple(Choice.of(visit.step) for visit in self.way(since) if visit.step is not None)

    @property
    def seen(self) -> State:
        """The state without the right to go on of an atomic sequence that cannot."""
        if self._seen is None:
            state, semantics = self.state, self.narrator.semantics
            waits = state.holder != NOBODY and not semantics.steps_of_holder(state)
            self._seen = state._replace(holder=NOBODY) if waits else state
        return self._seen


class Visits:
    """The tree of visits of a program."""

    def __init__(self, semantics: Semantics) -> None:
        state = semantics.initial()
        self.first = Visit(state, Narrator(semantics, state))

    def follow(self, choices: Sequence[Choice]) -> Visit:
        """The visit at the end of a path; WhorlError if it is none of the program's."""
        visit = self.first
        for number, choice in enumerate(choices, 1):
            following = visit.take(choice)
            if following is None:
                raise _no_path(number)
            visit = following
        return visit.passed_on()


def ends(way: Sequence[Visit]) -> Iterator[int]:
    """After how many choices each state that is shown is reached, the initial one first."""
    for number, visit in enumerate(way[1:]):
        if visit.told is not None:
            yield number
    yield len(way) - 1


def _no_path(number: int) -> WhorlError:
    hint = "the model may have changed since: start again from the initial state"
    message = f"this is no path of the model: its step {number:,} cannot be taken"
    return WhorlError(Diagnostic("error", message, None, hint))
