"""The results as pictures: horizontal bars, and lines where the targets are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from benchmarks.results import Results
from benchmarks.table import geometric_mean

SPEED = Path("bench-speed.svg")
MEMORY = Path("bench-memory.svg")

WIDTH, LEFT, RIGHT, TOP, ROW, BAR = 720, 140, 48, 78, 24, 14
LEGEND = ("our models", "models that come with Spin")
INK, FAINT, GRID, OURS, SPINS, LINE = "#222", "#666", "#e4e4e4", "#33658a", "#86a8c0", "#c1440e"
FONT = "font-family='system-ui, sans-serif'"


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    value: float
    ours: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical line, with a word above it."""

    value: float
    text: str
    target: bool


def bars(
    title: str,
    unit: str,
    rows: Sequence[Bar],
    marks: Sequence[Mark],
    step: float,
    legend: tuple[str, str] = LEGEND,
    powers: bool = False,
) -> str:
    """A bar a row, the greatest value first, on a scale that begins at zero.

    With `powers` it is a scale of powers of ten, where bars begin at one: to the left, if less.
    """
    values = [row.value for row in rows] + [mark.value for mark in marks]
    along = [math.log10(value) for value in values] if powers else values
    begin = min(0, math.floor(min(along) / step) * step)
    end = math.ceil(max(along) / step + 0.25) * step
    height = TOP + ROW * len(rows) + 60
    bottom = TOP + ROW * len(rows) + 4

    def x(value: float) -> float:
        at = math.log10(value) if powers else value
        return LEFT + (WIDTH - LEFT - RIGHT) * (at - begin) / (end - begin)

    zero = x(1 if powers else 0)

    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' "
        f"viewBox='0 0 {WIDTH} {height}' {FONT} font-size='13' fill='{INK}'>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{WIDTH}' height='{height}' fill='white'/>",
        f"<text x='16' y='26' font-size='16' font-weight='600'>{escape(title)}</text>",
    ]
    for tick in range(round(begin / step), round(end / step) + 1):
        shown = 10.0 ** (tick * step) if powers else tick * step
        at = x(shown)
        parts += [
            f"<line x1='{at:.1f}' x2='{at:.1f}' y1='{TOP - 6}' y2='{bottom}' stroke='{GRID}'/>",
            f"<text x='{at:.1f}' y='{bottom + 18}' fill='{FAINT}' text-anchor='middle'>"
            f"{shown:,g}{escape(unit)}</text>",
        ]
    for number, row in enumerate(sorted(rows, key=lambda row: -row.value)):
        top = TOP + ROW * number + (ROW - BAR) / 2
        colour = OURS if row.ours else SPINS
        parts += [
            f"<text x='{LEFT - 10}' y='{top + 11.5:.1f}' text-anchor='end'>"
            f"{escape(row.label)}</text>",
            f"<rect x='{min(zero, x(row.value)):.1f}' y='{top:.1f}' "
            f"width='{abs(x(row.value) - zero):.1f}' height='{BAR}' fill='{colour}'/>",
        ]
    for mark in marks:
        at = x(mark.value)
        dash = "" if mark.target else " stroke-dasharray='4 3'"
        colour = LINE if mark.target else INK
        parts += [
            f"<line x1='{at:.1f}' x2='{at:.1f}' y1='{TOP - 10}' y2='{bottom}' "
            f"stroke='{colour}' stroke-width='1.5'{dash}/>",
            f"<text x='{at:.1f}' y='{TOP - (15 if mark.target else 31)}' fill='{colour}' "
            f"text-anchor='middle'>{escape(mark.text)}</text>",
        ]
    for number, row in enumerate(sorted(rows, key=lambda row: -row.value)):
        top = TOP + ROW * number + (ROW - BAR) / 2
        parts.append(
            f"<text x='{max(zero, x(row.value)) + 5:.1f}' y='{top + 11.5:.1f}' stroke='white' "
            f"stroke-width='3' paint-order='stroke'>{row.value:.2f}</text>"
        )
    parts += [
        f"<rect x='{LEFT}' y='{height - 19}' width='10' height='10' fill='{OURS}'/>",
        f"<text x='{LEFT + 16}' y='{height - 10}' fill='{FAINT}' font-size='12'>"
        f"{escape(legend[0])}</text>",
        f"<rect x='{LEFT + 100}' y='{height - 19}' width='10' height='10' fill='{SPINS}'/>",
        f"<text x='{LEFT + 116}' y='{height - 10}' fill='{FAINT}' font-size='12'>"
        f"{escape(legend[1])}</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def write(results: Results, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    rows = results.big
    mean = geometric_mean(m.speedup for m in rows)
    (folder / SPEED).write_text(
        bars(
            "Transitions per CPU second, times Spin's",
            "×",
            [Bar(m.name, m.speedup, m.ours) for m in rows],
            [
                Mark(2, "target: each", True),
                Mark(4, "target: mean", True),
                Mark(mean, f"mean {mean:.2f}", False),
            ],
            1,
        ),
        encoding="utf-8",
    )
    mean = geometric_mean(m.memory_ratio for m in rows)
    (folder / MEMORY).write_text(
        bars(
            "Peak memory per state, as a share of Spin's",
            "×",
            [Bar(m.name, m.memory_ratio, m.ours) for m in rows],
            [Mark(0.5, "target", True), Mark(mean, f"mean {mean:.2f}", False)],
            0.25,
        ),
        encoding="utf-8",
    )
