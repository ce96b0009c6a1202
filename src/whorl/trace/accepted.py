"""Checks that a run is one that a claim accepts, by the run's states alone.

Nothing is shared with the searches but the reading of letters: the automaton is run over the word,
the formula is evaluated on it, the cycle is looked through for a process that is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from whorl.program.atomic import stored
from whorl.program.semantics import Semantics, Step
from whorl.program.state import Fault, State
from whorl.property.claim import Claim
from whorl.property.components import components
from whorl.property.labels import ACCEPTANCE, NON_PROGRESS
from whorl.property.reading import Letters, is_at_label
from whorl.property.words import Word, holds


class NotAccepted(Exception):
    """The run is not one that the claim accepts; the text says why."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a claim sees in one state of a run: the state, after how many steps, its letter."""

    after: int
    state: State
    letter: int
    accepting: bool


def read(semantics: Semantics, claim: Claim, states: list[State], stops: bool) -> list[Reading]:
    """What the claim sees along a run; `states[i]` is the state after i steps.

    It does not look into an atomic sequence, but where one blocks, or comes back to a state that it
    has passed, it does. `stops`: the last step
    is a fault, and the last state that in which the run has stopped.
    """
    letters = Letters(semantics, claim)
    readings = []
    for after, state in stored(semantics, states):
        stuttering = stops and after == len(states) - 1
        accepting = claim.program_accepts and is_at_label(semantics.program, state, "accept")
        readings.append(Reading(after, state, letters.all(state, stuttering)[0], accepting))
    return readings


def check_end(semantics: Semantics, claim: Claim, readings: list[Reading], stops: bool) -> None:
    """Checks that the claim can have come to one of its ends after what it saw.

    Where the run stops, it may have looked at the last state more than once.
    """
    reached = {claim.automaton.initial}
    for reading in readings:
        reached = _moved(claim, reached, reading.letter)
    last = readings[-1]
    if stops or not semantics.steps(last.state):
        letter = Letters(semantics, claim).all(last.state, stuttering=True)[0]
        last = replace(last, letter=letter)  # np_ is false from here on
        before: set[int] = set()
        while not reached <= before:
            before |= reached
            reached = _moved(claim, reached, letter)
        reached = before
    if not reached & claim.ends:
        raise NotAccepted("the claim does not come to an end on this run")
    _check_formula(claim, readings, [last])


def _moved(claim: Claim, states: Set[int], letter: int) -> set[int]:
    return {t for s in states for t in claim.automaton.successors(s, letter)}


def no_values(
    semantics: Semantics, claim: Claim, readings: list[Reading], stops: bool
) -> list[Fault]:
    """Why propositions have no value that the claim needs in the last state of a run.

    Where the run stops, the claim may come to need them when it looks at that state again. It may
    also need them before: a reduced search does not look into phase 1.
    """
    letters = Letters(semantics, claim)
    reached = {claim.automaton.initial}
    for reading in readings[:-1]:
        faults = _needed(letters, reading.state, False, reached)
        if faults:
            return faults
        reached = _moved(claim, reached, reading.letter)
    last = readings[-1]
    return faults_of_reading(semantics, claim, last.state, reached, last.letter, stops)


def faults_of_reading(
    semantics: Semantics,
    claim: Claim,
    state: State,
    reading: Set[int],
    letter: int,
    stops: bool,
) -> list[Fault]:
    """The same where the claim reads the letter of `state` in one of the states `reading`."""
    letters = Letters(semantics, claim)
    if claim.normal_form is not None:  # which needs all of them
        return [*letters.all(state)[1].values(), *letters.all(state, stuttering=True)[1].values()]
    faults = _needed(letters, state, stops, reading)
    if stops or not semantics.steps(state):
        before: set[int] = set()
        reached = _moved(claim, reading, letter)
        letter = letters.all(state, stuttering=True)[0]
        while not reached <= before:
            before |= reached
            reached = _moved(claim, reached, letter)
        faults += _needed(letters, state, True, before)
    return faults


