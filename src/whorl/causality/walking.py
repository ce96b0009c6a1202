"""Walks through a program beside a claim, one choice at a time, from any point of a run.

The claim is followed as the replay follows it: it reads the states between atomic sequences, and of
its states all are kept in which it may be.
"""

from __future__ import annotations

from typing import NamedTuple

from whorl.program.choice import Choice
from whorl.program.semantics import Semantics, Step
from whorl.program.state import LOCATION, NOBODY, TYPE, State, WorkingState
from whorl.property.claim import Claim
from whorl.property.reading import Letters, is_at_label

MOST_STEPS = 20_000  # that are worked out for one question


class At(NamedTuple):
    """How far a run has come: the program's state, and the states of the claim that read it next.

    Without a claim there are none. `stopped`: by a fault, and the program stays there.
    """

    state: State
    claims: frozenset[int] = frozenset()
    stopped: bool = False

    @property
    def is_read(self) -> bool:
        """Whether the claim looks at this state: not in the middle of an atomic sequence."""
        return self.state.holder == NOBODY


class Walker:
    """Takes choices. What it has worked out is kept."""

    def __init__(self, semantics: Semantics, claim: Claim | None) -> None:
        self.semantics = semantics
        self.claim = claim
        self.letters = None if claim is None else Letters(semantics, claim)
        self.left = MOST_STEPS  # that may still be worked out
        self._everyone: dict[State, list[Step]] = {}
        self._steps: dict[tuple[State, Choice], Step | None] = {}
        self._stored: dict[State, State] = {}
        self._leaving: dict[tuple[int, int], frozenset[int]] = {}

    def start(self) -> At:
        claims = frozenset() if self.claim is None else frozenset([self.claim.automaton.initial])
        return At(self.semantics.initial(), claims)

    def take(self, at: At, choice: Choice) -> tuple[Step, At] | None:
        """The step that a choice picks, and where it leads; None if it cannot be taken there."""
        if at.stopped or not self._is_there(at.state, choice):
            return None
        step = self._step(at.state, choice)
        if step is None:
            return None
        claims = self.after_reading(at) if at.is_read else at.claims
        if step.state is None:
            return step, At(at.state._replace(holder=NOBODY), claims, True)
        return step, At(self.stored(step.state), claims)

    def _is_there(self, state: State, choice: Choice) -> bool:
        """Whether the process is where the transition begins: told quickly, as it often is not."""
        if choice.pid >= len(state.processes):
            return False
        record = state.processes[choice.pid]
        key = record[TYPE], record[LOCATION]
        if key not in self._leaving:
            moves = self.semantics.moves(record)
            self._leaving[key] = frozenset(move.transition.number for move in moves)
        return choice.transition in self._leaving[key]

    def _step(self, state: State, choice: Choice) -> Step | None:
        key = state, choice
        if key not in self._steps:
            self.left -= 1
            steps = self._steps_by(state, choice.pid)
            self._steps[key] = next((s for s in steps if Choice.of(s) == choice), None)
        return self._steps[key]

    def _steps_by(self, state: State, pid: int) -> list[Step]:
        """As `Semantics.steps_by`; what everybody can do in a state is kept."""
        if state.holder == NOBODY:
            own = self.semantics.steps_of(WorkingState(state), [pid])
            if own:
                return own
        if state not in self._everyone:
            self._everyone[state] = self.semantics.steps(state)
        return self._everyone[state]

    @property
    def is_tired(self) -> bool:
        """Whether as many steps were worked out as may be; `rest` allows as many again."""
        return self.left <= 0

    def rest(self) -> None:
        self.left = MOST_STEPS

    def stored(self, state: State) -> State:
        """The state, without a holder if that cannot go on."""
        if state.holder == NOBODY:
            return state
        if state not in self._stored:
            goes_on = self.semantics.steps_of_holder(state)
            self._stored[state] = state if goes_on else state._replace(holder=NOBODY)
        return self._stored[state]

    # --- the claim -------------------------------------------------------------------------------

    def letter(self, at: At, stuttering: bool = False) -> int:
        assert self.letters is not None
        return self.letters.all(at.state, stuttering or at.stopped)[0]

    def after_reading(self, at: At) -> frozenset[int]:
        """The states of the claim after it has read this one."""
        if self.claim is None:
            return at.claims
        return self.moved(at.claims, self.letter(at))

    def moved(self, claims: frozenset[int], letter: int) -> frozenset[int]:
        if self.claim is None:
            return claims
        return frozenset(t for s in claims for t in self.claim.automaton.successors(s, letter))

    def is_accepting(self, at: At, claim_state: int) -> bool:
        assert self.claim is not None
        if claim_state in self.claim.automaton.accepting:
            return True
        program = self.semantics.program
        return self.claim.program_accepts and is_at_label(program, at.state, "accept")

    def is_stopped(self, at: At) -> bool:
        """Whether no step follows."""
        return at.stopped or not self.semantics.steps(at.state)
