"""Tables that read as well on a terminal as in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, padded; the first column is text and the others are figures."""
    cells = [list(headings), *(list(row) for row in rows)]
    widths = [max(3, *(len(row[column]) for row in cells)) for column in range(len(headings))]

    def line(row: Sequence[str]) -> str:
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return f"| {' | '.join([first, *others])} |"

    rule = "|".join(
        ":" + "-" * (width + 1) if column == 0 else "-" * (width + 1) + ":"
        for column, width in enumerate(widths)
    )
    return "\n".join([line(cells[0]), f"|{rule}|", *map(line, cells[1:])])


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def millions(value: float) -> str:
    return f"{value / 1e6:.1f}" if value >= 1e6 else f"{value / 1e6:.2f}"
