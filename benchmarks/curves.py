"""Lines over a size, beside each other: a panel a model, the cost on a scale of powers of ten.

Sizes of which the largest is more than ten times the least are on a scale of powers, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.plot import FAINT, FONT, GRID, INK, LINE, OURS

WIDE, HIGH, LEFT, TOP, GAP = 250, 230, 74, 70, 40
APART = 9.0  # between the labels of two sizes, a digit being as wide


@dataclass(frozen=True, slots=True)
class Curve:
    """A name for the legend, which of two colours, and the points: the size and the cost."""

    name: str
    ours: bool
    dashed: bool
    points: Sequence[tuple[int, float]]

    @property
    def stroke(self) -> str:
        dash = " stroke-dasharray='5 4'" if self.dashed else ""
        return f"fill='none' stroke='{OURS if self.ours else LINE}' stroke-width='2'{dash}"


@dataclass(frozen=True, slots=True)
class Panel:
    """A model: what its size is called, and a curve for each way to search it."""

    title: str
    axis: str
    curves: Sequence[Curve]
    doubled: bool = False  # each size is twice the last

    @property
    def sizes(self) -> list[int]:
        return sorted({size for curve in self.curves for size, _ in curve.points})

    @property
    def powers(self) -> bool:
        return self.doubled or self.sizes[-1] > 10 * self.sizes[0]

    def x(self, size: int, left: float) -> float:
        least, most, at = (
            math.log(n) if self.powers else n for n in (self.sizes[0], self.sizes[-1], size)
        )
        return left + 12 + (WIDE - 24) * (at - least) / ((most - least) or 1)

    def labels(self) -> Iterator[int]:
        """The sizes that have a label: the largest, and going down what does not touch the next."""
        right = math.inf
        for size in reversed(self.sizes):
            middle, half = self.x(size, 0), len(str(size)) * 4
            if middle + half + APART <= right:
                yield size
                right = middle - half


@dataclass(frozen=True, slots=True)
class Scale:
    """Powers of ten, from 10^low to 10^high."""

    low: int
    high: int

    def y(self, value: float) -> float:
        along = (math.log10(max(value, 10.0**self.low)) - self.low) / (self.high - self.low)
        return TOP + HIGH * (1 - along)


def draw(title: str, unit: str, panels: Sequence[Panel], least: float) -> str:
    """All panels on one scale, which begins at about `least`."""
    values = [value for panel in panels for curve in panel.curves for _, value in curve.points]
    low = math.floor(math.log10(least))
    scale = Scale(low, max(low + 1, math.ceil(math.log10(max([*values, least])))))
    width, height = LEFT + len(panels) * (WIDE + GAP), TOP + HIGH + 84
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' "
        f"viewBox='0 0 {width} {height}' {FONT} font-size='13' fill='{INK}'>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{width}' height='{height}' fill='white'/>",
        f"<text x='16' y='26' font-size='16' font-weight='600'>{escape(title)}</text>",
    ]
    for number, panel in enumerate(panels):
        left = LEFT + number * (WIDE + GAP)
        parts += _frame(panel, left, scale, unit if number == 0 else None)
        parts += [part for curve in panel.curves for part in _line(curve, panel, left, scale)]
    return "\n".join([*parts, *_legend(panels[0].curves, height), "</svg>"]) + "\n"


def _frame(panel: Panel, left: float, scale: Scale, unit: str | None) -> Iterator[str]:
    """The grid, with figures at the first panel's side, and sizes below."""
    yield f"<text x='{left}' y='{TOP - 14}' font-weight='600'>{escape(panel.title)}</text>"
    for power in range(scale.low, scale.high + 1):
        at = scale.y(10.0**power)
        yield (
            f"<line x1='{left}' x2='{left + WIDE}' y1='{at:.1f}' y2='{at:.1f}' stroke='{GRID}'/>"
        )
        if unit is not None:
            least = "≤ " if power == scale.low else ""
            yield (
                f"<text x='{left - 8}' y='{at + 4:.1f}' fill='{FAINT}' text-anchor='end'>"
                f"{least}{10.0**power:,g}{escape(unit)}</text>"
            )
    for size in panel.labels():
        yield (
            f"<text x='{panel.x(size, left):.1f}' y='{TOP + HIGH + 18}' fill='{FAINT}' "
            f"text-anchor='middle'>{size}</text>"
        )
    yield (
        f"<text x='{left + WIDE / 2}' y='{TOP + HIGH + 38}' fill='{FAINT}' "
        f"text-anchor='middle'>{escape(panel.axis)}</text>"
    )


def _line(curve: Curve, panel: Panel, left: float, scale: Scale) -> Iterator[str]:
    places = [(panel.x(size, left), scale.y(value)) for size, value in curve.points]
    if not places:
        return
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield f"<polyline points='{way}' {curve.stroke}/>"
    colour = OURS if curve.ours else LINE
    for x, y in places:
        yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{colour}'/>"


def _legend(curves: Sequence[Curve], height: int) -> Iterator[str]:
    at = LEFT
    for curve in curves:
        yield f"<path d='M{at} {height - 16}h26' {curve.stroke}/>"
        yield (
            f"<text x='{at + 32}' y='{height - 12}' fill='{FAINT}' font-size='12'>"
            f"{escape(curve.name)}</text>"
        )
        at += 60 + round(6.4 * len(curve.name))
