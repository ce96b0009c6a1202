"""Renames what a name means, everywhere, or says why that cannot be done.

Before an edit is handed out, the renamed text is read and compared with the text as it was: name
by name, the two must mean the same. So a clash, a capture by an inner variable or a macro that
builds names is refused, whether it was foreseen here or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Source, Span
from whorl.language_server.index import Entity, EntityKind, NameIndex
from whorl.language_server.indexing import make_index
from whorl.language_server.reading import ModelReading
from whorl.promela.lexer import Token
from whorl.promela.ltl import BINARY, UNARY
from whorl.promela.stream import KEYWORDS, PREDEFINED
from whorl.promela.walk import nodes

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_MACRO_KINDS = (EntityKind.MACRO, EntityKind.MACRO_PARAMETER, EntityKind.PARAMETER)


class CannotRename(Exception):
    """Why a name cannot be changed, in words for the user."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that takes the place of a span."""

    span: Span
    text: str


def renamable(index: NameIndex, source: Source, offset: int) -> Span:
    """The name at a place, if it can be changed."""
    token = index.token_at(source, offset)
    if token is None or token.kind != "name":
        raise CannotRename("there is no name here")
    entities = index.at(source, offset)
    if not entities:
        if token.text in KEYWORDS or token.text in PREDEFINED:
            raise CannotRename(f"'{token.text}' is a word of Promela")
        raise CannotRename(f"it is not known what '{token.text}' means here")
    for entity in index.bound_together(entities):
        if entity.made:
            raise CannotRename(
                f"'{token.text}' is also made at {entity.made[0].place}, by a macro or an option,"
                " where it cannot be changed"
            )
    return token.span


def rename(
    reading: ModelReading,
    index: NameIndex,
    source: Source,
    offset: int,
    name: str,
    read_again: Callable[[Mapping[Path, str]], ModelReading],
) -> list[Edit]:
    """The edits that give the name at a place another spelling.

    `read_again` reads the model once more, with texts in place of files.
    """
    old = renamable(index, source, offset).text
    if name == old:
        return []
    entities = index.bound_together(index.at(source, offset))
    if reading.model is None or old in reading.model.doubtful:
        raise CannotRename(f"text that has errors mentions '{old}': mend it first")
    _refuse_name(name, entities)
    _refuse_clash(index, entities, name)
    _refuse_embedded(index, old, name)
    edits = [Edit(place, name) for entity in entities for place in entity.places]
    edits = list({(e.span.source, e.span.start): e for e in edits}.values())
    _verify(reading, index, edits, name, read_again)
    return edits


def apply(text: str, edits: Sequence[Edit]) -> str:
    """A text after the edits of it."""
    for edit in sorted(edits, key=lambda e: -e.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _refuse_name(name: str, entities: Sequence[Entity]) -> None:
    if not _NAME.fullmatch(name):
        raise CannotRename(
            f"'{name}' cannot be a name: names have letters, digits and '_', a digit not first"
        )
    if name in KEYWORDS or name in PREDEFINED or name in ("_", "_priority", "in"):
        raise CannotRename(f"'{name}' is a word of Promela")
    if name in UNARY or name in BINARY:
        raise CannotRename(f"'{name}' is an operator in formulas")
    special = ("end", "progress", "accept")
    for entity in entities:
        if entity.kind is not EntityKind.LABEL:
            continue
        for prefix in special:
            if entity.name.startswith(prefix) != name.startswith(prefix):
                raise CannotRename(
                    f"a label that begins with '{prefix}' has a meaning of its own: renaming"
                    f" '{entity.name}' to '{name}' would change what is checked"
                )


def _refuse_clash(index: NameIndex, entities: Sequence[Entity], name: str) -> None:
    for entity in index.entities:
        if entity.name == name and entity.definitions and _clash(entity, entities):
            place = entity.definitions[0]
            raise CannotRename(
                f"'{name}' is already the name of a {entity.kind.value} (line {place.line}"
                f" of {Path(place.source.name).name})"
            )


def _clash(other: Entity, entities: Sequence[Entity]) -> bool:
    """Whether two things of one name would stand in each other's way."""
    apart = (EntityKind.LABEL, EntityKind.FIELD, *_MACRO_KINDS)
    for entity in entities:
        if EntityKind.MACRO in (entity.kind, other.kind):
            return True
        if entity.kind in apart or other.kind in apart:
            if entity.kind is other.kind and entity.owner == other.owner:
                return True
        elif not (entity.owner and other.owner and entity.owner != other.owner):
            return True
    return False


def _refuse_embedded(index: NameIndex, old: str, new: str) -> None:
    """Embedded C is text that nobody here understands, so a name in it cannot follow."""
    word = re.compile(rf"\b(?:{re.escape(old)}|{re.escape(new)})\b", re.ASCII)
    for tokens in index.tokens.values():
        for token in tokens:
            if _is_c(token) and word.search(token.text):
                raise CannotRename(
                    f"embedded C mentions it ({token.span.place}), which cannot be changed safely"
                )


def _is_c(token: Token) -> bool:
    if token.kind == "embedded":
        return True
    if token.kind != "string":
        return False
    line = token.span.source.line_at(token.span.line)
    return "c_state" in line or "c_track" in line


# --- the comparison -------------------------------------------------------------------------------


def _verify(
    reading: ModelReading,
    index: NameIndex,
    edits: Sequence[Edit],
    name: str,
    read_again: Callable[[Mapping[Path, str]], ModelReading],
) -> None:
    sources = {edit.span.source for edit in edits}
    texts = {
        Path(source.name).resolve(): apply(
            source.text, [edit for edit in edits if edit.span.source is source]
        )
        for source in sources
    }
    after = read_again(texts)
    if len(after.errors) > len(reading.errors):
        said = after.errors[0]
        raise CannotRename(f"after renaming to '{name}' the model would be wrong: {said.message}")
    if not same_meaning(reading, index, after):
        raise CannotRename(f"renaming to '{name}' would change what the model means")


def same_meaning(before: ModelReading, index: NameIndex, after: ModelReading) -> bool:
    """Whether two readings differ in nothing but how things are called."""
    if (before.text is None) != (after.text is None):
        return False
    if before.text is None or after.text is None:
        return True
    kinds = [[t.kind for t in r.text.tokens] for r in (before, after) if r.text is not None]
    shapes = [[type(node) for node in nodes(r.model)] for r in (before, after)]
    if kinds[0] != kinds[1] or shapes[0] != shapes[1]:
        return False
    renamed = {
        (one.text, other.text)
        for one, other in zip(before.text.tokens, after.text.tokens, strict=True)
        if one.kind != "name" and one.text != other.text
    }
    return not renamed and _numbers(index) == _numbers(make_index(after))


def _numbers(index: NameIndex) -> list[int]:
    """Each name of the tree as the number of what it means, by the order of first appearance."""
    numbers: dict[Entity, int] = {}
    return [numbers.setdefault(entity, len(numbers)) for entity in index.sequence]
