"""How far apart two tokens of a line stand."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.diagnostics import Source
from whorl.formatter.lines import TAB, Piece
from whorl.language.operators import LEVEL
from whorl.promela.lexer import lex
from whorl.promela.ltl import BINARY, UNARY
from whorl.promela.stream import KEYWORDS

# Words that a parenthesis follows as it follows the name of a function.
_CALLS = frozenset(
    [
        *("assert", "printf", "printm", "len", "empty", "nempty", "full", "nfull", "enabled"),
        *("pc_value", "get_priority", "set_priority", "eval"),
    ]
)
_TIGHT = ("?", "??", "!!", ".", "@")
_SPACED = frozenset(["->", "=", "..", "{", "}", "::", *LEVEL])
_WORDS = frozenset([*UNARY, *BINARY])


@dataclass(slots=True)
class Spacing:
    """Decides gaps from left to right. `formula` while inside the braces of an ltl block."""

    formula: bool = False
    before: Piece | None = None  # the token before the last one
    copying: bool = False  # inside ?< ... >
    operator: bool = False  # the last token ends [] or <>
    prefix: bool = False  # the last token is an operator before its operand

    def gap(self, last: Piece, piece: Piece) -> str:
        """What goes between two pieces of a line; both are then behind."""
        wanted = self._wanted(last, piece)
        if wanted is None:
            wanted = " " if piece.gap else ""
        if not wanted and not _apart(last.text, piece.text):
            wanted = " "
        self._pass(last, piece)
        return wanted

    def start(self, piece: Piece) -> None:
        """Begins a line with that piece."""
        self.copying = self.operator = False
        self.before = None
        self.prefix = piece.text in ("!", "-", "~")

    def _pass(self, last: Piece, piece: Piece) -> None:
        joined = not piece.gap and self.formula
        self.operator = joined and (last.text, piece.text) in (("[", "]"), ("<", ">"))
        if piece.text == "<" and last.text in ("?", "??"):
            self.copying = True
        elif piece.text == ">":
            self.copying = False
        unary = piece.text == "~" or (piece.text in ("!", "-") and not self._is_operand(last))
        self.prefix = unary or (self.formula and piece.text == "!")
        self.before = last

    def _wanted(self, last: Piece, piece: Piece) -> str | None:
        """The gap; None: one blank at most, if there was any."""
        text, after = piece.text, last.text
        if "comment" in (last.kind, piece.kind):
            return _beside_comment(last, piece)
        if "embedded" in (last.kind, piece.kind):
            return "" if text in (";", ",", ")") else " "
        if (after, text) in (("[", "]"), ("<", ">"), ("<", "->"), ("{", "}")):
            return piece.gap[:1]
        if text in (",", ";", ")", "]") or after in ("(", "["):
            return ""
        if after in (",", ";"):
            return " "
        if self.operator:
            return None if text in ("[", "<") else " "
        if ":" in (text, after):
            return None
        if self.prefix:
            return ""
        if self.copying and (after == "<" or text == ">"):
            return ""
        return self._around(last, piece)

    def _around(self, last: Piece, piece: Piece) -> str | None:
        text, after = piece.text, last.text
        if not self.formula and (text in _TIGHT or after in _TIGHT):
            return ""
        if "." in (text, after) or "@" in (text, after):
            return ""
        if text in ("++", "--"):
            return ""
        if text == "!" and not self.formula and self._is_operand(last):
            return ""
        if after == "!" and not self.formula:
            return ""
        if text == "->" and len(piece.gap) > 1:
            return " " * len(piece.gap.expandtabs(TAB))  # lined up with others
        if text in _SPACED or after in _SPACED:
            return " "
        if text == "(":
            return self._before_parenthesis(last)
        if text == "[":
            return "" if self._is_operand(last) and not self._opens_box(piece) else " "
        return " "

    def _before_parenthesis(self, last: Piece) -> str:
        if last.kind != "name":
            return " "
        if self.formula and last.text in _WORDS:
            return " "
        return "" if last.text in _CALLS or last.text not in KEYWORDS else " "

    def _opens_box(self, piece: Piece) -> bool:
        return self.formula and bool(piece.gap)

    def _is_operand(self, piece: Piece) -> bool:
        """Whether an operand may end with this token."""
        if piece.kind == "name":
            operand = piece.text not in KEYWORDS or piece.text in ("true", "false", "skip")
            return operand and not (self.formula and piece.text in _WORDS)
        return piece.kind in ("number", "char") or piece.text in (")", "]")


def _beside_comment(last: Piece, piece: Piece) -> str:
    """The gap before or after a comment, which may be lined up with others."""
    if "\n" in piece.gap:
        return piece.gap  # after a backslash
    if last.kind == "comment" and piece.kind != "comment":
        return piece.gap and " "
    return " " * max(1, len(piece.gap.expandtabs(TAB)))


def _apart(one: str, other: str) -> bool:
    """Whether two tokens stay two with nothing between them."""
    tokens = lex(Source("", one + other))[:-1]
    return [token.text for token in tokens] == [one, other]
