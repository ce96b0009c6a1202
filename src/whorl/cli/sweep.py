"""A sweep: one model with several values of its macros, and a table of how it grows."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from whorl.cli import table
from whorl.cli.arguments import STDIN
from whorl.cli.models import FILES
from whorl.cli.points import Point, Sweep, is_beyond, point_text, points
from whorl.cli.several import count_line
from whorl.cli.table import FIGURES, VERDICT, Column
from whorl.cli.terminal import Terminal
from whorl.diagnostics import visible
from whorl.report import note_lines
from whorl.reports.outcome import ModelOutcome
from whorl.verdict import VIOLATED

GROWTH = Column("growth", 7)
MOST_NAMED = 8  # points that were left out, named one by one


@dataclass(frozen=True, slots=True)
class SweepRow:
    """A point that was checked."""

    point: Point
    job: Namespace
    outcome: ModelOutcome


@dataclass(slots=True)
class SweepTable:
    """Checks a model at each point; the lines of the table come as the checks end.

    Where a limit ends a check, points that are as large or larger in every value are left out.
    """

    terminal: Terminal
    outcome: Callable[[Namespace], ModelOutcome]
    report: Callable[[Namespace, ModelOutcome], None]
    rows: list[SweepRow] = field(default_factory=list)
    left_out: list[tuple[Point, SweepRow]] = field(default_factory=list)  # and the row of the limit

    def check(self, job: Namespace, swept: Sequence[Sweep]) -> list[ModelOutcome]:
        columns = (*map(_column, swept), VERDICT, *FIGURES, GROWTH)
        if not job.json:
            self._line(table.head(columns, self.terminal.out.style))
        for point in points(swept):
            if not self._is_left_out(point, job):
                self._check(_at(job, point, self._first is None), point, columns)
                if self.rows[-1].outcome.interrupted:
                    break
        if not job.json:
            self._end(job, swept)
        return [row.outcome for row in self.rows]

    @property
    def _first(self) -> SweepRow | None:
        """The first violation: the counterexample that is shown."""
        return next((row for row in self.rows if row.outcome.word == VIOLATED), None)

    def _is_left_out(self, point: Point, job: Namespace) -> bool:
        for row in self.rows:
            if row.outcome.limited and is_beyond(point, row.point):
                self.left_out.append((point, row))
                if job.json:
                    self._line(_skipped(job, point, row))
                return True
        return False

    def _check(self, job: Namespace, point: Point, columns: Sequence[Column]) -> None:
        before = self.rows[-1] if self.rows else None
        outcome = self.outcome(job)
        self.rows.append(SweepRow(point, job, outcome))
        if not job.json:
            growth = _growth(before, self.rows[-1])
            cells = [*point.values(), outcome.word, *table.figures(outcome), growth]
            self._line(table.row(columns, cells, outcome, self.terminal.out.style))
        elif outcome.result is not None:
            self.report(job, outcome)
        self.terminal.out.flush()  # it may be long until the next

    def _end(self, job: Namespace, swept: Sequence[Sweep]) -> None:
        """What is left out, the first counterexample, and the last line."""
        for limit in {id(row): row for _, row in self.left_out}.values():
            texts = [point_text(point) for point, row in self.left_out if row is limit]
            which = "; ".join([*texts[:MOST_NAMED], "..."][: len(texts)])
            self._line(f"not checked: {which} (a limit was reached at {point_text(limit.point)})")
        for line in note_lines(self.terminal.unheard(self._notes()), self.terminal.out.style):
            self._line(line)
        first = self._first
        if first is not None and not job.quiet:
            self._line("")
            self._line(f"With {point_text(first.point)}:")
            self.report(first.job, first.outcome)
        total = prod(len(sweep.values) for sweep in swept)
        checked = [row.outcome for row in self.rows]
        self.terminal.verdict = count_line(checked, total - len(checked), "check")
        self._line(self.terminal.verdict)

    def _notes(self) -> Iterator[str]:
        """The notes of all checks; one that not every check has is told with the first point."""
        by_note: dict[str, list[SweepRow]] = {}
        for row in self.rows:
            for note in () if row.outcome.result is None else row.outcome.result.notes:
                by_note.setdefault(note, []).append(row)
        for note, rows in by_note.items():
            of_all = len(rows) == len(self.rows)
            yield note if of_all else f"{point_text(rows[0].point)}: {note}"

    def _line(self, text: str) -> None:
        self.terminal.out.line(text)


def _column(sweep: Sweep) -> Column:
    width = max(len(visible(value)) for value in sweep.values)
    return Column(sweep.name, width, right=all(map(_is_number, sweep.values)))


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _at(job: Namespace, point: Point, with_files: bool) -> Namespace:
    """The check at one point; only the first violation is written to files."""
    each = Namespace(**vars(job))
    each.defines = [pair for pair in job.defines if pair[0] not in point] + list(point.items())
    each.short, each.about = True, point_text(point)
    for name in () if with_files else FILES:
        setattr(each, name, None)
    return each


def _growth(before: SweepRow | None, row: SweepRow) -> str:
    """How many times as many states there are as at the point before, if that differs in one value.

    Of a search that stopped early the number of states means nothing.
    """
    if before is None:
        return ""
    differ = [name for name, value in row.point.items() if before.point[name] != value]
    results = [before.outcome.result, row.outcome.result]
    if len(differ) != 1 or not all(r is not None and r.statistics.complete for r in results):
        return ""
    old, new = (result.statistics.states for result in results if result is not None)
    return f"×{new / old:.2f}" if old else ""


def _skipped(job: Namespace, point: Point, limit: SweepRow) -> str:
    """The line of `--json` for a point that was left out."""
    import whorl
    from whorl.cli import json_output

    name = "<stdin>" if job.model == STDIN else job.model
    defines = dict(_at(job, point, False).defines)
    why = f"a limit was reached at {point_text(limit.point)}"
    data = {"whorl": whorl.__version__, "model": name, "defines": defines, "skipped": why}
    return json_output.dumps(data)