def _needed(
    letters: Letters, state: State, stuttering: bool, claim_states: Set[int]
) -> list[Fault]:
    faults = []
    for claim_state in sorted(claim_states):
        try:
            letters.read(state, stuttering, claim_state)
        except Fault as fault:
            faults.append(fault)
    return faults


def check_cycle(
    semantics: Semantics,
    claim: Claim,
    readings: list[Reading],
    steps: list[Step],
    loop: int,
    fair: bool,
    stops: bool,
) -> None:
    """Checks that the run goes round from `loop` on, and that the claim accepts it for ever.

    `stops`: its last step is a fault, and it stays where it is.
    """
    start = next((r for r in readings if r.after == loop), None)
    if start is None:
        raise NotAccepted("the cycle begins within an atomic sequence")
    prefix = [r for r in readings if r.after < loop]
    cycle = [r for r in readings if loop <= r.after < len(steps)]
    if stops:
        if steps[loop:]:
            raise NotAccepted("the run ends in a fault, and cannot go on")
        cycle = [start]
    elif not steps[loop:]:
        if semantics.steps(start.state):
            raise NotAccepted("the program does not stay where the run ends")
        stuttering = Letters(semantics, claim).all(start.state, stuttering=True)[0]
        prefix, cycle = [*prefix, start], [replace(start, letter=stuttering)]
    elif readings[-1].after != len(steps) or readings[-1].state != start.state:
        raise NotAccepted("the run does not come back to where its cycle begins")
    if not _accepts(claim, prefix, cycle):
        raise NotAccepted("the claim's automaton does not accept the run")
    _check_formula(claim, prefix, cycle)
    if fair and not stops:
        _check_fair(semantics, cycle, steps[loop:])


def _check_formula(claim: Claim, prefix: list[Reading], cycle: list[Reading]) -> None:
    """Checks that the formula, if there is one, is false of what is read, the cycle for ever."""
    if claim.formula is not None:
        word = Word(claim.automaton.propositions, _letters(prefix), _letters(cycle))
        if holds(claim.formula, word):
            raise NotAccepted("the formula holds of the run")


def _letters(readings: list[Reading]) -> tuple[int, ...]:
    return tuple(reading.letter for reading in readings)


def _accepts(claim: Claim, prefix: list[Reading], cycle: list[Reading]) -> bool:
    """Whether the automaton has an accepting run over what is read, the cycle for ever."""
    readings = [*prefix, *cycle]
    automaton = claim.automaton

    def successors(node: tuple[int, int]) -> Iterator[tuple[int, int]]:
        state, position = node
        following = position + 1 if position + 1 < len(readings) else len(prefix)
        for target in automaton.successors(state, readings[position].letter):
            yield target, following

    for component in components([(automaton.initial, 0)], successors):
        inside = set(component)
        goes_round = any(t in inside for node in component for t in successors(node))
        accepting = any(
            state in automaton.accepting or readings[position].accepting
            for state, position in component
        )
        if goes_round and accepting:
            return True
    return False


def _check_fair(semantics: Semantics, cycle: list[Reading], steps: list[Step]) -> None:
    """Checks that every process that can begin a step all along the cycle also takes one in it."""
    waiting = set.intersection(
        *({step.pid for step in semantics.steps(reading.state)} for reading in cycle)
    )
    for step in steps:
        waiting.discard(step.pid)
        if step.partner is not None:
            waiting.discard(step.partner[0])
    if waiting:
        raise NotAccepted(f"process {min(waiting)} could always move in the cycle, and never does")


def message(claim: Claim, is_cycle: bool) -> str:
    """What the run shows, in a few words."""
    if claim.kind == ACCEPTANCE:
        return "some process is at an accept label again and again"
    if claim.kind == NON_PROGRESS:
        return "no process is at a progress label any more"
    if claim.formula is not None:
        return f"a run does not satisfy {claim.formula_text}"
    return "it accepts a run" if is_cycle else "a run brings it to its end"
