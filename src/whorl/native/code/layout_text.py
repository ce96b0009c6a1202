"""Writes the comment of a generated model that says which byte of a state is what."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.native.code.expressions import Expressions
from whorl.native.code.layout import SlotRegion, is_indexed
from whorl.native.code.writing import Lines, plain
from whorl.program.program import VariableInfo

_MOST = 200  # variables of a record


def layout_text(expressions: Expressions) -> Lines:
    """The comment."""
    layout = expressions.layout
    rows = _variables(expressions.program.variables, layout.globals, "")
    counted = {
        "how many processes run": layout.running,
        "how many channels there are": layout.made,
        "_last": layout.last,
        "where the trace assertion is": layout.monitor,
        "who keeps control, plus one": layout.holder,
    }
    rows += [(str(at), what) for what, at in counted.items() if at is not None]
    rows += _records("process", layout.process_bases, [*layout.channel_bases, layout.size][0])
    rows += _records("channel", layout.channel_bases, layout.size)
    lines = [f" * A state has {layout.size} bytes:", " *", *_table(rows)]
    for process, region in zip(expressions.program.processes, layout.locals, strict=True):
        record = [("+0", "location")]
        if layout.type_offset is not None:
            record.append((f"+{layout.type_offset}", f"type: {process.index}"))
        if layout.priority_offset is not None:
            record.append((f"+{layout.priority_offset}", "priority"))
        record += _variables(process.variables, region, "+")
        lines += [" *", f" * The record of {plain(process.title)}:", " *", *_table(record)]
    return ["/*", *lines, " */"]


def _records(of: str, bases: list[int], end: int) -> list[tuple[str, str]]:
    if not bases or end == bases[0]:
        return []
    where = f"{bases[0]}-{end - 1}" if end > bases[0] + 1 else f"{bases[0]}"
    return [(where, f"{len(bases)} {of} records (whorl_{of}_bases)")]


def _table(rows: list[tuple[str, str]]) -> Lines:
    width = max((len(at) for at, _ in rows), default=0)
    return [f" *   {at.ljust(width)}  {what}" for at, what in rows]


def _variables(
    variables: Iterable[VariableInfo], region: SlotRegion, sign: str
) -> list[tuple[str, str]]:
    """Where each variable lies; those that nothing assigns lie nowhere."""
    rows: list[tuple[int, str, str]] = []
    for variable in variables:
        if variable.offset not in region.fields:
            continue
        if variable.foreign or is_indexed(variable):
            first = region.fields[variable.offset]
            last = region.fields[variable.offset + variable.size - 1]
            end = last.offset + last.size - 1
            rows.append((first.offset, f"{sign}{first.offset}-{end}", plain(variable.name)))
            continue
        for position, (name, _) in enumerate(variable.parts):
            rows.append(_slot(region, variable.offset + position, name, sign))
    rows.sort(key=lambda row: row[0])
    more = [("", f"and {len(rows) - _MOST:,} more")] if len(rows) > _MOST else []
    return [(at, name) for _, at, name in rows[:_MOST]] + more


def _slot(region: SlotRegion, slot: int, name: str, sign: str) -> tuple[int, str, str]:
    field = region.fields[slot]
    at = f"{sign}{field.offset}"
    if field.is_bits:
        last = field.shift + field.width - 1
        at += f" bit {last}" if field.width == 1 else f" bits {field.shift}-{last}"
    elif field.size > 1:
        at += f"-{field.offset + field.size - 1}"
    return field.offset, at, plain(name)
