"""Writes a syntax tree readably: a node a line, indented, with its line number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from whorl.diagnostics import Span
from whorl.promela import ast, unparse

# Not part of what was written, or where it was.
_HIDDEN = (
    *("span", "symbol", "tokens", "doubtful", "repeated", "inlines"),
    *("name_span", "label_span", "process_span", "subtype_span"),
)
_SINGULAR = {"options": "option", "parameters": "parameter", "fields": "field"}
# Nodes whose text says more than their parts would.
_EXPRESSIONS = (
    ast.Number
    | ast.Reference
    | ast.Unary
    | ast.Binary
    | ast.Conditional
    | ast.ChannelTest
    | ast.Poll
    | ast.RunExpression
    | ast.Call
    | ast.Predefined
    | ast.RemoteLabel
    | ast.RemoteVariable
    | ast.EmbeddedExpression
    | ast.Eval
)


def tree_lines(model: ast.SyntaxTree) -> Iterator[str]:
    yield from _node_lines(model, "", 0)


def _node_lines(node: Any, role: str, depth: int) -> Iterator[str]:
    """The line of a node, then those of the nodes in it."""
    plain, inner = [], []
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name in _HIDDEN or value is None or value == "" or value is False:
            continue
        if isinstance(value, _EXPRESSIONS):
            plain.append(f"{field.name}: {unparse.expression(value)}")
        elif isinstance(value, ast.FieldType):
            plain.append(f"{field.name}: {_word(value)}")
        elif _is_node(value):
            inner.append((field.name, value))
        elif isinstance(value, list):
            if value and all(isinstance(item, _EXPRESSIONS) for item in value):
                plain.append(f"{field.name}: {', '.join(map(unparse.expression, value))}")
            elif value and all(isinstance(item, ast.FieldType) for item in value):
                plain.append(f"{field.name}: {', '.join(map(_word, value))}")
            elif all(_is_node(item) for item in value):
                inner += [(_SINGULAR.get(field.name, ""), item) for item in value]
            else:
                plain.append(f"{field.name}: {', '.join(map(_word, value))}")
        else:
            plain.append(f"{field.name}: {_word(value)}")
    label = f"{role}: " if role else ""
    about = f"  {'; '.join(plain)}" if plain else ""
    yield f"{'  ' * depth}{label}{type(node).__name__} @{_line(node.span)}{about}"
    for name, value in inner:
        yield from _node_lines(value, name, depth + 1)


def _is_node(value: object) -> bool:
    return type(value).__module__ == ast.__name__


def _word(value: object) -> str:
    if isinstance(value, tuple):  # a name and where it stands
        return str(value[0])
    if isinstance(value, ast.FieldType):
        return value.name if value.subtype is None else f"{value.name}:{value.subtype}"
    return str(value)


def _line(span: Span) -> str:
    return str(span.line)


def tree_data(node: Any) -> Any:
    """The same tree as plain data."""
    if isinstance(node, list):
        return [tree_data(item) for item in node]
    if isinstance(node, tuple):
        return _word(node)
    if not _is_node(node):
        return node if isinstance(node, str | int | None) else str(node)
    data: dict[str, Any] = {"node": type(node).__name__, "line": node.span.line}
    for field in fields(node):
        if field.name not in _HIDDEN:
            data[field.name] = tree_data(getattr(node, field.name))
    return data
