"""Cuts Promela text into tokens.

Keywords stay names: a macro may have the name of a keyword, so only the parser can tell them apart.
Text that is no token becomes a token too, a "bad" one, because it is a mistake only if the
preprocessor keeps it: an apostrophe in a branch that `#if 0` leaves out is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from whorl.diagnostics import Source, Span

Kind = Literal["name", "number", "string", "char", "op", "embedded", "eof", "bad"]

MAX_DIGITS = 400  # far above what any type holds, and below what Python refuses to convert

_SPLICE = r"\\[ \t]*\r?\n"  # a backslash at the end of a line joins the next line to it
_COMMENT = rf"/\*.*?\*/|//(?:{_SPLICE}|[^\n])*"
_STRING = rf'"(?:{_SPLICE}|\\[^\n]|[^"\\\n])*"'

# One alternative for each kind of token. The order matters: a comment before the operator `/`, the
# whole before the unterminated, longer operators before shorter ones.
_TOKEN = re.compile(
    rf"""
      (?P<space>    (?: [ \t\r\f\v] | {_SPLICE} )+ | {_COMMENT} )
    | (?P<newline>  \n )
    | (?P<foreign>  [A-Za-z0-9_]* [^\W\x00-\x7f] \w* )
    | (?P<name>     [A-Za-z_][A-Za-z0-9_]* )
    | (?P<number>   [0-9]{{1,{MAX_DIGITS}}} (?![A-Za-z0-9_]) )
    | (?P<string>   {_STRING} )
    | (?P<char>     ' (?: \\[!-~] | [^\\'\x00-\x1f\x7f-\U0010ffff] ) ' )
    | (?P<bad>      /\*.*
                  | \*/(?![*/])
                  | [0-9][A-Za-z0-9_]*
                  | "[^\r\n]*
                  | '[^'\r\n]{{0,10}}'
                  | [\u201c\u201d] [^"\u201c\u201d\r\n]* ["\u201c\u201d]
                  | [^\x00-\x7f]+ )
    | (?P<op>       --> | -> | :: | !! | \?\? | << | >> | <= | >= | == | != | && | \|\| | \+\+ | --
                  | \.\. | \#\# | [][{{}}();:,.?!<>=+*/%&|^~@\#-] )
    | (?P<other>    . )
    """,
    re.DOTALL | re.VERBOSE,
)

_KINDS: dict[str, Kind] = {
    "name": "name",
    "number": "number",
    "string": "string",
    "char": "char",
    "op": "op",
    "foreign": "bad",
    "bad": "bad",
    "other": "bad",
}

_EMBEDDING = frozenset({"c_code", "c_expr", "c_decl"})
_BLANK = re.compile(rf"(?:[ \t\r\n\f\v]|{_SPLICE}|{_COMMENT})*", re.DOTALL)
_SPLICE_OR_COMMENT = re.compile(rf"{_SPLICE}|{_COMMENT}", re.DOTALL)
# What matters in C text when only the balance of its brackets is wanted.
_C_TEXT = re.compile(
    rf"{_COMMENT}|{_STRING}|'(?:\\[^\n]|[^'\\\n])*'|(?P<bracket>[][{{}}])", re.DOTALL
)

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its place; `spaced` if blanks or comments come before it.

    `definitions` are those of the model's macros that embedded C mentions, as lines of C.
    """

    kind: Kind
    text: str
    span: Span
    first_on_line: bool = False
    spaced: bool = False
    definitions: str = ""

    @property
    def value(self) -> int:
        """The value of a number or a character."""
        if self.kind == "number":
            return int(self.text)
        assert self.kind == "char", f"a token of kind {self.kind} has no value"
        body = self.text[1:-1]
        return ord(_ESCAPES.get(body[1], body[1]) if body[0] == "\\" else body)

    @property
    def problem(self) -> tuple[str, str | None]:
        """What is wrong with a bad token, and a hint."""
        assert self.kind == "bad"
        return _problem(self.text)


def lex(source: Source) -> list[Token]:
    """All tokens of a source, then one of kind "eof"."""
    text = source.text
    tokens: list[Token] = []
    match_token = _TOKEN.match
    position = 1 if text.startswith("\ufeff") else 0  # a byte order mark is no text
    first_on_line, spaced, in_directive = True, False, False
    while (match := match_token(text, position)) is not None:
        kind = match.lastgroup
        start, position = position, match.end()
        if kind == "space":
            spaced = True
            continue
        if kind == "newline":
            first_on_line = spaced = True
            in_directive = False
            continue
        word = match.group()
        span = Span(source, start, position)
        tokens.append(Token(_KINDS[kind or ""], word, span, first_on_line, spaced))
        in_directive = in_directive or (first_on_line and word == "#")
        first_on_line = spaced = False
        if kind == "name" and word in _EMBEDDING:
            embedded = _lex_embedded(source, position, in_directive)
            if embedded:
                tokens += embedded
                position = embedded[-1].span.end
    end = len(text)
    tokens.append(Token("eof", "", Span(source, end, end), first_on_line=True, spaced=True))
    return tokens


def _lex_embedded(source: Source, position: int, in_directive: bool) -> list[Token]:
    """The groups `[...]` and `{...}` of C text that may follow `c_code` and its like.

    A group that does not end is bad, and so is only its opening bracket: the text after it is
    then read as Promela, so that directives there are still found. In a directive, a group lies
    on the directive's line.
    """
    tokens: list[Token] = []
    for opening in "[{":
        blank = _BLANK.match(source.text, position)
        assert blank is not None
        start = blank.end()
        if not source.text.startswith(opening, start):
            continue
        end = _closing_bracket(source.text, start)
        if in_directive and _has_line_end(source.text[position:end]):
            break
        span = Span(source, start, start + 1 if end is None else end)
        kind: Kind = "bad" if end is None else "embedded"
        first_on_line = _has_line_end(blank.group())
        tokens.append(Token(kind, span.text, span, first_on_line, spaced=start > position))
        if end is None:
            break
        position = end
    return tokens


def _has_line_end(text: str) -> bool:
    return "\n" in _SPLICE_OR_COMMENT.sub("", text)


def _closing_bracket(text: str, start: int) -> int | None:
    """Where the group that opens at `start` ends; only brackets of its own kind count."""
    opening = text[start]
    closing = {"[": "]", "{": "}"}[opening]
    depth = 0
    for match in _C_TEXT.finditer(text, start):
        if match["bracket"] == opening:
            depth += 1
        elif match["bracket"] == closing:
            depth -= 1
            if depth == 0:
                return match.end()
    return None


def _problem(text: str) -> tuple[str, str | None]:
    head = text[0]
    foreign = re.search(r"[^\W\x00-\x7f]", text)
    if foreign is not None and re.fullmatch(r"\w+", text):
        character = foreign.group()
        return (
            f"unexpected character '{character}' (U+{ord(character):04X})",
            "names have only the letters a to z and A to Z, digits and '_'",
        )
    if text.startswith("/*"):
        return "this comment has no end", "close it with '*/'"
    if text == "*/":
        return "this '*/' ends no comment", "comments do not nest: the first '*/' ends one"
    if head == '"':
        return "this string has no end", "a string ends with '\"' on the line that it begins on"
    if head == "'":
        return "this is no character", "write one ASCII character between apostrophes: 'a'"
    if head.isdigit() and head.isascii():
        if re.fullmatch("0[xX][0-9a-fA-F]+", text):
            return f"'{text}' is no number", f"Promela has only decimal numbers: {int(text, 16)}"
        if text.isdigit():
            return "this number is too long", None
        return f"'{text}' is neither a number nor a name", "a name begins with a letter or '_'"
    if head in "[{":
        return f"this embedded C text has no closing '{']' if head == '[' else '}'}'", None
    if head in "\u2018\u2019\u201c\u201d":
        return f"unexpected character '{head}'", "use a plain ' or \" in place of a printed quote"
    shown = f"'{head}'" if head.isprintable() else "code"
    return f"unexpected character {shown} (U+{ord(head):04X})", None
