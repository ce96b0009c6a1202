"""The parser's view of the tokens: look ahead, expect, recover, expand inlines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NoReturn

from whorl.diagnostics import Reporter, Span, counted, suggest
from whorl.promela.ast import Inline, Reference
from whorl.promela.hints import CONDITIONAL, EQUALITY, OPERATORS
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

SEPARATORS = (";", "->")  # of statements
ENDS = ("}", "::", "fi", "od")  # of sequences
PROCESS_WORDS = frozenset(["active", "proctype", "D_proctype", "init"])
UNIT_WORDS = frozenset(
    [
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
    ]
)  # these begin a unit of a model and nothing else, so they end what was left open before them
MOST_TOKENS = 250_000  # that the inlines of a model may expand to
MOST_NESTED = 120  # levels; whoever walks the tree uses Python's stack

_PAIRS = {"{": "}", "(": ")", "[": "]"}


class Unparsable(Exception):
    """The text at hand is not understood; the error has been reported."""


class TooDeep(Exception):
    """The text is nested too deeply to go on; the error has been reported."""


@dataclass(slots=True)
class Names:
    """The names that decide how text is parsed, or what is said about text that cannot be.

    `declared` has what looks declared anywhere; `later` every inline, also those further down;
    `skipped` the names in text that was passed over after an error: nothing is known of them.
    """

    proctypes: set[str]
    typedefs: set[str]
    later: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    inlines: dict[str, Inline] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    expanded: int = 0  # how many tokens inlines have brought in


class Stream:
    """Tokens with a current position.

    `parentheses` counts the open ones: inside them the end of a line separates nothing. `open` has
    the constructs around here ("if", "do", "{"), innermost last. `active` has the inlines being
    expanded, innermost last; `result` what `return` assigns to. `early` has the constructs that
    were closed by a token that, going by its indentation, was meant for one around them.
    """

    def __init__(self, tokens: list[Token], names: Names, reporter: Reporter) -> None:
        assert tokens
        assert tokens[-1].kind == "eof"
        self.tokens = tokens
        self.position = 0
        self.names = names
        self.reporter = reporter
        self.parentheses = 0
        self.depth = 0
        self.open: list[str] = []
        self.early: list[tuple[int, str, int]] = []  # where it opens, what closes it, and where
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

    def at_unit(self) -> bool:
        """Whether a unit of the model begins here for sure, or the model ends.

        Some words may stand wrongly inside a process; at the left margin they hardly do.
        """
        if self.token.kind == "eof" or self.at(*PROCESS_WORDS):
            return True
        return self.at(*UNIT_WORDS) and self.token.span.column == 1

    def at_end_of_line(self) -> bool:
        return self.token.first_on_line or self.token.kind == "eof"

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

    def close(self, text: str, where: str, hint: str | None = None) -> Token:
        """As `expect`, for a closing bracket: goes on as if it were there, where that may help."""
        if self.at(text):
            return self.advance()
        if self.at(";") and self.from_macro(self.token) and self.ahead(1).text == text:
            self.semicolon_of_macro(self.advance())
            return self.advance()
        if self.at("=") and text == ")":
            self.fail("'=' assigns and cannot be used in an expression", EQUALITY, self.token.span)
        if self.at("?") and text == ")":
            hint = CONDITIONAL
        self.report_missing(f"'{text}' expected {where}", hint or OPERATORS.get(self.token.text))
        if self.at(";", "->", "}", "::", "fi", "od") or self.at_unit() or self.at_end_of_line():
            return self.previous
        raise Unparsable

    def name(self, what: str) -> Token:
        if self.at_name():
            return self.advance()
        token = self.token
        if token.kind == "name":
            self.advance()
            self.fail(f"'{token.text}' is a keyword and cannot be {what}", span=token.span)
        if token.kind == "number" or (token.kind == "op" and not self.at(";", ")", "}")):
            self.fail(f"{what} expected")
        self.missing(f"{what} expected")

    def deeper(self) -> None:
        """Counts a level of nesting, to be taken back by `self.depth -= 1`."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            self.too_deep()

    def too_deep(self) -> NoReturn:
        self.reporter.error(
            self.token.span,
            f"this is nested too deeply: more than {MOST_NESTED} levels",
            "an inline, or a variable for a part of the expression, makes it flatter",
        )
        raise TooDeep

    # --- complaining -----------------------------------------------------------------------------

    def fail(self, message: str, hint: str | None = None, span: Span | None = None) -> NoReturn:
        """Reports an error at the current token (or `span`) and gives up on this piece of text."""
        if span is None:
            span = self.token.span
            message = f"{message}, but found {self.describe()}"
        self.reporter.error(span, message, hint)
        raise Unparsable

    def missing(self, message: str, hint: str | None = None) -> NoReturn:
        """Reports something that is missing, and gives up on this piece of text."""
        self.report_missing(message, hint)
        raise Unparsable

    def report_missing(
        self, message: str, hint: str | None = None, position: int | None = None
    ) -> None:
        """Reports something missing right after the token before `position`: there it belongs."""
        if self.tokens[-1].text:
            return  # the text was cut off, and that has been said
        position = self.position if position is None else position
        before, after = self.tokens[max(0, position - 1)].span, self.tokens[position].span
        if before.via == after.via or after.via is None:
            span = Span(before.source, before.end, before.end, before.via)
        else:  # what comes before is the argument of an inline, and lies elsewhere
            span = Span(after.source, after.start, after.start, after.via)
        self.reporter.error(span, f"{message}, before {self.describe(position)}", hint)

    def describe(self, position: int | None = None) -> str:
        """What stands at `position`, or here, in words."""
        token = self.tokens[self.position if position is None else position]
        if token.kind == "eof":
            return "the end of the model"
        text = token.text if len(token.text) <= 30 else f"{token.text[:27]}..."
        if self.from_macro(token):
            return f"'{text}' of the macro '{token.span.text}'"
        return f"'{text}'"

    def from_macro(self, token: Token) -> bool:
        return token.span.text != token.text and token.span.text.isidentifier()

    def semicolon_of_macro(self, token: Token) -> None:
        self.reporter.error(
            token.span,
            f"the macro '{token.span.text}' brings a ';' with it",
            "a '#define' ends with its line, without a ';'",
        )

    def unknown(self, token: Token, known: Iterable[str], what: str) -> None:
        self.reporter.error(
            token.span, f"unknown {what} '{token.text}'", suggest(token.text, known)
        )

    # --- recovering ------------------------------------------------------------------------------

    def skip_to(self, *texts: str) -> None:
        """Skips to one of `texts` outside any brackets opened on the way, or to the end."""
        depth = 0
        while not self.at_unit():
            if depth == 0 and self.at(*texts):
                return
            if self.at("{", "(", "["):
                depth += 1
            elif self.at("}", ")", "]"):
                if depth == 0 and self.at("}"):
                    return
                depth = max(0, depth - 1)
            self.advance()

    def skip_balanced(self) -> None:
        """Skips from the opening bracket that is here to beyond the one that closes it."""
        depth = 0
        while not self.at_unit():
            depth += self.at(*_PAIRS) - self.at(*_PAIRS.values())
            self.advance()
            if depth <= 0:
                return

    def passed_over(self, start: int) -> None:
        """Takes note that the text from `start` to here was not understood."""
        self.names.skipped |= {
            token.text for token in self.tokens[start : self.position + 1] if token.kind == "name"
        }

    def replace_word(self, text: str) -> None:
        """Goes on as if the misspelt word here were `text`."""
        self.tokens[self.position] = replace(self.token, text=text)

    # --- closing what was opened -----------------------------------------------------------------

    def end_of(self, start: int, closing: str, why: str) -> Token:
        """Passes the `closing` of the construct that opens at `start`, or says where it is missing.

        A bracket that is missing is noticed only where the text around it ends. Indentation tells
        where it was meant to be.
        """
        if self.at(closing):
            if self._belongs_further_out(start):
                self.early.append((start, closing, self.position))
            return self.advance()
        meant = next(
            (early for early in self.early if early[0] > start and early[1] == closing), None
        )
        if meant is not None:
            self.early.remove(meant)
            opening, _, end = meant
            line = self.tokens[opening].span.line
            why = f"to close the '{self.tokens[opening].text}' of line {line}"
            position = self._dedented(opening, end)
        else:
            position = self._dedented(start, self.position)
        hint = None
        word = self.tokens[position]
        alike = word.kind == "name" and len(word.text) <= 3 and word.text[0] == closing[0]
        if alike and word.text not in self.names.declared:
            hint = f"did you mean '{closing}'?"
            self.names.skipped.add(word.text)
        self.report_missing(f"'{closing}' expected {why}", hint, position)
        return self.previous

    def _belongs_further_out(self, start: int) -> bool:
        indent = self._indent(self.position)
        return self.token.first_on_line and indent < self._indent(self._first_of_line(start))

    def _dedented(self, start: int, end: int) -> int:
        """Where the construct at `start` ends by its indentation; at the latest at `end`."""
        head = self._first_of_line(start)
        limit = self._indent(head)
        for position in range(start + 1, end):
            token = self.tokens[position]
            if not token.first_on_line or not self._comparable(head, position):
                continue
            indent = self._indent(position)
            option_of_this = token.text == "::" and self.tokens[head].text != "::"
            if indent < limit or (indent == limit and not option_of_this and token.text != "{"):
                return position
        return end

    def _first_of_line(self, position: int) -> int:
        while position > 0 and not self.tokens[position].first_on_line:
            position -= 1
        return position

    def _comparable(self, one: int, other: int) -> bool:
        first, second = self.tokens[one].span, self.tokens[other].span
        return first.source is second.source and first.via == second.via

    def _indent(self, position: int) -> int:
        span = self.tokens[position].span
        start = span.source.line_start(span.line)
        return len(span.source.text[start : span.start].expandtabs())

    # --- inlines ---------------------------------------------------------------------------------

    def define_inline(self) -> None:
        """``inline name(a, b) { body }``, of which the body is kept as tokens."""
        self.advance()
        name = self.name("the name of an inline")
        self.expect("(", "after the name of an inline")
        parameters: list[Token] = []
        while not self.at(")"):
            parameters.append(self.name("the name of a parameter"))
            if not self.accept(","):
                break
        self.expect(")", "after the parameters of an inline")
        if not self.at("{"):
            self.missing("the body of an inline, in '{' and '}', expected")
        before = self.names.inlines.get(name.text)
        if before is not None:
            self.reporter.error(
                name.span,
                f"the inline '{name.text}' is defined twice (also in line {before.span.line})",
            )
        different = {name.text, *(parameter.text for parameter in parameters)}
        if len(different) <= len(parameters):
            self.reporter.error(
                name.span, f"the parameters of the inline '{name.text}' must have different names"
            )
        body = self.balanced("{", "}", f"to close the body of the inline '{name.text}'")
        inline = Inline(name.text, tuple(parameters), tuple(body), name.span)
        self.names.inlines[name.text] = inline

    def balanced(self, opening: str, closing: str, why: str) -> list[Token]:
        """The tokens from `opening`, which is here, to the `closing` that belongs to it."""
        start = end = self.position
        around: list[int] = []
        early: tuple[int, int] | None = None
        while not self.at_unit():
            if self.at(opening):
                around.append(self.position)
            elif self.at(closing):
                inner = around.pop()
                if early is None and self._belongs_further_out(inner):
                    early = (inner, self.position)
            self.advance()
            if not around:
                return self.tokens[start : self.position]
        end = self.position
        if early is not None:
            start, end = early
            why = f"to close the '{opening}'"
        line = self.tokens[start].span.line
        where = self._dedented(start, end)
        self.report_missing(f"'{closing}' expected {why} of line {line}", None, where)
        raise Unparsable

    def arguments(self) -> list[list[Token]]:
        """The arguments of an inline's call, each as tokens; the opening parenthesis is here."""
        self.advance()
        start, open_ones = self.position, 1
        while open_ones and not self.at(*SEPARATORS, *ENDS) and not self.at_unit():
            open_ones += self.at("(") - self.at(")")
            self.advance()
        if open_ones:
            self.report_missing("')' expected to close this call")
        tokens = self.tokens[start : self.position if open_ones else self.position - 1]
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
            chain = " -> ".join([*self.active[self.active.index(call.text) :], call.text])
            self.fail(
                f"the inline '{call.text}' calls itself ({chain})",
                "an inline is text, not a function: use a loop, or a proctype that is run",
                call.span,
            )
        if len(arguments) != len(inline.parameters):
            names = ", ".join(parameter.text for parameter in inline.parameters)
            form = f"{call.text}({names})"
            self.fail(
                f"the inline '{call.text}' takes {counted(len(inline.parameters), 'argument')},"
                f" but is given {len(arguments)}",
                f"it is defined in line {inline.span.line} as '{form}'",
                call.span.until(self.previous.span),
            )
        names_of = (parameter.text for parameter in inline.parameters)
        actual = dict(zip(names_of, arguments, strict=True))
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
        self.names.expanded += len(tokens)
        if self.names.expanded > MOST_TOKENS:
            self.reporter.error(call.span, "the inlines of this model expand to too much text")
            raise TooDeep
        stream = Stream(tokens, self.names, self.reporter)
        stream.active = (*self.active, call.text)
        stream.depth = self.depth
        return stream, call


def via(span: Span, call: Span) -> Span:
    """`span` as part of the expansion of an inline called at `call`."""
    outer = call if span.via is None else via(span.via, call)
    return Span(span.source, span.start, span.end, outer, span.written)
