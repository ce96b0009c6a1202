"""Walks a syntax tree to find nodes of a kind."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, cast

from whorl.diagnostics import Span
from whorl.promela import ast

# The fields of each kind of node that may have nodes in them.
_LEAVES = ("str", "int", "bool", "Span", "Span | None")
_BESIDE = ("symbol", "repeated", "inlines")  # no parts of the tree
_BELOW: dict[type, tuple[str, ...]] = {
    kind: tuple(f.name for f in fields(kind) if f.name not in _BESIDE and f.type not in _LEAVES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == ast.__name__
}

T = TypeVar("T")


def nodes(root: object) -> Iterator[object]:
    """Every node below `root`, itself first. Symbols are not part of the tree."""
    waiting: list[object] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list | tuple):
            waiting.extend(reversed(node))
        elif (below := _BELOW.get(type(node))) is not None:
            yield node
            waiting.extend([getattr(node, name) for name in below])


def duplicate(root: T) -> T:
    """A tree like this one, of nodes of its own; places in the source are shared."""
    made: Any = copy(root)
    if isinstance(made, list):
        made[:] = map(duplicate, made)
    assert not isinstance(made, tuple), "a tree that can be changed has lists"
    for name in _BELOW.get(type(root), ()):
        setattr(made, name, duplicate(getattr(root, name)))
    return cast("T", made)


def remote_labels(model: ast.SyntaxTree) -> set[tuple[str, str]]:
    """The labels that some remote reference asks about, each with its process."""
    return {(n.process, n.label) for n in nodes(model) if isinstance(n, ast.RemoteLabel)}


def embedded_span(model: ast.SyntaxTree) -> Span | None:
    """Where embedded C first stands, if anywhere."""
    kinds = (ast.EmbeddedCode, ast.EmbeddedExpression, ast.EmbeddedState)
    return next((n.span for n in nodes(model) if isinstance(n, kinds)), None)
