"""The parser's view of the tokens: look ahead, expect, recover, expand inlines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NoReturn

from whorl.diagnostics import Reporter, Span, suggest
from whorl.promela.ast import Reference
from whorl.promela.lexer import Token

TYPES = frozenset({"bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"})
PREDEFINED = frozenset({"_pid", "_nr_pr", "_last", "timeout", "np_"})
KEYWORDS = (
    frozenset(
        [
            "active",
            "assert",
            "atomic",
            "break",
            "c_code",
            "c_decl",
            "c_expr",
            "c_state",
            "c_track",
            "D_proctype",
            "do",
            "else",
            "empty",
            "enabled",
            "eval",
            "false",
            "fi",
            "for",
            "full",
            "get_priority",
            "goto",
            "hidden",
            "if",
            "init",
            "inline",
            "len",
            "local",
            "ltl",
            "nempty",
            "never",
            "nfull",
            "notrace",
            "od",
            "of",
            "pc_value",
            "printf",
            "printm",
            "priority",
            "proctype",
            "provided",
            "return",
            "run",
            "d_step",
            "select",
            "set_priority",
            "skip",
            "trace",
            "true",
            "show",
            "typedef",
            "unless",
            "xr",
            "xs",
            "timeout",
            "np_",
        ]
    )
    | TYPES
)

MANY = 20  # errors after which reporting more of them helps nobody


class Unparsable(Exception):
    """The text at hand is not understood; the error has been reported."""


@dataclass(frozen=True, slots=True)
class Inline:
    """A named piece of text with parameters: Spin's inline."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Token, ...]  # with its braces


@dataclass(slots=True)
class Names:
    """The names that decide how text is parsed."""

    proctypes: frozenset[str]
    typedefs: frozenset[str]
    inlines: dict[str, Inline] = field(default_factory=dict)


