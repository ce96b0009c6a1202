"""Formats a text: indents its lines, and puts blanks between its tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whorl.formatter.lines import TAB, Piece, TextLine, lines_of, pieces_of
from whorl.formatter.spacing import Spacing
from whorl.formatter.structure import (
    CLOSERS,
    Opened,
    Structure,
    long_choices,
    pass_directive,
)
from whorl.language.operators import LEVEL
from whorl.promela.stream import KEYWORDS

STEP = 4  # blanks of a level
MOST_BLANK = 2  # empty lines between units; within one, 1
_MARK = "\ufeff"  # a byte order mark
_BINARY = frozenset(LEVEL) - {"-"}
_UNFINISHED = frozenset([*LEVEL, ",", "=", "!", "?", "??", "!!"])


def format_text(text: str) -> str:
    """The text in whorl's style; as it is where it is not made of tokens, or would change."""
    if "\r\n" in text:
        return format_text(text.replace("\r\n", "\n")).replace("\n", "\r\n")
    if text.startswith(_MARK):
        return _MARK + format_text(text.removeprefix(_MARK))
    if any(piece.kind == "bad" for piece in pieces_of(text)):
        return text
    made = laid_out(text)
    return made if same_text(text, made) else text


def laid_out(text: str) -> str:
    """A text of tokens with `\\n` as line end in the style, not compared with what it was."""
    return _Layout(text, lines_of(text), _spacing_matters(list(pieces_of(text)))).text()


def same_text(one: str, other: str) -> bool:
    """Whether two texts differ only in what the formatter may change."""
    return _essence(one) == _essence(other)


def _essence(text: str) -> list[tuple[str, str, bool, bool]]:
    found = []
    last = ""
    for piece in pieces_of(text):
        body = re.sub(r"\s*\n[ \t]*", "\n", piece.text) if piece.kind == "comment" else piece.text
        # Only here does it matter to the parser whether blanks stand between two tokens.
        joined = (last, piece.text) in (("[", "]"), ("<", ">"), ("<", "->"))
        found.append((piece.kind, body.rstrip(), piece.first, joined and not piece.gap))
        last = piece.text
    return found


def _spacing_matters(pieces: Sequence[Piece]) -> bool:
    """Whether a macro makes a string of its argument, blanks and all."""
    in_directive = False
    for piece in pieces:
        if piece.first:
            in_directive = piece.text == "#"
        elif in_directive and piece.text == "#":
            return True
    return False


