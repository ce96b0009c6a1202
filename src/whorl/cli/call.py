"""A call of `whorl check` with more than one check, or for more than one reader.

Several models, a sweep, reports for other tools, `--watch`: each check is done as one alone is, and
what goes wrong with one does not end the others.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from whorl.cli.arguments import STDIN, read_stdin
from whorl.cli.failures import FAILURES
from whorl.cli.json_output import diagnostics_of
from whorl.cli.models import FILES, PLACEHOLDER, labels, models_of
from whorl.cli.points import sweeps
from whorl.cli.several import Several
from whorl.cli.sweep import SweepTable
from whorl.cli.terminal import Terminal
from whorl.deadline import within
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.files import refuse_without_folder
from whorl.options import BY_NAME
from whorl.reports.outcome import ModelOutcome, worst
from whorl.verdict import EXIT_BAD_INPUT, EXIT_CODES, HOLDS, INCONCLUSIVE

REPORTS = ("junit", "sarif", "gitlab")


@dataclass(frozen=True, slots=True)
class CheckCall:
    """What was asked for, and how one model is checked and reported."""

    arguments: Namespace
    terminal: Terminal
    check: Callable[[Namespace], ModelOutcome]
    report: Callable[[Namespace, ModelOutcome], None]

    def run(self) -> int:
        """The exit status."""
        for name in REPORTS:
            if (file := getattr(self.arguments, name)) is not None:
                refuse_without_folder(file)
        if self.arguments.watch:
            from whorl.cli.watch import watch  # few ask for it

            return watch(self.arguments, self.terminal, self.once)
        return self.once()[1]

    def once(self) -> tuple[list[ModelOutcome], int]:
        """Checks everything that was asked for; what came of it, and the exit status."""
        outcomes = self._outcomes()
        status = worst(outcomes)
        if self.arguments.github or any(getattr(self.arguments, name) for name in REPORTS):
            from whorl.cli.reports import write_reports  # loaded here, as it takes time

            whole = write_reports(self.arguments, outcomes, self.terminal)
            if not whole and status in (EXIT_CODES[HOLDS], EXIT_CODES[INCONCLUSIVE]):
                status = EXIT_BAD_INPUT
        return outcomes, status

    def _outcomes(self) -> list[ModelOutcome]:
        given = self.arguments.models
        models = models_of(given)
        swept = sweeps(self.arguments.defines, self.arguments.sweep)
        is_several = list(models.names) != given or len(given) > 1
        if self.arguments.emit_c is not None and (is_several or swept):
            raise _refused("--emit-c is for one model", "give one model, and no sweep")
        if given.count(STDIN) > 1:
            raise _refused("standard input is given twice", "leave out one of the two")
        if swept:
            if self.arguments.coverage is not None:
                hint = "give one value of each macro, or leave out --coverage"
                raise _refused("--coverage is of one check, and a sweep is several", hint)
            if is_several:
                hint = "give one model, or one value of each macro"
                raise _refused("a sweep is of one model", hint)
            return SweepTable(self.terminal, self.outcome, self.report).check(
                self.job(given[0], read=True), swept
            )
        if not is_several:
            job = self.job(given[0])
            outcome = self.outcome(job)
            if outcome.model is not None:
                self.report(job, outcome)
            return [outcome]
        self._refuse_one_file_for_all(len(models.names))
        short = labels(models.names)
        jobs = [self.job(name, short[name], several=True) for name in models.names]
        return Several(self.terminal, self.outcome, self.report).check(jobs, models.included)

    def job(
        self, model: str, label: str = "", *, several: bool = False, read: bool = False
    ) -> Namespace:
        """What is asked for of one model; `label` stands for `{model}` in the names of files."""
        job = Namespace(**vars(self.arguments))
        job.model, job.short = model, several
        job.about = model if several else ""
        for name in FILES:
            if (file := getattr(job, name)) is not None:
                setattr(job, name, file.replace(PLACEHOLDER, label or labels([model])[model]))
        if read and model == STDIN:
            job.text = read_stdin()
        return job

    def outcome(self, job: Namespace) -> ModelOutcome:
        """Checks one model; what goes wrong is said, and is the outcome."""
        start = time.monotonic()
        try:
            with within(job.timeout):
                outcome = self.check(job)
        except FAILURES as error:
            failure = job.teller.tell(error, self.terminal.err.style.color)
            name = "<stdin>" if job.model == STDIN else job.model
            defines = dict(job.defines)
            about = {"model": name, "defines": defines} if job.short else {}
            failure.say(self.terminal, about)
            why = diagnostics_of(failure.error)
            outcome = ModelOutcome(name, defines, failure.status, errors=why)
        return replace(outcome, seconds=time.monotonic() - start)

    def _refuse_one_file_for_all(self, count: int) -> None:
        for name in FILES:
            file = getattr(self.arguments, name)
            if file not in (None, "-") and count > 1 and PLACEHOLDER not in file:
                path, flag = Path(file), BY_NAME[name].flag
                each = path.with_name(f"{PLACEHOLDER}-{path.name}")
                hint = f"write {flag} '{each}': {PLACEHOLDER} is the name of each model"
                raise _refused(f"{flag} is one file, and there are {count} models", hint)


def _refused(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))
