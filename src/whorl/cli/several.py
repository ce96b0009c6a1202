"""Several models in one call: each in a few lines, then a table of all."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from whorl.cli import table
from whorl.cli.table import FIGURES, VERDICT, Column
from whorl.cli.terminal import Terminal
from whorl.diagnostics import visible
from whorl.figures import counted
from whorl.reports.outcome import ModelOutcome
from whorl.trace.style import Style
from whorl.verdict import HOLDS, INCONCLUSIVE

# The words for one model and for several, worst last.
_PHRASES = {
    "holds": ("holds", "hold"),
    "inconclusive": ("inconclusive", "inconclusive"),
    "violated": ("violated", "violated"),
    "error": ("with errors", "with errors"),
    "internal error": ("internal error", "internal errors"),
}


@dataclass(frozen=True, slots=True)
class Several:
    """Checks models one after the other, and says what came of each and of all."""

    terminal: Terminal
    outcome: Callable[[Namespace], ModelOutcome]
    report: Callable[[Namespace, ModelOutcome], None]

    def check(self, jobs: Sequence[Namespace], included: Sequence[str]) -> list[ModelOutcome]:
        """The outcomes; after a Ctrl-C, of those that were checked by then."""
        arguments, outcomes = jobs[0], list[ModelOutcome]()
        for job in jobs:
            outcome = self.outcome(job)
            self._say(job, outcome, outcomes[-1] if outcomes else None)
            outcomes.append(outcome)
            if outcome.interrupted:
                break
        left = len(jobs) - len(outcomes)
        self.terminal.verdict = count_line(outcomes, left)
        if not arguments.json:
            lines = [] if arguments.quiet else summary(outcomes, included, self.terminal.out.style)
            for line in (*lines, self.terminal.verdict):
                self.terminal.out.line(line)
        return outcomes

    def _say(self, job: Namespace, outcome: ModelOutcome, before: ModelOutcome | None) -> None:
        """Says what came of a model; an empty line is around what has more than one line."""
        out, is_plain = self.terminal.out, not (job.json or job.quiet)
        if is_plain and before is not None and (_is_long(before) or _is_long(outcome)):
            out.line()
        if outcome.result is not None:
            self.report(job, outcome)
        elif not job.json:
            is_unknown = outcome.word == INCONCLUSIVE
            symbol = out.style.symbols.inconclusive if is_unknown else out.style.symbols.violated
            line = f"{symbol} {visible(outcome.name)}: {outcome.word}"
            out.line(out.style.paint(line, "unsure" if is_unknown else "bad"))
        out.flush()  # it may be long until the next


def _is_long(outcome: ModelOutcome) -> bool:
    return outcome.result is not None and outcome.result.verdict != HOLDS


def summary(
    outcomes: Sequence[ModelOutcome], included: Sequence[str], style: Style
) -> Iterator[str]:
    """The table, with a line for each model, and what was left out."""
    width = max((len(visible(outcome.name)) for outcome in outcomes), default=0)
    columns = (Column("model", width, right=False), VERDICT, *FIGURES)
    yield ""
    yield table.head(columns, style)
    for outcome in outcomes:
        cells = [outcome.name, outcome.word, *table.figures(outcome)]
        yield table.row(columns, cells, outcome, style)
    if included:
        yield f"left out, as models include them: {', '.join(map(visible, included))}"


def count_line(outcomes: Sequence[ModelOutcome], left: int, noun: str = "model") -> str:
    """The last line: how many of them have which verdict, and how many are left."""
    counts = Counter(outcome.word for outcome in outcomes)
    said = [
        f"{counts[word]} {phrases[counts[word] > 1]}"
        for word, phrases in _PHRASES.items()
        if counts[word]
    ]
    if left:
        said.append(f"{left} not checked")
    return f"{counted(len(outcomes) + left, noun)}: {', '.join(said)}"
