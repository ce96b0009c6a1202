"""What shows the same violation as a counterexample: at a step, or where a run has come to.

Each kind of violation has its class. `by_step` says of a step whether it shows it; `at` says it of
a run that ends there, or stays there for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from whorl.causality.walking import At, Walker
from whorl.program.semantics import Semantics, Step
from whorl.property.components import components
from whorl.trace.accepted import faults_of_reading
from whorl.trace.replay import END_STATE
from whorl.trace.shorten import stuck_processes


class Goal(Protocol):
    def by_step(self, step: Step) -> bool: ...

    def at(self, at: At) -> bool: ...


@dataclass(frozen=True, slots=True)
class FailingStep:
    """A step of the same statement that fails with the same message."""

    kind: str
    message: str
    transitions: tuple[int, ...]

    @staticmethod
    def of(step: Step, kind: str, message: str) -> FailingStep:
        return FailingStep(kind, message, _transitions(step))

    def by_step(self, step: Step) -> bool:
        return _transitions(step) == self.transitions and any(
            (failure.kind, failure.message) == (self.kind, self.message)
            for failure in step.failures
        )

    def at(self, at: At) -> bool:
        return False


def _transitions(step: Step) -> tuple[int, ...]:
    other = () if step.partner is None else (step.partner[1].number,)
    return (step.transition.number, *other)


@dataclass(frozen=True, slots=True)
class SameDeadlock:
    """An invalid end state in which the same processes are stuck at the same places."""

    semantics: Semantics
    stuck: frozenset[tuple[int, int, int]]

    def by_step(self, step: Step) -> bool:
        return False

    def at(self, at: At) -> bool:
        if not at.is_read or stuck_processes(self.semantics, at.state) != self.stuck:
            return False
        return not self.semantics.steps(at.state) and not self.semantics.is_valid_end(at.state)


@dataclass(frozen=True, slots=True)
class NoValue:
    """A proposition that has no value where the claim needs it, for the same reason."""

    walker: Walker
    kind: str
    message: str

    def by_step(self, step: Step) -> bool:
        return False

    def at(self, at: At) -> bool:
        claim = self.walker.claim
        assert claim is not None
        if not at.is_read:
            return False
        faults = faults_of_reading(
            self.walker.semantics, claim, at.state, at.claims, self.walker.letter(at), at.stopped
        )
        return any((fault.kind, fault.message) == (self.kind, self.message) for fault in faults)


@dataclass(frozen=True, slots=True)
class ClaimEnd:
    """A run that the claim accepts whatever follows, or as it stays where it is for ever.

    `infinite`: only runs that never stop count, and so none of these.
    """

    walker: Walker
    infinite: bool = False

    def by_step(self, step: Step) -> bool:
        return False

    def at(self, at: At) -> bool:
        walker, claim = self.walker, self.walker.claim
        assert claim is not None
        if self.infinite or not at.is_read or not at.claims:
            return False
        reached = walker.after_reading(at)
        return bool(reached & claim.ends) or (walker.is_stopped(at) and self._stays(at, reached))

    def _stays(self, at: At, reached: frozenset[int]) -> bool:
        """Whether the claim accepts the run that stays for ever, or comes to an end on it."""
        walker, claim = self.walker, self.walker.claim
        assert claim is not None
        letter = walker.letter(at, stuttering=True)
        for component in components(reached, lambda s: claim.automaton.successors(s, letter)):
            inside = set(component)
            round_ = any(inside & set(claim.automaton.successors(s, letter)) for s in inside)
            if round_ and any(walker.is_accepting(at, s) for s in inside):
                return True
        return False


def goal_of(
    walker: Walker, kind: str, said: str, steps: list[Step], cyclic: bool, infinite: bool
) -> Goal:
    """What shows the same as a run with these steps, of which `said` is what it shows."""
    claim = walker.claim
    if claim is not None:
        if kind != claim.kind:
            return NoValue(walker, kind, said)
        return ClaimEnd(walker, infinite and cyclic)
    if kind == END_STATE:
        last = steps[-1].state if steps else walker.semantics.initial()
        assert last is not None
        return SameDeadlock(walker.semantics, stuck_processes(walker.semantics, last))
    return FailingStep.of(steps[-1], kind, said)
