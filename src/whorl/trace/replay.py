"""Replay: takes the steps of a run again, on the reference semantics.

Every counterexample passes through here before it is shown. One that cannot be replayed, or that
does not end in what it is said to show, is an error of ours and never a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from whorl.program.choice import Choice
from whorl.program.program import Program
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State
from whorl.property.claim import Claim
from whorl.trace.accepted import NotAccepted, Reading, check_cycle, check_end, no_values, read
from whorl.trace.accepted import message as what_it_shows
from whorl.trace.automaton import states_by_reading
from whorl.trace.describe import describe, is_shown, positions, values
from whorl.trace.moments import moments
from whorl.trace.trace import Trace

END_STATE = "end state"


REPLAYING = "replaying a violation that was found"  # a phase of a command
REPLAY_GRACE = 2.0  # seconds for it, where the time limit came just after what was found


class ReplayError(Exception):
    """A run that the reference semantics does not allow: a bug of ours."""


def follow(semantics: Semantics, choices: Iterable[Choice]) -> tuple[State, list[Step]]:
    """The initial state, and the steps that the choices pick one after the other."""
    first = state = semantics.initial()
    taken: list[Step] = []
    for number, choice in enumerate(choices, 1):
        step = take(semantics, state, choice, number)
        taken.append(step)
        if step.state is None:
            break
        state = step.state
    return first, taken


def take(semantics: Semantics, state: State, choice: Choice, number: int) -> Step:
    """The step from `state` that a choice picks, as number so-and-so of a run."""
    steps = semantics.steps_by(state, choice.pid)
    step = next((s for s in steps if Choice.of(s) == choice), None)
    if step is None:
        raise ReplayError(f"step {number} cannot be taken: {choice}")
    return step


@dataclass(frozen=True, slots=True)
class Shown:
    """A run that shows something, and what it shows; `readings` are those of a claim."""

    first: State
    steps: list[Step]
    message: str
    readings: list[Reading]
    stops: bool  # it is one that a claim reads, and ends in a fault


def confirm(
    semantics: Semantics,
    kind: str,
    choices: tuple[Choice, ...],
    claim: Claim | None = None,
    loop: int | None = None,
    fair: bool = False,
    said: str | None = None,
) -> Shown:
    """Takes a run again: ReplayError if it is none, or shows nothing of this kind.

    Of several failures of its last step that with the message `said` is shown, if it is given.

    Of a violation of `claim`, that is what the claim accepts: a finite run, or with `loop` one that
    takes `choices[loop:]` again and again; `fair`: without passing over any process.
    """
    first, steps = follow(semantics, choices)
    last = steps[-1].state if steps else first
    readings: list[Reading] = []
    accepted = claim if claim is not None and kind == claim.kind else None
    stops = claim is not None and last is None
    if claim is not None:
        readings = read(semantics, claim, _states(first, steps), stops)
    if accepted is not None:
        try:
            if loop is None:
                check_end(semantics, accepted, readings, stops)
            else:
                check_cycle(semantics, accepted, readings, steps, loop, fair, stops)
        except NotAccepted as error:
            raise ReplayError(str(error)) from None
        message = what_it_shows(accepted, is_cycle=loop is not None)
    elif kind == END_STATE:
        message = "no process can move, and not every one is at a valid end"
        if last is None or semantics.steps(last) or semantics.is_valid_end(last):
            raise ReplayError("the run does not end in an invalid end state")
    else:
        failures = [f.message for f in steps[-1].failures if f.kind == kind] if steps else []
        if claim is not None:
            faults = no_values(semantics, claim, readings, stops)
            failures = [fault.message for fault in faults if fault.kind == kind]
        if not failures or (said is not None and said not in failures):
            raise ReplayError(f"the run shows nothing of the kind: {kind}")
        message = failures[0] if said is None else said
    return Shown(first, steps, message, readings, stops)


def replay(
    program: Program,
    kind: str,
    choices: tuple[Choice, ...],
    claim: Claim | None = None,
    loop: int | None = None,
    fair: bool = False,
    said: str | None = None,
) -> Trace:
    """The Trace of a run, after checking as `confirm` does that it is one and shows something."""
    semantics = Semantics(program, verbose=True)
    shown = confirm(semantics, kind, choices, claim, loop, fair, said)
    first, steps, readings = shown.first, shown.steps, shown.readings
    accepted = claim if claim is not None and kind == claim.kind else None
    final = steps[-1].state if steps else first
    if final is None:
        final = steps[-2].state if len(steps) > 1 else first
    assert final is not None
    at = steps[-1] if steps and accepted is None else None
    shown_after = [0, *accumulate(is_shown(step) for step in steps)]
    letters = {shown_after[reading.after]: reading.letter for reading in readings}
    fault = steps[-1].failures[0] if shown.stops else None
    run: dict[int, tuple[int, ...]] = {}
    if accepted is not None:
        by_reading = states_by_reading(accepted, readings, loop, len(steps), shown.stops)
        run = {shown_after[after]: states for after, states in by_reading.items()}
    return Trace(
        kind=kind,
        message=shown.message,
        steps=describe(semantics, steps, first),
        choices=tuple(choices),
        final=positions(program, final, at),
        cycle=None if loop is None else shown_after[loop] + 1,
        loop=loop,
        propositions=() if claim is None else claim.automaton.propositions,
        letters=tuple(map(letters.get, range(shown_after[-1] + 1))) if letters else (),
        values=values(program, final, at),
        claim=None if accepted is None else accepted.name,
        formula=None if accepted is None else accepted.formula_text,
        fault=None if fault is None else f"{fault.kind}: {fault.message}",
        moments=moments(program, first, steps, at),
        automaton=accepted.automaton if accepted is not None and run else None,
        run=tuple(map(run.get, range(shown_after[-1] + 1))) if run else (),
    )


def _states(first: State, steps: list[Step]) -> list[State]:
    """The states of a run; a fault at its end leaves it where it was, and ends all control."""
    states = [first]
    for step in steps:
        stopped = states[-1]._replace(holder=NOBODY)
        states.append(stopped if step.state is None else step.state)
    return states
