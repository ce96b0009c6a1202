"""A path as a Trace: any run so far, whether it shows something or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from whorl.program.choice import Choice
from whorl.program.semantics import Semantics, Step
from whorl.program.state import State
from whorl.trace.describe import describe, is_shown, positions, values
from whorl.trace.moments import moments
from whorl.trace.trace import NOTHING_WRONG, Trace, TraceStep

END_STATE = "end state"

Letter = Callable[[State], int]


def path_trace(
    semantics: Semantics,
    first: State,
    steps: Sequence[Step],
    propositions: tuple[str, ...] = (),
    letter: Letter | None = None,
    told: tuple[TraceStep, ...] | None = None,
    loop: int | None = None,
) -> Trace:
    """The Trace of these steps from `first`; what its end shows is its kind.

    `letter` gives the truth of `propositions` in a state, and `told` are the steps in words, if
    they are known already. With `loop`, those after so many steps come again and again.
    """
    program, taken = semantics.program, list(steps)
    states = _states(first, taken)
    last = taken[-1] if taken and taken[-1].failures else None
    kind, message = verdict(semantics, states[-1], taken[-1] if taken else None)
    shown_after = [0, *accumulate(is_shown(step) for step in taken)]
    letters: dict[int, int] = {}
    if letter is not None:
        letters = {shown: letter(state) for shown, state in zip(shown_after, states, strict=True)}
    return Trace(
        kind=kind,
        message=message,
        steps=describe(semantics, taken, first) if told is None else told,
        choices=tuple(map(Choice.of, taken)),
        final=positions(program, states[-1], last),
        cycle=None if loop is None else shown_after[loop] + 1,
        loop=loop,
        propositions=propositions,
        letters=tuple(letters[n] for n in range(shown_after[-1] + 1)) if letters else (),
        values=values(program, states[-1], last),
        moments=moments(program, first, taken, last),
    )


def verdict(semantics: Semantics, state: State, last: Step | None) -> tuple[str, str]:
    """What is wrong at the end of a path, by kind and in words; nothing is a kind, too."""
    if last is not None and last.failures:
        return last.failures[0].kind, last.failures[0].message
    if not semantics.steps(state) and not semantics.is_valid_end(state):
        return END_STATE, "no process can move, and not every one is at a valid end"
    return NOTHING_WRONG, "nothing is wrong with the run"


def _states(first: State, steps: list[Step]) -> list[State]:
    """The states of a path; a fault leaves it where it was."""
    states = [first]
    for step in steps:
        states.append(states[-1] if step.state is None else step.state)
    return states
