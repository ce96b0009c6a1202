"""Parses statements and sequences of them."""

from __future__ import annotations

import copy

from whorl.promela.ast import (
    Assert,
    Assign,
    Binary,
    Block,
    Break,
    Choice,
    Condition,
    Else,
    EmbeddedCode,
    ExclusiveUse,
    ForIn,
    ForRange,
    Goto,
    Labelled,
    Number,
    Print,
    Receive,
    Reference,
    Select,
    Send,
    Sequence,
    SetPriority,
    Statement,
    Step,
    Unless,
)
from whorl.promela.declarations import at_declaration, declaration
from whorl.promela.expressions import (
    expression,
    expressions,
    in_parentheses,
    patterns,
    reference,
)
from whorl.promela.lexer import Token
from whorl.promela.stream import MANY, Stream, Unparsable

SEPARATORS = (";", "->")
ENDS = ("}", "::", "fi", "od")


def block(stream: Stream, keyword: str = "") -> Block:
    """``{ ... }``; the keyword before it has been read."""
    opening = stream.expect("{", f"after '{keyword}'" if keyword else "here")
    held, stream.parentheses = stream.parentheses, 0
    body = sequence(stream, opening)
    if not stream.at("}"):
        stream.missing(f"'}}' expected to close the '{{' of line {opening.span.line}")
    closing = stream.advance()
    stream.parentheses = held
    body.span = opening.span.until(closing.span)
    return Block(opening.span.until(closing.span), keyword, body)


def sequence(stream: Stream, opening: Token, may_be_empty: bool = False) -> Sequence:
    """Steps up to what ends them, each error in them reported and passed over."""
    steps: list[Step] = []
    erroneous = False
    while stream.accept(*SEPARATORS):
        pass
    while not stream.at(*ENDS) and stream.token.kind != "eof":
        before = stream.position
        try:
            steps.append(step(stream))
            separate(stream)
        except Unparsable:
            erroneous = True
            if len(stream.reporter.errors) >= MANY:
                raise
            stream.parentheses = 0
            if stream.position == before:
                stream.advance()
            stream.skip_to(*SEPARATORS, "::", "fi", "od")
            while stream.accept(*SEPARATORS):
                pass
    if not steps and not may_be_empty and not erroneous:
        stream.missing("a statement expected", "an empty sequence is written 'skip'")
    return Sequence(opening.span, steps)


def separate(stream: Stream) -> None:
    """Passes what separates two statements.

    As in Spin 6, the end of a line, an `else` and a closing brace separate as well as `;` and `->`.
    """
    if stream.accept(*SEPARATORS):
        while stream.accept(*SEPARATORS):
            pass
        return
    if stream.at(*ENDS) or stream.token.kind == "eof":
        return
    if stream.token.first_on_line or stream.previous.text in ("}", "else"):
        return
    if stream.at("else", "unless") or stream.token.kind in ("name", "number") or stream.at("("):
        stream.missing("';' expected")
    stream.fail("a statement ends here")


def step(stream: Stream) -> Step:
    if at_declaration(stream):
        return declaration(stream)
    if stream.at("xr", "xs"):
        return exclusive_use(stream)
    first = statement(stream)
    if stream.accept("unless"):
        escape = statement(stream)
        return Unless(first.span, first, escape)
    return first


def exclusive_use(stream: Stream) -> ExclusiveUse:
    keyword = stream.advance()
    channels = [reference(stream)]
    while stream.accept(","):
        channels.append(reference(stream))
    return ExclusiveUse(keyword.span.until(stream.previous.span), keyword.text, channels)


def statement(stream: Stream) -> Statement:
    token = stream.token
    if token.kind == "name":
        parse = _KEYWORDS.get(token.text)
        if parse is not None:
            return parse(stream)
        if stream.ahead(1).text == ":" and stream.at_name():
            if token.text not in stream.names.proctypes:
                return labelled(stream)
        if token.text in stream.names.inlines and stream.ahead(1).text == "(":
            return inline_call(stream, None)
    if stream.at("{"):
        return block(stream)
    return expression_or_action(stream)


