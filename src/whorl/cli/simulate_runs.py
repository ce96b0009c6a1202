"""`whorl simulate --runs N`: many random runs, and statistics of them."""

from __future__ import annotations

import argparse
import shlex
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

import whorl
from whorl.cli import json_output
from whorl.cli.terminal import OutputStream, Terminal, is_live
from whorl.diagnostics import Diagnostic, WhorlError, visible
from whorl.figures import counted
from whorl.program.semantics import Semantics
from whorl.simulate.many import RandomRun, RunOutcome, RunStatistics, Tally, random_runs
from whorl.trace.style import Style
from whorl.verdict import EXIT_CODES, HOLDS, INCONCLUSIVE, VIOLATED

STEPS = 1_000  # of each run, where --steps does not say
ONE_RUN = 10_000  # that `whorl simulate` takes by itself
REDRAW_SECONDS = 0.1
CAVEAT = "Random runs prove nothing: whorl check looks at every run."


def refuse_others(arguments: argparse.Namespace) -> None:
    """WhorlError for options that are about one run."""
    for name, flag in (
        ("trail", "--trail"),
        ("interactive", "--interactive"),
        ("print_only", "--print-only"),
    ):
        if getattr(arguments, name):
            message = f"--runs takes many runs, and {flag} is about one"
            raise WhorlError(Diagnostic("error", message, None, f"leave out --runs or {flag}"))


def run(
    arguments: argparse.Namespace,
    model: whorl.Model,
    semantics: Semantics,
    seed: int,
    terminal: Terminal,
) -> int:
    """Takes the runs and tells of them; the exit status. A Ctrl-C tells of those so far."""
    limit = arguments.steps or STEPS
    statistics, complete = collect(semantics, seed, arguments.runs, limit, terminal.err)
    told = _Told(arguments, model, semantics, seed, limit, statistics)
    terminal.verdict = told.verdict
    if arguments.json:
        terminal.out.line(json_output.dumps(told.data()))
    else:
        for line in told.lines(terminal.out.style):
            terminal.out.line(line)
    if statistics.violating:
        return EXIT_CODES[VIOLATED]
    return EXIT_CODES[HOLDS if complete else INCONCLUSIVE]


def collect(
    semantics: Semantics, seed: int, count: int, limit: int, err: OutputStream
) -> tuple[RunStatistics, bool]:
    """The statistics, and whether all runs were taken; progress on a terminal."""
    statistics, live, redraw = RunStatistics(), is_live(err.stream), time.monotonic()
    try:
        for each in random_runs(semantics, seed, count, limit):
            statistics.add(each)
            now = time.monotonic()
            if live and now - redraw > REDRAW_SECONDS:
                redraw = now
                said = f"{statistics.runs:,} of {count:,} runs, {statistics.violating:,} violate"
                width = shutil.get_terminal_size().columns
                err.write(f"\r{err.style.paint(said[: max(1, width - 1)], 'faint')}\x1b[K")
                err.flush()
    except KeyboardInterrupt:
        if not statistics.runs:
            raise
    finally:
        if live:
            err.write("\r\x1b[K")
            err.flush()
    return statistics, statistics.runs == count


class _Told:
    """What is said of the runs."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        model: whorl.Model,
        semantics: Semantics,
        seed: int,
        limit: int,
        statistics: RunStatistics,
    ) -> None:
        self.arguments = arguments
        self.model = model
        self.seed = seed
        self.limit = limit
        self.statistics = statistics
        self.coverage = statistics.coverage(semantics)

    @property
    def verdict(self) -> str:
        figures = self.statistics
        violating = f"{figures.violating:,} of {counted(figures.runs, 'run')} violate"
        return f"{violating} something"

    def command(self, run: RandomRun) -> str:
        """The command that shows a run."""
        words = ["whorl", "simulate", "--seed", str(run.seed)]
        if run.taken > ONE_RUN or run.end.reason == "steps":
            words += ["--steps", str(self.limit)]
        for name, value in self.arguments.defines:
            words.append(f"-D{name}={value}")
        for folder in self.arguments.include_dirs:
            words += ["-I", str(folder)]
        if self.arguments.allow_embedded_c:
            words.append("--allow-embedded-c")
        return shlex.join([*words, self.arguments.model])

    def lines(self, style: Style) -> Iterator[str]:
        figures, asked = self.statistics, self.arguments.runs
        cut = "" if figures.runs == asked else f" of {asked:,}, then interrupted"
        head = f"{counted(figures.runs, 'random run')}{cut}, --seed {self.seed}"
        yield style.paint(f"{head}, up to {self.limit:,} steps each", "faint")
        yield ""
        width = len(f"{max(tally.count for tally in figures.outcomes.values()):,}")
        for outcome, tally in figures.ranked():
            yield self._outcome_line(outcome, tally, width, style)
        yield ""
        shortest, longest = min(figures.lengths), max(figures.lengths)
        yield f"steps: {shortest:,} to {longest:,}, median {figures.median:,.10g}"
        if figures.final:
            yield f"final states: {len(figures.final):,} different"
        every = [s for s in self.coverage.statements if s.executed is not None]
        executed = sum(bool(statement.executed) for statement in every)
        yield f"statements executed: {executed:,} of {len(every):,}"
        failing = [t.shortest for o, t in figures.ranked() if o.violated]
        if failing:
            shown = min(failing, key=lambda run: run.steps)
            yield f"a shortest run that fails: {counted(shown.steps, 'step')}"
            yield f"  {self.command(shown)}"
        yield CAVEAT
        yield style.paint(self.verdict, "bad" if figures.violating else "good")

    def _outcome_line(self, outcome: RunOutcome, tally: Tally, width: int, style: Style) -> str:
        share = f"{100 * tally.count / self.statistics.runs:5.1f} %"
        sign = style.symbols.violated if outcome.violated else " "
        where = "" if outcome.place is None else f" ({PurePath(outcome.place).name})"
        said = f"{sign} {tally.count:{width},}  {share}  {visible(outcome.message)}{where}"
        return style.paint(said, "bad") if outcome.violated else said

    def data(self) -> dict[str, Any]:
        """What `--json` prints."""
        figures, lengths = self.statistics, self.statistics.lengths
        return {
            "whorl": whorl.__version__,
            "model": self.model.name,
            "defines": dict(self.arguments.defines),
            "seed": self.seed,
            "asked": self.arguments.runs,
            "runs": figures.runs,
            "violating": figures.violating,
            "limit": self.limit,
            "outcomes": [
                {
                    "reason": outcome.reason,
                    "message": outcome.message,
                    "place": outcome.place,
                    "violated": outcome.violated,
                    "runs": tally.count,
                    "shortest": {
                        "seed": tally.shortest.seed,
                        "steps": tally.shortest.steps,
                        "command": self.command(tally.shortest),
                    },
                }
                for outcome, tally in figures.ranked()
            ],
            "steps": {"least": min(lengths), "median": figures.median, "most": max(lengths)},
            "final_states": len(figures.final),
            "statements": [asdict(statement) for statement in self.coverage.statements],
            "warnings": [json_output.diagnostic(warning) for warning in self.model.warnings],
        }
