"""What is open at a place of a text, and so how far its lines are indented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from whorl.formatter.lines import Piece, TextLine

CLOSERS = ("}", "fi", "od")
_PAIRS = {")": "(", "]": "["}


@dataclass(slots=True)
class Opened:
    """A construct that is open: `{`, a list in braces, `ltl {`, `if`, `do`, `::`, `(` or `[`."""

    what: str
    number: int = -1  # of an if or do


@dataclass(slots=True)
class Structure:
    """The constructs that are open, the innermost last. Numbers count the choices from 0."""

    opened: list[Opened] = field(default_factory=list)
    choices: int = 0
    _recent: list[str] = field(default_factory=list)  # the last tokens

    @property
    def level(self) -> int:
        """How many steps a line is indented here."""
        return sum(each.what in ("{", "ltl", "::") for each in self.opened)

    @property
    def bracketed(self) -> bool:
        """Whether an expression or a list goes on."""
        return any(each.what in ("(", "[", "list") for each in self.opened)

    @property
    def formula(self) -> bool:
        return any(each.what == "ltl" for each in self.opened)

    def copy(self) -> Structure:
        return Structure(list(self.opened), self.choices, list(self._recent))

    def level_of(self, piece: Piece) -> int:
        """How many steps a line is indented that begins with a token."""
        ahead = self.copy()
        ahead.pass_piece(piece)
        opens = piece.text in ("{", "::", "if", "do") and ahead.opened
        if opens and ahead.opened[-1].what in ("{", "::", "ltl"):
            return ahead.level - 1
        return ahead.level

    def pass_piece(self, piece: Piece) -> None:
        """Goes past a token."""
        if piece.kind in ("name", "op"):
            self._token(piece.text)
        if piece.kind != "comment":
            self._recent = [*self._recent[-2:], piece.text]

    def _token(self, text: str) -> None:
        if text == "{":
            self.opened.append(Opened(self._brace()))
        elif text in ("(", "["):
            self.opened.append(Opened(text))
        elif text in ("if", "do"):
            self.opened.append(Opened(text, self.choices))
            self.choices += 1
        elif text == "::":
            self._to("if", "do")
            if self.opened:
                self.opened.append(Opened("::", self.opened[-1].number))
        elif text == "}":
            self._close("{", "ltl", "list")
        elif text in ("fi", "od"):
            self._close("if" if text == "fi" else "do")
        elif text in _PAIRS:
            self._close(_PAIRS[text], within=("(", "["))

    def _brace(self) -> str:
        before = self._recent[-1] if self._recent else ""
        if before in ("=", "of", "mtype"):
            return "list"
        return "ltl" if "ltl" in self._recent[-2:] else "{"

    def _to(self, *wanted: str) -> None:
        """Closes what is open inside the innermost of the wanted, if there is one."""
        for number in range(len(self.opened) - 1, -1, -1):
            if self.opened[number].what in wanted:
                del self.opened[number + 1 :]
                return
            if self.opened[number].what == "{":
                return

    def _close(self, *wanted: str, within: Sequence[str] = ()) -> None:
        for number in range(len(self.opened) - 1, -1, -1):
            if self.opened[number].what in wanted:
                del self.opened[number:]
                return
            if within and self.opened[number].what not in within:
                return


def long_choices(lines: Sequence[TextLine]) -> set[int]:
    """The numbers of the choices that have an option of more than one line."""
    structure = Structure()
    long: set[int] = set()
    saved: list[tuple[list[Opened], list[Opened] | None]] = []
    for line in lines:
        if line.directive:
            pass_directive(structure, line, saved)
            continue
        code = line.code
        if code and code[0].first:
            marks = code[0].text in ("::", "fi", "od")
            for each in structure.opened:
                if each.what == "::" and not (marks and each.number == _own(structure)):
                    long.add(each.number)
        for piece in code:
            structure.pass_piece(piece)
    return long


def _own(structure: Structure) -> int:
    """The number of the innermost choice."""
    for each in reversed(structure.opened):
        if each.what in ("if", "do"):
            return each.number
    return -1


def pass_directive(
    structure: Structure, line: TextLine, saved: list[tuple[list[Opened], list[Opened] | None]]
) -> None:
    """Each branch of an `#if` begins with what is open there; the first has the last word."""
    word = line.code[1].text if len(line.code) > 1 else ""
    if word in ("if", "ifdef", "ifndef"):
        saved.append((list(structure.opened), None))
    elif word in ("else", "elif") and saved:
        before, after = saved[-1]
        saved[-1] = (before, list(structure.opened) if after is None else after)
        structure.opened = list(before)
    elif word == "endif" and saved:
        _, after = saved.pop()
        if after is not None:
            structure.opened = after
