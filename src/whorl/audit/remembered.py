"""The reference semantics with a memory: an audit asks for the same states again and again."""

from __future__ import annotations

from whorl.program.program import Program
from whorl.program.semantics import Semantics, Step
from whorl.program.state import State


class Remembered(Semantics):
    """As the reference semantics, which it asks once for each state."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._steps: dict[State, list[Step]] = {}
        self._of_holder: dict[State, list[Step]] = {}

    def steps(self, state: State) -> list[Step]:
        known = self._steps.get(state)
        if known is None:
            known = self._steps[state] = super().steps(state)
        return known

    def steps_of_holder(self, state: State) -> list[Step]:
        known = self._of_holder.get(state)
        if known is None:
            known = self._of_holder[state] = super().steps_of_holder(state)
        return known
