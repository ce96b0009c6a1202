"""Parses statements and sequences of them."""

from __future__ import annotations

from collections.abc import Callable

from whorl.diagnostics import MANY
from whorl.language.operators import LEVEL
from whorl.promela import hints
from whorl.promela.ast import (
    Assert,
    Assign,
    Binary,
    Block,
    Break,
    Condition,
    Else,
    EmbeddedCode,
    ExclusiveUse,
    ForIn,
    ForRange,
    Goto,
    IfOrDo,
    Labelled,
    Number,
    Predefined,
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
from whorl.promela.declarations import at_declaration, at_mtype_declaration, declaration
from whorl.promela.expressions import (
    c_texts,
    expression,
    expressions,
    in_parentheses,
    patterns,
    reference,
)
from whorl.promela.hints import EQUALITY, OPERATORS
from whorl.promela.lexer import Token
from whorl.promela.slips import (
    at_foreign_choice,
    check_guard,
    check_word,
    closing_brace_follows,
    misplaced_unit,
)
from whorl.promela.stream import ENDS, KEYWORDS, SEPARATORS, UNIT_WORDS, Stream, Unparsable
from whorl.promela.walk import duplicate


def block(stream: Stream, keyword: str = "") -> Block:
    """``{ ... }``; the keyword before it has been read."""
    start = stream.position
    opening = stream.token
    if stream.accept("{") is None:
        where = f"after '{keyword}'" if keyword else "here"
        stream.report_missing(f"'{{' expected {where}")
        if not closing_brace_follows(stream):
            return Block(opening.span, keyword, Sequence(opening.span, [statement(stream)]))
    held, stream.parentheses = stream.parentheses, 0
    stream.open.append("{")
    body = sequence(stream, opening)
    stream.open.pop()
    closing = stream.end_of(start, "}", f"to close the '{{' of line {opening.span.line}")
    stream.parentheses = held
    body.span = opening.span.until(closing.span)
    return Block(opening.span.until(closing.span), keyword, body)


def sequence(stream: Stream, opening: Token, may_be_empty: bool = False) -> Sequence:
    """Steps up to what ends them, each error in them reported and passed over."""
    steps: list[Step] = []
    erroneous = stray = False  # stray: inside options whose 'if' or 'do' is missing
    depth = stream.depth
    if opening.text == "::" and stream.at("->"):
        stream.report_missing("a guard expected", "what can always be chosen is ':: true -> ...'")
    pass_separators(stream)
    while not stream.at_unit():
        if stream.at(*ENDS):
            headless = stream.at("::") and opening.text == "{" and not steps
            if stream.at("}") or ({"if", "do"} & set(stream.open) and not (stray or headless)):
                break
            if not erroneous:
                stream.reporter.error(
                    stream.token.span, f"this '{stream.token.text}' belongs to no 'if' or 'do'"
                )
            erroneous = True
            stray = stream.at("::")
            stream.advance()
            pass_separators(stream)
            continue
        if len(stream.reporter.errors) >= MANY:
            raise Unparsable
        before, around = stream.position, len(stream.open)
        try:
            steps.append(step(stream))
            if opening.text == "::" and len(steps) == 1:
                check_guard(stream, steps[0])
            separate(stream, before, steps[-1])
        except Unparsable:
            erroneous = True
            del stream.open[around:]
            recover(stream, before)
            stream.depth = depth
    if not steps and not may_be_empty and not erroneous:
        stream.report_missing("a statement expected", "an empty sequence is written 'skip'")
    return Sequence(opening.span, steps)


def recover(stream: Stream, before: int) -> None:
    """Passes over the rest of a step, begun at `before`, that is not understood."""
    stream.parentheses = 0
    if stream.position == before:
        stream.advance()
    stream.skip_to(*SEPARATORS, *ENDS, *_RESUME)
    stream.passed_over(before)
    pass_separators(stream)


def pass_separators(stream: Stream) -> None:
    while stream.accept(*SEPARATORS):
        pass


def separate(stream: Stream, before: int, made: Step) -> None:
    """Passes what separates the statement `made`, begun at `before`, from the next.

    As in Spin 6, the end of a line, an `else`, a closing brace and the call of an inline, whose
    text ends in a brace, separate as well as `;` and `->`.
    """
    if stream.at(*SEPARATORS):
        return pass_separators(stream)
    if stream.at(*ENDS) or stream.at_unit():
        return None
    if stream.token.first_on_line or stream.previous.text in ("}", "else"):
        return None
    if isinstance(made, Block) and made.inline is not None:
        return None
    token, alone = stream.token, stream.position == before + 1
    if token.text in OPERATORS:
        stream.fail(f"Promela has no '{token.text}'", OPERATORS[token.text], token.span)
    if token.text in (")", "]"):
        stream.reporter.error(token.span, f"this '{token.text}' closes nothing")
        stream.advance()
        return separate(stream, before, made)
    if stream.at("?") and not alone:
        stream.fail("'?' is no operator", hints.CONDITIONAL, token.span)
    if stream.at("[") and stream.previous.text == "]":
        stream.fail("an array has one dimension", hints.DIMENSIONS, token.span)
    if stream.at("++", "--"):
        stream.fail(
            f"'{token.text}' is a statement, not an operator",
            f"write 'x{token.text}' as a statement of its own",
            token.span,
        )
    if stream.at("unless"):
        stream.fail("a second 'unless' needs braces", "write '{ a unless b } unless c'", token.span)
    if isinstance(made, Receive) and token.text in LEVEL:
        stream.fail(
            "only a variable or a constant can be received",
            "to match the value of an expression, write 'eval(...)'",
            token.span,
        )
    if stream.at("="):
        stream.fail("a second '=' in one statement", EQUALITY, token.span)
    if token.kind in ("name", "number", "embedded") or stream.at("(", "{", "!", "~"):
        stream.report_missing("';' expected")
        return None
    stream.fail("';' or the end of the line expected")


def step(stream: Stream) -> Step:
    if stream.at_name() and not stream.at_type():
        check_word(stream)
    if at_declaration(stream):
        if at_mtype_declaration(stream):
            stream.fail(
                "mtype constants are declared outside every process", span=stream.token.span
            )
        return declaration(stream)
    if stream.at("xr", "xs"):
        return exclusive_use(stream)
    if stream.at(*UNIT_WORDS):
        misplaced_unit(stream)
    stream.deeper()
    first = statement(stream)
    if stream.accept("unless"):
        escape = statement(stream)
        first = Unless(first.span, first, escape)
    stream.depth -= 1
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
        if stream.ahead(1).text == ":" and token.text in KEYWORDS:
            stream.reporter.error(
                token.span, f"'{token.text}' is a keyword and cannot be the name of a label"
            )
            stream.position += 2
            return statement(stream)
        parse = _KEYWORDS.get(token.text)
        if parse is not None:
            return parse(stream)
        if (
            stream.ahead(1).text == ":"
            and stream.at_name()
            and token.text not in stream.names.proctypes
        ):
            return labelled(stream)
        if token.text in stream.names.inlines and stream.ahead(1).text == "(":
            return inline_call(stream, None)
        if stream.at_name():
            check_word(stream)
            if not stream.at_name():
                return statement(stream)
    if stream.at("{"):
        return block(stream)
    if stream.at(*ENDS, *SEPARATORS) or stream.at_unit():
        stream.missing(f"a statement expected after '{stream.previous.text}'")
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
            value = Binary(span, operator.text[0], duplicate(first), Number(span, 1))
            return Assign(span, first, value, operator.text)
        if not (stream.token.first_on_line and stream.parentheses == 0):
            if stream.at("!", "!!"):
                return send(stream, first)
            if stream.at("?", "??"):
                return receive(stream, first)
        if stream.at("(") and not stream.token.first_on_line and len(first.parts) == 1:
            stream.fail(f"'{start.text}' is no inline and cannot be called", span=start.span)
    if isinstance(first, Predefined) and stream.at("=", "++", "--"):
        stream.fail(f"'{first.name}' cannot be assigned to", span=first.span)
    if stream.at("="):
        if isinstance(first, Number):
            shown = first.span.text
            known = "" if shown in (str(first.value), first.text) else f" {first.value}"
            stream.fail(
                f"'{shown}' is the constant{known} and cannot be assigned to"
                if known
                else f"'{shown}' is a constant and cannot be assigned to",
                span=first.span,
            )
        stream.fail("only a variable can be assigned to", EQUALITY, first.span)
    return Condition(first.span, first)


def send(stream: Stream, channel: Reference) -> Send:
    is_sorted = stream.advance().text == "!!"
    arguments = [expression(stream)]
    if stream.at("(") and not stream.token.first_on_line:
        stream.advance()
        stream.parentheses += 1
        arguments += expressions(stream)
        stream.parentheses -= 1
        stream.close(")", "after the arguments of this message")
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


def choice(stream: Stream) -> IfOrDo:
    start = stream.position
    keyword = stream.advance()
    closing, other = ("fi", "od") if keyword.text == "if" else ("od", "fi")
    held, stream.parentheses = stream.parentheses, 0
    options: list[Sequence] = []
    if not stream.at("::"):
        if at_foreign_choice(stream):
            return foreign_choice(stream, keyword)
        hint = hints.IF if keyword.text == "if" else hints.DO
        stream.report_missing(f"'::' expected after '{keyword.text}'", hint)
    stream.open.append(keyword.text)
    while stream.at("::") or not options:
        separator = stream.accept("::") or keyword
        options.append(sequence(stream, separator))
    stream.open.pop()
    if stream.at(other) and {"if": "do", "do": "if"}[keyword.text] not in stream.open:
        stream.reporter.error(
            stream.token.span,
            f"'{closing}' closes the '{keyword.text}' of line {keyword.span.line}, not '{other}'",
        )
        end = stream.advance()
    else:
        why = f"to close the '{keyword.text}' of line {keyword.span.line}"
        end = stream.end_of(start, closing, why)
    stream.parentheses = held
    return IfOrDo(keyword.span.until(end.span), keyword.text == "do", options)


def foreign_choice(stream: Stream, keyword: Token) -> IfOrDo:
    """Passes an `if` or `do` as C writes them; what stands in its bodies is looked at."""
    hint = hints.IF if keyword.text == "if" else hints.DO
    stream.reporter.error(
        keyword.span, f"'::' expected after '{keyword.text}', before {stream.describe()}", hint
    )
    bodies: list[Sequence] = []
    while True:
        if stream.at("("):
            stream.skip_balanced()
        bodies.append(Sequence(keyword.span, [statement(stream)]))
        ended = stream.accept(";")
        if stream.at("else") and keyword.text == "if":
            stream.advance()
            stream.accept("if")
        elif stream.at("while") and keyword.text == "do":
            stream.advance()
            if stream.at("("):
                stream.skip_balanced()
            break
        else:
            stream.position -= ended is not None
            break
    return IfOrDo(keyword.span, keyword.text == "do", bodies)


def for_loop(stream: Stream) -> ForRange | ForIn | Block:
    keyword = stream.advance()
    opening = stream.position
    stream.expect("(", "after 'for'", hints.FOR)
    stream.parentheses += 1
    if stream.at_type():
        stream.reporter.error(
            stream.token.span, "a 'for' declares no variable", "declare it before the loop"
        )
        stream.advance()
        stream.passed_over(stream.position)
    variable = reference(stream)
    container = first = last = None
    if stream.accept(":"):
        first = expression(stream)
        stream.expect("..", "between the bounds of a 'for'", hints.FOR)
        last = expression(stream)
    elif stream.accept("in"):
        container = reference(stream)
    else:
        stream.reporter.error(
            stream.token.span, f"':' or 'in' expected, but found {stream.describe()}", hints.FOR
        )
        stream.position = opening
        stream.skip_balanced()
        stream.passed_over(opening)
        stream.parentheses -= 1
        return block(stream, "for")
    stream.parentheses -= 1
    closing = stream.expect(")", "to close 'for ('")
    span = keyword.span.until(closing.span)
    stream.accept(";")
    body = block(stream, "for").body
    if container is not None:
        return ForIn(span, variable, container, body)
    assert first is not None
    assert last is not None
    return ForRange(span, variable, first, last, body)


def select(stream: Stream) -> Select:
    keyword = stream.advance()
    stream.expect("(", "after 'select'", "select (i : 0 .. 9)")
    stream.parentheses += 1
    variable = reference(stream)
    stream.expect(":", "in a 'select'", "select (i : 0 .. 9)")
    first = expression(stream)
    stream.expect("..", "between the bounds of a 'select'", "select (i : 0 .. 9)")
    last = expression(stream)
    stream.parentheses -= 1
    closing = stream.close(")", "to close 'select ('")
    return Select(keyword.span.until(closing.span), variable, first, last)


def atomic(stream: Stream) -> Block:
    keyword = stream.advance()
    result = block(stream, keyword.text)
    result.span = keyword.span
    return result


def goto(stream: Stream) -> Goto:
    keyword = stream.advance()
    label = stream.name("the name of a label")
    return Goto(keyword.span.until(label.span), label.text, label.span)


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
    closing = stream.close(")", "to close 'printf('")
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
    closing = stream.close(")", "to close 'set_priority('")
    return SetPriority(keyword.span.until(closing.span), pid, priority)


def embedded_code(stream: Stream) -> EmbeddedCode:
    keyword = stream.advance()
    precondition, code = c_texts(stream, keyword)
    span = keyword.span.until(stream.previous.span)
    return EmbeddedCode(span, keyword.text, precondition, code)


def return_value(stream: Stream) -> Assign:
    """``return e`` in an inline that is called as ``x = f(...)`` assigns e to x."""
    keyword = stream.advance()
    if stream.result is None:
        stream.fail(
            "'return' belongs in an inline that is called as 'x = name(...)'",
            "a process ends at the end of its body: put a label there and 'goto' it",
            keyword.span,
        )
    value = expression(stream)
    target = duplicate(stream.result)
    return Assign(keyword.span.until(value.span), target, value)


def else_(stream: Stream) -> Else:
    return Else(stream.advance().span)


def break_(stream: Stream) -> Break:
    return Break(stream.advance().span)


_RESUME = ("if", "do", "for", "atomic", "d_step", "goto", "break", "assert", "printf", "select")
_KEYWORDS: dict[str, Callable[[Stream], Statement]] = {
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
