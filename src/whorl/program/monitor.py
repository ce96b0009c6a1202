"""Trace and notrace assertions: an automaton that watches sends and receives.

It knows the channels that are named in it, for sends and for receives apart; every event on one of
these must be one that it allows next (trace), or the whole must never match (notrace).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from whorl.program.program import (
    Const,
    Expr,
    Match,
    ProcessType,
    ReceiveAction,
    SendAction,
    Transition,
)
from whorl.program.state import LOCALS, Failure, Message, WorkingState

if TYPE_CHECKING:
    from whorl.program.evaluate import Evaluator

_BLANK = (0,) * LOCALS  # a trace assertion has no variables of its own


class Monitor:
    """Follows the events of a run. Its location is part of the state (`WorkingState.monitor`)."""

    def __init__(self, automaton: ProcessType, negated: bool, evaluator: Evaluator) -> None:
        self.automaton = automaton
        self.negated = negated
        self.evaluator = evaluator
        self.scope: dict[str, list[Expr]] = {"send": [], "receive": []}
        for transition in automaton.transitions():
            if isinstance(transition.action, SendAction | ReceiveAction):
                self.scope[_kind(transition)].append(transition.action.channel)

    @property
    def start(self) -> int:
        return self.automaton.start

    def complete(self, location: int) -> bool:
        """Whether a run may end with the automaton here."""
        return location in self.automaton.end_locations

    def event(self, s: WorkingState, kind: str, channel: int, message: Message) -> None:
        """Follows one event; a failure is noted in the store."""
        watched = [self.evaluator.value(expr) for expr in self.scope[kind]]
        if all(value(s, _BLANK) - 1 != channel for value in watched):
            return
        if s.monitor != self.automaton.final:
            for transition in self.automaton.locations.get(s.monitor, ()):
                if self.matches(s, transition, kind, channel, message):
                    s.monitor = transition.target
                    if self.negated and s.monitor == self.automaton.final:
                        s.failures.append(Failure("trace", "the events of 'notrace' all matched"))
                    return
        if self.negated:
            s.monitor = self.automaton.final  # only the first try counts
        else:
            s.failures.append(Failure("trace", "an event that 'trace' does not allow"))

    def matches(
        self, s: WorkingState, transition: Transition, kind: str, channel: int, message: Message
    ) -> bool:
        action = transition.action
        if not isinstance(action, SendAction | ReceiveAction) or _kind(transition) != kind:
            return False
        if self.evaluator.value(action.channel)(s, _BLANK) - 1 != channel:
            return False
        if isinstance(action, SendAction):
            # An argument that is a variable stands for any value, a constant for itself.
            wanted = tuple(
                Match(argument if isinstance(argument, Const) else None, None)
                for argument in action.arguments
            )
        else:
            wanted = action.patterns
        return self.evaluator.finder(wanted, False)(s, _BLANK, (message,)) == 0


def _kind(transition: Transition) -> str:
    return "send" if isinstance(transition.action, SendAction) else "receive"
