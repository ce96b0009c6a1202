"""The outline of a file: its units, with what is declared in them; and where text can be folded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from whorl.diagnostics import Source, Span
from whorl.language_server.describe import signature, type_text
from whorl.language_server.index import NameIndex
from whorl.language_server.reading import ModelReading
from whorl.promela import ast
from whorl.promela.walk import nodes


class ItemKind(Enum):
    """What an item of the outline is shown as."""

    PROCESS = "process"
    CLAIM = "claim"
    FORMULA = "formula"
    INLINE = "inline"
    TYPE = "type"
    VARIABLE = "variable"
    CHANNEL = "channel"
    CONSTANT = "constant"
    LABEL = "label"
    MACRO = "macro"


@dataclass(slots=True)
class Item:
    """One line of the outline: a name at `name_span`, and all that belongs to it."""

    kind: ItemKind
    name: str
    detail: str
    span: Span
    name_span: Span
    children: list[Item] = field(default_factory=list)


def outline(reading: ModelReading, source: Source) -> list[Item]:
    """The items of a file, in order."""
    items: list[Item] = []
    if reading.resolved is not None:
        for unit in reading.resolved.model.units:
            items += _of_unit(unit)
        for inline in reading.resolved.model.inlines:
            names = ", ".join(parameter.text for parameter in inline.parameters)
            whole = inline.span.until(inline.body[-1].span)
            items.append(Item(ItemKind.INLINE, inline.name, f"({names})", whole, inline.span))
    if reading.text is not None:
        for macro in reading.text.macros.definitions_seen:
            end = macro.body[-1].span if macro.body else macro.span
            whole = macro.span.until(end)
            body = " ".join(token.text for token in macro.body)
            items.append(Item(ItemKind.MACRO, macro.name, body, whole, macro.span))
    here = [item for item in items if item.span.source is source and item.name_span.via is None]
    return sorted(here, key=lambda item: item.span.start)


def _of_unit(unit: ast.Unit) -> Iterator[Item]:
    match unit:
        case ast.Proctype() | ast.NeverOrTrace() if unit.symbol is not None:
            kind = ItemKind.PROCESS if isinstance(unit, ast.Proctype) else ItemKind.CLAIM
            name = "init" if unit.name == ":init:" else unit.name
            whole = unit.span.until(unit.name_span).until(unit.body.span)
            detail = signature(unit.symbol)
            inner = [item for item in _inner(unit) if item.name_span.via is None]
            yield Item(kind, name, detail, whole, unit.name_span, inner)
        case ast.LtlFormula():
            parts = [unit.name_span, *(atom.span for atom in unit.atoms)]
            whole = unit.span
            for span in parts:
                whole = whole.until(span)
            yield Item(ItemKind.FORMULA, unit.name, unit.text, whole, unit.name_span)
        case ast.TypedefDeclaration():
            fields = [item for d in unit.fields for item in _variables(d)]
            yield Item(ItemKind.TYPE, unit.name, "", unit.span, unit.name_span, fields)
        case ast.MtypeDeclaration():
            for name, span in unit.names:
                yield Item(ItemKind.CONSTANT, name, "mtype", span, span)
        case ast.Declaration():
            yield from _variables(unit)


def _inner(unit: ast.Proctype | ast.NeverOrTrace) -> Iterator[Item]:
    for node in nodes(unit):
        if isinstance(node, ast.Declaration):
            yield from _variables(node)
        elif isinstance(node, ast.Labelled):
            yield Item(ItemKind.LABEL, node.label, "label", node.span, node.span)


def _variables(node: ast.Declaration) -> Iterator[Item]:
    for declarator in node.names:
        variable = declarator.symbol
        if variable is None:
            continue
        kind = ItemKind.CHANNEL if node.type.name == "chan" else ItemKind.VARIABLE
        head = Span(declarator.span.source, declarator.span.start, declarator.span.end)
        name = Span(head.source, head.start, head.start + len(declarator.name), declarator.span.via)
        detail = type_text(variable.type, variable.length)
        yield Item(kind, declarator.name, detail, head, name)


def folds(index: NameIndex, source: Source) -> list[tuple[int, int]]:
    """The first and last line, from 0, of what can be folded: braces and choices."""
    found: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    closes = {"}": ("{",), "fi": ("if",), "od": ("do",)}
    for token in index.tokens.get(source, []):
        line = token.span.line - 1
        if token.kind == "embedded":
            end = source.line_number(token.span.end - 1) - 1
            if end > line:
                found.append((line, end))
        elif token.text in ("{", "if", "do") and token.kind in ("name", "op"):
            opened.append((token.text, line))
        elif token.text in closes and opened and opened[-1][0] in closes[token.text]:
            _, start = opened.pop()
            if line > start:
                found.append((start, line))
    return found
