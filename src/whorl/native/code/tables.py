"""Writes the tables of a generated model, dispatch by location, and how processes start."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.language.types import Basic
from whorl.native.code.expressions import Expressions
from whorl.native.code.layout import NativeLayout
from whorl.native.code.sites import CAPACITY
from whorl.native.code.writing import Lines, indent, section
from whorl.native.passes.dead import Liveness
from whorl.native.passes.usage import has_channels
from whorl.program.program import Initial, Place, ProcessType, Region


def table(kind: str, name: str, values: Iterable[int]) -> str:
    numbers = ", ".join(str(value) for value in values) or "0"
    return f"static const {kind} {name}[] = {{{numbers}}};"


def tables(expressions: Expressions) -> Lines:
    """Where processes and channels lie; runtime/model/processes.h says what each of these is."""
    program, layout = expressions.program, expressions.layout
    ends = [*layout.process_bases[1:], *layout.channel_bases[:1]]
    if len(ends) < len(layout.process_bases):
        ends.append(layout.size)
    sizes = [end - base for base, end in zip(layout.process_bases, ends, strict=True)]
    lines = [
        *section("where processes and channels lie"),
        f"enum {{ WHORL_PROCESSES = {len(layout.process_bases)},"
        f" WHORL_CHANNELS = {len(layout.channel_bases)} }};",
        f"#define WHORL_LOCATION_BYTES {layout.location_size}",
        f"#define WHORL_LARGEST_RECORD {max(region.end for region in layout.locals) + 8}",
        *_bytes(layout),
        table("uint16_t", "whorl_process_bases", layout.process_bases),
        table("uint16_t", "whorl_process_sizes", sizes),
        table("uint8_t", "whorl_active_types", (kind for kind, _ in program.active)),
    ]
    if has_channels(program):
        channel_ends = [*layout.channel_bases[1:], layout.size]
        spans = zip(layout.channel_bases, channel_ends, strict=False)
        lines.append(table("uint16_t", "whorl_channel_bases", layout.channel_bases))
        lines.append(table("uint16_t", "whorl_channel_sizes", (b - a for a, b in spans)))
    if layout.made is not None:
        made = (sum(isinstance(i.value, int) for i in p.initials) for p in program.processes)
        lines.append(table("uint8_t", "whorl_channels_of", made))
    if expressions.usage.fixed:
        lines.append(table("int32_t", "whorl_constants", expressions.constants))
    return [*lines, *_locations(expressions), '#include "model/processes.h"']


def _bytes(layout: NativeLayout) -> Lines:
    """The bytes that not every model has."""
    places = {
        "RUNNING": layout.running,
        "MADE": layout.made,
        "TYPE": layout.type_offset,
        "PRIORITY": layout.priority_offset,
    }
    return [f"#define WHORL_{name}_AT {at}" for name, at in places.items() if at is not None]


def _locations(expressions: Expressions) -> Lines:
    lines, names = [], []
    for name, process, numbers in zip(
        expressions.names, expressions.program.processes, expressions.layout.locations, strict=True
    ):
        ordered = [0, *sorted(numbers, key=lambda location: numbers[location])]
        names.append(f"whorl_locations_{name}_{process.index}")
        lines.append(table("uint16_t", names[-1], ordered))
    both = f"static const uint16_t *const whorl_location_tables[] = {{{', '.join(names)}}};"
    return [*lines, both]


def dispatch(expressions: Expressions, call: dict[tuple[int, int], str]) -> Lines:
    """A switch over the type and location of process `pid`; nothing where nothing is called."""
    lines: Lines = []
    for name, process in zip(expressions.names, expressions.program.processes, strict=True):
        calls: dict[str, list[int]] = {}
        for location, number in expressions.layout.locations[process.index].items():
            if (process.index, location) in call:
                calls.setdefault(call[process.index, location], []).append(number)
        if calls:
            lines += [
                f"  case {process.index}: /* {name} */",
                "    switch (whorl_at(B + whorl_process_bases[pid])) {",
                *(line for text, numbers in calls.items() for line in _case(numbers, text)),
                "    }",
                "    break;",
            ]
    return ["switch (whorl_type(B, pid)) {", *lines, "}"] if lines else []


def _case(numbers: list[int], text: str) -> Lines:
    """What is done at these locations."""
    *others, last = (f"      case {number}:" for number in numbers)
    leaves = text.startswith("return ")
    return [*others, f"{last} {text}" if leaves else f"{last} {text} break;"]


def no_progress(expressions: Expressions) -> Lines:
    """Whether no process is at a progress label: `np_`."""
    call = {
        (process.index, location): "return 0;"
        for process in expressions.program.processes
        for location in expressions.layout.locations[process.index]
        if location in process.progress_locations
    }
    return [
        "static inline int32_t whorl_no_progress(const uint8_t *B) {",
        *each_process(dispatch(expressions, call)),
        "  return 1;",
        "}",
    ]


def each_process(body: Lines) -> Lines:
    """`body` for every process of the state."""
    if not body:
        return ["  (void)B;"]
    return [
        "  for (int pid = 0; pid < whorl_running(B); pid++) {",
        *indent(body, 4),
        "  }",
    ]


def starting(expressions: Expressions, liveness: Liveness) -> Lines:
    """Functions that start a process of each type that ever starts."""
    limit = expressions.sites.site(CAPACITY, "processes")
    if expressions.layout.made is not None:
        expressions.sites.site(CAPACITY, "channels")
    lines = section("processes that start")
    needed = set(expressions.usage.starts) | {kind for kind, _ in expressions.program.active}
    for process in expressions.program.processes:
        if process.index in needed:
            lines += _starter(expressions, process, liveness.dead_at_start(process))
        if process.index in expressions.usage.starts:
            lines += _run(expressions, process, limit)
    return lines


def start_name(expressions: Expressions, process: int) -> str:
    """The function that starts a process with a given pid."""
    return f"whorl_start_at_{expressions.names[process]}_{process}"


def _starter(expressions: Expressions, process: ProcessType, dead: Iterable[int]) -> Lines:
    layout = expressions.layout
    expressions.process = process.index
    parameters = "".join(f", int32_t a{i}" for i in range(process.parameters))
    start = layout.locations[process.index][process.start]
    name = start_name(expressions, process.index)
    lines = [
        f"static int32_t {name}(whorl_context *c, uint8_t *B, int pid,",
        f"    int priority{parameters}) {{",
        "  uint8_t *P = B + whorl_process_bases[pid];",
        "  (void)c, (void)priority;",
        f"  whorl_go(P, {start});",
    ]
    if layout.type_offset is not None:
        lines.append(f"  P[WHORL_TYPE_AT] = {process.index};")
    if layout.priority_offset is not None:
        lines.append("  P[WHORL_PRIORITY_AT] = (uint8_t)priority;")
    if layout.running is not None:
        lines.append("  B[WHORL_RUNNING_AT] = (uint8_t)(pid + 1);")
    for slot in range(process.parameters):
        place = Place(Region.LOCAL, slot, (), process.slots[slot], "")
        lines.append("  " + expressions.store(place, f"a{slot}"))
    for initial in process.initials:
        lines.append("  " + initialise(expressions, initial, Region.LOCAL, process.slots))
    lines += ["  " + line for line in reset(expressions, dead)]
    return [*lines, "  return pid;", "}"]


def _run(expressions: Expressions, process: ProcessType, limit: int) -> Lines:
    """The function of a `run`, which finds the pid."""
    parameters = "".join(f", int32_t a{i}" for i in range(process.parameters))
    arguments = "".join(f", a{i}" for i in range(process.parameters))
    name = f"whorl_start_{expressions.names[process.index]}_{process.index}"
    at_pid = start_name(expressions, process.index)
    return [
        f"static inline int32_t {name}(whorl_context *c, uint8_t *B,",
        f"    int priority{parameters}) {{",
        "  if (whorl_running(B) >= WHORL_PROCESSES) {",
        f"    whorl_fault(c, {limit});",
        "    return 0;",
        "  }",
        f"  return {at_pid}(c, B, whorl_running(B), priority{arguments});",
        "}",
    ]


def initialise(
    expressions: Expressions, initial: Initial, region: Region, slots: tuple[Basic, ...]
) -> str:
    place = Place(region, initial.offset, (), slots[initial.offset], "")
    if isinstance(initial.value, int):
        room = expressions.sites.site(CAPACITY, "channels")
        return expressions.store(place, f"whorl_make(c, B, {initial.value}, {room})")
    return expressions.store(place, expressions.value(initial.value))


def reset(expressions: Expressions, slots: Iterable[int]) -> Lines:
    """Sets slots of the process at P to 0, whatever their type."""
    types = expressions.program.processes[expressions.process].slots
    return [
        expressions.store(Place(Region.LOCAL, slot, (), types[slot], ""), "0") for slot in slots
    ]
