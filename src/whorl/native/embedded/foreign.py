"""Writes the C part of a model with embedded C: its own text, and the way in and out of it.

The text lies at the end of a generated file, behind the runtime and the model, so that its macros
reach nothing of ours. It sees the state as it would in Spin: `now` has the global variables and
what c_state adds to them, `Pname` points to those of the process that runs. Around each fragment,
these structures are filled from a state and read back:

    whorl_c_put(type, pid, running, g, l, block, mine, loose)    before
    whorl_c_holds(fragment), whorl_c_run(fragment)               its precondition, and itself
    whorl_c_get(type, g, l, block, mine, loose)                  after

`g` and `l` have the values of variables in the order of Embedded.seen, `block`, `mine` and `loose`
the bytes of C data: global, of the process, and tracked without being compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from whorl.language.types import TypeKind
from whorl.program.embedded import Embedded, EmbeddedData, Fragment, Seen
from whorl.program.lower_embedded import C_KEYWORDS
from whorl.program.program import ProcessType, Program
from whorl.promela.symbols import Struct, Variable

if TYPE_CHECKING:
    from whorl.diagnostics import Span
    from whorl.promela.ast import CText

PLACE = "whorl-model-"  # what the C compiler takes for the name of a source of the model

PROTOTYPES = """\
static void whorl_c_begin(uint8_t *at);
static void whorl_c_put(int type, int pid, int running, const int32_t *g, const int32_t *l,
                        const uint8_t *block, const uint8_t *mine, const uint8_t *loose);
static void whorl_c_get(int type, int32_t *g, int32_t *l, uint8_t *block, uint8_t *mine,
                        uint8_t *loose);
