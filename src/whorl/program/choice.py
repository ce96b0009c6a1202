"""A Choice: which process takes which transition, as searches store it and replay takes it."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.program.semantics import Step


@dataclass(frozen=True, slots=True)
class Choice:
    """Which step is taken: enough to take it again. -1: no partner."""

    pid: int
    transition: int
    partner: int = -1
    partner_transition: int = -1

    @staticmethod
    def of(step: Step) -> Choice:
        if step.partner is None:
            return Choice(step.pid, step.transition.number)
        pid, transition = step.partner
        return Choice(step.pid, step.transition.number, pid, transition.number)