def labelled(stream: Stream) -> Labelled:
    label = stream.advance()
    stream.advance()
    if at_declaration(stream) or stream.at("xr", "xs"):
        stream.fail(
            f"the label '{label.text}' stands before a declaration",
            "put the declaration first",
            label.span,
        )
    if stream.at(*ENDS, *SEPARATORS) or stream.token.kind == "eof":
        return Labelled(label.span, label.text, Condition(label.span, Number(label.span, 1)))
    return Labelled(label.span, label.text, statement(stream))


def inline_call(stream: Stream, target: Reference | None) -> Block:
    inner, call = stream.expand_inline()
    inner.result = target
    result = block(inner)
    result.inline = call.text
    return result


def expression_or_action(stream: Stream) -> Statement:
    """An assignment, a send, a receive, or an expression as a condition."""
    start = stream.token
    first = expression(stream)
    if isinstance(first, Reference):
        if stream.accept("="):
            if stream.token.text in stream.names.inlines and stream.ahead(1).text == "(":
                return inline_call(stream, first)
            value = expression(stream)
            return Assign(start.span.until(value.span), first, value)
        if stream.at("++", "--"):
            operator = stream.advance()
            span = start.span.until(operator.span)
            value = Binary(span, operator.text[0], copy.deepcopy(first), Number(span, 1))
            return Assign(span, first, value, operator.text)
        if not (stream.token.first_on_line and stream.parentheses == 0):
            if stream.at("!", "!!"):
                return send(stream, first)
            if stream.at("?", "??"):
                return receive(stream, first)
        if stream.at("(") and not stream.token.first_on_line and len(first.parts) == 1:
            known = set(stream.names.inlines) | {"printf", "printm", "assert", "run", "select"}
            stream.unknown(start, known, "inline")
            raise Unparsable
    if stream.at("="):
        stream.fail("only a variable can be assigned to", "equality is '=='", first.span)
    return Condition(first.span, first)


def send(stream: Stream, channel: Reference) -> Send:
    is_sorted = stream.advance().text == "!!"
    arguments = [expression(stream)]
    if stream.at("(") and not stream.token.first_on_line:
        stream.advance()
        stream.parentheses += 1
        arguments += expressions(stream)
        stream.parentheses -= 1
        stream.expect(")", "after the arguments of this message")
    elif stream.accept(","):
        arguments += expressions(stream)
    return Send(channel.span.until(stream.previous.span), channel, arguments, is_sorted)


def receive(stream: Stream, channel: Reference) -> Receive:
    random = stream.advance().text == "??"
    is_copy = stream.accept("<") is not None
    arguments = patterns(stream)
    if is_copy:
        stream.expect(">", "after the arguments of this receive")
    return Receive(channel.span.until(stream.previous.span), channel, arguments, random, is_copy)


def choice(stream: Stream) -> Choice:
    keyword = stream.advance()
    closing = "fi" if keyword.text == "if" else "od"
    held, stream.parentheses = stream.parentheses, 0
    options: list[Sequence] = []
    if not stream.at("::"):
        stream.missing(f"'::' expected after '{keyword.text}'")
    while stream.at("::"):
        separator = stream.advance()
        options.append(sequence(stream, separator))
    if not stream.at(closing):
        stream.missing(
            f"'{closing}' expected to close the '{keyword.text}' of line {keyword.span.line}"
        )
    end = stream.advance()
    stream.parentheses = held
    return Choice(keyword.span.until(end.span), keyword.text == "do", options)


def for_loop(stream: Stream) -> ForRange | ForIn:
    keyword = stream.advance()
    stream.expect("(", "after 'for'")
    stream.parentheses += 1
    variable = reference(stream)
    container = first = last = None
    if stream.accept(":"):
        first = expression(stream)
        stream.expect("..", "between the bounds of a 'for'", "for (i : 0 .. 9) { ... }")
        last = expression(stream)
    elif stream.accept("in"):
        container = reference(stream)
    else:
        stream.fail("':' or 'in' expected", "for (i : 0 .. 9) { ... } or for (x in a) { ... }")
    stream.parentheses -= 1
    closing = stream.expect(")", "to close 'for ('")
    span = keyword.span.until(closing.span)
    stream.accept(";")
    body = block(stream, "for").body
    if container is not None:
        return ForIn(span, variable, container, body)
    assert first is not None and last is not None
    return ForRange(span, variable, first, last, body)


