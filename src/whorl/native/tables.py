"""Writes the fixed part of a generated model: its tables, and access to processes and channels."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.language.types import Basic
from whorl.native.dead import Liveness
from whorl.native.expressions import Expressions, read, truncate, write
from whorl.native.layout import MessageLayout
from whorl.native.sites import CAPACITY
from whorl.program.program import ChannelType, Initial, Place, ProcessType
from whorl.program.program import Region as ProgramRegion

VARYING = 255  # the type of a channel that is stored with it
MOVED_AT_ONCE = 64  # bytes of messages that move up all together, without a loop


def table(kind: str, name: str, values: Iterable[int]) -> str:
    numbers = ", ".join(str(value) for value in values) or "0"
    return f"static const {kind} {name}[] = {{{numbers}}};"


def tables(e: Expressions) -> list[str]:
    program, layout = e.program, e.layout
    ends = [*layout.process_bases[1:], *layout.channel_bases[:1]]
    if len(ends) < len(layout.process_bases):
        ends.append(layout.size)
    sizes = [end - base for base, end in zip(layout.process_bases, ends, strict=True)]
    channel_ends = [*layout.channel_bases[1:], layout.size]
    lines = [
        f"enum {{ WHORL_PROCESSES = {len(layout.process_bases)},"
        f" WHORL_CHANNELS = {len(layout.channel_bases)} }};",
        table("int32_t", "whorl_constants", e.constants),
        table("uint16_t", "whorl_process_bases", layout.process_bases),
        table("uint16_t", "whorl_process_sizes", sizes),
        table("uint16_t", "whorl_channel_bases", layout.channel_bases),
        table(
            "uint16_t",
            "whorl_channel_sizes",
            (end - base for base, end in zip(layout.channel_bases, channel_ends, strict=False)),
        ),
        table(
            "uint8_t",
            "whorl_channel_types",
            (VARYING if kind is None else kind for kind in layout.channel_types),
        ),
        table("uint8_t", "whorl_capacities", (kind.capacity for kind in program.channel_types)),
        table("uint8_t", "whorl_field_counts", (len(k.fields) for k in program.channel_types)),
        table("uint8_t", "whorl_active_types", (kind for kind, _ in program.active)),
        table(
            "uint8_t",
            "whorl_channels_of",
            (sum(isinstance(i.value, int) for i in p.initials) for p in program.processes),
        ),
    ]
    for process, numbers in zip(program.processes, layout.locations, strict=True):
        ordered = [0, *sorted(numbers, key=lambda location: numbers[location])]
        lines.append(table("uint16_t", f"whorl_locations_{process.index}", ordered))
    names = ", ".join(f"whorl_locations_{p.index}" for p in program.processes)
    lines.append(f"static const uint16_t *const whorl_location_tables[] = {{{names}}};")
    return lines


def dispatch(e: Expressions, call: dict[tuple[int, int], str]) -> list[str]:
    """A switch over the type and location of process `pid`."""
    lines = ["switch (whorl_type(B, pid)) {"]
    for process in e.program.processes:
        cases = [
            f"      case {number}: {call[process.index, location]} break;"
            for location, number in e.layout.locations[process.index].items()
            if (process.index, location) in call
        ]
        if cases:
            lines += [
                f"  case {process.index}:",
                "    switch (whorl_at(B + whorl_process_bases[pid])) {",
                *cases,
                "    }",
                "    break;",
            ]
    lines.append("}")
    return lines


def processes(e: Expressions) -> list[str]:
    """Access to processes: how many run, and of each its type and location."""
    layout = e.layout
    running = "WHORL_PROCESSES" if layout.running is None else f"B[{layout.running}]"
    kind = "whorl_active_types[pid]"
    if layout.type_offset is not None:
        kind = f"B[whorl_process_bases[pid] + {layout.type_offset}]"
    if layout.location_size == 1:
        get, put = "*at", "*at = (uint8_t)number;"
    else:
        get, put = "whorl_u16(at)", "whorl_set_u16(at, (uint16_t)number);"
    lines = [
        "static inline int whorl_running(const uint8_t *B) {",
        "  (void)B;",
        f"  return {running};",
        "}",
        "static inline int whorl_type(const uint8_t *B, int pid) {",
        "  (void)B;",
        f"  return {kind};",
        "}",
        "static inline int whorl_at(const uint8_t *at) {",
        f"  return {get};",
        "}",
        "static inline void whorl_go(uint8_t *at, int number) {",
        f"  {put}",
        "}",
        "static inline bool whorl_exists(const uint8_t *B, int pid) {",
        "  return pid >= 0 && pid < whorl_running(B)",
        "    && whorl_at(B + whorl_process_bases[pid]) != 0;",
        "}",
        "static inline int whorl_location(const uint8_t *B, int pid) {",
        "  if (!whorl_exists(B, pid)) return 0;",
        "  return whorl_location_tables[whorl_type(B, pid)]",
        "    [whorl_at(B + whorl_process_bases[pid])];",
        "}",
        "static inline int whorl_only(const uint8_t *B, int kind) {",
        "  for (int pid = 0; pid < whorl_running(B); pid++)",
        "    if (whorl_exists(B, pid) && whorl_type(B, pid) == kind) return pid;",
        "  return -1;",
        "}",
        f"static const uint8_t whorl_nowhere[{max(sizes_of(e))}] = {{0}};",
        "static inline const uint8_t *whorl_remote(whorl_context *c, const uint8_t *B, int pid,",
        "                                          int kind, int32_t site) {",
        "  if (!whorl_exists(B, pid)) return whorl_nowhere;",
        "  if (whorl_type(B, pid) != kind) {",
        "    whorl_fault(c, site);",
        "    return whorl_nowhere;",
        "  }",
        "  return B + whorl_process_bases[pid];",
        "}",
    ]
    if layout.priority_offset is not None:
        lines += [
            "static inline int32_t whorl_priority(const uint8_t *B, int pid) {",
            "  if (!whorl_exists(B, pid)) return 0;",
            f"  return B[whorl_process_bases[pid] + {layout.priority_offset}];",
            "}",
        ]
    made = f"B[{layout.made}]" if layout.made is not None else "WHORL_CHANNELS"
    lines += [
        "static inline int whorl_made(const uint8_t *B) {",
        "  (void)B;",
        f"  return {made};",
        "}",
        "static inline void whorl_end(uint8_t *B, int pid) {",
        "  int kind = whorl_type(B, pid);",
        "  memset(B + whorl_process_bases[pid], 0, whorl_process_sizes[pid]);",
    ]
    if layout.running is not None:
        lines.append(f"  B[{layout.running}]--;")
    if layout.made is not None:
        lines += [
            "  for (int n = whorl_channels_of[kind]; n > 0; n--) {",
            f"    int last = --B[{layout.made}];",
            "    memset(B + whorl_channel_bases[last], 0, whorl_channel_sizes[last]);",
            "  }",
        ]
    else:
        lines.append("  (void)kind;")
    lines.append("}")
    return lines


def channels(e: Expressions) -> list[str]:
    """Access to channels, by number from 1. Where the number is known, all of this folds away."""
    head = "B + whorl_channel_bases[channel - 1]"
    if _varies(e):
        head += f" + (whorl_channel_types[channel - 1] == {VARYING})"
    return [
        *_channel_types(e),
        *_lengths(head),
        *_fields(e, head),
        *_cut(e),
        *_find(),
        *_put(e, head),
        *_take(e, head),
    ]


def _varies(e: Expressions) -> bool:
    return any(kind is None for kind in e.layout.channel_types)


def _buffered(e: Expressions) -> list[tuple[int, ChannelType, MessageLayout]]:
    """The types that have a buffer, with their numbers and how messages lie in it."""
    kinds = zip(e.program.channel_types, e.layout.messages, strict=True)
    return [(n, kind, message) for n, (kind, message) in enumerate(kinds) if kind.capacity]


def _channel_types(e: Expressions) -> list[str]:
    kind = "whorl_channel_types[channel - 1]"
    if len(e.program.channel_types) == 1:
        kind = "0"
    elif _varies(e):
        kind = f"{kind} == {VARYING} ? B[whorl_channel_bases[channel - 1]] : {kind}"
    return [
        "static inline int whorl_channel_type(const uint8_t *B, int channel) {",
        "  (void)B, (void)channel;",
        f"  return {kind};",
        "}",
        "static inline int32_t whorl_channel(whorl_context *c, const uint8_t *B, int32_t channel,",
        "                                    int32_t site) {",
        "  if (channel >= 1 && channel <= whorl_made(B)) return channel;",
        "  whorl_fault(c, site);",
        "  return 0;",
        "}",
    ]


def _lengths(head: str) -> list[str]:
    return [
        "static inline bool whorl_rendezvous(const uint8_t *B, int channel) {",
        "  return whorl_capacities[whorl_channel_type(B, channel)] == 0;",
        "}",
        "static inline int32_t whorl_length(const uint8_t *B, int channel) {",
        "  if (channel == 0 || whorl_rendezvous(B, channel)) return 0;",
        f"  return *({head});",
        "}",
        "static inline int32_t whorl_full(const uint8_t *B, int channel) {",
        "  if (channel == 0 || whorl_rendezvous(B, channel)) return 0;",
        "  return whorl_length(B, channel) == whorl_capacities[whorl_channel_type(B, channel)];",
        "}",
        "/* The same in the middle of a handshake, when a message is in a rendezvous channel. */",
        "static inline int32_t whorl_length_now(whorl_context *c, const uint8_t *B, int channel) {",
        "  return channel && channel == c->offer ? 1 : whorl_length(B, channel);",
        "}",
        "static inline int32_t whorl_full_now(whorl_context *c, const uint8_t *B, int channel) {",
        "  return channel && channel == c->offer ? 1 : whorl_full(B, channel);",
        "}",
        "static inline int32_t whorl_buffered(whorl_context *c, const uint8_t *B, int32_t channel,",
        "                                     int32_t site) {",
        "  if (channel == 0) return 0;",
        "  if (whorl_rendezvous(B, channel)) {",
        "    whorl_fault(c, site);",
        "    return 0;",
        "  }",
        "  return channel;",
        "}",
    ]


def _fields(e: Expressions, head: str) -> list[str]:
    lines = [
        "static inline int32_t whorl_field(const uint8_t *B, int channel, int slot, int field) {",
        f"  const uint8_t *m = {head} + 1;",
        "  switch (whorl_channel_type(B, channel)) {",
    ]
    for number, kind, message in _buffered(e):
        lines += [f"    case {number}:", f"      m += slot * {message.size};"]
        lines.append("      switch (field) {")
        for position, (place, basic) in enumerate(zip(message.fields, kind.fields, strict=True)):
            value = read(f"m + {place.offset}", place, basic)
            lines.append(f"        case {position}: return {value};")
        lines += ["      }", "      break;"]
    return [*lines, "  }", "  return 0;", "}"]


def _cut(e: Expressions) -> list[str]:
    lines = [
        "static inline int32_t whorl_cut(int kind, int field, int32_t value) {",
        "  switch (kind) {",
    ]
    for number, kind in enumerate(e.program.channel_types):
        lines.append(f"    case {number}: switch (field) {{")
        for position, basic in enumerate(kind.fields):
            cut = truncate("value", basic)
            lines.append(f"      case {position}: return {cut};")
        lines.append("    } break;")
    return [*lines, "  }", "  return value;", "}"]


def _find() -> list[str]:
    return [
        "static inline bool whorl_matches(const uint8_t *B, int channel, int slot, int count,",
        "                                 const int32_t *fields, const int32_t *values) {",
        "  int i = 0;",
        "  while (i < count && whorl_field(B, channel, slot, fields[i]) == values[i]) i++;",
        "  return i == count;",
        "}",
        "static inline int whorl_find(const uint8_t *B, int channel, int random, int count,",
        "                             const int32_t *fields, const int32_t *values) {",
        "  int length = whorl_length(B, channel);",
        "  if (!random)",
        "    return length && whorl_matches(B, channel, 0, count, fields, values) ? 0 : -1;",
        "  for (int slot = 0; slot < length; slot++)",
        "    if (whorl_matches(B, channel, slot, count, fields, values)) return slot;",
        "  return -1;",
        "}",
    ]


def _put(e: Expressions, head: str) -> list[str]:
    lines = [
        "static inline void whorl_put(uint8_t *B, int channel, int sorted, int count,",
        "                             const int32_t *values) {",
        f"  uint8_t *q = {head};",
        "  int slot = *q;",
        "  if (sorted) {",
        "    for (slot = 0; slot < *q; slot++) {",
        "      int i = 0;",
        "      while (i < count && whorl_field(B, channel, slot, i) == values[i]) i++;",
        "      if (i < count && values[i] < whorl_field(B, channel, slot, i)) break;",
        "    }",
        "  }",
        "  uint8_t *m = q + 1;",
        "  switch (whorl_channel_type(B, channel)) {",
    ]
    for number, kind, message in _buffered(e):
        size = message.size
        lines += [
            f"    case {number}:",
            f"      m += slot * {size};",
            f"      if (sorted) memmove(m + {size}, m, (size_t)(*q - slot) * {size});",
        ]
        for position, (place, basic) in enumerate(zip(message.fields, kind.fields, strict=True)):
            value = truncate(f"values[{position}]", basic)
            lines.append("      " + write(f"m + {place.offset}", place, value))
        lines.append("      break;")
    return [*lines, "  }", "  ++*q;", "}"]


def _take(e: Expressions, head: str) -> list[str]:
    """Takes a message. Behind the last one there are zeros, so that all may move up at once."""
    lines = [
        "static inline void whorl_take(uint8_t *B, int channel, int slot) {",
        f"  uint8_t *q = {head};",
        "  uint8_t *m = q + 1;",
        "  int rest = --*q - slot;",
        "  switch (whorl_channel_type(B, channel)) {",
    ]
    for number, kind, message in _buffered(e):
        size = message.size
        others = (kind.capacity - 1) * size
        lines.append(f"    case {number}:")
        if 0 < others <= MOVED_AT_ONCE:
            lines += [
                "      if (slot == 0) {",
                f"        uint8_t others[{others}];",
                f"        memcpy(others, m + {size}, {others});",
                f"        memcpy(m, others, {others});",
                f"        memset(m + {others}, 0, {size});",
                "        break;",
                "      }",
            ]
        lines += [
            f"      m += slot * {size};",
            f"      if (rest) memmove(m, m + {size}, (size_t)rest * {size});",
            f"      memset(m + rest * {size}, 0, {size});",
            "      break;",
        ]
    return [*lines, "  }", "}"]


def starting(e: Expressions, liveness: Liveness) -> list[str]:
    """Functions that start a process of each type that ever starts, and that make channels."""
    layout = e.layout
    limit = e.sites.site(CAPACITY, "processes")
    lines: list[str] = []
    if layout.made is not None:
        room = e.sites.site(CAPACITY, "channels")
        lines += [
            "static inline int32_t whorl_make(whorl_context *c, uint8_t *B, int kind) {",
            f"  int at = B[{layout.made}];",
            "  if (at >= WHORL_CHANNELS) {",
            f"    whorl_fault(c, {room});",
            "    return 0;",
            "  }",
            f"  if (whorl_channel_types[at] == {VARYING})",
            "    B[whorl_channel_bases[at]] = (uint8_t)kind;",
            f"  return ++B[{layout.made}];",
            "}",
        ]
    needed = set(e.usage.starts) | {kind for kind, _ in e.program.active}
    for process in e.program.processes:
        if process.index in needed:
            lines += _starter(e, process, limit, liveness.dead_at_start(process))
    return lines


def _starter(e: Expressions, process: ProcessType, limit: int, dead: Iterable[int]) -> list[str]:
    layout = e.layout
    e.process = process.index
    parameters = "".join(f", int32_t a{i}" for i in range(process.parameters))
    arguments = "".join(f", a{i}" for i in range(process.parameters))
    start = layout.locations[process.index][process.start]
    lines = [
        f"/* {process.title} */",
        f"static int32_t whorl_start_at_{process.index}(whorl_context *c, uint8_t *B, int pid,",
        f"                                  int priority{parameters}) {{",
        "  uint8_t *P = B + whorl_process_bases[pid];",
        f"  whorl_go(P, {start});",
        "  (void)c;",
        "  (void)priority;",
    ]
    if layout.type_offset is not None:
        lines.append(f"  P[{layout.type_offset}] = {process.index};")
    if layout.priority_offset is not None:
        lines.append(f"  P[{layout.priority_offset}] = (uint8_t)priority;")
    if layout.running is not None:
        lines.append(f"  B[{layout.running}] = (uint8_t)(pid + 1);")
    for slot in range(process.parameters):
        place = Place(ProgramRegion.LOCAL, slot, (), process.slots[slot], "")
        lines.append("  " + e.store(place, f"a{slot}"))
    for initial in process.initials:
        lines.append("  " + initialise(e, initial, ProgramRegion.LOCAL, process.slots))
    lines += ["  " + line for line in reset(e, dead)]
    lines += ["  return pid;", "}"]
    if process.index in e.usage.starts:
        lines += [
            f"static inline int32_t whorl_start_{process.index}(whorl_context *c, uint8_t *B,",
            f"                                  int priority{parameters}) {{",
            "  if (whorl_running(B) >= WHORL_PROCESSES) {",
            f"    whorl_fault(c, {limit});",
            "    return 0;",
            "  }",
            f"  return whorl_start_at_{process.index}(c, B, whorl_running(B), priority"
            f"{arguments});",
            "}",
        ]
    return lines


def initialise(
    e: Expressions, initial: Initial, region: ProgramRegion, slots: tuple[Basic, ...]
) -> str:
    place = Place(region, initial.offset, (), slots[initial.offset], "")
    if isinstance(initial.value, int):
        return e.store(place, f"whorl_make(c, B, {initial.value})")
    return e.store(place, e.value(initial.value))


def reset(e: Expressions, slots: Iterable[int]) -> list[str]:
    """Sets slots of the process at P to 0, whatever their type."""
    types = e.program.processes[e.process].slots
    return [e.store(Place(ProgramRegion.LOCAL, slot, (), types[slot], ""), "0") for slot in slots]


def sizes_of(e: Expressions) -> list[int]:
    """How many bytes a record of each process type has."""
    return [region.end + 8 for region in e.layout.locals]
