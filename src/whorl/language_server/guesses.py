"""Guesses what names mean in text that is no part of the model.

A branch that `#if` leaves out, an inline that nobody calls and an argument that nobody uses are
read by no parser. A user who renames still wants the names there to follow. Nothing that is said
of the model depends on a guess.
"""

from __future__ import annotations

from whorl.diagnostics import Span
from whorl.language_server.index import Entity, EntityKind, NameIndex
from whorl.promela import ast
from whorl.promela.lexer import Token
from whorl.promela.resolved import Resolved
from whorl.promela.stream import KEYWORDS, PREDEFINED

_GLOBAL = (
    EntityKind.CONSTANT,
    EntityKind.TYPE,
    EntityKind.PROCESS,
    EntityKind.INLINE,
    EntityKind.MACRO,
)


def guess_rest(index: NameIndex, resolved: Resolved) -> None:
    """Adds the names to the index that are at none of its places."""
    bodies = [
        (unit.name, Span(unit.span.source, unit.span.start, unit.body.span.end))
        for unit in resolved.model.units
        if isinstance(unit, ast.Proctype | ast.NeverOrTrace)
    ]
    by_name: dict[str, list[Entity]] = {}
    for entity in index.entities:
        by_name.setdefault(entity.name, []).append(entity)
    for tokens in index.tokens.values():
        for number, token in enumerate(tokens):
            if token.kind != "name" or token.text not in by_name or index.known(token.span):
                continue
            if token.text in KEYWORDS or token.text in PREDEFINED:
                continue
            before = tokens[number - 1] if number else token
            process = next((name for name, span in bodies if _within(token, span)), "")
            meant = _meant(by_name[token.text], before.text, tokens[number + 1].text, process)
            if meant is not None and before.text != "#":
                index.guess(meant, token.span)


def _within(token: Token, span: Span) -> bool:
    return token.span.source is span.source and span.start <= token.span.start < span.end


def _meant(known: list[Entity], before: str, after: str, process: str) -> Entity | None:
    """The one of these entities that a name between two tokens is likely to be."""
    if before == ".":
        wanted = [e for e in known if e.kind is EntityKind.FIELD]
    elif before in ("goto", "@"):
        wanted = [e for e in known if e.kind is EntityKind.LABEL and e.owner == process]
    else:
        local = [e for e in known if e.kind is EntityKind.VARIABLE and e.owner == process != ""]
        free = [e for e in known if e.kind is EntityKind.VARIABLE and not e.owner]
        wanted = local or free or [e for e in known if e.kind in _GLOBAL]
        if after == ":" and not wanted:
            wanted = [e for e in known if e.kind is EntityKind.LABEL and e.owner == process]
    return wanted[0] if len(wanted) == 1 else None
