"""Macros: their table, and their expansion on tokens that keep their places.

A token that a macro brings in has the place where the macro was *used*: that is the line of the
statement, which messages and counterexamples speak of. An argument's token keeps its own place.

Macros expand as in Dave Prosser's algorithm, from which the C standard's words were made: each
token carries the set of macros that it must not be expanded by again (its hide set).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from whorl.diagnostics import Reporter, Source, Span, counted
from whorl.promela.lexer import Token, lex

VARIABLE = "__VA_ARGS__"  # the parameter that '...' declares
MOST_TOKENS = 500_000  # that the macros of a model may expand to


class TooMuchText(Exception):
    """Macros expand to more text than any model needs; `span` is where the last was used."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@dataclass(frozen=True, slots=True)
class Macro:
    """`parameters` is None for a macro that is used without parentheses.

    If it is `variadic`, the last parameter stands for all further arguments, with their commas.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]
    span: Span
    variadic: bool = False

    def same_as(self, other: Macro) -> bool:
        """Whether defining one and then the other is harmless: blanks differ at most in amount."""

        def shape(macro: Macro) -> list[tuple[str, bool]]:
            return [(token.text, i > 0 and token.spaced) for i, token in enumerate(macro.body)]

        heads = [(macro.parameters, macro.variadic) for macro in (self, other)]
        return heads[0] == heads[1] and shape(self) == shape(other)

    def as_c(self) -> str:
        """The directive of C that defines it."""
        names = list(self.parameters or ())
        if self.variadic:
            names[-1] = "..." if names[-1] == VARIABLE else f"{names[-1]}..."
        parameters = "" if self.parameters is None else f"({', '.join(names)})"
        body = "".join(f" {token.text}" if token.spaced else token.text for token in self.body)
        return f"#define {self.name}{parameters} {body.strip()}"


@dataclass(frozen=True, slots=True)
class _Hidden:
    """A token and the names of the macros that may not expand it any more."""

    token: Token
    hidden_from: frozenset[str] = frozenset()


class _Feed:
    """Tokens to expand: a stack of those put back, and behind it those still to come."""

    def __init__(self, tokens: Iterable[Token] = (), put_back: Iterable[_Hidden] = ()) -> None:
        self._coming = iter(tokens)
        self._stack = list(put_back)[::-1]

    def next(self) -> _Hidden | None:
        if self._stack:
            return self._stack.pop()
        token = next(self._coming, None)
        return None if token is None else _Hidden(token)

    def put_back(self, tokens: Sequence[_Hidden]) -> None:
        self._stack.extend(reversed(tokens))


class Macros:
    """The macros that are defined at this point of the text.

    What was seen of them so far is kept for those who show the text: every definition, every use
    with its place, and the names in directives that ask for a macro or end it.
    """

    def __init__(self, reporter: Reporter) -> None:
        self.definitions_seen: list[Macro] = []
        self.uses: list[tuple[Span, Macro]] = []
        self.mentions: list[Token] = []
        self._table: dict[str, Macro] = {}
        self._expanded = 0
        self._reporter = reporter

    def __contains__(self, name: object) -> bool:
        return name in self._table or name in ("__LINE__", "__FILE__")

    def is_constant(self, name: str) -> bool:
        """Whether `name` is a macro without parameters."""
        return name in self._table and self._table[name].parameters is None

    def define_from_outside(self, name: str, value: str) -> None:
        source = Source("<command line>", f"#define {name} {' '.join(value.splitlines())}")
        tokens = lex(source)[:-1]
        if not re.fullmatch(r"[A-Za-z_]\w*(\([\w ,]*\))?", name, re.ASCII):
            whole = tokens[0].span.until(tokens[-1].span)
            self._reporter.error(whole, f"'{name}' cannot be the name of a macro")
            return
        self.define(tokens[1].span, tokens[2:])

    def define(self, directive: Span, rest: Sequence[Token]) -> None:
        """Carries out `#define`, of which `rest` is what follows that word."""
        name = self.name_operand(directive, "define", rest)
        if name is None:
            return
        body = rest[1:]
        parameters: tuple[str, ...] | None = None
        variadic = False
        if body and body[0].text == "(" and not body[0].spaced:
            close = next((i for i, token in enumerate(body) if token.text == ")"), None)
            if close is None:
                message = f"the parameters of macro '{name.text}' have no closing ')'"
                self._reporter.error(body[0].span, message)
                return
            listed, body = body[1:close], body[close + 1 :]
            variadic = [token.text for token in listed[-2:]] == ["..", "."]
            parameters = self._parameters(name.text, listed[:-2] if variadic else listed, variadic)
            if parameters is None:
                return
        if not self._operators_are_sound(parameters, body):
            return
        macro = Macro(name.text, parameters, tuple(body), name.span, variadic)
        before = self._table.get(macro.name)
        if before is not None and not before.same_as(macro):
            where = "on the command line" if _is_outside(before.span) else f"at {before.span.place}"
            self._reporter.warning(
                name.span,
                f"macro '{macro.name}' is defined anew; it was defined differently {where}",
                f"put this definition between '#ifndef {macro.name}' and '#endif' to keep the other"
                if _is_outside(before.span)
                else f"'#undef {macro.name}' first, if this is meant",
            )
        self._table[macro.name] = macro
        self.definitions_seen.append(macro)

    def undefine(self, directive: Span, rest: Sequence[Token]) -> None:
        name = self.name_operand(directive, "undef", rest)
        if name is not None:
            self._table.pop(name.text, None)

    def name_operand(self, directive: Span, word: str, rest: Sequence[Token]) -> Token | None:
        """The macro name that a directive begins with, or None after a complaint."""
        if not rest:
            self._reporter.error(directive, f"'#{word}' needs the name of a macro")
        elif rest[0].kind != "name":
            self._reporter.error(rest[0].span, f"'{rest[0].text}' cannot be the name of a macro")
        elif word in ("define", "undef") and rest[0].text in ("defined", "__LINE__", "__FILE__"):
            message = f"'{rest[0].text}' can be neither defined nor undefined"
            self._reporter.error(rest[0].span, message)
        else:
            if word != "define":
                self.mentions.append(rest[0])
            return rest[0]
        return None

    def _parameters(
        self, name: str, tokens: Sequence[Token], variadic: bool
    ) -> tuple[str, ...] | None:
        """The names between the parentheses of a definition, or None after a complaint.

        Before the '...' of a variadic one stands a comma, or the name of the last parameter.
        """
        names: list[str] = []
        for i, token in enumerate(tokens):
            if i % 2 == 1:
                if token.text != ",":
                    self._reporter.error(token.span, "expected ',' or ')' after a macro parameter")
                    return None
            elif token.kind != "name":
                message = f"expected the name of a macro parameter, not '{token.text}'"
                self._reporter.error(token.span, message)
                return None
            elif token.text in names:
                message = f"macro '{name}' has two parameters '{token.text}'"
                self._reporter.error(token.span, message)
                return None
            else:
                names.append(token.text)
        open_end = len(tokens) % 2 == 0  # nothing, or a comma
        if open_end and variadic:
            names.append(VARIABLE)
        elif open_end and tokens:
            self._reporter.error(tokens[-1].span, "expected a macro parameter after ','")
            return None
        return tuple(names)

    def _operators_are_sound(
        self, parameters: tuple[str, ...] | None, body: Sequence[Token]
    ) -> bool:
        for i, token in enumerate(body):
            if token.text == "##" and i in (0, len(body) - 1):
                message = "'##' needs a token on either side in the body of a macro"
                self._reporter.error(token.span, message)
                return False
            follows = body[i + 1].text if i + 1 < len(body) else None
            if token.text == "#" and parameters is not None and follows not in parameters:
                message = "'#' must be followed by a parameter of the macro"
                self._reporter.error(token.span, message)
                return False
        return True

    def definitions(self, text: str) -> str:
        """The macros that C text mentions, itself or through one another, as directives of C.

        In Spin the C preprocessor has expanded them before; here the C compiler does it.
        """
        lines: dict[str, str] = {}
        waiting = [text]
        while waiting:
            for name in re.findall(r"[A-Za-z_]\w*", waiting.pop(), re.ASCII):
                macro = self._table.get(name)
                if macro is not None and name not in lines:
                    lines[name] = macro.as_c()
                    waiting.append(lines[name])
        return "".join(f"#undef {name}\n{line}\n" for name, line in lines.items())

    # ---------------------------------------------------------------------------------- expansion

    def expand(self, tokens: Iterable[Token], *, in_condition: bool = False) -> Iterator[Token]:
        """The tokens with every macro replaced; `defined X` is left alone in a condition."""
        for hidden in self._expand(_Feed(tokens), in_condition):
            yield hidden.token

    def _expand(self, feed: _Feed, in_condition: bool = False) -> Iterator[_Hidden]:
        while (head := feed.next()) is not None:
            token = head.token
            if token.kind == "embedded":
                yield _Hidden(replace(token, definitions=self.definitions(token.text)))
            elif token.kind != "name":
                yield head
            elif in_condition and token.text == "defined":
                yield head
                for operand in _operand_of_defined(feed):
                    self.mentions.append(operand.token)
                    yield operand
            elif token.text == "__LINE__":
                yield _Hidden(replace(token, kind="number", text=str(token.span.line)))
            elif token.text == "__FILE__":
                name = _quote(token.span.source.name)
                yield _Hidden(replace(token, kind="string", text=name))
            elif token.text in head.hidden_from or token.text not in self._table:
                yield head
            else:
                macro = self._table[token.text]
                if macro.parameters is None:
                    self.uses.append((token.span, macro))
                    hide = head.hidden_from | {macro.name}
                    feed.put_back(self._substitute(macro, token, {}, hide))
                    continue
                following = feed.next()
                if following is None or following.token.text != "(":
                    # The name of such a macro is an ordinary name where no '(' follows.
                    if following is not None:
                        feed.put_back([following])
                    yield head
                    continue
                call = self._call(macro, head, following, feed)
                if call is None:
                    yield head
                else:
                    self.uses.append((token.span, macro))
                    feed.put_back(call)

    def _call(
        self, macro: Macro, head: _Hidden, opening: _Hidden, feed: _Feed
    ) -> list[_Hidden] | None:
        """What a call stands for, or None, with nothing taken from the feed, if it has no end."""
        assert macro.parameters is not None
        taken = [opening]
        arguments: list[list[_Hidden]] = [[]]
        depth = 0
        while True:
            part = feed.next()
            if part is None:
                self._reporter.error(
                    head.token.span, f"this use of macro '{macro.name}' has no closing ')'"
                )
                feed.put_back(taken)
                return None
            taken.append(part)
            if part.token.text == ")" and depth == 0:
                break
            last = macro.variadic and len(arguments) == len(macro.parameters)
            if part.token.text == "," and depth == 0 and not last:
                arguments.append([])
                continue
            depth += {"(": 1, ")": -1}.get(part.token.text, 0)
            arguments[-1].append(part)
        closing = part
        if len(macro.parameters) == macro.variadic and arguments == [[]]:
            arguments = []
        whole = head.token.span.until(closing.token.span)
        bound = self._bind(macro, arguments, whole)
        if macro.variadic and len(arguments) < len(macro.parameters):
            macro = _without_rest(macro)
        hide = (head.hidden_from & closing.hidden_from) | {macro.name}
        return self._substitute(macro, head.token, bound, hide)

    def _bind(
        self, macro: Macro, arguments: list[list[_Hidden]], whole: Span
    ) -> dict[str, list[_Hidden]]:
        """Each parameter with the argument of a call, which is all of `whole`."""
        assert macro.parameters is not None
        given, wanted = len(arguments), len(macro.parameters)
        if macro.variadic and given == wanted - 1:
            arguments = [*arguments, []]
        elif given != wanted:
            least = "at least " if macro.variadic else ""
            self._reporter.error(
                whole,
                f"macro '{macro.name}' takes {least}"
                f"{counted(wanted - macro.variadic, 'argument')}, not {given}",
                f"it is defined at {macro.span.place}",
            )
            # Something stands for what is missing, so that nothing more is said about it.
            filler = Token("number", "0", replace(whole, start=whole.end - 1))
            arguments = [*arguments, *([_Hidden(filler)] for _ in range(wanted - given))]
        return dict(zip(macro.parameters, arguments, strict=False))

    def _substitute(
        self,
        macro: Macro,
        use: Token,
        arguments: Mapping[str, list[_Hidden]],
        hide: frozenset[str],
    ) -> list[_Hidden]:
        """A macro's body with its arguments filled in, each token hidden from `hide` as well."""
        expanded: dict[str, list[_Hidden]] = {}
        # None stands for an empty argument beside '##', which needs something to hold on to.
        result: list[_Hidden | None] = []
        body = macro.body
        i, pasting = 0, False
        while i < len(body):
            part = body[i]
            following = body[i + 1] if i + 1 < len(body) else None
            operand: list[_Hidden | None]
            if part.text == "##":
                pasting = True
                i += 1
                continue
            if part.text == "#" and macro.parameters is not None:
                assert following is not None
                text = _stringify(arguments[following.text])
                operand = [_Hidden(_at_use(replace(part, kind="string", text=text), use))]
                i += 1
                following = body[i + 1] if i + 1 < len(body) else None
            elif part.kind == "name" and part.text in arguments:
                raw = arguments[part.text]
                beside_paste = pasting or (following is not None and following.text == "##")
                if beside_paste:
                    operand = [*raw] or [None]
                else:
                    if part.text not in expanded:
                        expanded[part.text] = list(self._expand(_Feed(put_back=raw)))
                    operand = [*expanded[part.text]]
                if operand and operand[0] is not None:
                    first = replace(operand[0].token, spaced=part.spaced)
                    operand[0] = replace(operand[0], token=first)
            else:
                operand = [_Hidden(_at_use(part, use))]
            if pasting:
                left = result.pop()
                if macro.variadic and left is not None and left.token.text == ",":
                    result.append(left)  # a comma and the rest: GNU's cpp pastes nothing
                else:
                    result += self._paste(left, operand[0], use)
                    operand = operand[1:]
                pasting = False
            result += operand
            i += 1
        self._expanded += len(result)
        if self._expanded > MOST_TOKENS:
            raise TooMuchText(use.span)
        kept = [_Hidden(part.token, part.hidden_from | hide) for part in result if part is not None]
        if kept:
            lead = replace(kept[0].token, first_on_line=use.first_on_line, spaced=use.spaced)
            kept[0] = replace(kept[0], token=lead)
        return kept

    def _paste(
        self, left: _Hidden | None, right: _Hidden | None, use: Token
    ) -> list[_Hidden | None]:
        if left is None or right is None:
            return [left or right]
        text = left.token.text + right.token.text
        tokens = lex(Source(use.span.source.name, text))[:-1]
        if len(tokens) != 1 or tokens[0].text != text:
            message = f"'##' makes '{text}' in macro '{use.text}', which is not one token"
            self._reporter.error(use.span, message)
            return [left, right]
        made = replace(tokens[0], span=use.span, first_on_line=False, spaced=left.token.spaced)
        return [_Hidden(made, left.hidden_from & right.hidden_from)]


