"""The index of a model: what its names mean, and every place where each of them stands.

Places are those of the text as it is written: a name in a macro's body or in an inline has the
place of that body, whoever uses it. An inline that two processes call may therefore have a name
that means a variable of either: the two are then `bound together`, as no text can name one alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from whorl.diagnostics import Source, Span
from whorl.language.types import MtypeConstant
from whorl.promela.ast import Inline, LtlFormula, TypedefDeclaration
from whorl.promela.lexer import Token, lex
from whorl.promela.macros import Macro
from whorl.promela.symbols import ProcessSymbol, Variable


class EntityKind(Enum):
    """What a name can be of; the value is what users call it."""

    VARIABLE = "variable"
    FIELD = "field"
    CONSTANT = "mtype constant"
    SET = "mtype set"
    TYPE = "typedef"
    PROCESS = "proctype"
    CLAIM = "claim"
    LABEL = "label"
    FORMULA = "ltl formula"
    INLINE = "inline"
    PARAMETER = "parameter of an inline"
    MACRO = "macro"
    MACRO_PARAMETER = "parameter of a macro"


About = Variable | MtypeConstant | TypedefDeclaration | ProcessSymbol | LtlFormula | Inline | Macro


@dataclass(slots=True, eq=False)
class Entity:
    """Something with a name: where it is defined and where it is used, each place once.

    `owner` is the process, typedef, inline or macro that it is in. `guessed` are places in text
    that no run of the preprocessor or of an inline brings into the model. `made` are tokens that
    stand nowhere as they are: `##` put them together, or the command line defined them.
    """

    kind: EntityKind
    name: str
    about: About | None = None
    owner: str = ""
    definitions: list[Span] = field(default_factory=list)
    uses: list[Span] = field(default_factory=list)
    guessed: list[Span] = field(default_factory=list)
    made: list[Span] = field(default_factory=list)

    @property
    def places(self) -> list[Span]:
        """All the places, in the order of the text."""
        return sorted(
            (*self.definitions, *self.uses, *self.guessed),
            key=lambda span: (span.source.name, span.start),
        )


@dataclass(slots=True)
class NameIndex:
    """The entities of a model. `sequence` has one for each name of the syntax tree, in order."""

    sources: tuple[Source, ...]
    entities: list[Entity] = field(default_factory=list)
    sequence: list[Entity] = field(default_factory=list)
    tokens: dict[Source, list[Token]] = field(default_factory=dict)
    _at: dict[tuple[Source, int], list[Entity]] = field(default_factory=dict)
    _by_key: dict[object, Entity] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tokens = {source: lex(source) for source in self.sources}

    # --- making it -------------------------------------------------------------------------------

    def entity(
        self,
        key: object,
        kind: EntityKind,
        name: str,
        about: About | None = None,
        owner: str = "",
    ) -> Entity:
        """The entity of that key, which is made if there is none yet."""
        known = self._by_key.get(key)
        if known is None:
            known = self._by_key[key] = Entity(kind, name, about, owner)
            self.entities.append(known)
        elif known.about is None:
            known.about = about
        return known

    def find(self, key: object) -> Entity | None:
        return self._by_key.get(key)

    def note(self, entity: Entity, span: Span, *, defines: bool = False) -> None:
        """Takes note that the name of `entity` stands at the head of `span`."""
        place = written(span, entity.name)
        if place is None:
            entity.made.append(span)
            return
        here = self._at.setdefault((place.source, place.start), [])
        if entity not in here:
            here.append(entity)
            (entity.definitions if defines else entity.uses).append(place)

    def guess(self, entity: Entity, place: Span) -> None:
        """Takes note of a place that nothing brings into the model."""
        self._at[(place.source, place.start)] = [entity]
        entity.guessed.append(place)

    # --- asking it -------------------------------------------------------------------------------

    def known(self, place: Span) -> bool:
        return (place.source, place.start) in self._at

    def token_at(self, source: Source, offset: int) -> Token | None:
        """The token that a place lies in, or behind a name directly."""
        tokens = self.tokens.get(source, [])
        number = bisect_right(tokens, offset, key=lambda token: token.span.start) - 1
        if number < 0:
            return None
        token = tokens[number]
        if token.span.start <= offset < token.span.end:
            if token.kind != "name" and number and tokens[number - 1].span.end == offset:
                before = tokens[number - 1]
                return before if before.kind == "name" else token
            return token
        return token if token.kind == "name" and offset == token.span.end else None

    def at(self, source: Source, offset: int) -> list[Entity]:
        """What the name at a place means; more than one thing in an inline or a macro."""
        token = self.token_at(source, offset)
        return [] if token is None else self._at.get((source, token.span.start), [])

    def bound_together(self, entities: Iterable[Entity]) -> list[Entity]:
        """These, and those that have a place in common with one of them, and so on."""
        found: dict[Entity, None] = {}
        waiting = list(entities)
        while waiting:
            entity = waiting.pop()
            if entity not in found:
                found[entity] = None
                for span in entity.places:
                    waiting += self._at[(span.source, span.start)]
        return list(found)


def written(span: Span, name: str) -> Span | None:
    """Where the name at the head of `span` is written, without the way that led there."""
    origin = span.written or span
    place = Span(origin.source, origin.start, origin.start + len(name))
    return place if place.text == name and not origin.source.name.startswith("<") else None