def select(stream: Stream) -> Select:
    keyword = stream.advance()
    stream.expect("(", "after 'select'")
    stream.parentheses += 1
    variable = reference(stream)
    stream.expect(":", "in a 'select'", "select (i : 0 .. 9)")
    first = expression(stream)
    stream.expect("..", "between the bounds of a 'select'", "select (i : 0 .. 9)")
    last = expression(stream)
    stream.parentheses -= 1
    closing = stream.expect(")", "to close 'select ('")
    return Select(keyword.span.until(closing.span), variable, first, last)


def atomic(stream: Stream) -> Block:
    keyword = stream.advance()
    result = block(stream, keyword.text)
    result.span = keyword.span
    return result


def goto(stream: Stream) -> Goto:
    keyword = stream.advance()
    label = stream.name("the name of a label")
    return Goto(keyword.span.until(label.span), label.text)


def assertion(stream: Stream) -> Assert:
    keyword = stream.advance()
    condition = expression(stream)
    return Assert(keyword.span.until(condition.span), condition)


def printf(stream: Stream) -> Print:
    keyword = stream.advance()
    stream.expect("(", "after 'printf'")
    if stream.token.kind != "string":
        stream.fail("a format in quotes expected")
    text = stream.advance().text
    stream.parentheses += 1
    arguments = expressions(stream) if stream.accept(",") else []
    stream.parentheses -= 1
    closing = stream.expect(")", "to close 'printf('")
    return Print(keyword.span.until(closing.span), text, arguments)


def printm(stream: Stream) -> Print:
    keyword = stream.advance()
    argument = in_parentheses(stream, expression, "printm")
    return Print(keyword.span.until(stream.previous.span), "", [argument])


def set_priority(stream: Stream) -> SetPriority:
    keyword = stream.advance()
    stream.expect("(", "after 'set_priority'")
    stream.parentheses += 1
    pid = expression(stream)
    stream.expect(",", "between the process and its priority")
    priority = expression(stream)
    stream.parentheses -= 1
    closing = stream.expect(")", "to close 'set_priority('")
    return SetPriority(keyword.span.until(closing.span), pid, priority)


def embedded_code(stream: Stream) -> EmbeddedCode:
    keyword = stream.advance()
    precondition = ""
    if stream.token.kind == "embedded" and stream.token.text.startswith("["):
        precondition = stream.advance().text[1:-1]
    if stream.token.kind != "embedded":
        stream.fail(f"'{{' expected after '{keyword.text}'")
    body = stream.advance()
    return EmbeddedCode(keyword.span.until(body.span), keyword.text, precondition, body.text[1:-1])


def return_value(stream: Stream) -> Assign:
    """``return e`` in an inline that is called as ``x = f(...)`` assigns e to x."""
    keyword = stream.advance()
    value = expression(stream)
    if stream.result is None:
        stream.fail(
            "'return' belongs in an inline that is called as 'x = name(...)'", span=keyword.span
        )
    target = copy.deepcopy(stream.result)
    return Assign(keyword.span.until(value.span), target, value)


def else_(stream: Stream) -> Else:
    return Else(stream.advance().span)


def break_(stream: Stream) -> Break:
    return Break(stream.advance().span)


_KEYWORDS = {
    "if": choice,
    "do": choice,
    "for": for_loop,
    "select": select,
    "atomic": atomic,
    "d_step": atomic,
    "goto": goto,
    "break": break_,
    "else": else_,
    "assert": assertion,
    "printf": printf,
    "printm": printm,
    "set_priority": set_priority,
    "c_code": embedded_code,
    "return": return_value,
}
