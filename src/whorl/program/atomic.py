"""Runs: what happens between two states that a search stores.

Spin stores no state in the middle of an atomic sequence. So an edge of the state graph is a run of
one or more steps: a single step, or all of an atomic sequence up to where control is free again. An
atomic sequence that comes back to a state that it has passed may go on so for ever. The run ends
there, in a state that is stored with its holder; from there only the holder goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State

LOOK_EVERY = 256  # steps of an atomic sequence between two looks at the clock and the memory


@dataclass(frozen=True, slots=True)
class Run:
    """Steps from one stored state to the next; `state` is None where they end in a fault."""

    steps: tuple[Step, ...]
    state: State | None
    endless: bool = False  # the atomic sequence came back to where it had been

    def end(self, start: State) -> State:
        """The state in which a run from `start` ends; after a fault, that before the last step."""
        if self.state is not None:
            return self.state
        before = self.steps[-2].state if len(self.steps) > 1 else start
        assert before is not None
        return before._replace(holder=NOBODY)


def runs(semantics: Semantics, state: State) -> Iterator[Run]:
    """Every run from a stored state, one for each way through the atomic sequences it begins."""
    path: list[Step] = []
    passed: list[State] = []  # the states in the middle of the atomic sequence so far
    waiting = [iter(semantics.steps(state))]  # of the holder alone, if the state has one
    taken = 0
    while waiting:
        step = next(waiting[-1], None)
        taken += 1
        if taken % LOOK_EVERY == 0:
            semantics.look()
        if step is None:
            waiting.pop()
            if path:
                path.pop()
            if passed:
                passed.pop()
            continue
        after = step.state
        if after is None or after.holder == NOBODY:
            yield Run((*path, step), after)
            continue
        following = semantics.steps_of_holder(after)
        if not following:  # it blocks, and gives up control
            yield Run((*path, step), after._replace(holder=NOBODY))
        elif after == state or after in passed:
            yield Run((*path, step), after, endless=True)
        else:
            path.append(step)
            passed.append(after)
            waiting.append(iter(following))


def stored(semantics: Semantics, states: Iterable[State]) -> Iterator[tuple[int, State]]:
    """Of the states after each step of a path, the first one first, those where runs end.

    Each as it is stored, with its place.
    """
    passed: list[State] = []  # in the middle of the atomic sequence so far
    for place, state in enumerate(states):
        if state.holder == NOBODY or not semantics.steps_of_holder(state):
            passed = []
            yield place, state._replace(holder=NOBODY)
        elif state in passed:
            passed = [state]
            yield place, state
        else:
            passed.append(state)
