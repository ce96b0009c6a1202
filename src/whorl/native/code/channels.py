"""Writes the channels of a program: their tables, and how messages lie in them.

What is done with them is in runtime/model/channels.h.
"""

from __future__ import annotations

from whorl.native.code.expressions import Expressions, read, truncate, write
from whorl.native.code.layout import MessageLayout
from whorl.native.code.tables import table
from whorl.native.code.writing import Lines, indent, section
from whorl.native.passes.usage import has_channels
from whorl.program.program import ChannelType, Program

VARYING = 255  # the type of a channel that is stored with it, as in runtime/model/channels.h


def channels(expressions: Expressions) -> Lines:
    """All of it; nothing where the program has no channels."""
    if not has_channels(expressions.program):
        return []
    buffered = _buffered(expressions)
    lines = [*section("channels"), *_tables(expressions)]
    for number, kind, message in buffered:
        lines += [*_field(number, kind, message), *_message(number, kind, message)]
    return [
        *lines,
        *_each_buffer(buffered),
        '#include "model/channels.h"',
        *_cut(expressions.program),
    ]


def _buffered(expressions: Expressions) -> list[tuple[int, ChannelType, MessageLayout]]:
    """The types that have a buffer, with their numbers and how messages lie in it."""
    kinds = zip(expressions.program.channel_types, expressions.layout.messages, strict=True)
    return [(n, kind, message) for n, (kind, message) in enumerate(kinds) if kind.capacity]


def _tables(expressions: Expressions) -> Lines:
    program, types = expressions.program, expressions.layout.channel_types
    return [
        f"#define WHORL_CHANNEL_TYPES {len(program.channel_types)}",
        f"#define WHORL_TYPES_VARY {int(None in types)}",
        table("uint8_t", "whorl_channel_types", (VARYING if t is None else t for t in types)),
        table("uint8_t", "whorl_capacities", (kind.capacity for kind in program.channel_types)),
        table("uint8_t", "whorl_field_counts", (len(k.fields) for k in program.channel_types)),
    ]


def _field(number: int, kind: ChannelType, message: MessageLayout) -> Lines:
    places = zip(message.fields, kind.fields, strict=True)
    reads = [read("m", str(place.offset), place, basic) for place, basic in places]
    return [
        f"static inline int32_t whorl_field_{number}(const uint8_t *m, int field) {{",
        "  switch (field) {",
        *(f"    case {n}: return {value};" for n, value in enumerate(reads)),
        "  }",
        "  return 0;",
        "}",
    ]


def _message(number: int, kind: ChannelType, message: MessageLayout) -> Lines:
    places = zip(message.fields, kind.fields, strict=True)
    writes = [
        write("m", str(place.offset), place, f"values[{n}]", basic)
        for n, (place, basic) in enumerate(places)
    ]
    return [
        f"static inline void whorl_message_{number}(uint8_t *m, const int32_t *values) {{",
        *indent(writes),
        "}",
    ]


def _each_buffer(buffered: list[tuple[int, ChannelType, MessageLayout]]) -> Lines:
    each = [
        f"X({n}, {message.size}, {kind.capacity}, whorl_field_{n}, whorl_message_{n})"
        for n, kind, message in buffered
    ]
    return [f"#define WHORL_EACH_BUFFER(X) {' '.join(each)}".rstrip()]


def _cut(program: Program) -> Lines:
    """Values as the fields of a message hold them, where they are looked at without a buffer."""
    if program.trace is None and all(kind.capacity for kind in program.channel_types):
        return []
    lines = [
        "static inline int32_t whorl_cut(int type, int field, int32_t value) {",
        "  switch (type) {",
    ]
    for number, kind in enumerate(program.channel_types):
        lines += [f"    case {number}:", "      switch (field) {"]
        for position, basic in enumerate(kind.fields):
            lines.append(f"        case {position}: return {truncate('value', basic)};")
        lines += ["      }", "      break;"]
    return [*lines, "  }", "  return value;", "}"]
