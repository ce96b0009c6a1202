"""Walks a syntax tree to find nodes of a kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from whorl.diagnostics import Span
from whorl.promela import ast


def nodes(root: object) -> Iterator[object]:
    """Every node below `root`, itself first. Symbols are not part of the tree."""
    waiting: list[object] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list | tuple):
            waiting.extend(reversed(node))
        elif is_dataclass(node) and type(node).__module__ == ast.__name__:
            yield node
            waiting.extend(
                getattr(node, f.name) for f in fields(node) if f.name not in ("symbol", "span")
            )


def remote_labels(model: ast.Model) -> set[tuple[str, str]]:
    """The labels that some remote reference asks about, each with its process."""
    return {(n.process, n.label) for n in nodes(model) if isinstance(n, ast.RemoteLabel)}


def embedded_span(model: ast.Model) -> Span | None:
    """Where embedded C first stands, if anywhere."""
    kinds = (ast.EmbeddedCode, ast.EmbeddedExpression, ast.EmbeddedState)
    return next((n.span for n in nodes(model) if isinstance(n, kinds)), None)
