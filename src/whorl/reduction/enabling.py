"""What has to happen before a transition can be executed: the facts for stubborn sets.

As in `analysis` a transition stands for the run that it begins. Nothing here depends on the state
of a program.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from whorl.program.evaluate import Value
from whorl.program.program import (
    BinaryOp,
    Builtin,
    ChannelQuery,
    Const,
    DStep,
    EmbeddedExpr,
    Expr,
    Guard,
    Index,
    Load,
    PollQuery,
    ProcessQuery,
    ProcessType,
    ReceiveAction,
    Region,
    RemoteLoad,
    RunProcess,
    SendAction,
    Way,
    subexpressions,
)
from whorl.program.state import Record
from whorl.reduction.accesses import Template, needs_timeout
from whorl.reduction.footprint import EVERY_CHANNEL, Footprint, conflict, opposite

if TYPE_CHECKING:
    from whorl.reduction.analysis import Analysis


class Conjunct(NamedTuple):
    """One of the conditions of a guard that must all hold."""

    expr: Expr
    value: Value
    reads: Template
    is_local: bool  # it looks at what its own process may change without anybody noticing


class Enabling:
    """Facts about the transitions of a program, each found when it is first asked for."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.process_of = analysis.process_of
        self._touched: dict[tuple[Way, tuple[int, ...]], Footprint] = {}
        self.relation = cache(lambda a, b: (conflict(a, b), opposite(a, b)))
        self._coming_to = cache(self._all_arrivals)
        self.returning = cache(self._returning)
        self.conditions = cache(self._conditions)

    def touched(self, way: Way, record: Record | None) -> Footprint:
        """What a run may touch, and all that processes may touch which it starts.

        It is one of a process; without one, of any.
        """
        key = way, () if record is None else self.analysis.signature(record)
        footprint = self._touched.get(key)
        if footprint is None:
            own = self.analysis.touched(way, record)
            footprint = own | self._started(way)
            self._touched[key] = footprint
        return footprint

    def _started(self, way: Way) -> Footprint:
        analysis = self.analysis
        inner = analysis.runs.region(self.process_of[way], analysis.transitions[way])
        return analysis.begun_together(analysis.started_by(t.way for t in inner))

    def arrivals(self, way: Way) -> frozenset[Way]:
        """The transitions whose run may end where a transition begins."""
        source = self.analysis.transitions[way].source
        return self._coming_to(self.process_of[way].index).get(source, frozenset())

    def _all_arrivals(self, index: int) -> dict[int, frozenset[Way]]:
        """Of each location of a process type: the transitions whose run may end there."""
        process = self.analysis.program.processes[index]
        arrivals: dict[int, set[Way]] = {}
        for transition in process.transitions():
            if not needs_timeout(transition.action):
                for inner in self.analysis.runs.region(process, transition):
                    arrivals.setdefault(inner.target, set()).add(transition.way)
        return {location: frozenset(ways) for location, ways in arrivals.items()}

    def _returning(self, way: Way) -> frozenset[Way]:
        """The transitions after which their process may come to where a transition begins."""
        ways: set[Way] = set()
        waiting = [way]
        while waiting:
            more = self.arrivals(waiting.pop()) - ways
            ways |= more
            waiting += more
        return frozenset(ways)

    def _conditions(self, way: Way) -> tuple[Conjunct, ...]:
        """The conditions that a guard consists of, as far as they can be asked about anywhere.

        None behind one that may fault: that is a step, too, whatever the others are.
        """
        action = self.analysis.transitions[way].action
        if not isinstance(action, Guard):
            return ()
        process = self.process_of[way]
        asked: list[Expr] = []
        for part in _parts(action.condition):
            asked.append(part)
            if self.may_fault(part):
                break
        return tuple(
            Conjunct(
                part,
                self.analysis.semantics.evaluator.value(part),
                frozenset(self.analysis.accesses.condition(part, process)),
                any(self._is_own(inner, process) for inner in subexpressions(part)),
            )
            for part in asked
            if not any(map(_is_apart, subexpressions(part)))
        )

    def on_channel(self, way: Way) -> SendAction | ReceiveAction | None:
        """The send or receive of a transition, if the other end of its channel is all it may need.

        Not of a receive that may fault before it has looked at the channel.
        """
        action = self.analysis.transitions[way].action
        if isinstance(action, ReceiveAction):
            values = (match.value for match in action.patterns if match.value is not None)
            return None if any(map(self.may_fault, values)) else action
        return action if isinstance(action, SendAction) else None

    def may_fault(self, expr: Expr) -> bool:
        """Whether evaluating an expression may be a fault."""
        return any(map(self._may_fault, subexpressions(expr)))

    def _may_fault(self, expr: Expr) -> bool:
        match expr:
            case Load(place):
                return any(not _is_within(index) for index in place.indices)
            case BinaryOp(operator="/" | "%"):
                return not isinstance(expr.right, Const) or expr.right.value == 0
            case ChannelQuery():
                return self.analysis.accesses.channels(expr.channel) == EVERY_CHANNEL
            case PollQuery() | RunProcess() | RemoteLoad() | ProcessQuery() | EmbeddedExpr():
                return True
        return False

    def _is_own(self, expr: Expr, process: ProcessType) -> bool:
        if isinstance(expr, Load) and expr.place.region is Region.LOCAL:
            return not self.analysis.fixed.place(expr.place, process)
        return isinstance(expr, RemoteLoad)

    def may_handshake(self, way: Way) -> bool:
        """Whether a transition may need another process to take part."""
        action = self.analysis.transitions[way].action
        first = action.guards if isinstance(action, DStep) else (action,)
        return any(
            isinstance(a, SendAction | ReceiveAction)
            and self.analysis.accesses.may_handshake(a.channel)
            for a in first
        )


def _is_within(index: Index) -> bool:
    return isinstance(index.value, Const) and 0 <= index.value.value < index.length


def _parts(condition: Expr) -> Iterator[Expr]:
    if isinstance(condition, BinaryOp) and condition.operator == "&&":
        yield from _parts(condition.left)
        yield from _parts(condition.right)
    else:
        yield condition


def _is_apart(expr: Expr) -> bool:
    """Whether the value of an expression is not a matter of variables, channels and places."""
    if isinstance(expr, Builtin):
        return expr.name != "_pid"
    return isinstance(expr, RunProcess | ProcessQuery | EmbeddedExpr)
