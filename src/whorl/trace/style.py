"""How text is dressed for a reader: colours, and symbols that the output can show."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.diagnostics import visible_lines

# What a piece of text is, and the terminal's code for it.
CODES = {
    "good": "32",
    "bad": "1;31",
    "unsure": "33",
    "strong": "1",
    "faint": "2",
    "name": "36",
    "said": "35",
    "truth": "34",
}


@dataclass(frozen=True, slots=True)
class Symbols:
    holds: str
    violated: str
    inconclusive: str
    ellipsis: str
    arrow: str
    rule: str
    atomic: tuple[str, str, str]  # the first, a middle and the last step of an atomic sequence
    needed: str


UNICODE = Symbols("✓", "✗", "?", "…", "→", "─", ("╭", "│", "╰"), "•")
ASCII = Symbols("+", "x", "?", "...", "->", "-", ("/", "|", "\\"), "*")


@dataclass(frozen=True, slots=True)
class Style:
    color: bool = False
    symbols: Symbols = UNICODE

    def paint(self, text: str, role: str) -> str:
        if not (self.color and text):
            return text
        return f"\x1b[{CODES[role]}m{visible_lines(text)}\x1b[0m"


PLAIN = Style()
