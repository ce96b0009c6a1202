"""Complains of statements that look right to someone, but are not Promela."""

from __future__ import annotations

from typing import NoReturn

from whorl.diagnostics import Span, nearest
from whorl.promela import hints
from whorl.promela.ast import Assign, Step
from whorl.promela.hints import EQUALITY, OPERATORS
from whorl.promela.stream import ENDS, SEPARATORS, TYPES, Stream, Unparsable

_CALLED = ("assert", "printf", "printm", "for", "select", "set_priority")
_BEFORE_NAME = ("goto", "run", "assert", "hidden", "show", "local", "xr", "xs")


def check_word(stream: Stream) -> None:
    """Complains of a name that stands where only a keyword, a type or an inline makes sense.

    Goes on as if a misspelt one were spelt right.
    """
    token, following = stream.token, stream.ahead(1)
    if following.first_on_line or token.text in stream.names.declared or token.text == "not":
        return
    if following.text == "(" and token.text in stream.names.inlines:
        return
    if following.text == "(" and token.text in stream.names.skipped:
        raise Unparsable  # an inline or a function that was not understood
    foreign = hints.statement(token.text) or hints.declaration(token.text)
    what = "type or keyword"
    if following.kind == "op" and following.text == "{":
        what, known = "statement", ["atomic", "d_step"]
    elif following.kind == "op" and following.text == "(":
        what = "inline" if stream.names.later else "statement"
        known = [*_CALLED, *stream.names.later]
    elif following.kind == "name" and following.text not in (*OPERATORS, "unless", "else"):
        known = [*TYPES, *stream.names.typedefs, *_BEFORE_NAME]
    else:
        return
    if foreign is not None:
        stream.reporter.error(token.span, f"Promela has no '{token.text}'", foreign)
        if token.text in hints.TYPES:
            stream.replace_word("int")
        else:
            pass_foreign(stream)
        return
    if token.text in stream.names.later:
        stream.fail(
            f"the inline '{token.text}' is used before it is defined",
            "move its definition up",
            token.span,
        )
    meant = nearest(token.text, known)
    hint = None if meant is None else f"did you mean '{meant}'?"
    stream.reporter.error(token.span, f"unknown {what} '{token.text}'", hint)
    if meant is None or (meant in stream.names.later and meant not in stream.names.inlines):
        raise Unparsable
    stream.replace_word(meant)


def pass_foreign(stream: Stream) -> None:
    """Passes the head of another language's statement, up to a body that can be looked at."""
    start = stream.position
    word = stream.advance()
    if stream.at("("):
        stream.skip_balanced()
    if word.text == "switch" and stream.at("{"):
        stream.skip_balanced()
    if not stream.at("{"):
        stream.passed_over(start)
        raise Unparsable


def check_guard(stream: Stream, guard: Step) -> None:
    if isinstance(guard, Assign) and guard.operator == "=" and stream.at("->"):
        stream.reporter.warning(
            guard.span,
            "an assignment can always be executed: as a guard it holds nothing back",
            f"{EQUALITY}; if the assignment is meant, write ';' after it in place of '->'",
        )


def misplaced_unit(stream: Stream) -> NoReturn:
    """Complains of a typedef or an inline, say, inside a process, and passes over it."""
    word = stream.advance()
    while not stream.at("{", *SEPARATORS, *ENDS) and not stream.at_unit():
        stream.advance()
    if stream.at("{"):
        stream.skip_balanced()
    stream.fail(
        f"'{word.text}' cannot stand inside a process",
        "move it out, before the process",
        word.span,
    )


def at_foreign_choice(stream: Stream) -> bool:
    """Whether ``(condition) statement`` or ``{`` follows, as after the `if` and `do` of C."""
    if stream.at("{"):
        return True
    if not stream.at("("):
        return False
    before = stream.position
    stream.skip_balanced()
    foreign = stream.at("{") or stream.token.kind == "name"
    foreign = foreign or (stream.token.first_on_line and not stream.at("::"))
    stream.position = before
    return foreign


def closing_brace_follows(stream: Stream) -> bool:
    """Whether, going by the indentation, only the '{' is missing here and its '}' is not."""
    limit = stream.previous.span.column
    for token in stream.tokens[stream.position :]:
        if token.first_on_line and token.span.column <= limit:
            return token.text == "}" and token.span.column >= _margin(stream.previous.span)
    return False


def _margin(span: Span) -> int:
    """The column of the first word on the line of `span`."""
    line = span.source.line_at(span.line)
    return 1 + len(line) - len(line.lstrip())
