"""Writes expressions as C.

The C reads a state through two pointers: B, the bytes of the state, and P, the record of the
process that acts; `pid` is its number and `c` the context. Values are int32_t. Whatever may have no
meaning (an index, a divisor, a channel) goes through a check that notes a fault in the context;
`Expressions.faulty` tells whether the text written last has such a check. The first fault counts,
and C leaves open in which order operands are evaluated: where several may fault, they are put into
variables from left to right (`in_order`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy

from whorl.language.types import Basic, TypeKind
from whorl.native.code.layout import Field, NativeLayout
from whorl.native.code.sites import Sites
from whorl.native.code.writing import bare, names, operand
from whorl.native.passes.ranges import may_wrap, value_range
from whorl.native.passes.usage import Usage
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    Builtin,
    ChannelQuery,
    Const,
    EmbeddedExpr,
    Expr,
    IfElse,
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

# What may be beyond an int, by operator: functions of runtime/model/prelude.h.
WRAPPING = {"+": "whorl_add", "-": "whorl_subtract", "*": "whorl_multiply"}


class Expressions:
    """Writes expressions of `program` for a layout. `process` is the type of the acting process."""

    def __init__(
        self,
        program: Program,
        layout: NativeLayout,
        usage: Usage,
        constants: tuple[int, ...],
        sites: Sites,
    ) -> None:
        self.program = program
        self.layout = layout
        self.usage = usage
        self.constants = constants  # the initial values of all globals: those of the fixed ones
        self.sites = sites
        self.names = names(program.processes)  # by process type, as parts of the names of functions
        self.process = 0
        self.faulty = False
        self.in_claim = False  # what is written is part of a claim, and knows `stuttering`
        self.in_offer = False  # what is written may be asked while a handshake is under way
        self.named = 0  # variables in the text

    def going_on(self) -> Expressions:
        """One that writes what follows, while this one stays as it is."""
        following = copy(self)
        following.sites = self.sites.copy()
        return following

    def fresh(self) -> str:
        """A name for a variable in the text."""
        self.named += 1
        return f"w{self.named - 1}"

    @contextmanager
    def during_offers(self) -> Iterator[None]:
        """What is written in this block may be asked while a message waits to be received."""
        self.in_offer = True
        try:
            yield
        finally:
            self.in_offer = False

    # --- values ----------------------------------------------------------------------------------

    def value(self, expr: Expr) -> str:
        match expr:
            case Const(value):
                return str(value) if value > -(1 << 31) else "INT32_MIN"
            case Load(place):
                return self.load(place)
            case UnaryOp("-") if may_wrap(expr, len(self.layout.process_bases)):
                return f"whorl_subtract(0, {self.value(expr.operand)})"
            case UnaryOp():
                return f"({expr.operator}{operand(self.value(expr.operand))})"
            case BinaryOp():
                return self.binary(expr)
            case IfElse():
                condition, yes, no = map(self.value, (expr.condition, expr.yes, expr.no))
                return f"({condition} ? {yes} : {no})"
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
                return self.fragment(fragment)
            case InitialByte(position):
                return f"whorl_c_initial[{position}]"

    def fragment(self, number: int) -> str:
        """The call of a fragment of C (see fragments.py)."""
        embedded = self.program.embedded
        assert embedded is not None
        may_fault = embedded.fragments[number].precondition is not None
        self.faulty = self.faulty or may_fault
        return f"whorl_fragment_{number}({'c, ' if may_fault else ''}B, pid)"

    def binary(self, expr: BinaryOp) -> str:
        operands = [self.operand(expr.left), self.operand(expr.right)]
        if expr.operator in ("&&", "||"):
            return f"({operands[0][0]} {expr.operator} {operands[1][0]})"
        if expr.operator in "/%":
            low, high = value_range(expr.right, len(self.layout.process_bases))
            if low <= 0 <= high or low <= -1 <= high:
                self.faulty = True
                site = self.sites.site("division by zero", expr.span)
                function = "whorl_divide" if expr.operator == "/" else "whorl_remainder"
                return self.in_order(operands, lambda t: f"{function}(c, {t[0]}, {t[1]}, {site})")
        elif expr.operator in ("<<", ">>"):
            function = "whorl_left" if expr.operator == "<<" else "whorl_right"
            return self.in_order(operands, lambda t: f"{function}({t[0]}, {t[1]})")
        elif expr.operator in WRAPPING and may_wrap(expr, len(self.layout.process_bases)):
            return self.in_order(operands, lambda t: f"{WRAPPING[expr.operator]}({t[0]}, {t[1]})")
        return self.in_order(operands, lambda t: f"({t[0]} {expr.operator} {t[1]})")

    def operand(self, expr: Expr) -> tuple[str, bool]:
        """The text of an expression and whether it may fault."""
        before, self.faulty = self.faulty, False
        text = self.value(expr)
        faulty = self.faulty
        self.faulty = before or faulty
        return text, faulty

    def in_order(
        self, operands: Sequence[tuple[str, bool]], write: Callable[[list[str]], str]
    ) -> str:
        """What `write` makes of the operands, evaluated from left to right where it matters."""
        if sum(faulty for _, faulty in operands) < 2:
            return write([text for text, _ in operands])
        made, names = [], []
        for text, faulty in operands:
            names.append(self.fresh() if faulty else text)
            if faulty:
                made.append(f"const int32_t {names[-1]} = {text};")
        return f"WHORL_DO({' '.join(made)} WHORL_GIVES {write(names)};)"

    # --- places ----------------------------------------------------------------------------------

    def load(self, place: Place) -> str:
        if place.region is Region.PRIORITY:
            return f"P[{self.layout.priority_offset}]"
        if place.region is Region.GLOBAL:
            if place.offset in self.usage.fixed:
                return self.constant(place)
            return self.at("B", place, self.layout.globals.fields, self.layout.globals.units)
        region = self.layout.locals[self.process]
        return self.at("P", place, region.fields, region.units)

    def constant(self, place: Place) -> str:
        """A variable that nothing assigns: its value, or its table."""
        if not place.indices:
            return str(self.constants[place.offset])
        return f"whorl_constants[{place.offset} + {self.index(place)}]"

    def index(self, place: Place) -> str:
        """The slots that the indices of a place move by."""
        terms = []
        for index in place.indices:
            checked, faulty = self.operand(index.value)
            low, high = value_range(index.value, len(self.layout.process_bases))
            if low < 0 or high >= index.length:
                self.faulty = faulty = True
                site = self.sites.site("array bounds", index.span)
                checked = f"whorl_index(c, {checked}, {index.length}, {site})"
            scaled = checked if index.stride == 1 else f"{checked} * {index.stride}"
            terms.append((scaled, faulty))
        return self.in_order(terms, " + ".join)

    def offset(self, place: Place, field: Field, unit: int) -> str:
        """The byte of a place, from the beginning of its record."""
        if not place.indices:
            return str(field.offset)
        index = self.index(place)
        return _moved(field.offset, index, unit)

    def at(self, base: str, place: Place, fields: dict[int, Field], units: dict[int, int]) -> str:
        field = fields[place.offset]
        offset = self.offset(place, field, units.get(place.offset, 1))
        return read(base, offset, field, place.type)

    def store(self, place: Place, value: str) -> str:
        """A statement that assigns `value` to `place`."""
        if place.region is Region.NOWHERE:
            return f"(void){operand(value)};"
        if place.region is Region.PRIORITY:
            return f"P[{self.layout.priority_offset}] = (uint8_t){operand(value)};"
        if place.region is Region.GLOBAL:
            base, region = "B", self.layout.globals
        else:
            base, region = "P", self.layout.locals[self.process]
        field = region.fields[place.offset]
        offset = self.offset(place, field, region.units.get(place.offset, 1))
        if "(c," in value and "(c," in offset:  # the value comes first
            name = self.fresh()
            stored = write(base, offset, field, name, place.type)
            return f"{{ const int32_t {name} = {value}; {stored} }}"
        return write(base, offset, field, value, place.type)

    # --- channels --------------------------------------------------------------------------------

    def channel(self, expr: Expr, key: object) -> str:
        """The number of a channel, from 1; 0 and a fault where there is none."""
        value = self.value(expr)
        if self.channel_type(expr) is not None:
            return value
        self.faulty = True
        return f"whorl_channel(c, B, {value}, {self.sites.site('channel', key)})"

    def channel_type(self, expr: Expr) -> int | None:
        """The type of a channel, where the text alone tells it: the same in all of an array."""
        if not isinstance(expr, Load) or expr.place.region is not Region.GLOBAL:
            return None
        place = expr.place
        if place.offset not in self.usage.fixed:
            return None
        slots = range(place.offset, place.offset + 1)
        if place.indices:
            slots = next(
                range(v.offset, v.offset + v.size)
                for v in self.program.variables
                if v.offset <= place.offset < v.offset + v.size
            )
        kinds = {
            self.layout.channel_types[self.constants[slot] - 1] if self.constants[slot] else None
            for slot in slots
            if self.program.slots[slot].kind is TypeKind.CHAN
        }
        return kinds.pop() if len(kinds) == 1 else None

    def channel_query(self, expr: ChannelQuery) -> str:
        channel = self.channel(expr.channel, expr.span)
        length, full = f"whorl_length(B, {channel})", f"whorl_full(B, {channel})"
        if self.in_offer:  # which fills a rendezvous channel
            length = f"whorl_length_now(c, B, {channel})"
            full = f"whorl_full_now(c, B, {channel})"
        match expr.query:
            case "len":
                return length
            case "empty":
                return f"({length} == 0)"
            case "nempty":
                return f"({length} != 0)"
            case "full":
                return full
        return f"(!{full})"

    def poll(self, expr: PollQuery) -> str:
        channel = self.channel(expr.channel, expr.span)
        self.faulty = True
        site = self.sites.site("channel", (expr.span, "poll"))
        index = self.search(f"whorl_buffered(c, B, {channel}, {site})", expr.patterns, expr.random)
        return f"({index} >= 0)"

    def search(self, channel: str, patterns: tuple[Match, ...], random: bool) -> str:
        """The position of the message that a receive takes, or -1."""
        wanted = [
            (position, self.operand(match.value))
            for position, match in enumerate(patterns)
            if match.value is not None
        ]
        flag = int(random)
        if not wanted:
            return f"whorl_find(B, {channel}, {flag}, 0, 0, 0)"
        positions = ", ".join(str(position) for position, _ in wanted)
        operands = [(channel, "(c," in channel), *(operand for _, operand in wanted)]
        return self.in_order(
            operands,
            lambda t: (
                f"whorl_find(B, {t[0]}, {flag}, {len(wanted)}, WHORL_LIST({positions}),"
                f" WHORL_LIST({', '.join(t[1:])}))"
            ),
        )

    # --- processes -------------------------------------------------------------------------------

    def run(self, expr: RunProcess) -> str:
        operands = [self.operand(argument) for argument in expr.arguments]
        self.faulty = True
        start = f"whorl_start_{self.names[expr.process]}_{expr.process}"
        return self.in_order(
            operands, lambda t: f"{start}({', '.join(['c', 'B', str(expr.priority), *t])})"
        )

    def process_query(self, expr: ProcessQuery) -> str:
        pid = self.value(expr.pid)
        if expr.query == "get_priority":
            return f"whorl_priority(B, {pid})"
        if expr.query == "pc_value":
            return f"whorl_location(B, {pid})"
        self.faulty = True
        site = self.sites.site("enabled", expr.span)
        return f"whorl_ask_enabled(c, B, pid, {pid}, {site})"

    def builtin(self, name: str) -> str:
        match name:
            case "_pid":
                return "pid"
            case "_nr_pr":
                return "whorl_running(B)"
            case "_last":
                return f"B[{self.layout.last}]"
            case "timeout":
                return "c->timeout"
        if self.in_claim:  # no non-progress cycle comes of a run that stops
            return "(!stuttering && whorl_no_progress(B))"
        return "whorl_no_progress(B)"

    def at_location(self, expr: AtLocation) -> str:
        pid = self.remote_pid(expr.process, expr.pid)
        return f"(whorl_location(B, {pid}) == {expr.location})"

    def remote_pid(self, process: int, pid: Expr | None) -> str:
        return f"whorl_only(B, {process})" if pid is None else self.value(pid)

    def remote(self, expr: RemoteLoad) -> str:
        pid = self.remote_pid(expr.process, expr.pid)
        region = self.layout.locals[expr.process]
        field = region.fields[expr.place.offset]
        self.faulty = True
        site = self.sites.site("remote reference", expr.place.text)
        index = self.index(expr.place) if expr.place.indices else "0"
        unit = region.units.get(expr.place.offset, 1)
        record = f"whorl_remote(c, B, {pid}, {expr.process}, {site})"
        if "(c," not in index:
            return read(record, _moved(field.offset, index, unit), field, expr.place.type)
        # Where there is no such process there is no index, either.
        name, at = self.fresh(), self.fresh()
        value = read(name, _moved(field.offset, at, unit), field, expr.place.type)
        return (
            f"WHORL_DO(const uint8_t *{name} = {record};"
            f" const int32_t {at} = {name} == whorl_nowhere ? 0 : {index}; WHORL_GIVES {value};)"
        )


def _moved(offset: int, index: str, unit: int) -> str:
    """The byte where an element lies of what begins at `offset`."""
    if index == "0":
        return str(offset)
    scaled = operand(index) if unit == 1 else f"{operand(index)} * {unit}"
    return f"{offset} + {scaled}" if offset else scaled


def read(base: str, offset: str, field: Field, kind: Basic) -> str:
    """The value of a field, as an int."""
    if field.is_bits:
        shifted = f"({base}[{offset}] >> {field.shift})" if field.shift else f"{base}[{offset}]"
        return f"({shifted} & {(1 << field.width) - 1})"
    if field.size == 1:
        return f"{base}[{offset}]"
    at = base if offset == "0" else f"{base} + {offset}"
    if field.size == 2:
        return f"(int16_t)whorl_u16({at})" if kind.kind is TypeKind.SHORT else f"whorl_u16({at})"
    return f"(int32_t)whorl_u32({at})"


def write(base: str, offset: str, field: Field, value: str, kind: Basic) -> str:
    """A statement that stores a value, as a variable of this type holds it, in a field.

    C converts what is assigned or handed over to the type of the field. What is narrower than its
    field is cut before.
    """
    at = base if offset == "0" else f"{base} + {offset}"
    if field.is_bits:
        mask = (1 << field.width) - 1
        return f"whorl_set_bits({at}, {field.shift}, {mask}, {bare(value)});"
    if kind.width < 8 * field.size:
        value = truncate(value, kind)
    elif field.size == 1 and not value.isdigit():
        value = f"(uint8_t){operand(value)}"
    if field.size == 1:
        return f"{base}[{offset}] = {bare(value)};"
    return f"whorl_set_u{field.size * 8}({at}, {bare(value)});"


def truncate(value: str, kind: Basic) -> str:
    """`value` as a variable of this type holds it, in C."""
    if kind.kind is TypeKind.INT:
        return value
    if value.isdigit() and kind.truncate(int(value)) == int(value):
        return value
    if kind.kind is TypeKind.SHORT:
        return f"(int16_t){operand(value)}"
    if kind.width == 8:
        return f"(uint8_t){operand(value)}"
    return f"({operand(value)} & {(1 << kind.width) - 1})"
