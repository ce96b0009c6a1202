"""What an expression reads in a state: the value of each variable and channel in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.language.types import TypeKind
from whorl.program.expression_text import expression_text
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    Builtin,
    ChannelQuery,
    Expr,
    IfElse,
    Load,
    Place,
    PollQuery,
    ProcessQuery,
    Program,
    Region,
    RemoteLoad,
    RunProcess,
    UnaryOp,
)
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, TYPE, Fault, Record, WorkingState
from whorl.trace.describe import message_text, position, value_text


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A value that an expression reads: `wants[1]` is 1, `written` as `wants[other]`."""

    name: str
    value: str
    written: str

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


class ExpressionReader:
    """Reads the values of expressions of a program."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.program: Program = semantics.program

    def value(self, expr: Expr, store: WorkingState, record: Record) -> int | None:
        """The value of an expression that starts no process; None if it has none."""
        try:
            return self.semantics.evaluator.value(expr)(store, record)
        except Fault:
            return None

    def reads(self, expr: Expr, store: WorkingState, record: Record) -> tuple[ReadValue, ...]:
        """What `expr` reads, each once; the variables in indices are part of the names."""
        return tuple(dict.fromkeys(self._reads(expr, store, record)))

    def _reads(self, expr: Expr, store: WorkingState, record: Record) -> Iterator[ReadValue]:
        match expr:
            case Load(place):
                value = self.value(expr, store, record)
                if value is not None:
                    name = self.place_name(place, store, record)
                    yield ReadValue(name, self._text(place, value, store), place.text)
            case UnaryOp():
                yield from self._reads(expr.operand, store, record)
            case BinaryOp():
                yield from self._reads(expr.left, store, record)
                yield from self._reads(expr.right, store, record)
            case IfElse():
                for part in (expr.condition, expr.yes, expr.no):
                    yield from self._reads(part, store, record)
            case RunProcess():
                for argument in expr.arguments:
                    yield from self._reads(argument, store, record)
            case ChannelQuery() | PollQuery():
                yield from self._reads(expr.channel, store, record)
                if isinstance(expr, PollQuery):
                    for match in expr.patterns:
                        if match.value is not None:
                            yield from self._reads(match.value, store, record)
            case AtLocation():
                yield from self._where(expr, store, record)
            case ProcessQuery() | RemoteLoad() | Builtin():
                yield from self._named(expr, store, record)

    def _named(
        self, expr: ProcessQuery | RemoteLoad | Builtin, store: WorkingState, record: Record
    ) -> Iterator[ReadValue]:
        """What is known by its text alone; `timeout` is no value that helps."""
        value = self.value(expr, store, record)
        if value is None or expr == Builtin("timeout"):
            return
        text = expression_text(expr, self.program)
        shown = str(value)
        if isinstance(expr, RemoteLoad):
            shown = value_text(self.program, value, expr.place.type)
        yield ReadValue(text, shown, text)

    def _where(self, expr: AtLocation, store: WorkingState, record: Record) -> Iterator[ReadValue]:
        """Where the process is of which a label is asked."""
        try:
            pid = self.semantics.evaluator.remote_pid(expr.process, expr.pid)(store, record)
        except Fault:
            return
        name = self.program.processes[expr.process].title
        if not 0 <= pid < len(store.processes):
            yield ReadValue(name, "not running", expr.text)
            return
        there = position(self.program, pid, tuple(store.processes[pid]))
        where = "at its end" if there.line is None else f"at line {there.line}"
        yield ReadValue(there.who, where, expr.text)

    def place_name(self, place: Place, store: WorkingState, record: Record) -> str:
        """The name of the slot that a place stands for now: `wants[1]` for `wants[other]`."""
        if not place.indices:
            return place.text
        offset = self.semantics.evaluator.offset(place)
        slot = offset if isinstance(offset, int) else offset(store, record)
        variables = self.program.variables
        if place.region is Region.LOCAL:
            variables, slot = self.program.processes[record[TYPE]].variables, slot - LOCALS
        for variable in variables:
            if variable.offset <= slot < variable.offset + len(variable.parts):
                return variable.parts[slot - variable.offset][0]
        return place.text

    def _text(self, place: Place, value: int, store: WorkingState) -> str:
        if place.type.kind is TypeKind.CHAN:
            return self.channel_text(value, store)
        return value_text(self.program, value, place.type)

    def channel_text(self, value: int, store: WorkingState) -> str:
        """The messages in a channel, and how many it can hold."""
        if not 0 < value <= len(store.channels):
            return "no channel"
        channel = store.channels[value - 1]
        kind = self.program.channel_types[channel.type]
        if not kind.capacity:
            return "rendezvous"
        shown = " ".join(message_text(self.program, m, kind.fields) for m in channel.messages)
        return f"{shown or 'empty'} ({len(channel.messages)} of {kind.capacity})"
