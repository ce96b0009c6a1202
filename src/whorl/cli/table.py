"""Tables of checks: a line each, with its verdict and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whorl.diagnostics import visible
from whorl.figures import bytes_text, count_text, seconds_text
from whorl.reports.outcome import ModelOutcome
from whorl.trace.style import Style
from whorl.verdict import HOLDS, INCONCLUSIVE, VIOLATED

ROLES: dict[str, str] = {HOLDS: "good", VIOLATED: "bad", INCONCLUSIVE: "unsure"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, and the least width. Numbers stand on the right."""

    head: str
    width: int = 0
    right: bool = True

    def cell(self, text: str) -> str:
        width = max(self.width, len(self.head))
        return text.rjust(width) if self.right else text.ljust(width)


VERDICT = Column("verdict", 12, right=False)
FIGURES = (Column("states", 11), Column("transitions", 11), Column("time", 8), Column("memory", 8))


def head(columns: Sequence[Column], style: Style) -> str:
    line = "  ".join(column.cell(column.head) for column in columns)
    return style.paint(line.rstrip(), "strong")


def row(
    columns: Sequence[Column], cells: Sequence[str], outcome: ModelOutcome, style: Style
) -> str:
    """The line of a check; its verdict is coloured."""
    shown = [
        style.paint(column.cell(cell), ROLES.get(cell, "bad")) if column is VERDICT
        else column.cell(visible(cell))
        for column, cell in zip(columns, cells, strict=True)
    ]  # fmt: skip
    return "  ".join([*shown, remark(outcome)]).rstrip()


def figures(outcome: ModelOutcome) -> list[str]:
    """States, transitions, time and memory; nothing where there is no result."""
    if outcome.result is None:
        return [""] * len(FIGURES)
    found = outcome.result.statistics
    return [
        count_text(found.states),
        count_text(found.transitions),
        seconds_text(found.seconds),
        bytes_text(found.memory_bytes),
    ]


def remark(outcome: ModelOutcome) -> str:
    """What is violated, or why nothing is known."""
    result = outcome.result
    if result is None:
        return visible(outcome.errors[0].message) if outcome.errors else ""
    judged = [p for p in result.properties if p.verdict == result.verdict]
    if result.verdict == VIOLATED:
        return ", ".join(p.name for p in judged)
    if result.verdict == INCONCLUSIVE:
        why = dict.fromkeys(p.why.removeprefix("not all states were seen: ") for p in judged)
        return "; ".join(why)
    return ""
