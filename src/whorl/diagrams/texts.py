"""Texts in diagrams: short enough to be read, one arc for all that lead the same way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from whorl.pictures.diagram import Arc

LONGEST = 34
MOST_LINES = 6


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text in one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def joined(arcs: Sequence[Arc], kinds: Sequence[object] = ()) -> list[Arc]:
    """The arcs, those with the same ends and looks as one, if they are also of the same kind."""
    groups: dict[object, list[Arc]] = {}
    for arc, kind in zip_longest(arcs, kinds):
        groups.setdefault((arc.source, arc.target, arc.looks, kind), []).append(arc)
    return [_one(group) for group in groups.values()]


def _one(group: list[Arc]) -> Arc:
    first = group[0]
    lines = [line for text in dict.fromkeys(arc.text for arc in group) for line in text]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"… {len(lines) - MOST_LINES + 1} more"]
    about = "\n".join(dict.fromkeys(arc.about for arc in group))
    return Arc(first.source, first.target, tuple(lines), about, first.looks)
