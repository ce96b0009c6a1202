"""Parses a model: its units, in order, with all the errors that can be found in one pass."""

from __future__ import annotations

from itertools import pairwise

from whorl.diagnostics import Reporter, Span
from whorl.promela.ast import (
    Claim,
    EmbeddedState,
    Expression,
    LtlFormula,
    Model,
    Number,
    Proctype,
    Sequence,
    Unit,
)
from whorl.promela.declarations import (
    VISIBILITIES,
    at_mtype_declaration,
    declaration,
    mtype_declaration,
    typedef,
)
from whorl.promela.expressions import expression, in_parentheses, optional_priority
from whorl.promela.lexer import Token
from whorl.promela.statements import embedded_code, exclusive_use, sequence
from whorl.promela.stream import MANY, Names, Stream, Unparsable

UNITS = [
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "trace",
    "notrace",
    "ltl",
    "inline",
    "typedef",
    "mtype",
    "hidden",
    "show",
    "local",
    "bit",
    "bool",
    "byte",
    "pid",
    "short",
    "int",
    "unsigned",
    "chan",
    "c_code",
    "c_decl",
    "c_state",
    "c_track",
]


def parse(tokens: list[Token], reporter: Reporter) -> Model:
    """The syntax tree of the preprocessed `tokens`; errors go to `reporter`."""
    names = Names(_named_after(tokens, "proctype", "D_proctype"), _named_after(tokens, "typedef"))
    stream = Stream(tokens, names, reporter)
    model = Model(tokens[0].span.until(tokens[-1].span))
    while stream.token.kind != "eof" and len(reporter.errors) < MANY:
        if stream.accept(";", "->"):
            continue
        before = stream.position
        try:
            found = unit(stream)
            if found is not None:
                model.units.append(found)
        except Unparsable:
            stream.parentheses = 0
            stream.position = max(stream.position, before + 1)
            _skip_to_unit(stream)
    return model


def _named_after(tokens: list[Token], *keywords: str) -> frozenset[str]:
    """The names declared after a keyword: they decide how even the text before them is parsed."""
    return frozenset(
        second.text
        for first, second in pairwise(tokens)
        if first.kind == "name" and first.text in keywords and second.kind == "name"
    )


def _skip_to_unit(stream: Stream) -> None:
    """Skips to what begins a unit at the start of a line."""
    while stream.token.kind != "eof":
        if stream.token.first_on_line and stream.token.span.column == 1 and stream.at(*UNITS):
            return
        if stream.at("active", "proctype", "D_proctype", "init", "never", "typedef", "inline"):
            return
        stream.advance()


def unit(stream: Stream) -> Unit | None:
    if stream.at("inline"):
        stream.define_inline()
        return None
    if stream.at("active", "proctype", "D_proctype"):
        return proctype(stream)
    if stream.at("init"):
        return init(stream)
    if stream.at("never", "trace", "notrace"):
        return claim(stream)
    if stream.at("ltl"):
        return ltl(stream)
    if stream.at("typedef"):
        return typedef(stream)
    if at_mtype_declaration(stream):
        return mtype_declaration(stream)
    if stream.at("c_code", "c_decl"):
        return embedded_code(stream)
    if stream.at("c_state", "c_track"):
        return embedded_state(stream)
    if stream.at("xr", "xs"):
        return exclusive_use(stream)
    if stream.at_type() or stream.at(*VISIBILITIES):
        found = declaration(stream)
        if not (stream.at(";", "->") or stream.token.first_on_line or stream.token.kind == "eof"):
            stream.missing("';' expected after this declaration")
        return found
    token = stream.token
    if token.kind == "name" and stream.ahead(1).kind == "name":
        stream.unknown(token, set(UNITS) | stream.names.typedefs, "type or keyword")
        raise Unparsable
    if stream.at("}"):
        stream.fail("this '}' closes nothing", span=token.span)
    stream.fail("a declaration or a proctype expected")


def proctype(stream: Stream) -> Proctype:
    start = stream.token
    active: Expression | None = None
    if stream.accept("active"):
        active = Number(start.span, 1)
        if stream.accept("["):
            active = expression(stream)
            stream.expect("]", "after the number of active processes")
    if not stream.at("proctype", "D_proctype"):
        stream.missing("'proctype' expected after 'active'")
    deterministic = stream.advance().text == "D_proctype"
    name = stream.name("the name of a proctype")
    stream.expect("(", "after the name of a proctype", f"proctype {name.text}() {{ ... }}")
    parameters = []
    while not stream.at(")"):
        parameters.append(declaration(stream))
        if not stream.accept(";", ","):
            break
    stream.expect(")", "after the parameters of a proctype")
    priority = optional_priority(stream)
    provided = None
    if stream.accept("provided"):
        provided = in_parentheses(stream, expression, "provided")
    if priority is None:
        priority = optional_priority(stream)
    body = _body(stream, name.text)
    span = start.span.until(name.span)
    return Proctype(span, name.text, active, parameters, priority, provided, body, deterministic)


def init(stream: Stream) -> Proctype:
    start = stream.advance()
    priority = optional_priority(stream)
    one = Number(start.span, 1)
    return Proctype(start.span, ":init:", one, [], priority, None, _body(stream, "init"))


def claim(stream: Stream) -> Claim:
    keyword = stream.advance()
    name = stream.advance().text if stream.at_name() else keyword.text
    return Claim(keyword.span, keyword.text, name, _body(stream, keyword.text))


def _body(stream: Stream, name: str) -> Sequence:
    opening = stream.expect("{", f"before the body of '{name}'")
    body = sequence(stream, opening, may_be_empty=True)
    if stream.at("::", "fi", "od"):
        stream.fail(
            f"this '{stream.token.text}' belongs to no 'if' or 'do'", span=stream.token.span
        )
    if not stream.at("}"):
        stream.missing(f"'}}' expected to close the body of '{name}' (line {opening.span.line})")
    closing = stream.advance()
    body.span = closing.span
    return body


def ltl(stream: Stream) -> LtlFormula:
    keyword = stream.advance()
    name = stream.advance().text if stream.at_name() else ""
    if not stream.at("{"):
        stream.missing("'{' expected before the formula")
    tokens = stream.balanced("{", "}")[1:-1]
    if not tokens:
        stream.fail("an ltl block needs a formula", span=keyword.span)
    source = tokens[0].span.source
    first, last = tokens[0].span, tokens[-1].span
    text = source.text[first.start : last.end]
    end = Span(last.source, last.end, last.end, last.via)
    tokens.append(Token("eof", "", end))
    return LtlFormula(keyword.span, name, tokens, " ".join(text.split()))


def embedded_state(stream: Stream) -> EmbeddedState:
    keyword = stream.advance()
    strings = []
    while stream.token.kind == "string":
        strings.append(stream.advance().text[1:-1])
    if not 2 <= len(strings) <= 3:
        stream.fail(f"'{keyword.text}' takes two or three strings", span=keyword.span)
    return EmbeddedState(keyword.span.until(stream.previous.span), keyword.text, strings)
