"""Describes what a name means: a line of Promela, and a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from whorl.diagnostics import Source, Span
from whorl.figures import counted
from whorl.language.types import Basic, MtypeConstant, TypeKind
from whorl.language_server.index import Entity, EntityKind, NameIndex
from whorl.language_server.reading import ModelReading
from whorl.language_server.words import OPERATORS, WORDS
from whorl.promela import ast, unparse
from whorl.promela.macros import Macro
from whorl.promela.symbols import ProcessSymbol, Struct, Type, Variable

MOST_SHOWN = 20  # lines of a definition
MOST_EXPANDED = 400  # characters of an expansion


@dataclass(frozen=True, slots=True)
class Description:
    """What is shown of the name at `span`, as Markdown."""

    span: Span
    text: str


def describe(
    reading: ModelReading, index: NameIndex, source: Source, offset: int
) -> Description | None:
    """What is known of the name at a place, if there is one."""
    token = index.token_at(source, offset)
    if token is None or token.kind != "name":
        return None
    entities = index.at(source, offset)
    if entities:
        parts = list(dict.fromkeys(of_entity(entity) for entity in entities))
        if entities[0].kind is EntityKind.MACRO:
            parts += _expansion(reading, token.span)
        return Description(token.span, "\n\n---\n\n".join(parts))
    if token.text in WORDS:
        return Description(token.span, f"`{token.text}`: {WORDS[token.text]}")
    if token.text in OPERATORS:
        return Description(token.span, OPERATORS[token.text])
    return None


def of_entity(entity: Entity) -> str:
    """An entity in Promela, and what else there is to say."""
    about = entity.about
    match about:
        case Variable():
            return _of_variable(entity, about)
        case MtypeConstant():
            of = f":{about.subtype}" if about.subtype else ""
            return _promela(f"mtype{of} {about.name}", f"mtype constant, the number {about.value}")
        case ast.TypedefDeclaration():
            return _promela(_definition(about.span))
        case ProcessSymbol():
            return _promela(signature(about))
        case ast.LtlFormula():
            return _promela(f"ltl {about.name} {{ {about.text} }}")
        case ast.Inline():
            names = ", ".join(parameter.text for parameter in about.parameters)
            return _promela(f"inline {about.name}({names})", _comment(about.span))
        case Macro():
            return _promela(about.as_c(), _comment(about.span))
    where = f" of `{_shown(entity.owner)}`" if entity.owner else ""
    kind = entity.kind.value.removesuffix(" of an inline").removesuffix(" of a macro")
    return f"`{entity.name}`: {kind}{where}"


def signature(symbol: ProcessSymbol) -> str:
    """The head of a process type, or of a claim."""
    node = symbol.node
    if isinstance(node, ast.NeverOrTrace):
        return f"{node.keyword} {symbol.name}"
    if symbol.name == ":init:":
        return "init"
    parameters = "; ".join(
        f"{_type_name(d.type)} {', '.join(name.name for name in d.names)}" for d in node.parameters
    )
    active = ""
    if node.active is not None:
        count = unparse.expression(node.active)
        active = "active " if count == "1" else f"active [{count}] "
    return f"{active}proctype {symbol.name}({parameters})"


def type_text(kind: Type, length: int | None) -> str:
    """A type as declarations have it."""
    text = kind.name
    if isinstance(kind, Basic) and kind.subtype:
        text = f"{text}:{kind.subtype}"
    return text if length is None else f"{text}[{length}]"


def values(kind: Type) -> str:
    """Which values a type has."""
    if isinstance(kind, Struct):
        return f"{counted(kind.size, 'value')}"
    if kind.kind is TypeKind.CHAN:
        return "a channel"
    width = 1 if kind.kind is TypeKind.BIT and kind.width == 1 else kind.width
    if kind.signed:
        return f"{-(1 << (width - 1))} .. {(1 << (width - 1)) - 1}"
    return f"0 .. {(1 << width) - 1}"


def _of_variable(entity: Entity, variable: Variable) -> str:
    length = "" if variable.length is None else f"[{variable.length}]"
    name = _type_as_written(variable)
    initial = variable.declarator.initial if variable.declarator is not None else None
    declared = f"{name} {variable.name}{length}"
    if isinstance(variable.type, Basic) and variable.type.kind is TypeKind.UNSIGNED:
        declared += f" : {variable.type.width}"
    said = [_place_of(entity, variable)]
    if isinstance(initial, ast.ChannelInit):
        types = ", ".join(_type_name(part) for part in initial.fields)
        declared += f" = [{unparse.expression(initial.capacity)}] of {{ {types} }}"
        capacity = unparse.expression(initial.capacity)
        said.append("a rendezvous channel" if capacity == "0" else f"holds {capacity} messages")
        said.append(f"a message has {counted(len(initial.fields), 'field')}")
    else:
        if isinstance(initial, list):
            declared += f" = {{ {', '.join(map(unparse.expression, initial))} }}"
        elif initial is not None:
            declared += f" = {unparse.expression(initial)}"
        said.append(values(variable.type))
    if variable.length is not None:
        said.append(f"{counted(variable.length, 'element')}, numbered from 0")
    return _promela(f"{'hidden ' if variable.hidden else ''}{declared}", ", ".join(said))


def _type_as_written(variable: Variable) -> str:
    """The type of a variable, by the name in its declaration: bool is bit, and pid is byte."""
    name = type_text(variable.type, None)
    synonyms = {"bit": "bool", "byte": "pid"}
    if name not in synonyms or variable.span.written is not None:
        return name
    before = variable.span.source.text[: variable.span.start]
    found = re.findall(rf"\b(?:{name}|{synonyms[name]})\b", before)
    return found[-1] if found else name


def _place_of(entity: Entity, variable: Variable) -> str:
    if entity.kind is EntityKind.FIELD:
        return f"field of `{entity.owner}`"
    if variable.owner is None:
        return "global"
    kind = "parameter" if variable.parameter else "local"
    return f"{kind} of `{_shown(variable.owner.name)}`"


def _type_name(node: ast.FieldType) -> str:
    return node.name if node.subtype is None else f"{node.name}:{node.subtype}"


def _shown(process: str) -> str:
    return "init" if process == ":init:" else process


def _promela(code: str, said: str = "") -> str:
    block = f"```promela\n{code}\n```"
    return f"{block}\n{said}" if said else block


def _definition(span: Span) -> str:
    lines = span.text.splitlines()
    return "\n".join([*lines[:MOST_SHOWN], *(["..."] if len(lines) > MOST_SHOWN else [])])


def _comment(span: Span) -> str:
    """The comment on the line before a definition, if it is one line."""
    line = span.source.line_at(span.line - 1).strip()
    if line.startswith("/*") and line.endswith("*/"):
        return line[2:-2].strip()
    return line[2:].strip() if line.startswith("//") else ""


def _expansion(reading: ModelReading, use: Span) -> list[str]:
    """What the macro used at a place stands for there, where that is more than its body."""
    if reading.text is None:
        return []
    tokens = [
        token
        for token in reading.text.tokens
        if token.span == use and token.span.written is not None
    ]
    text = "".join(f" {t.text}" if t.spaced else t.text for t in tokens).strip()
    if not text:
        return []
    shown = text if len(text) <= MOST_EXPANDED else f"{text[:MOST_EXPANDED]} ..."
    return [f"Here it stands for `{shown}`."]