class Stream:
    """Tokens with a current position.

    `parentheses` counts the open ones: inside them the end of a line separates nothing. `active`
    has the inlines being expanded, innermost last; `result` what `return` assigns to.
    """

    def __init__(self, tokens: list[Token], names: Names, reporter: Reporter) -> None:
        assert tokens and tokens[-1].kind == "eof"
        self.tokens = tokens
        self.position = 0
        self.names = names
        self.reporter = reporter
        self.parentheses = 0
        self.active: tuple[str, ...] = ()
        self.result: Reference | None = None

    # --- looking ---------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    @property
    def previous(self) -> Token:
        return self.tokens[max(0, self.position - 1)]

    def ahead(self, distance: int) -> Token:
        return self.tokens[min(self.position + distance, len(self.tokens) - 1)]

    def at(self, *texts: str) -> bool:
        token = self.token
        return token.text in texts and token.kind in ("name", "op")

    def at_name(self) -> bool:
        return self.token.kind == "name" and self.token.text not in KEYWORDS

    def at_type(self) -> bool:
        token = self.token
        return token.kind == "name" and (token.text in TYPES or token.text in self.names.typedefs)

    # --- moving ----------------------------------------------------------------------------------

    def advance(self) -> Token:
        token = self.token
        if token.kind != "eof":
            self.position += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        return self.advance() if self.at(*texts) else None

    def expect(self, text: str, where: str, hint: str | None = None) -> Token:
        if self.at(text):
            return self.advance()
        self.missing(f"'{text}' expected {where}", hint)

    def name(self, what: str) -> Token:
        if self.at_name():
            return self.advance()
        token = self.token
        if token.kind == "name":
            self.fail(f"'{token.text}' is a keyword and cannot be {what}")
        self.fail(f"{what} expected", None)

    # --- complaining -----------------------------------------------------------------------------

    def fail(self, message: str, hint: str | None = None, span: Span | None = None) -> NoReturn:
        """Reports an error at the current token (or `span`) and gives up on this piece of text."""
        if span is None:
            token = self.token
            span = token.span
            found = "the end of the model" if token.kind == "eof" else f"'{token.text}'"
            message = f"{message}, but found {found}"
        self.reporter.error(span, message, hint)
        raise Unparsable

    def missing(self, message: str, hint: str | None = None) -> NoReturn:
        """Reports something that is missing, right after the previous token: there it belongs."""
        before = self.previous.span
        span = Span(before.source, before.end, before.end, before.via)
        self.fail(message + f", before {self.describe()}", hint, span)

    def describe(self) -> str:
        return "the end of the model" if self.token.kind == "eof" else f"'{self.token.text}'"

    # --- recovering ------------------------------------------------------------------------------

    def skip_to(self, *texts: str) -> None:
        """Skips to one of `texts` outside any brackets opened on the way, or to the end."""
        depth = 0
        while self.token.kind != "eof":
            if depth == 0 and self.at(*texts):
                return
            if self.at("{", "(", "["):
                depth += 1
            elif self.at("}", ")", "]"):
                if depth == 0:
                    return
                depth -= 1
            self.advance()

    # --- inlines ---------------------------------------------------------------------------------

    def define_inline(self) -> None:
        """``inline name(a, b) { body }``, of which the body is kept as tokens."""
        self.advance()
        name = self.name("the name of an inline")
        self.expect("(", "after the name of an inline")
        parameters: list[str] = []
        while not self.at(")"):
            parameters.append(self.name("the name of a parameter").text)
            if not self.accept(","):
                break
        self.expect(")", "after the parameters of an inline")
        if not self.at("{"):
            self.missing("the body of an inline, in '{' and '}', expected")
        if name.text in self.names.inlines:
            self.reporter.error(name.span, f"the inline '{name.text}' is defined twice")
        body = self.balanced("{", "}")
        self.names.inlines[name.text] = Inline(name.text, tuple(parameters), tuple(body))

    def balanced(self, opening: str, closing: str) -> list[Token]:
        """The tokens from `opening`, which is here, to the `closing` that belongs to it."""
        first = self.token
        taken: list[Token] = []
        depth = 0
        while True:
            if self.token.kind == "eof":
                self.fail(f"this '{opening}' is never closed by a '{closing}'", span=first.span)
            if self.at(opening):
                depth += 1
            elif self.at(closing):
                depth -= 1
            taken.append(self.advance())
            if depth == 0:
                return taken

    def arguments(self) -> list[list[Token]]:
        """The arguments of an inline's call, each as tokens; the opening parenthesis is here."""
        tokens = self.balanced("(", ")")[1:-1]
        result: list[list[Token]] = [[]]
        depth = 0
        for token in tokens:
            if token.kind == "op" and token.text == "," and depth == 0:
                result.append([])
                continue
            if token.kind == "op":
                depth += (token.text in "([{") - (token.text in ")]}")
            result[-1].append(token)
        return result if tokens else []

    def expand_inline(self) -> tuple[Stream, Token]:
        """The expansion of the call that is here, as a stream of its own, and the call's name."""
        call = self.advance()
        inline = self.names.inlines[call.text]
        arguments = self.arguments()
        if call.text in self.active:
            chain = " -> ".join([*self.active, call.text])
            self.fail(f"the inline '{call.text}' calls itself ({chain})", span=call.span)
        if len(arguments) != len(inline.parameters):
            self.fail(
                f"the inline '{call.text}' takes {len(inline.parameters)} arguments,"
                f" but is given {len(arguments)}",
                span=call.span,
            )
        actual = dict(zip(inline.parameters, arguments, strict=True))
        tokens: list[Token] = []
        for token in inline.body:
            if token.kind == "name" and token.text in actual:
                for count, piece in enumerate(actual[token.text]):
                    first = token.first_on_line and count == 0
                    tokens.append(replace(piece, first_on_line=first))
            else:
                tokens.append(replace(token, span=via(token.span, call.span)))
        end = tokens[-1].span
        tokens.append(Token("eof", "", Span(end.source, end.end, end.end, end.via)))
        stream = Stream(tokens, self.names, self.reporter)
        stream.active = (*self.active, call.text)
        return stream, call

    def unknown(self, token: Token, known: set[str], what: str) -> None:
        self.reporter.error(
            token.span, f"unknown {what} '{token.text}'", suggest(token.text, known)
        )


def via(span: Span, call: Span) -> Span:
    """`span` as part of the expansion of an inline called at `call`."""
    outer = call if span.via is None else via(span.via, call)
    return Span(span.source, span.start, span.end, outer)
