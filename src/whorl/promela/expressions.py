"""Parses expressions, by precedence climbing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from whorl.language.operators import LEVEL
from whorl.promela.ast import (
    Binary,
    Call,
    ChannelTest,
    Conditional,
    CText,
    EmbeddedExpression,
    Eval,
    Expression,
    Number,
    Part,
    Pattern,
    Poll,
    Predefined,
    Reference,
    RemoteLabel,
    RemoteVariable,
    RunExpression,
    Unary,
)
from whorl.promela.hints import OPERATORS
from whorl.promela.lexer import Token
from whorl.promela.stream import KEYWORDS, PREDEFINED, Stream, Unparsable

T = TypeVar("T")

CONSTANTS = {"true": 1, "skip": 1, "false": 0}
CHANNEL_TESTS = frozenset({"len", "empty", "nempty", "full", "nfull"})
CALLS = frozenset({"enabled", "pc_value", "get_priority"})

COMPOUND = frozenset(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
ENDINGS = (";", "->", ",", ")", "]", "}", ":", "::", "fi", "od", "of", "..")

# Operators that may also begin a statement: at the start of a line they do not continue one.
_AMBIGUOUS = frozenset({"-"})


def expression(stream: Stream, level: int = 0) -> Expression:
    """An expression of operators that bind at least as tightly as those of `level`."""
    stream.deeper()
    left = unary(stream)
    while (own := binary_level(stream)) >= level:
        operator = stream.advance()
        right = expression(stream, own + 1)
        left = Binary(left.span.until(right.span), operator.text, left, right)
    stream.depth -= 1
    return left


def binary_level(stream: Stream) -> int:
    """How tightly the operator here binds; -1 if none goes on with the expression before it."""
    token = stream.token
    if token.kind != "op" or token.text not in LEVEL or not continues(stream):
        return -1
    return LEVEL[token.text]


def continues(stream: Stream) -> bool:
    """Whether the operator here goes on with the expression before it.

    As in Spin, the end of a line ends a statement outside parentheses, so a line that begins with
    what may begin a statement does begin one.
    """
    token = stream.token
    return not (token.first_on_line and stream.parentheses == 0 and token.text in _AMBIGUOUS)


def unary(stream: Stream) -> Expression:
    if stream.at("!", "~", "-"):
        operator = stream.advance()
        stream.deeper()
        operand = unary(stream)
        stream.depth -= 1
        if operator.text == "-" and isinstance(operand, Number) and not operand.text:
            return Number(operator.span.until(operand.span), -operand.value)
        return Unary(operator.span.until(operand.span), operator.text, operand)
    return primary(stream)


def primary(stream: Stream) -> Expression:
    token = stream.token
    if token.kind == "number":
        return Number(stream.advance().span, number(stream, token))
    if token.kind == "char":
        return Number(stream.advance().span, token.value, token.text)
    if stream.at("("):
        return parenthesised(stream)
    if token.kind == "name":
        return named(stream)
    no_expression(stream)


def number(stream: Stream, token: Token) -> int:
    """The value of a number, which is one of 32 bits: all arithmetic is."""
    value = token.value
    wrapped = (value + (1 << 31)) % (1 << 32) - (1 << 31)
    negated = stream.tokens[max(0, stream.position - 2)].text == "-"
    if value != wrapped and not (negated and value == 1 << 31):
        stream.reporter.warning(
            token.span, f"{value} does not fit in 32 bits: it becomes {wrapped}"
        )
    return wrapped


def no_expression(stream: Stream) -> NoReturn:
    """Says what is wrong where an expression should begin."""
    token, before = stream.token, stream.previous
    adjacent = before.kind == "op" and before.span.end == token.span.start
    if before.text == ";" and stream.from_macro(before):
        stream.semicolon_of_macro(before)
        raise Unparsable
    if token.kind == "string":
        stream.fail("an expression expected", "strings are only for printf and c_ declarations")
    if stream.at("=") and adjacent and before.text in COMPOUND:
        stream.fail(
            f"Promela has no '{before.text}='",
            f"write 'x = x {before.text} ...'",
            before.span.until(token.span),
        )
    if stream.at("<", ">") and adjacent and before.text == "=":
        hint = "'at most' is '<='" if stream.at("<") else "'at least' is '>=', 'then' is '->'"
        stream.fail(f"'={token.text}' is no operator", hint, before.span.until(token.span))
    if stream.at("++", "--"):
        stream.fail(
            f"'{token.text}' is a statement, not an operator", f"write 'x{token.text}'", token.span
        )
    if stream.at("!!"):
        stream.fail("'!!' is a send, not an operator", "write '!(!x)'", token.span)
    if stream.at("{") or (token.kind == "op" and not stream.at(*ENDINGS)):
        stream.fail("an expression expected")
    stream.missing(f"an expression expected after '{before.text}'")


def parenthesised(stream: Stream) -> Expression:
    """``(e)`` or ``(condition -> yes : no)``"""
    opening = stream.advance()
    stream.parentheses += 1
    try:
        inner = expression(stream)
        arrow = stream.position
        if stream.accept("->"):
            inner = conditional(stream, opening, inner, arrow)
        closing = stream.close(")", f"to close the '(' of column {opening.span.column}")
    finally:
        stream.parentheses -= 1
    inner.span = opening.span.until(closing.span)
    return inner


def conditional(stream: Stream, opening: Token, condition: Expression, arrow: int) -> Expression:
    """What follows ``(condition ->``; or only the condition, if its ``)`` is what is missing."""
    errors = len(stream.reporter.errors)
    try:
        yes = expression(stream)
    except Unparsable:
        stream.reporter.take_back(errors)
        stream.position = arrow
        return condition
    if not stream.at(":"):
        if stream.at(")"):
            stream.missing(
                "':' expected", "a conditional expression has two branches: (a -> b : c)"
            )
        stream.position = arrow
        return condition
    stream.advance()
    no = expression(stream)
    return Conditional(opening.span, condition, yes, no)


def named(stream: Stream) -> Expression:
    token = stream.token
    text = token.text
    if text in CONSTANTS:
        return Number(stream.advance().span, CONSTANTS[text], text)
    if text == "run":
        return run(stream)
    if text in CHANNEL_TESTS:
        stream.advance()
        channel = in_parentheses(stream, reference, text)
        return ChannelTest(token.span.until(stream.previous.span), text, channel)
    if text in CALLS:
        stream.advance()
        argument = in_parentheses(stream, expression, text)
        return Call(token.span.until(stream.previous.span), text, argument)
    if text in PREDEFINED:
        return Predefined(stream.advance().span, text)
    if text == "c_expr":
        return embedded(stream)
    if text == "else":
        stream.fail(
            "'else' is a statement, not an expression",
            "it stands alone: ':: else -> ...'",
            token.span,
        )
    if text in stream.names.inlines and stream.ahead(1).text == "(":
        stream.fail(
            f"'{text}' is an inline: it is called as a statement, not inside an expression",
            span=token.span,
        )
    if text in stream.names.proctypes:
        return remote(stream)
    if text in ENDINGS or (text in KEYWORDS and token.first_on_line):
        no_expression(stream)
    if text in ("not",) and stream.ahead(1).kind in ("name", "number"):
        stream.fail("Promela has no 'not'", OPERATORS[text], token.span)
    target = reference(stream)
    if stream.at("?", "??") and stream.ahead(1).text == "[":
        random = stream.advance().text == "??"
        stream.advance()
        stream.parentheses += 1
        arguments = patterns(stream)
        stream.parentheses -= 1
        closing = stream.close("]", "to close this poll")
        return Poll(target.span.until(closing.span), target, arguments, random)
    return target


def in_parentheses(stream: Stream, parse: Callable[[Stream], T], what: str) -> T:
    stream.expect("(", f"after '{what}'")
    stream.parentheses += 1
    try:
        result = parse(stream)
        stream.close(")", f"to close '{what}('")
    finally:
        stream.parentheses -= 1
    return result


def reference(stream: Stream) -> Reference:
    parts = [part(stream)]
    while stream.accept("."):
        parts.append(part(stream))
    return Reference(parts[0].span.until(parts[-1].span), parts)


def part(stream: Stream) -> Part:
    if stream.token.kind == "name" and stream.token.text in PREDEFINED:
        name = stream.advance()
    else:
        name = stream.name("the name of a variable")
    index = None
    span = name.span
    if stream.at("[") and not (stream.token.first_on_line and stream.parentheses == 0):
        stream.advance()
        stream.parentheses += 1
        try:
            index = expression(stream)
            span = span.until(stream.close("]", "to close this index").span)
        finally:
            stream.parentheses -= 1
    return Part(span, name.text, index)


def run(stream: Stream) -> RunExpression:
    keyword = stream.advance()
    name = stream.name("the name of a proctype")
    if not stream.at("("):
        stream.report_missing(
            "'(' expected after the name of the proctype", f"write 'run {name.text}()'"
        )
        span = keyword.span.until(name.span)
        return RunExpression(span, name.text, name.span, [], optional_priority(stream))
    stream.advance()
    stream.parentheses += 1
    arguments = [] if stream.at(")") else expressions(stream)
    stream.parentheses -= 1
    closing = stream.close(")", "after the arguments of 'run'")
    span = keyword.span.until(closing.span)
    return RunExpression(span, name.text, name.span, arguments, optional_priority(stream))


def optional_priority(stream: Stream) -> int | None:
    if not stream.accept("priority"):
        return None
    if stream.token.kind != "number":
        stream.fail("a number expected after 'priority'")
    return stream.advance().value


def expressions(stream: Stream) -> list[Expression]:
    """One or more, with commas between."""
    result = [expression(stream)]
    while stream.accept(","):
        result.append(expression(stream))
    return result


def patterns(stream: Stream) -> list[Pattern]:
    """What a receive or poll expects: ``a, eval(b), 3`` or ``tag(a, b)``."""
    if stream.accept("("):
        result = patterns(stream)
        stream.close(")", "to close this parenthesis")
        return result
    result = [pattern(stream)]
    if stream.at("(") and not stream.token.first_on_line:
        stream.advance()
        result += patterns(stream)
        stream.close(")", "to close the arguments of this message")
    elif stream.accept(","):
        result += patterns(stream)
    return result


def pattern(stream: Stream) -> Pattern:
    token = stream.token
    if token.kind == "name" and token.text == "eval":
        stream.advance()
        value = in_parentheses(stream, expression, "eval")
        return Eval(token.span.until(stream.previous.span), value)
    if token.kind in ("number", "char") or stream.at("-", *CONSTANTS):
        value = unary(stream)
        if isinstance(value, Number):
            return value
        stream.fail("a variable, a constant or eval(...) expected in a receive", span=value.span)
    if token.kind == "name":
        return reference(stream)
    stream.fail("a variable, a constant or eval(...) expected in a receive")


def remote(stream: Stream) -> Expression:
    """``P[pid]@label``, ``P@label``, ``P[pid]:x`` or ``P:x``"""
    name = stream.advance()
    pid = None
    if stream.at("(") and not stream.token.first_on_line:
        stream.fail(
            f"'{name.text}' is a proctype and cannot be called",
            f"to start a process, write 'run {name.text}(...)'",
            name.span,
        )
    if stream.accept("["):
        stream.parentheses += 1
        pid = expression(stream)
        stream.parentheses -= 1
        stream.close("]", "after the process number of a remote reference")
    if stream.accept("@"):
        label = stream.name("the name of a label")
        span = name.span.until(label.span)
        return RemoteLabel(span, name.text, name.span, pid, label.text, label.span)
    if stream.accept(":"):
        variable = Reference(stream.token.span, [part(stream)])
        span = name.span.until(variable.span)
        return RemoteVariable(span, name.text, name.span, pid, variable)
    stream.fail(
        f"'{name.text}' is a proctype: '@label' or ':variable' expected after it",
        f"to start a process, write 'run {name.text}(...)'",
    )


def embedded(stream: Stream) -> EmbeddedExpression:
    keyword = stream.advance()
    precondition, code = c_texts(stream, keyword)
    return EmbeddedExpression(keyword.span.until(stream.previous.span), precondition, code)


def c_texts(stream: Stream, keyword: Token) -> tuple[CText | None, CText]:
    """The groups ``[precondition] { code }`` after `keyword`."""
    precondition = None
    if stream.token.kind == "embedded" and stream.token.text.startswith("["):
        precondition = c_text(stream)
    if stream.token.kind != "embedded":
        stream.fail(f"'{{' expected after '{keyword.text}'")
    return precondition, c_text(stream)


def c_text(stream: Stream) -> CText:
    token = stream.advance()
    return CText(token.span, token.text[1:-1], token.definitions)
