"""Text as lines of tokens and comments: what the formatter moves about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from whorl.diagnostics import Source
from whorl.promela.lexer import lex

_COMMENT = re.compile(r"/\*.*?\*/|//(?:\\[ \t]*\r?\n|[^\n])*", re.DOTALL)
_SPLICE = re.compile(r"\\[ \t]*\r?\n")
TAB = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A token or a comment, and the `gap` before it.

    `first` if the lexer sees it as the first of its line, which separates statements.
    """

    kind: str
    text: str
    gap: str
    start: int
    first: bool = False


@dataclass(frozen=True, slots=True)
class TextLine:
    """The pieces between two line ends, the column of the first, and the empty lines above it."""

    pieces: tuple[Piece, ...]
    column: int
    blank: int

    @property
    def code(self) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.kind != "comment")

    @property
    def directive(self) -> bool:
        return any(piece.text == "#" and piece.first for piece in self.pieces)


def pieces_of(text: str) -> Iterator[Piece]:
    """The tokens and comments of a text, in order; a gap may have line ends in it."""
    end = 0
    for token in lex(Source("", text)):
        gap_start = end
        for comment in _COMMENT.finditer(text, end, token.span.start):
            gap = text[gap_start : comment.start()]
            yield Piece("comment", comment.group(), gap, comment.start())
            gap_start = comment.end()
        gap = text[gap_start : token.span.start]
        yield Piece(token.kind, token.text, gap, token.span.start, token.first_on_line)
        end = token.span.end


def lines_of(text: str) -> list[TextLine]:
    """The lines of a text. A line that goes on after a backslash is one."""
    lines: list[TextLine] = []
    current: list[Piece] = []
    head, blank = "", 0
    for piece in pieces_of(text):
        spliced = _SPLICE.sub("", piece.gap)
        breaks = spliced.count("\n")
        if (breaks or piece.kind == "eof") and current:
            lines.append(TextLine(tuple(current), len(head.expandtabs(TAB)), blank))
            current = []
        if piece.kind == "eof":
            break
        if not current:
            blank = max(0, breaks - 1) if lines else 0
            head = spliced.rpartition("\n")[2]
        current.append(piece)
    return lines
