"""What can be told of a model without parsing it: its comments, and the names of its claims.

It takes no time, and says something of a model with errors, too: for completion in a shell, and for
what comments promise (`expectations.py`). It does not carry out directives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PIECES = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*)"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
_CLAIM = re.compile(r"\b(ltl|never)\b[ \t\n]*([A-Za-z_]\w*)?[ \t\n]*\{")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
MOST_READ = 1 << 20  # characters of a file
MOST_FILES = 50


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: where it starts, and its text with the signs that make it one."""

    start: int
    text: str


@dataclass(frozen=True, slots=True)
class ClaimBlock:
    """An ltl block or a never claim, from its first word up to its closing brace."""

    name: str
    start: int
    end: int


def comments(text: str) -> Iterator[Comment]:
    """The comments of a model, in order."""
    for piece in _PIECES.finditer(text):
        if piece["comment"] is not None:
            yield Comment(piece.start(), piece["comment"])


def claim_blocks(text: str) -> list[ClaimBlock]:
    """The ltl blocks and never claims of a model; one without a name has that of the parser."""
    code = _PIECES.sub(lambda piece: re.sub(r"[^\n]", " ", piece[0]), text)
    found: list[ClaimBlock] = []
    formulas = 0
    for match in _CLAIM.finditer(code):
        is_formula = match[1] == "ltl"
        name = match[2] or (f"ltl_{formulas}" if is_formula else "never")
        formulas += is_formula
        found.append(ClaimBlock(name, match.start(), _closing(code, match.end())))
    return found


def _closing(code: str, start: int) -> int:
    """Where the brace is closed that was opened just before `start`; else the end of the text."""
    depth = 1
    for brace in re.finditer("[{}]", code[start:]):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return start + brace.end()
    return len(code)


def claim_names(path: Path) -> list[str]:
    """The names of the claims of a model and of what it includes; of what can be read."""
    names: dict[str, None] = {}
    todo, seen = [path], {path}
    while todo:
        try:
            with todo.pop(0).open(encoding="utf-8", errors="replace") as file:
                text = file.read(MOST_READ)
        except (OSError, ValueError):
            continue
        names |= dict.fromkeys(block.name for block in claim_blocks(text))
        for included in _INCLUDE.findall(text):
            other = path.parent / included
            if other not in seen and len(seen) < MOST_FILES:
                seen.add(other)
                todo.append(other)
    return [*names]
