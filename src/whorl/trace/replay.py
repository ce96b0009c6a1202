"""Replay: takes the steps of a run again, on the reference semantics.

Every counterexample passes through here before it is shown. One that cannot be replayed, or that
does not end in what it is said to show, is an error of ours and never a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable

from whorl.program.program import Program
from whorl.program.semantics import Semantics, Step
from whorl.program.state import State
from whorl.trace.describe import describe, positions, values
from whorl.trace.trace import Choice, Trace

END_STATE = "end state"


class ReplayError(Exception):
    """A run that the reference semantics does not allow: a bug of ours."""


def follow(semantics: Semantics, choices: Iterable[Choice]) -> tuple[State, list[Step]]:
    """The initial state, and the steps that the choices pick one after the other."""
    first = state = semantics.initial()
    taken: list[Step] = []
    for number, choice in enumerate(choices, 1):
        step = next((s for s in semantics.steps(state) if Choice.of(s) == choice), None)
        if step is None:
            raise ReplayError(f"step {number} cannot be taken: {choice}")
        taken.append(step)
        if step.state is None:
            break
        state = step.state
    return first, taken


def replay(program: Program, kind: str, choices: tuple[Choice, ...]) -> Trace:
    """The Trace of a run, after checking that it is one and shows something of this kind."""
    semantics = Semantics(program, verbose=True)
    first, steps = follow(semantics, choices)
    last = steps[-1].state if steps else first
    if kind == END_STATE:
        message = "no process can move, and not every one is at a valid end"
        if last is None or semantics.steps(last) or semantics.is_valid_end(last):
            raise ReplayError("the run does not end in an invalid end state")
    else:
        shown = [f.message for f in steps[-1].failures if f.kind == kind] if steps else []
        if not shown:
            raise ReplayError(f"the run shows nothing of the kind: {kind}")
        message = shown[0]
    final = last
    if final is None:
        final = steps[-2].state if len(steps) > 1 else first
    assert final is not None
    return Trace(
        kind=kind,
        message=message,
        steps=describe(semantics, steps, first),
        choices=tuple(choices),
        final=positions(program, final),
        values=tuple(values(program, final)),
    )