def _without_rest(macro: Macro) -> Macro:
    """The macro without any ``, ## __VA_ARGS__``: GNU's cpp drops it where these are omitted."""
    assert macro.parameters is not None
    rest = [",", "##", macro.parameters[-1]]
    body: list[Token] = []
    for token in macro.body:
        body.append(token)
        if [part.text for part in body[-3:]] == rest:
            del body[-3:]
    return replace(macro, body=tuple(body))


def _at_use(part: Token, use: Token) -> Token:
    """A token of a macro's body, placed where the macro is used, or where it was written if bad."""
    span = part.span if part.kind == "bad" else replace(use.span, written=part.span)
    return replace(part, span=span, first_on_line=False)


def _operand_of_defined(feed: _Feed) -> Iterator[_Hidden]:
    part = feed.next()
    if part is not None and part.token.text == "(":
        yield part
        part = feed.next()
    if part is not None:
        yield part


def _stringify(argument: Sequence[_Hidden]) -> str:
    text = ""
    for i, part in enumerate(argument):
        token = part.token
        text += " " if i > 0 and token.spaced else ""
        text += _quote(token.text)[1:-1] if token.kind in ("string", "char") else token.text
    return f'"{text}"'


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _is_outside(span: Span) -> bool:
    return span.source.name == "<command line>"
