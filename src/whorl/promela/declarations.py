"""Parses declarations of variables, channels, mtypes and typedefs."""

from __future__ import annotations

from whorl.diagnostics import suggest
from whorl.promela import hints
from whorl.promela.ast import (
    ChannelInit,
    Declaration,
    Declarator,
    Expression,
    FieldType,
    MtypeDeclaration,
    Number,
    Reference,
    TypedefDeclaration,
)
from whorl.promela.expressions import expression
from whorl.promela.stream import TYPES, Stream

CHANNEL = "a channel is made by '[4] of { byte, mtype }'"
VISIBILITIES = ("hidden", "show", "local")


def at_declaration(stream: Stream) -> bool:
    return stream.at_type() or stream.at(*VISIBILITIES)


def declaration(stream: Stream) -> Declaration:
    """``byte a = 1, b[3]``, without what separates it from the next."""
    start = stream.token.span
    visibility = stream.advance().text if stream.at(*VISIBILITIES) else None
    if not stream.at_type():
        stream.fail("a type expected", suggest(stream.token.text, known_types(stream)))
    kind = type_name(stream)
    names = [declarator(stream)]
    while stream.accept(","):
        names.append(declarator(stream))
    return Declaration(start.until(stream.previous.span), kind, visibility, names)


def type_name(stream: Stream) -> FieldType:
    name = stream.advance()
    if name.text == "mtype" and stream.accept(":"):
        subtype = stream.name("the name of an mtype set")
        return FieldType(name.span.until(subtype.span), name.text, subtype.text, subtype.span)
    return FieldType(name.span, name.text)


def declarator(stream: Stream) -> Declarator:
    name = stream.name("the name of a variable")
    length = width = None
    initial: Expression | ChannelInit | list[Number] | None = None
    if stream.at("["):
        bracket = stream.position
        stream.advance()
        stream.parentheses += 1
        length = expression(stream)
        stream.parentheses -= 1
        stream.close("]", "after the length of an array")
        if stream.at("["):
            stream.fail("an array has one dimension", hints.DIMENSIONS, stream.token.span)
        if stream.at("of"):
            stream.report_missing("'=' expected", CHANNEL, bracket)
            stream.position, length = bracket, None
            initial = channel_init(stream)
    elif stream.accept(":"):
        if stream.token.kind != "number":
            stream.fail("a width in bits expected after ':'")
        width = stream.advance().value
    if stream.accept("="):
        initial = initialiser(stream)
    span = name.span.until(stream.previous.span)
    return Declarator(span, name.text, length, width, initial)


def initialiser(stream: Stream) -> Expression | ChannelInit | list[Number]:
    if stream.at("["):
        return channel_init(stream)
    if stream.accept("{"):
        values: list[Number] = []
        while True:
            value = expression(stream)
            if isinstance(value, Reference) and value.span.text.isidentifier():
                # An mtype constant: the resolver gives it its value.
                value = Number(value.span, 0, value.parts[0].name)
            if not isinstance(value, Number):
                stream.fail("an array's initial values must be constants", span=value.span)
            values.append(value)
            if not stream.accept(","):
                break
        stream.expect("}", "after the initial values of an array")
        return values
    return expression(stream)


def channel_init(stream: Stream) -> ChannelInit:
    opening = stream.advance()
    stream.parentheses += 1
    capacity = expression(stream)
    stream.parentheses -= 1
    stream.expect("]", "after the capacity of a channel")
    stream.expect("of", "in the declaration of a channel", CHANNEL)
    stream.expect("{", "before the types of a channel's messages", CHANNEL)
    fields = [message_field(stream)]
    while stream.accept(","):
        fields.append(message_field(stream))
    closing = stream.expect("}", "after the types of a channel's messages")
    return ChannelInit(opening.span.until(closing.span), capacity, fields)


def message_field(stream: Stream) -> FieldType:
    if not stream.at_type():
        token = stream.token
        hint = hints.declaration(token.text) or suggest(token.text, known_types(stream))
        if stream.at_name():
            stream.fail(f"unknown type '{token.text}'", hint, token.span)
        stream.fail("the type of a message field expected", hint)
    if stream.at("unsigned"):
        stream.fail(
            "an 'unsigned' cannot be a message field", "use byte, short or int", stream.token.span
        )
    return type_name(stream)


def mtype_declaration(stream: Stream) -> MtypeDeclaration:
    """``mtype = { a, b }`` or ``mtype : colour = { red, green }``"""
    start = stream.advance()
    subtype = subtype_span = None
    if stream.accept(":"):
        subtype, subtype_span = stream.token.text, stream.token.span
        stream.name("the name of an mtype set")
    stream.accept("=")
    stream.expect("{", "before the names of an mtype")
    names = []
    while not stream.at("}"):
        token = stream.name("the name of an mtype constant")
        names.append((token.text, token.span))
        stream.accept(",")  # commas are optional
    if not names:
        stream.missing("the name of an mtype constant expected")
    closing = stream.expect("}", "after the names of an mtype")
    return MtypeDeclaration(start.span.until(closing.span), subtype, subtype_span, names)


def at_mtype_declaration(stream: Stream) -> bool:
    if not stream.at("mtype"):
        return False
    distance = 3 if stream.ahead(1).text == ":" else 1
    return stream.ahead(distance).text in ("=", "{")


def typedef(stream: Stream) -> TypedefDeclaration:
    start = stream.advance()
    name = stream.name("the name of a type")
    stream.expect("{", "after the name of a type")
    fields = []
    while not stream.at("}"):
        if not at_declaration(stream):
            no_field(stream)
        fields.append(declaration(stream))
        while stream.accept(";"):
            pass
    closing = stream.expect("}", "after the fields of a type")
    return TypedefDeclaration(start.span.until(closing.span), name.text, name.span, fields)


def no_field(stream: Stream) -> None:
    """Complains of what declares no field; goes on as if a misspelt type were spelt right."""
    token = stream.token
    types = known_types(stream)
    if not (stream.at_name() and stream.ahead(1).kind == "name"):
        stream.fail("the declaration of a field expected", f"types are {', '.join(types)}")
    hint = hints.declaration(token.text) or suggest(token.text, types)
    stream.reporter.error(token.span, f"unknown type '{token.text}'", hint)
    stream.replace_word("int")


def known_types(stream: Stream) -> list[str]:
    return sorted(TYPES | stream.names.typedefs)