static bool whorl_c_holds(int fragment);
static int32_t whorl_c_run(int fragment);
"""

# As in a file that Spin makes. Assertions of C count.
_OPENING = """\
#undef NDEBUG
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define Printf printf
"""


def sources(embedded: Embedded) -> list[str]:
    """The names of the files that embedded C comes from; their numbers stand in `#line`."""
    return list(dict.fromkeys(span.source.name for span in _spans(embedded)))


def _spans(embedded: Embedded) -> Iterator[Span]:
    for text in embedded.texts():
        yield text.span
    for kept in (*embedded.hidden, *embedded.matched, *embedded.unmatched):
        yield kept.span


def c_part(program: Program, embedded: Embedded) -> str:
    """All of it; foreign.h of the runtime comes before it."""
    return "\n".join([*_Writer(program, embedded).lines(), ""])


class _Writer:
    def __init__(self, program: Program, embedded: Embedded) -> None:
        self.program = program
        self.embedded = embedded
        self.numbers = {name: i for i, name in enumerate(sources(embedded))}

    def lines(self) -> list[str]:
        embedded, processes = self.embedded, self.program.processes
        return [
            _OPENING,
            *self.texts(embedded.declarations),
            *(line for struct in embedded.structs for line in _struct(struct)),
            *(line for process in processes for line in self.process(process)),
            *self.state(),
            *(
                line
                for kept in embedded.hidden
                for line in self.of_model(kept.span, f"{kept.declaration};")
            ),
            *self.texts(embedded.functions),
            *self.blocks(),
            *self.exchange(),
            *self.begin(),
            *(line for fragment in embedded.fragments for line in self.fragment(fragment)),
            *self.dispatch(),
        ]

    # --- text of the model -----------------------------------------------------------------------

    def texts(self, texts: Iterable[CText]) -> list[str]:
        return [line for text in texts for line in self.text(text)]

    def text(self, code: CText) -> list[str]:
        """C of the model, where the compiler finds its mistakes at the places of the model."""
        # Spin wants `\\#` for the directives of C, so that its own preprocessor leaves them alone.
        plain = re.sub(r"^([ \t]*)\\#", r"\1#", code.text, flags=re.MULTILINE)
        return [*code.definitions.splitlines(), *self.of_model(code.span, plain)]

    def of_model(self, span: Span, text: str) -> list[str]:
        place = f'"{PLACE}{self.numbers[span.source.name]}"'
        return [f"#line {span.line} {place}", text, '#line 1 "whorl"']

    # --- what it sees ----------------------------------------------------------------------------

    def process(self, process: ProcessType) -> list[str]:
        embedded, index = self.embedded, process.index
        return [
            f"typedef struct P{index} {{",
            "  unsigned _pid : 8;",
            *(f"  {_declaration(variable)}" for variable in embedded.locals[index]),
            *(
                line
                for kept in self.local(index)
                for line in self.of_model(kept.span, f"{kept.declaration};")
            ),
            f"}} P{index};",
            f"static P{index} whorl_c_process_{index};",
        ]

    def state(self) -> list[str]:
        embedded = self.embedded
        return [
            "typedef struct State {",
            "  uchar _nr_pr;",
            *(f"  {_declaration(v)}" for v in embedded.variables if not v.hidden),
            *(
                line
                for kept in embedded.matched
                if kept.declaration and kept.process is None
                for line in self.of_model(kept.span, f"{kept.declaration};")
            ),
            "} State;",
            "State now;",
            *(_declaration(v, bits=False) for v in embedded.variables if v.hidden),
        ]

    def local(self, process: int) -> list[EmbeddedData]:
        return [kept for kept in self.embedded.matched if kept.process == process]

    def shared(self) -> list[EmbeddedData]:
        return [kept for kept in self.embedded.matched if kept.process is None]

    # --- blocks of bytes -------------------------------------------------------------------------

    def blocks(self) -> list[str]:
        """Functions that copy C data to and from bytes, and their sizes."""
        everything = [("block", self.shared()), ("loose", list(self.embedded.unmatched))]
        lines: list[str] = []
        for name, kept in everything:
            lines += self.block(name, "", kept)
        for process in self.program.processes:
            index = process.index
            lines += self.block(f"local_{index}", f"P{index} *p", self.local(index))
        return lines

    def block(self, name: str, parameter: str, kept: Sequence[EmbeddedData]) -> list[str]:
        separator = ", " if parameter else ""
        load, save, size = [], [], []
        for one in kept:
            if one.pointer:
                where, length = f"(void *)({one.pointer})", f"(size_t)({one.size})"
            else:
                holder = "now." if one.process is None else "p->"
                where, length = f"&{holder}{one.name}", f"sizeof({holder}{one.name})"
            take = f"whorl_c_load({where}, &at, {length});"
            give = f"whorl_c_save({where}, &at, {length});"
            load += self.of_model(one.span, take)
            save += self.of_model(one.span, give)
            size += self.of_model(one.span, f"size += {length};")
        unused = [f"  (void){word};" for word in (["p"] if parameter else [])]
        return [
            f"static void whorl_c_load_{name}({parameter}{separator}const uint8_t *at) {{",
            *unused,
            "  (void)at;",
            *load,
            "}",
            f"static void whorl_c_save_{name}({parameter}{separator}uint8_t *at) {{",
            *unused,
            "  (void)at;",
            *save,
            "}",
            f"static size_t whorl_c_size_{name}({parameter or 'void'}) {{",
            *unused,
            "  size_t size = 0;",
            *size,
            "  return size;",
            "}",
        ]

    # --- in and out ------------------------------------------------------------------------------

    def exchange(self) -> list[str]:
        put = _moves(self.embedded.seen, "now.", "g", into_c=True)
        get = _moves(self.embedded.seen, "now.", "g", into_c=False)
        put_cases, get_cases, size_cases, seen_cases = [], [], [], []
        for process in self.program.processes:
            index, seen = process.index, self.embedded.seen_locals[process.index]
            head = f"    case {index}: {{"
            pointer = f"      P{index} *p = &whorl_c_process_{index};"
            put_cases += [
                head,
                pointer,
                "      p->_pid = (unsigned)pid;",
                *(f"      {line}" for line in _moves(seen, "p->", "l", into_c=True)),
                f"      whorl_c_load_local_{index}(p, mine);",
                "    } break;",
            ]
            get_cases += [
                head,
                pointer,
                *(f"      {line}" for line in _moves(seen, "p->", "l", into_c=False)),
                f"      whorl_c_save_local_{index}(p, mine);",
                "    } break;",
            ]
            size = f"whorl_c_size_local_{index}(&whorl_c_process_{index})"
            size_cases.append(f"    case {index}: return {size};")
            seen_cases.append(f"    case {index}: return {len(seen)};")
        return [
            "static void whorl_c_put(int type, int pid, int running, const int32_t *g,",
            "    const int32_t *l, const uint8_t *block, const uint8_t *mine,",
            "    const uint8_t *loose) {",
            "  now._nr_pr = (uchar)running;",
            *(f"  {line}" for line in put),
            "  whorl_c_load_block(block);",
            "  whorl_c_load_loose(loose);",
            "  switch (type) {",
            *put_cases,
            "  }",
            "}",
            "static void whorl_c_get(int type, int32_t *g, int32_t *l, uint8_t *block,",
            "    uint8_t *mine, uint8_t *loose) {",
            *(f"  {line}" for line in get),
            "  whorl_c_save_block(block);",
            "  whorl_c_save_loose(loose);",
            "  switch (type) {",
            *get_cases,
            "  }",
            "}",
            "static size_t whorl_c_size_local(int type) {",
            "  switch (type) {",
            *size_cases,
            "  }",
            "  return 0;",
            "}",
            "static size_t whorl_c_seen_local(int type) {",
            "  switch (type) {",
            *seen_cases,
            "  }",
            "  return 0;",
            "}",
            f"enum {{ WHORL_C_TYPES = {len(self.program.processes)},",
            f"       WHORL_C_SEEN = {len(self.embedded.seen)} }};",
        ]

    def begin(self) -> list[str]:
        """Gives C data its initial values and writes the bytes of all blocks, one by one."""
        lines = ["static void whorl_c_begin(uint8_t *at) {"]
        for kept in self.embedded.hidden:
            if kept.initial:
                lines += self.of_model(kept.span, f"{kept.name} = {kept.initial};")
        for kept in self.shared():
            if kept.initial:
                lines += self.of_model(kept.span, f"now.{kept.name} = {kept.initial};")
        lines += ["  whorl_c_save_block(at);", "  at += whorl_c_size_block();"]
        for process in self.program.processes:
            index, pointer = process.index, pointer_name(process)
            lines += ["  {", f"    P{index} *{pointer} = &whorl_c_process_{index};"]
            for kept in self.local(index):
                if kept.initial:
                    text = f"{pointer}->{kept.name} = {kept.initial};"
                    lines += self.of_model(kept.span, text)
            lines += [
                f"    whorl_c_save_local_{index}({pointer}, at);",
                f"    at += whorl_c_size_local({index});",
                "  }",
            ]
        return [*lines, "  whorl_c_save_loose(at);", "}"]

    # --- fragments -------------------------------------------------------------------------------

    def fragment(self, fragment: Fragment) -> list[str]:
        number, parameter = fragment.number, "void"
        use: list[str] = []
        if fragment.process is not None:
            process = self.program.processes[fragment.process]
            pointer = pointer_name(process)
            parameter = f"P{process.index} *{pointer}"
            use = [f"  (void){pointer};"]
        lines: list[str] = []
        if fragment.precondition is not None:
            lines += [f"static bool whorl_c_precondition_{number}({parameter}) {{", *use]
            lines += ["  return (", *self.text(fragment.precondition), "  ) != 0;", "}"]
        lines += [f"static int32_t whorl_c_fragment_{number}({parameter}) {{", *use]
        if fragment.is_expression:
            # A value that is not 0 stays so, whatever its type.
            lines += ["  __auto_type value = (", *self.text(fragment.code), "  );"]
            lines += ["  int32_t small = (int32_t)(intptr_t)value;"]
            lines += ["  return value && !small ? 1 : small;", "}"]
        else:
            lines += ["  {", *self.text(fragment.code), "  }", "  return 0;", "}"]
        return lines

    def dispatch(self) -> list[str]:
        holds, run = [], []
        for fragment in self.embedded.fragments:
            number, owner = fragment.number, fragment.process
            pointer = "" if owner is None else f"&whorl_c_process_{owner}"
            if fragment.precondition is not None:
                holds.append(f"    case {number}: return whorl_c_precondition_{number}({pointer});")
            run.append(f"    case {number}: return whorl_c_fragment_{number}({pointer});")
        return [
            "static bool whorl_c_holds(int fragment) {",
            "  switch (fragment) {",
            *holds,
            "  }",
            "  return true;",
            "}",
            "static int32_t whorl_c_run(int fragment) {",
            "  switch (fragment) {",
            *run,
            "  }",
            "  return 0;",
            "}",
        ]


def pointer_name(process: ProcessType) -> str:
    """What C calls the process that runs, as in Spin."""
    return f"P{process.title}"


def _moves(seen: Iterable[Seen], holder: str, array: str, *, into_c: bool) -> list[str]:
    """Copies values into the structures, or back: all but channels, which C must not change."""
    lines = []
    for position, one in enumerate(seen):
        place = one.path if one.hidden else f"{holder}{one.path}"
        if into_c:
            lines.append(f"{place} = {array}[{position}];")
        elif not one.is_channel:
            lines.append(f"{array}[{position}] = (int32_t){place};")
    return lines


def _struct(struct: Struct) -> list[str]:
    fields = [field for field in struct.fields if field.name not in C_KEYWORDS]
    return [f"struct {struct.name} {{", *(f"  {_declaration(field)}" for field in fields), "};"]


def _declaration(variable: Variable, bits: bool = True) -> str:
    """A variable in C, of the type that Spin gives it; `bits`: it may be a part of a word."""
    length = "" if variable.length is None else f"[{variable.length}]"
    kind = variable.type
    if isinstance(kind, Struct):
        return f"struct {kind.name} {variable.name}{length};"
    if bits and variable.length is None and kind.kind in (TypeKind.BIT, TypeKind.UNSIGNED):
        return f"unsigned {variable.name} : {kind.width};"
    match kind.kind:
        case TypeKind.SHORT:
            name = "short"
        case TypeKind.INT:
            name = "int"
        case _:
            name = "uchar" if kind.width <= 8 else "ushort" if kind.width <= 16 else "uint"
    return f"{name} {variable.name}{length};"
