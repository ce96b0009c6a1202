"""Horizontal bars in groups: a group a row of a table, a bar a column of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.plot import FAINT, FONT, GRID, INK, OURS, SPINS

WIDTH, LEFT, RIGHT, TOP, BAR, GAP = 800, 290, 70, 74, 11, 8
COLOURS = ("#c9b458", SPINS, OURS)
STEPS = (0.1, 0.25, 0.5, 1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Group:
    """A value a series; None where there is none."""

    label: str
    values: tuple[float | None, ...]


def grouped(title: str, series: Sequence[str], groups: Sequence[Group], unit: str = "") -> str:
    """A picture of the groups, one below the other, on a scale that begins at zero."""
    most = max(value for group in groups for value in group.values if value is not None)
    step = next((step for step in STEPS if most / step <= 8), most)
    end = (int(most / step) + 1) * step
    parts: list[str] = []
    top = TOP
    for group in groups:
        shown = [(n, value) for n, value in enumerate(group.values) if value is not None]
        middle = top + BAR * len(shown) / 2
        parts.append(
            f"<text x='{LEFT - 10}' y='{middle + 4:.1f}' text-anchor='end'>"
            f"{escape(group.label)}</text>"
        )
        for number, value in shown:
            width = (WIDTH - LEFT - RIGHT) * value / end
            parts += [
                f"<rect x='{LEFT}' y='{top}' width='{width:.1f}' height='{BAR - 1}' "
                f"fill='{COLOURS[number]}'/>",
                f"<text x='{LEFT + width + 4:.1f}' y='{top + 9}' font-size='10'>{value:.2f}"
                f"{escape(unit)}</text>",
            ]
            top += BAR
        top += GAP
    return (
        "\n".join([*_frame(title, top, series), *_ticks(step, end, top), *parts, "</svg>"]) + "\n"
    )


def _frame(title: str, bottom: int, series: Sequence[str]) -> list[str]:
    """The head of the picture, its title and its legend."""
    height = bottom + 34
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' "
        f"viewBox='0 0 {WIDTH} {height}' {FONT} font-size='12' fill='{INK}'>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{WIDTH}' height='{height}' fill='white'/>",
        f"<text x='16' y='26' font-size='16' font-weight='600'>{escape(title)}</text>",
    ]
    named = [number for number, name in enumerate(series) if name]
    for place, number in enumerate(named):
        left = LEFT + 130 * place
        parts += [
            f"<rect x='{left}' y='42' width='10' height='10' fill='{COLOURS[number]}'/>",
            f"<text x='{left + 16}' y='51' fill='{FAINT}'>{escape(series[number])}</text>",
        ]
    return parts


def _ticks(step: float, end: float, bottom: int) -> list[str]:
    parts = []
    for tick in range(round(end / step) + 1):
        x = LEFT + (WIDTH - LEFT - RIGHT) * tick * step / end
        parts += [
            f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{TOP - 8}' y2='{bottom}' stroke='{GRID}'/>",
            f"<text x='{x:.1f}' y='{bottom + 16}' fill='{FAINT}' text-anchor='middle'>"
            f"{tick * step:g}</text>",
        ]
    return parts
