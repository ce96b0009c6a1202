"""The bytes of a native state: where each variable, process and channel lies.

Everything is packed by the widths of the types. Fields of 32, 16 and 8 bits are whole bytes, those
below share bytes. Where a variable is indexed, all its slots have one size, so that an index is a
multiplication. Global variables that nothing ever assigns are constants and take no place at all.

    [globals] [processes running] [channels made] [_last] [trace] [holder] [process 0] ...
    [channel 1] ...

The holder is the pid of the process that keeps control, plus one, where an atomic sequence comes
back to a state of its own; models in which none can have no place for it.

Behind all that, from a whole word on, lies the C data that is tracked without being compared.

A process's record begins with its location (0: no such process), its type where that may vary, and
its priority where the program uses priorities. A channel's record has its type where that may vary,
the number of its messages, and room for as many as it can hold; a rendezvous channel holds none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from whorl.language.types import Basic
from whorl.native.passes.usage import Usage
from whorl.program.program import ChannelType, ProcessType, Program, VariableInfo


@dataclass(frozen=True, slots=True)
class Field:
    """Where a value lies: at `offset` bytes, `size` bytes wide, or `width` bits of one byte."""

    offset: int
    size: int
    shift: int
    width: int
    signed: bool

    @property
    def is_bits(self) -> bool:
        return self.size == 1 and self.width < 8


class Packer:
    """Hands out places in a record, the wide ones first, so that nothing is split."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        self.fields: list[Field | None] = []

    def pack(self, types: Sequence[tuple[int, bool]]) -> list[Field]:
        """Fields for values of these widths, in the order given."""
        result: list[Field | None] = [None] * len(types)
        for size in (4, 2, 1):
            for position, (width, signed) in enumerate(types):
                if result[position] is None and _bytes(width) == size and width >= 8:
                    result[position] = Field(self.offset, size, 0, width, signed)
                    self.offset += size
        used = 8
        for position, (width, signed) in enumerate(types):
            if result[position] is not None:
                continue
            if used + width > 8:
                self.offset += 1
                used = 0
            result[position] = Field(self.offset - 1, 1, used, width, signed)
            used += width
        return [placed for placed in result if placed is not None]


def _bytes(width: int) -> int:
    return 1 if width <= 8 else 2 if width <= 16 else 4


@dataclass(slots=True)
class SlotRegion:
    """The fields of a set of slots; `units` is the size of a slot where its variable is indexed."""

    fields: dict[int, Field] = field(default_factory=dict)
    units: dict[int, int] = field(default_factory=dict)
    end: int = 0


def region(variables: Iterable[VariableInfo], start: int, fixed: frozenset[int]) -> SlotRegion:
    """Places for `variables` from byte `start` on, those in `fixed` (by slot) left out."""
    result = SlotRegion()
    packer = Packer(start)
    loose: list[tuple[int, Basic]] = []
    for variable in variables:
        if variable.offset in fixed:
            continue
        if is_indexed(variable):
            unit = max(_bytes(kind.width) for _, kind in variable.parts)
            for position, (_, kind) in enumerate(variable.parts):
                slot = variable.offset + position
                place = packer.offset + position * unit
                result.fields[slot] = Field(place, unit, 0, unit * 8, kind.signed)
                result.units[slot] = unit
            packer.offset += unit * len(variable.parts)
        else:
            for position, (_, kind) in enumerate(variable.parts):
                loose.append((variable.offset + position, kind))
    packed = packer.pack([(kind.width, kind.signed) for _, kind in loose])
    for (slot, _), placed in zip(loose, packed, strict=True):
        result.fields[slot] = placed
    result.end = packer.offset
    return result


def is_indexed(variable: VariableInfo) -> bool:
    return variable.length is not None or any("[" in name for name, _ in variable.parts)


@dataclass(slots=True)
class MessageLayout:
    """A message of a channel type: its fields, and how many bytes it has."""

    fields: list[Field]
    size: int


def message(kind: ChannelType) -> MessageLayout:
    packer = Packer()
    fields = packer.pack([(f.width, f.signed) for f in kind.fields])
    return MessageLayout(fields, packer.offset)


