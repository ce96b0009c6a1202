"""Lexical scopes: which variable a name means where."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.promela.symbols import Variable


class Scope:
    """The names declared in one block, and the block around it."""

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.names: dict[str, Variable] = {}

    def find(self, name: str) -> Variable | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def visible(self) -> Iterator[str]:
        scope: Scope | None = self
        while scope is not None:
            yield from scope.names
            scope = scope.parent
