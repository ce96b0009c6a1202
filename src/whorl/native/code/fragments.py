"""Writes how a generated model calls its fragments of C: a state's values in, and back again."""

from __future__ import annotations

from whorl.language.types import Basic
from whorl.native.code.expressions import Expressions
from whorl.program.embedded import Embedded, Fragment, Seen
from whorl.program.program import Place, Region

NO_PROCESS = -1  # the type in a claim


def fragments(expressions: Expressions) -> list[str]:
    """A function for each fragment of the program's C; nothing where it has none."""
    embedded = expressions.program.embedded
    if embedded is None:
        return []
    lines: list[str] = []
    for kind in sorted({_kind(fragment) for fragment in embedded.fragments}):
        lines += _exchange(expressions, embedded, kind)
    for fragment in embedded.fragments:
        lines += _call(expressions, fragment)
    return lines


def _kind(fragment: Fragment) -> int:
    return NO_PROCESS if fragment.process is None else fragment.process


def _name(expressions: Expressions, kind: int) -> str:
    return "claim" if kind == NO_PROCESS else f"{expressions.names[kind]}_{kind}"


def _exchange(expressions: Expressions, embedded: Embedded, kind: int) -> list[str]:
    """Fills the structures that the C of a process type sees, and reads them back."""
    program, layout, completion = expressions.program, expressions.layout, embedded.ready
    own: tuple[Seen, ...] = ()
    own_slots: tuple[Basic, ...] = ()
    block = mine = 0
    if completion.block_size:
        block = layout.globals.fields[completion.block_slot].offset
    if kind != NO_PROCESS:
        expressions.process = kind
        own, own_slots = embedded.seen_locals[kind], program.processes[kind].slots
        if completion.local_sizes[kind]:
            mine = layout.locals[kind].fields[completion.local_slots[kind]].offset
    groups = (
        ("g", Region.GLOBAL, embedded.seen, program.slots),
        ("l", Region.LOCAL, own, own_slots),
    )
    load, store = [], []
    for array, region, seen, slots in groups:
        places = [Place(region, one.slot, (), slots[one.slot], "") for one in seen]
        values = ", ".join(expressions.load(place) for place in places)
        load.append(f"  const int32_t {array}[] = {{{values or '0'}}};")
        for position, (one, place) in enumerate(zip(seen, places, strict=True)):
            if not one.is_channel:
                store.append("  " + expressions.store(place, f"{array}[{position}]"))
    record = "B" if kind == NO_PROCESS else "B + whorl_process_bases[pid]"
    blocks = f"B + {block}, P + {mine}, B + {layout.unmatched_at}"
    return [
        f"static void whorl_enter_{_name(expressions, kind)}(const uint8_t *B, int pid) {{",
        f"  const uint8_t *P = {record};",
        *load,
        f"  whorl_c_put({kind}, pid, whorl_running(B), g, l, {blocks});",
        "}",
        f"static void whorl_leave_{_name(expressions, kind)}(uint8_t *B, int pid) {{",
        f"  uint8_t *P = {record};",
        f"  int32_t g[{len(embedded.seen) + 1}], l[{len(own) + 1}];",
        f"  whorl_c_get({kind}, g, l, {blocks});",
        *store,
        "}",
    ]


def _call(expressions: Expressions, fragment: Fragment) -> list[str]:
    number, kind = fragment.number, _name(expressions, _kind(fragment))
    what = "int32_t" if fragment.is_expression else "void"
    nothing = " 0" if fragment.is_expression else ""
    state = "const uint8_t *B" if fragment.is_expression else "uint8_t *B"
    context = "whorl_context *c, " if fragment.precondition is not None else ""
    lines = [
        f"static {what} whorl_fragment_{number}({context}{state}, int pid) {{",
        f"  whorl_enter_{kind}(B, pid);",
    ]
    if fragment.precondition is not None:
        site = expressions.sites.site("precondition", number)
        lines += [
            f"  if (!whorl_c_holds({number})) {{",
            f"    whorl_fault(c, {site});",
            f"    return{nothing};",
            "  }",
        ]
    if fragment.is_expression:
        return [*lines, f"  return whorl_c_run({number});", "}"]
    return [*lines, f"  whorl_c_run({number});", f"  whorl_leave_{kind}(B, pid);", "}"]