@dataclass(slots=True)
class NativeLayout:
    """The whole state of a program, for at most so many processes and channels."""

    globals: SlotRegion
    locals: list[SlotRegion]  # by process type, relative to the record
    locations: list[dict[int, int]]  # by process type: location to the number stored for it
    location_size: int
    type_offset: int | None  # in a process's record
    priority_offset: int | None
    running: int | None  # offset of the number of processes; None: none ever starts or ends
    made: int | None  # offset of the number of channels
    last: int | None
    monitor: int | None  # offset of where the trace assertion is
    monitor_locations: dict[int, int]
    holder: int | None  # offset of who has control
    process_bases: list[int]
    channel_bases: list[int]
    channel_types: list[int | None]  # None: it varies, and is stored
    messages: list[MessageLayout]
    size: int
    unmatched: int = 0  # bytes behind all others that do not tell states apart

    @property
    def matched_words(self) -> int:
        return max(1, -(-self.size // 8))

    @property
    def unmatched_at(self) -> int:
        return 8 * self.matched_words

    @property
    def words(self) -> int:
        return self.matched_words + -(-self.unmatched // 8)


def native_layout(
    program: Program, usage: Usage, processes: int, channels: int, has_holder: bool = False
) -> NativeLayout:
    """A layout with room for `processes` and `channels`, and perhaps for who has control."""
    result = region(program.variables, 0, usage.fixed)
    offset = result.end
    running = made = last = None
    if usage.starts or usage.ends:
        running, offset = offset, offset + 1
    if usage.local_channels:
        made, offset = offset, offset + 1
    if program.uses_last:
        last, offset = offset, offset + 1

    monitor = None
    monitor_locations: dict[int, int] = {}
    if program.trace is not None:
        monitor_locations = _numbered(program.trace)
        monitor, offset = offset, offset + (1 if len(monitor_locations) < 256 else 2)

    holder = None
    if has_holder:
        holder, offset = offset, offset + 1

    numbers = [_numbered(process) for process in program.processes]
    location_size = 1 if all(len(n) < 256 for n in numbers) else 2
    head = location_size
    type_offset = priority_offset = None
    if usage.starts:
        type_offset, head = head, head + 1
    if program.uses_priorities:
        priority_offset, head = head, head + 1
    locals_ = [region(process.variables, head, frozenset()) for process in program.processes]

    bases: list[int] = []
    for pid in range(processes):
        possible = set(usage.starts)
        if pid < len(program.active):
            possible.add(program.active[pid][0])
        bases.append(offset)
        offset += max((locals_[kind].end for kind in possible), default=head)

    messages = [message(kind) for kind in program.channel_types]
    static = usage.static_channels(program)
    channel_bases: list[int] = []
    channel_types: list[int | None] = []
    varying = usage.varying_channels(program)
    for position in range(channels):
        kind = None
        if position < len(static) and not (varying and position >= usage.global_channels):
            kind = static[position]
        channel_types.append(kind)
        channel_bases.append(offset)
        kinds = [kind] if kind is not None else sorted(varying | set(static))
        offset += (kind is None) + max(
            (_channel_bytes(program.channel_types[k], messages[k]) for k in kinds), default=0
        )
    return NativeLayout(
        result,
        locals_,
        numbers,
        location_size,
        type_offset,
        priority_offset,
        running,
        made,
        last,
        monitor,
        monitor_locations,
        holder,
        bases,
        channel_bases,
        channel_types,
        messages,
        offset,
        0 if program.embedded is None else program.embedded.ready.unmatched,
    )


def _channel_bytes(kind: ChannelType, layout: MessageLayout) -> int:
    return 1 + kind.capacity * layout.size if kind.capacity else 0


def _numbered(process: ProcessType) -> dict[int, int]:
    """Locations that can be reached, numbered from 1."""
    reached: dict[int, int] = {}
    waiting = [process.start]
    while waiting:
        location = waiting.pop()
        if location in reached:
            continue
        reached[location] = len(reached) + 1
        waiting += [t.target for t in process.locations.get(location, ())]
    return reached
