"""What can be written at a place: names known there, words of Promela, whole statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from whorl.diagnostics import Source
from whorl.language_server.index import Entity, EntityKind, NameIndex
from whorl.language_server.reading import ModelReading
from whorl.language_server.words import WORDS
from whorl.promela import ast
from whorl.promela.symbols import Struct, Variable


class SuggestionKind(IntEnum):
    """The protocol's numbers for what is suggested."""

    FUNCTION = 3
    FIELD = 5
    VARIABLE = 6
    CLASS = 7
    KEYWORD = 14
    SNIPPET = 15
    REFERENCE = 18
    CONSTANT = 21
    STRUCT = 22


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word to insert, or a `snippet` with places to fill in."""

    label: str
    kind: SuggestionKind
    detail: str = ""
    snippet: str | None = None


_KINDS = {
    EntityKind.VARIABLE: SuggestionKind.VARIABLE,
    EntityKind.CONSTANT: SuggestionKind.CONSTANT,
    EntityKind.TYPE: SuggestionKind.STRUCT,
    EntityKind.PROCESS: SuggestionKind.CLASS,
    EntityKind.INLINE: SuggestionKind.FUNCTION,
    EntityKind.PARAMETER: SuggestionKind.VARIABLE,
    EntityKind.MACRO: SuggestionKind.CONSTANT,
}
SNIPPETS = {
    "do": "do\n:: $1 -> $2\n:: else -> break\nod",
    "if": "if\n:: $1 -> $2\n:: else\nfi",
    "for": "for (${1:i} : ${2:0} .. ${3:N - 1}) {\n    $0\n}",
    "proctype": "proctype ${1:name}($2) {\n    $0\n}",
    "active proctype": "active proctype ${1:name}() {\n    $0\n}",
    "atomic": "atomic {\n    $0\n}",
    "d_step": "d_step {\n    $0\n}",
    "ltl": "ltl ${1:name} { [] ($2) }",
    "inline": "inline ${1:name}($2) {\n    $0\n}",
    "mtype": "mtype = { $1 };",
    "chan": "chan ${1:name} = [${2:1}] of { ${3:byte} };",
}


def completions(
    reading: ModelReading, index: NameIndex, source: Source, offset: int
) -> list[Suggestion]:
    """What fits at a place, each word once."""
    tokens = [t for t in index.tokens.get(source, []) if t.span.end <= offset and t.kind != "eof"]
    if tokens and tokens[-1].kind == "name" and tokens[-1].span.end == offset:
        tokens.pop()  # the word being written
    before = tokens[-1].text if tokens else ""
    if before == ".":
        found = _fields(reading, index, source, tokens[-2].span.start if len(tokens) > 1 else 0)
    elif before in ("@", "goto"):
        process = _process(reading, source, offset) if before == "goto" else ""
        found = _labels(index, process)
    elif before == "run":
        found = (s for s in _names(index, "") if s.kind is SuggestionKind.CLASS)
    else:
        found = _everything(index, _process(reading, source, offset))
    return list({suggestion.label: suggestion for suggestion in found}.values())


def _fields(
    reading: ModelReading, index: NameIndex, source: Source, before: int
) -> Iterator[Suggestion]:
    """The fields of what stands before a dot; of every typedef where that is not known."""
    kinds = [
        entity.about.type
        for entity in index.at(source, before)
        if isinstance(entity.about, Variable) and isinstance(entity.about.type, Struct)
    ]
    known = kinds or ([] if reading.resolved is None else [*reading.resolved.structs.values()])
    for struct in known:
        for field in struct.fields:
            yield Suggestion(field.name, SuggestionKind.FIELD, f"{field.type.name}, {struct.name}")


def _labels(index: NameIndex, process: str) -> Iterator[Suggestion]:
    for entity in index.entities:
        if entity.kind is EntityKind.LABEL and process in ("", entity.owner):
            yield Suggestion(entity.name, SuggestionKind.REFERENCE, f"label of {entity.owner}")


def _everything(index: NameIndex, process: str) -> Iterator[Suggestion]:
    for word in WORDS:
        yield Suggestion(word, SuggestionKind.KEYWORD, WORDS[word])
    for label, snippet in SNIPPETS.items():
        yield Suggestion(label, SuggestionKind.SNIPPET, WORDS.get(label, ""), snippet)
    yield from _names(index, process)


def _names(index: NameIndex, process: str) -> Iterator[Suggestion]:
    for entity in index.entities:
        visible = not entity.owner or entity.owner == process
        if entity.kind in _KINDS and visible and entity.definitions:
            yield Suggestion(entity.name, _KINDS[entity.kind], _detail(entity))


def _detail(entity: Entity) -> str:
    if isinstance(entity.about, Variable):
        return entity.about.type.name
    return entity.kind.value


def _process(reading: ModelReading, source: Source, offset: int) -> str:
    """The process or inline whose text a place is in, or ""."""
    if reading.resolved is None:
        return ""
    for unit in reading.resolved.model.units:
        if isinstance(unit, ast.Proctype | ast.NeverOrTrace):
            inside = unit.span.start <= offset <= unit.body.span.end
            if unit.span.source is source and inside:
                return unit.name
    for inline in reading.resolved.model.inlines:
        end = inline.body[-1].span.end if inline.body else inline.span.end
        if inline.span.source is source and inline.span.start <= offset <= end:
            return inline.name
    return ""