class _Layout:
    """Goes through the lines of a text, and writes them anew."""

    def __init__(self, text: str, lines: Sequence[TextLine], keep_gaps: bool) -> None:
        self.original = text
        self.lines = lines
        self.keep_gaps = keep_gaps
        self.keep_blank = "__LINE__" in text
        self.structure = Structure()
        self.spacing = Spacing()
        self.long = long_choices(lines)
        self.processes = {
            second.text
            for line in lines
            for first, second in zip(line.code, line.code[1:], strict=False)
            if first.text in ("proctype", "D_proctype")
        }
        self.saved: list[tuple[list[Opened], list[Opened] | None]] = []
        self.unfinished = False  # the last line of code ends in the middle of an expression
        self.begun = False  # the formula of an ltl block has begun
        self.base = (0, 0)  # the column where the statement began, before and after
        self.output: list[str] = []

    def text(self) -> str:
        for number, line in enumerate(self.lines):
            most = 1 if self.structure.opened else MOST_BLANK
            blank = line.blank if self.keep_blank else min(line.blank, most)
            self.output += [""] * blank
            if line.directive:
                self.verbatim(line)
                pass_directive(self.structure, line, self.saved)
            elif line.code:
                self.code(line)
            else:
                self.comment(line, number)
        return "\n".join([*self.output, ""]) if self.output else ""

    def verbatim(self, line: TextLine) -> None:
        last = line.pieces[-1]
        start, end = line.pieces[0].start, last.start + len(last.text)
        while start > 0 and self.original[start - 1] in " \t":
            start -= 1
        rows = self.original[start:end].split("\n")
        self.output.append("\n".join(row.rstrip() for row in rows))

    # --- lines of code ---------------------------------------------------------------------------

    def code(self, line: TextLine) -> None:
        first = line.code[0]
        column = self.column(line, first)
        if not self.goes_on(first):
            self.base = (line.column, column)
        label = self.is_label(line)
        self.begun = self.structure.formula and first.text != "}"
        written = " " * (0 if label else column)
        self.spacing.formula = self.structure.formula
        for number, piece in enumerate(line.pieces):
            shift = 0
            if number == 0:
                self.spacing.start(piece)
                shift = len(written) - line.column
            else:
                last = line.pieces[number - 1]
                gap = self.gap(last, piece)
                if number == 1 + (line.pieces[0].kind == "comment"):
                    gap = self.after_mark(line, number, gap)
                if label and number == 2 and piece.kind != "comment":
                    gap = " " * max(1, column - len(written))
                written += gap
                if label and number == 2:
                    self.base = (self.original_column(piece), len(written))
            written += self.moved(piece, shift)
            self.structure.pass_piece(piece)
            self.spacing.formula = self.structure.formula
        self.output.append(written.rstrip())
        ending = line.code[-1].text
        self.unfinished = ending in _UNFINISHED and line.code[-1].kind in ("op", "name")

    def gap(self, last: Piece, piece: Piece) -> str:
        wanted = self.spacing.gap(last, piece)
        if "\n" in piece.gap or self.keep_gaps:
            return piece.gap
        return wanted

    def after_mark(self, line: TextLine, number: int, gap: str) -> str:
        """The blanks after `::`, or after a `{` that a statement follows on its line."""
        mark = line.pieces[number - 1]
        if mark.text == "::" and self.structure.opened:
            long = self.structure.opened[-1].number in self.long
            return "  " if long else " "
        if mark.text == "{" and not _closed(line):
            return " " * (STEP - 1)
        return gap

    def column(self, line: TextLine, first: Piece) -> int:
        """Where a line of code begins."""
        if self.goes_on(first):
            offset = line.column - self.base[0]
            if not self.structure.bracketed and not self.structure.formula and offset <= 0:
                offset = STEP
            return max(0, self.base[1] + offset)
        return STEP * self.structure.level_of(first)

    def original_column(self, piece: Piece) -> int:
        start = self.original.rfind("\n", 0, piece.start) + 1
        return len(self.original[start : piece.start].expandtabs(TAB))

    def goes_on(self, first: Piece) -> bool:
        """Whether a line that begins so goes on with what the line before began."""
        if self.structure.bracketed:
            return True
        if self.structure.formula:
            return self.begun and first.text != "}"
        return self.unfinished or (first.text in _BINARY and first.kind == "op")

    def is_label(self, line: TextLine) -> bool:
        name = line.pieces[0]
        return (
            name.kind == "name"
            and len(line.pieces) > 1
            and line.pieces[1].text == ":"
            and name.text not in KEYWORDS
            and name.text not in self.processes
            and not self.goes_on(name)
            and bool(self.structure.opened)
        )

    # --- comments --------------------------------------------------------------------------------

    def comment(self, line: TextLine, number: int) -> None:
        """A line that has only comments goes with the next line of code."""
        column = STEP * self.structure.level
        following = next((each for each in self.lines[number + 1 :] if each.code), None)
        if following is not None and not following.directive:
            first = following.code[0]
            if self.goes_on(first):
                column = max(0, self.base[1] + line.column - self.base[0])
            elif first.text not in CLOSERS:
                column = STEP * self.structure.level_of(first)
        written = " " * column
        for place, piece in enumerate(line.pieces):
            written += "" if place == 0 else piece.gap
            written += self.moved(piece, column - line.column)
        self.output.append(written.rstrip())

    def moved(self, piece: Piece, shift: int) -> str:
        """A piece; the further lines of a comment move with its first."""
        if piece.kind != "comment" or "\n" not in piece.text:
            return piece.text.rstrip() if piece.kind == "comment" else piece.text
        first, *rest = piece.text.split("\n")
        rows = [first.rstrip()]
        for row in rest:
            bare = row.lstrip(" \t")
            indent = len(row[: len(row) - len(bare)].expandtabs(TAB))
            rows.append(f"{' ' * max(0, indent + shift)}{bare}".rstrip())
        return "\n".join(rows)


def _closed(line: TextLine) -> bool:
    """Whether a brace that a line begins with is closed on it."""
    depth = 0
    for piece in line.code:
        depth += (piece.text == "{") - (piece.text == "}")
        if depth == 0:
            return True
    return False
