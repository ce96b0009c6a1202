"""Parses a model: its units, in order, with all the errors that can be found in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NoReturn

from whorl.diagnostics import MANY, Reporter, Span, nearest
from whorl.promela import hints
from whorl.promela.ast import (
    Declaration,
    EmbeddedState,
    Expression,
    LtlFormula,
    NeverOrTrace,
    Number,
    Proctype,
    Sequence,
    SyntaxTree,
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
from whorl.promela.ltl import LtlParser
from whorl.promela.statements import embedded_code, sequence
from whorl.promela.stream import (
    KEYWORDS,
    TYPES,
    UNIT_WORDS,
    Names,
    Stream,
    TooDeep,
    Unparsable,
)

_UNITS = (
    *UNIT_WORDS,
    *VISIBILITIES,
    *sorted(TYPES),
    "c_code",
    "c_decl",
    "c_state",
    "c_track",
)


def parse(tokens: list[Token], reporter: Reporter) -> SyntaxTree:
    """The syntax tree of the preprocessed `tokens`; errors go to `reporter`."""
    typedefs = _named_after(tokens, "typedef")
    names = Names(
        _named_after(tokens, "proctype", "D_proctype"),
        typedefs,
        frozenset(_named_after(tokens, "inline")),
        frozenset(_declared(tokens, TYPES | typedefs)),
    )
    stream = Stream(tokens, names, reporter)
    model = SyntaxTree(tokens[0].span.until(tokens[-1].span))
    try:
        while stream.token.kind != "eof" and len(reporter.errors) < MANY:
            if not stream.accept(";", "->"):
                _unit_or_error(stream, model)
    except TooDeep:
        stream.names.skipped |= {token.text for token in tokens if token.kind == "name"}
    except RecursionError:
        reporter.error(stream.token.span, "the text around here is nested too deeply")
        stream.names.skipped |= {token.text for token in tokens if token.kind == "name"}
    model.doubtful = frozenset(names.skipped)
    model.inlines = list(names.inlines.values())
    return model


def _unit_or_error(stream: Stream, model: SyntaxTree) -> None:
    before = stream.position
    try:
        parsed = unit(stream)
        if parsed is not None:
            model.units.append(parsed)
    except Unparsable:
        stream.parentheses = stream.depth = 0
        stream.open.clear()
        stream.position = max(stream.position, before + 1)
        _skip_to_unit(stream)
        stream.passed_over(before)


def _named_after(tokens: list[Token], *keywords: str) -> set[str]:
    """The names declared after a keyword: they decide how even the text before them is parsed."""
    return {
        second.text
        for first, second in pairwise(tokens)
        if first.kind == "name" and first.text in keywords and second.kind == "name"
    }


def _declared(tokens: list[Token], types: frozenset[str] | set[str]) -> Iterator[str]:
    """Names that look declared: what follows a type, a comma, a brace or a colon."""
    for position, (first, second) in enumerate(pairwise(tokens)):
        follows = first.text in types or first.text in (",", "{", ":", "proctype", "D_proctype")
        if second.kind == "name" and follows and second.text not in KEYWORDS:
            if first.text == "{" and second.span.line != first.span.line:
                continue
            if first.text == "{" and any(t.text == "ltl" for t in tokens[position - 2 : position]):
                continue
            yield second.text


def _skip_to_unit(stream: Stream) -> None:
    """Skips to what begins a unit at the start of a line."""
    while not stream.at_unit():
        at_margin = stream.token.first_on_line and stream.token.span.column == 1
        if at_margin and (stream.at(*_UNITS) or stream.at_type()):
            return
        if at_margin and stream.token.kind == "name" and stream.previous.text in (";", "}"):
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
        stream.fail(
            f"'{stream.token.text}' belongs in the proctype that alone uses the channel",
            span=stream.token.span,
        )
    if stream.at_type() or stream.at(*VISIBILITIES):
        return global_declaration(stream)
    no_unit(stream)
    return unit(stream)


def global_declaration(stream: Stream) -> Unit:
    node = declaration(stream)
    if stream.at("(") and not stream.token.first_on_line:
        name = node.names[-1]
        stream.reporter.error(
            node.span, "Promela has no functions", hints.FUNCTION.format(name.name)
        )
        before = stream.position - 1
        stream.skip_balanced()
        if stream.at("{"):
            stream.skip_balanced()
        stream.passed_over(before)
        stream.names.declared -= {name.name}
    elif not (stream.at(";", "->") or stream.at_end_of_line()):
        if stream.at("}"):
            return node
        if stream.token.kind == "name":
            stream.report_missing("';' expected after this declaration")
        else:
            stream.fail("';' expected after this declaration")
    return node


def no_unit(stream: Stream) -> None:
    """Complains of what begins no unit; goes on as if a misspelt keyword were spelt right."""
    token, following = stream.token, stream.ahead(1)
    if stream.at("}"):
        stream.fail("this '}' closes nothing", span=token.span)
    if token.kind == "name" and following.kind == "name" and not following.first_on_line:
        foreign = hints.declaration(token.text)
        if token.text == "void" or (foreign is not None and stream.ahead(2).text == "("):
            stream.fail(
                "Promela has no functions", hints.FUNCTION.format(following.text), token.span
            )
        if foreign is not None:
            foreign_declaration(stream, foreign)
            return
        if token.text in KEYWORDS:
            outside(stream)
        known = {*_UNITS, *stream.names.typedefs}
        meant = nearest(token.text, known)
        stream.unknown(token, known, "type or keyword")
        if meant is None:
            raise Unparsable
        stream.replace_word(meant)
        if meant in ("proctype", "D_proctype"):
            stream.names.proctypes.add(following.text)
        elif meant == "typedef":
            stream.names.typedefs.add(following.text)
        return
    if token.kind == "name" and following.text == "{":
        foreign = hints.declaration(token.text)
        if foreign is not None:
            stream.fail(f"Promela has no '{token.text}'", foreign, token.span)
        meant = nearest(token.text, ["init", "never", "ltl", "trace", "notrace"])
        if meant is not None:
            stream.unknown(token, [meant], "keyword")
            stream.replace_word(meant)
            return
    outside(stream)


def foreign_declaration(stream: Stream, hint: str) -> None:
    """Complains of a declaration as in another language; goes on with what Promela has for it."""
    token = stream.token
    stream.reporter.error(token.span, f"Promela has no '{token.text}'", hint)
    if token.text in hints.TYPES:
        stream.replace_word("int")
    elif token.text in ("const", "static", "volatile", "extern"):
        stream.advance()
    elif token.text in ("struct", "class", "union"):
        if stream.ahead(2).text == "{":
            stream.names.typedefs.add(stream.ahead(1).text)
            stream.replace_word("typedef")
        else:
            stream.advance()
    else:
        raise Unparsable


def outside(stream: Stream) -> NoReturn:
    """Complains of text outside every process; an early '}' before it may be the reason."""
    hint = None
    if stream.previous.text == "}" and stream.position > 0:
        hint = f"the '}}' in line {stream.previous.span.line} ended what came before"
    elif stream.token.kind == "name":
        hint = "statements belong in 'init { ... }' or in a proctype"
    stream.fail("a declaration or a proctype expected", hint)


def proctype(stream: Stream) -> Proctype:
    start = stream.token
    active: Expression | None = None
    if stream.accept("active"):
        active = Number(start.span, 1)
        if stream.accept("["):
            active = expression(stream)
            stream.expect("]", "after the number of active processes")
    if not stream.at("proctype", "D_proctype"):
        if stream.at_name() and nearest(stream.token.text, ["proctype"]):
            stream.unknown(stream.token, ["proctype"], "keyword")
            stream.replace_word("proctype")
        else:
            stream.missing("'proctype' expected after 'active'", "active proctype name() { ... }")
    deterministic = stream.advance().text == "D_proctype"
    name = stream.name("the name of a proctype")
    parameters = _parameters(stream, name.text)
    priority = optional_priority(stream)
    provided = None
    if stream.accept("provided"):
        provided = in_parentheses(stream, expression, "provided")
    if priority is None:
        priority = optional_priority(stream)
    body = _body(stream, name.text)
    span = start.span.until(name.span)
    return Proctype(
        span,
        name.text,
        name.span,
        active,
        parameters,
        priority,
        provided,
        body,
        deterministic,
    )


def _parameters(stream: Stream, name: str) -> list[Declaration]:
    if not stream.at("("):
        stream.report_missing(
            "'(' expected after the name of a proctype", f"proctype {name}() {{ ... }}"
        )
        if not stream.at_type():
            return []
    stream.accept("(")
    parameters: list[Declaration] = []
    while not stream.at(")", "{"):
        if not (stream.at_type() or stream.at(*VISIBILITIES)) and stream.at_name():
            _untyped_parameter(stream, parameters)
            if stream.at(")"):
                break
        parameters.append(declaration(stream))
        if not stream.accept(";", ","):
            break
    if stream.at("{"):
        stream.report_missing("')' expected after the parameters of a proctype")
    else:
        stream.expect(")", "after the parameters of a proctype")
    return parameters


def _untyped_parameter(stream: Stream, parameters: list[Declaration]) -> None:
    """Complains of a parameter without a type, or with an unknown one, which is then passed."""
    token = stream.token
    if stream.ahead(1).kind == "name":
        foreign = hints.declaration(token.text)
        if foreign is not None:
            stream.reporter.error(token.span, f"Promela has no '{token.text}'", foreign)
        else:
            stream.unknown(token, [*TYPES, *stream.names.typedefs], "type")
        stream.replace_word("int")
        return
    stream.reporter.error(
        token.span, f"the parameter '{token.text}' has no type", f"write 'byte {token.text}', say"
    )
    stream.passed_over(stream.position)
    stream.advance()
    if not stream.accept(";", ","):
        stream.skip_to(")")


def init(stream: Stream) -> Proctype:
    start = stream.advance()
    priority = optional_priority(stream)
    if stream.at("("):
        stream.reporter.error(stream.token.span, "'init' has no parameters", "write 'init { ... }'")
        stream.skip_balanced()
    one = Number(start.span, 1)
    body = _body(stream, "init")
    return Proctype(start.span, ":init:", start.span, one, [], priority, None, body)


def claim(stream: Stream) -> NeverOrTrace:
    keyword = stream.advance()
    name = stream.advance() if stream.at_name() else keyword
    body = _body(stream, keyword.text)
    return NeverOrTrace(keyword.span, keyword.text, name.text, name.span, body)


def _body(stream: Stream, name: str) -> Sequence:
    start = stream.position
    opening = stream.token
    if stream.at(";"):
        stream.missing(
            f"the body of '{name}' expected", "a proctype needs no declaration before its use"
        )
    if stream.accept("{") is None:
        stream.report_missing(f"'{{' expected before the body of '{name}'")
    body = sequence(stream, opening, may_be_empty=True)
    why = f"to close the body of '{name}' (line {opening.span.line})"
    closing = stream.end_of(start, "}", why)
    body.span = closing.span
    return body


def ltl(stream: Stream) -> LtlFormula:
    keyword = stream.advance()
    name = stream.advance() if stream.at_name() else None
    if not stream.at("{"):
        stream.missing("'{' expected before the formula")
    tokens = stream.balanced("{", "}", "to close this formula")[1:-1]
    if not tokens:
        stream.fail("a formula is expected here", span=keyword.span)
    source = tokens[0].span.source
    first, last = tokens[0].span, tokens[-1].span
    text = source.text[first.start : last.end]
    end = Span(last.source, last.end, last.end, last.via)
    tokens.append(Token("eof", "", end))
    parser = LtlParser(Stream(tokens, stream.names, stream.reporter))
    formula = parser.parse()
    numbers = {proposition: n for n, proposition in enumerate(formula.propositions)}
    return LtlFormula(
        keyword.span,
        "" if name is None else name.text,
        (name or keyword).span,
        formula,
        [parser.atoms[proposition] for proposition in numbers],
        [(numbers[text], node) for text, node in parser.repeated if text in numbers],
        " ".join(text.split()),
    )


def embedded_state(stream: Stream) -> EmbeddedState:
    keyword = stream.advance()
    strings = []
    while stream.token.kind == "string":
        strings.append(stream.advance().text[1:-1])
    if not 2 <= len(strings) <= 3:
        stream.fail(f"'{keyword.text}' takes two or three strings", span=keyword.span)
    return EmbeddedState(keyword.span.until(stream.previous.span), keyword.text, strings)
