"""Stored states of each row of Table 1, a mark a way, on a scale of powers of ten."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.plot import FAINT, FONT, GRID, INK, LINE, OURS, SPINS

WIDTH, LEFT, RIGHT, TOP, HIGH = 720, 80, 40, 90, 34
COLOURS = (LINE, SPINS, OURS, INK)


@dataclass(frozen=True, slots=True)
class Line:
    """A protocol: the published figures, and those measured, in the order of the legend."""

    name: str
    published: Sequence[float]
    measured: Sequence[float | None]


def draw(title: str, legend: Sequence[str], lines: Sequence[Line]) -> str:
    """Hollow marks above are the paper's, full ones below are measured."""
    values = [v for line in lines for v in (*line.published, *line.measured) if v is not None]
    powers = max(1, math.ceil(math.log10(max(values))))
    bottom = TOP + HIGH * len(lines)
    height = bottom + 34

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(value) / powers

    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' "
        f"viewBox='0 0 {WIDTH} {height}' {FONT} font-size='13' fill='{INK}'>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{WIDTH}' height='{height}' fill='white'/>",
        f"<text x='16' y='26' font-size='16' font-weight='600'>{escape(title)}</text>",
        *_legend(legend),
    ]
    for power in range(powers + 1):
        at = x(10.0**power)
        parts += [
            f"<line x1='{at:.1f}' x2='{at:.1f}' y1='{TOP - 6}' y2='{bottom}' stroke='{GRID}'/>",
            f"<text x='{at:.1f}' y='{bottom + 18}' fill='{FAINT}' text-anchor='middle'>"
            f"{10**power:,}</text>",
        ]
    for number, line in enumerate(lines):
        middle = TOP + HIGH * (number + 0.5)
        parts.append(
            f"<text x='{LEFT - 12}' y='{middle + 4:.1f}' text-anchor='end'>"
            f"{escape(line.name)}</text>"
        )
        for colour, value in zip(COLOURS, line.published, strict=False):
            parts.append(_mark(x(value), middle - 6, f"fill='white' stroke='{colour}'"))
        for colour, found in zip(COLOURS, line.measured, strict=True):
            if found is not None:
                parts.append(_mark(x(found), middle + 6, f"fill='{colour}' stroke='{colour}'"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _mark(x: float, y: float, look: str) -> str:
    return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4.5' {look} stroke-width='2'/>"


def _legend(names: Sequence[str]) -> Iterator[str]:
    at = 16.0
    for colour, name in zip(COLOURS, names, strict=True):
        yield _mark(at + 5, 46, f"fill='{colour}' stroke='{colour}'")
        yield f"<text x='{at + 16}' y='50' fill='{FAINT}' font-size='12'>{escape(name)}</text>"
        at += 40 + 6.5 * len(name)
    yield (
        f"<text x='16' y='70' fill='{FAINT}' font-size='12'>"
        "above, hollow: the paper's figures; below, full: measured</text>"
    )
