"""Evaluates expressions, by turning each one into a Python function once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from whorl.language.arithmetic import BINARY, UNARY
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    Builtin,
    ChannelQuery,
    Const,
    EmbeddedExpr,
    Expr,
    IfElse,
    Index,
    InitialByte,
    Load,
    Match,
    Place,
    PollQuery,
    ProcessQuery,
    Program,
    Region,
    RemoteLoad,
    RunProcess,
    UnaryOp,
)
from whorl.program.state import (
    LOCALS,
    LOCATION,
    NOBODY,
    PID,
    PRIORITY,
    TYPE,
    Channel,
    Fault,
    Message,
    Record,
    WorkingState,
)

if TYPE_CHECKING:
    from whorl.diagnostics import Span
    from whorl.program.foreign import Foreign

Value = Callable[[WorkingState, Record], int]
Condition = Callable[[WorkingState, Record], bool]
Finder = Callable[[WorkingState, Record, tuple[Message, ...]], int]


class Evaluator:
    """Makes functions of expressions. Run and enabled need the semantics: they are handed in."""

    def __init__(
        self,
        program: Program,
        start: Callable[[WorkingState, int, list[int], int], int],
        enabled: Callable[[WorkingState, int], bool],
        foreign: Foreign | None = None,
    ) -> None:
        self.program = program
        self.foreign = foreign
        self.start = start
        self.enabled = enabled
        self.asking = False  # in the middle of an enabled()

    def value(self, expr: Expr) -> Value:
        match expr:
            case Const(value):
                return lambda s, p: value
            case Load(place):
                return self.load(place)
            case UnaryOp():
                return self.unary(expr)
            case BinaryOp():
                return self.binary(expr)
            case IfElse():
                condition, yes, no = map(self.value, (expr.condition, expr.yes, expr.no))
                return lambda s, p: yes(s, p) if condition(s, p) else no(s, p)
            case ChannelQuery():
                return self.channel_query(expr)
            case PollQuery():
                return self.poll(expr)
            case RunProcess():
                return self.run(expr)
            case ProcessQuery():
                return self.process_query(expr)
            case Builtin(name):
                return self.builtin(name)
            case AtLocation():
                return self.at_location(expr)
            case RemoteLoad():
                return self.remote(expr)
            case EmbeddedExpr(fragment, _):
                assert self.foreign is not None
                return self.foreign.value(fragment)
            case InitialByte(position):
                assert self.foreign is not None
                byte = self.foreign.initial_byte(position)
                return lambda s, p: byte

    # --- variables -------------------------------------------------------------------------------

    def offset(self, place: Place) -> Value | int:
        """The slot of a place: a number where it is fixed."""
        base = place.offset + (LOCALS if place.region is Region.LOCAL else 0)
        if place.region is Region.PRIORITY:
            base = PRIORITY
        if not place.indices:
            return base
        if len(place.indices) == 1:
            return self.one_index(base, place.indices[0], place.text)
        indices = [self.one_index(0, index, place.text) for index in place.indices]
        return lambda s, p: base + sum([index(s, p) for index in indices])

    def one_index(self, base: int, index: Index, text: str) -> Value:
        value, stride, length = self.value(index.value), index.stride, index.length

        def slot(s: WorkingState, p: Record) -> int:
            i = value(s, p)
            if 0 <= i < length:
                return base + i * stride
            raise Fault(
                "array bounds",
                f"index {i} of '{text}' is out of bounds: it has {length} elements",
                index.span,
            )

        return slot

    def load(self, place: Place) -> Value:
        offset = self.offset(place)
        if place.region is Region.GLOBAL:
            if isinstance(offset, int):
                return lambda s, p: s.globals[offset]
            return lambda s, p: s.globals[offset(s, p)]
        if isinstance(offset, int):
            return lambda s, p: p[offset]
        return lambda s, p: p[offset(s, p)]

    def store(self, place: Place) -> Callable[[WorkingState, Record, int], None]:
        """A function that assigns to `place`; the store must be a fork."""
        if place.region is Region.NOWHERE:
            return lambda s, p, value: None
        offset = self.offset(place)
        truncate = place.type.truncate
        is_global = place.region is Region.GLOBAL

        def assign(s: WorkingState, p: Record, value: int) -> None:
            at = offset if isinstance(offset, int) else offset(s, p)
            target = s.globals if is_global else p
            assert isinstance(target, list)
            target[at] = truncate(value)

        return assign

    # --- operators -------------------------------------------------------------------------------

    def unary(self, expr: UnaryOp) -> Value:
        apply, operand = UNARY[expr.operator], self.value(expr.operand)
        return lambda s, p: apply(operand(s, p))

    def binary(self, expr: BinaryOp) -> Value:
        left, right = self.value(expr.left), self.value(expr.right)
        match expr.operator:
            case "&&":
                return lambda s, p: 1 if left(s, p) and right(s, p) else 0
            case "||":
                return lambda s, p: 1 if left(s, p) or right(s, p) else 0
            case "==":
                return lambda s, p: 1 if left(s, p) == right(s, p) else 0
            case "!=":
                return lambda s, p: 1 if left(s, p) != right(s, p) else 0
            case "/" | "%":
                return self.division(expr, left, right)
        apply = BINARY[expr.operator]
        return lambda s, p: apply(left(s, p), right(s, p))

    def division(self, expr: BinaryOp, left: Value, right: Value) -> Value:
        apply = BINARY[expr.operator]

        def divide(s: WorkingState, p: Record) -> int:
            above, below = left(s, p), right(s, p)
            if below == 0:
                raise Fault("division by zero", "the divisor is 0", expr.span)
            return apply(above, below)

        return divide

    # --- channels --------------------------------------------------------------------------------

    def channel(self, expr: Expr, span: Span | None) -> Callable[[WorkingState, Record], int]:
        """The position of the channel that `expr` names; a fault if there is none."""
        value = self.value(expr)

        def position(s: WorkingState, p: Record) -> int:
            at = value(s, p) - 1
            if 0 <= at < len(s.channels):
                return at
            message = "this channel was never made" if at == -1 else "this channel is gone"
            raise Fault("channel", message, span)

        return position

    def capacity(self, channel: Channel) -> int:
        return self.program.channel_types[channel.type].capacity

    def channel_query(self, expr: ChannelQuery) -> Value:
        position = self.channel(expr.channel, expr.span)
        types = self.program.channel_types

        def length(s: WorkingState, p: Record) -> int:
            return len(s.channels[position(s, p)].messages)

        def full(s: WorkingState, p: Record) -> int:
            channel = s.channels[position(s, p)]
            return int(len(channel.messages) == max(1, types[channel.type].capacity))

        match expr.query:
            case "len":
                return length
            case "empty":
                return lambda s, p: int(length(s, p) == 0)
            case "nempty":
                return lambda s, p: int(length(s, p) > 0)
            case "full":
                return full
            case _:
                return lambda s, p: 1 - full(s, p)

    def finder(self, patterns: Sequence[Match], random: bool) -> Finder:
        """The position of the message that a receive takes: the first, or any; -1 if none fits."""
        wanted = [
            (position, self.value(match.value))
            for position, match in enumerate(patterns)
            if match.value is not None
        ]

        def find(s: WorkingState, p: Record, messages: tuple[Message, ...]) -> int:
            values = [(position, value(s, p)) for position, value in wanted]
            for at, message in enumerate(messages if random else messages[:1]):
                if all(at_ < len(message) and message[at_] == v for at_, v in values):
                    return at
            return -1

        return find

    def poll(self, expr: PollQuery) -> Value:
        position = self.channel(expr.channel, expr.span)
        find = self.finder(expr.patterns, expr.random)

        def test(s: WorkingState, p: Record) -> int:
            channel = s.channels[position(s, p)]
            if self.capacity(channel) == 0:
                raise Fault("channel", "a rendezvous channel cannot be polled", expr.span)
            return int(find(s, p, channel.messages) >= 0)

        return test

    # --- processes -------------------------------------------------------------------------------

    def run(self, expr: RunProcess) -> Value:
        arguments = [self.value(argument) for argument in expr.arguments]

        def start(s: WorkingState, p: Record) -> int:
            values = [argument(s, p) for argument in arguments]
            return self.start(s, expr.process, values, expr.priority)

        return start

    def process_query(self, expr: ProcessQuery) -> Value:
        pid = self.value(expr.pid)

        def ask(s: WorkingState, p: Record) -> int:
            which = pid(s, p)
            if not 0 <= which < len(s.processes):
                return 0
            if expr.query == "enabled":
                if which == p[PID]:
                    raise Fault("enabled", "a process cannot ask whether it is enabled", expr.span)
                if self.asking:
                    raise Fault("enabled", "two enabled() ask about each other", expr.span)
                self.asking = True
                try:
                    return int(self.enabled(s, which))
                finally:
                    self.asking = False
            if expr.query == "pc_value":
                return s.processes[which][LOCATION]
            return s.processes[which][PRIORITY]

        return ask

    def builtin(self, name: str) -> Value:
        match name:
            case "_pid":
                return lambda s, p: p[PID]
            case "_nr_pr":
                return lambda s, p: len(s.processes)
            case "_last":
                return lambda s, p: s.last
            case "timeout":
                return lambda s, p: int(s.timeout)
        progress = [process.progress_locations for process in self.program.processes]
        return lambda s, p: int(
            not s.stuttering and all(r[LOCATION] not in progress[r[TYPE]] for r in s.processes)
        )

    def remote_pid(self, process: int, pid: Expr | None) -> Callable[[WorkingState, Record], int]:
        if pid is not None:
            return self.value(pid)

        def only(s: WorkingState, p: Record) -> int:
            for record in s.processes:
                if record[TYPE] == process:
                    return record[PID]
            return NOBODY

        return only

    def at_location(self, expr: AtLocation) -> Value:
        pid = self.remote_pid(expr.process, expr.pid)

        def test(s: WorkingState, p: Record) -> int:
            which = pid(s, p)
            if not 0 <= which < len(s.processes):
                return 0
            return int(s.processes[which][LOCATION] == expr.location)

        return test

    def remote(self, expr: RemoteLoad) -> Value:
        """A variable of another process; 0, as in Spin, where there is none."""
        pid = self.remote_pid(expr.process, expr.pid)
        offset = self.offset(expr.place)

        def load(s: WorkingState, p: Record) -> int:
            which = pid(s, p)
            if not 0 <= which < len(s.processes):
                return 0
            record = s.processes[which]
            if record[TYPE] != expr.process:
                raise Fault(
                    "remote reference", f"{expr.place.text}: process {which} has another type"
                )
            at = offset if isinstance(offset, int) else offset(s, p)
            return record[at]

        return load
