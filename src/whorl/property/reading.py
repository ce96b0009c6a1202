"""Reads what a claim looks at in the states of a program: letters, and accept labels."""

from __future__ import annotations

from whorl.program.program import Builtin, ProcessQuery, Program, subexpressions
from whorl.program.semantics import Semantics
from whorl.program.state import LOCATION, NOBODY, TYPE, Fault, State, WorkingState
from whorl.property.claim import Claim
from whorl.property.propositions import support

NO_PROCESS = (NOBODY, NOBODY, 0, 0)  # the record of whoever evaluates a claim's expressions


class Letters:
    """Reads the letters of a claim's propositions in the states of a program."""

    def __init__(self, semantics: Semantics, claim: Claim) -> None:
        self.semantics = semantics
        self.values = [semantics.evaluator.value(atom) for atom in claim.atoms]
        if claim.normal_form is not None:  # which asks whether a letter is the one before
            self.support = [frozenset(range(len(claim.atoms)))] * claim.normal_form.size
        else:
            self.support = [
                support([edge.label for edge in out], len(claim.atoms))
                for out in claim.automaton.edges
            ]
        asked = {
            part.name if isinstance(part, Builtin) else part.query
            for atom in claim.atoms
            for part in subexpressions(atom)
            if isinstance(part, Builtin | ProcessQuery)
        }
        assert "_last" not in asked or semantics.program.uses_last
        self.asks_timeout = bool(asked & {"timeout", "enabled"})
        self.asks_progress = "np_" in asked
        self.known: dict[tuple[State, bool], tuple[int, dict[int, Fault]]] = {}

    def read(self, state: State, stuttering: bool, claim_state: int) -> int:
        """The letter of a state; Fault if a proposition that the claim's state needs has no value.

        A proposition without a value that is not needed counts as false.
        """
        letter, faults = self.all(state, stuttering)
        for index, fault in faults.items():
            if index in self.support[claim_state]:
                raise fault
        return letter

    def all(self, state: State, stuttering: bool = False) -> tuple[int, dict[int, Fault]]:
        """The letter of a state, and the propositions that have no value there."""
        key = (state, stuttering)
        if key not in self.known:
            self.known[key] = self._evaluate(state, stuttering)
        return self.known[key]

    def _evaluate(self, state: State, stuttering: bool) -> tuple[int, dict[int, Fault]]:
        timeout = False
        if self.asks_timeout:
            everyone = range(len(state.processes))
            timeout = not self.semantics.steps_of(WorkingState(state), everyone)
        store = WorkingState(state, timeout, stuttering)
        letter = 0
        faults: dict[int, Fault] = {}
        for index, value in enumerate(self.values):
            try:
                if value(store, NO_PROCESS):
                    letter |= 1 << index
            except Fault as fault:
                faults[index] = fault
        return letter, faults


def is_at_label(program: Program, state: State, sort: str) -> bool:
    """Whether some process is at a label of this sort, "accept" or "progress"."""
    for record in state.processes:
        process = program.processes[record[TYPE]]
        marked = process.accept_locations if sort == "accept" else process.progress_locations
        if record[LOCATION] in marked:
            return True
    return False
