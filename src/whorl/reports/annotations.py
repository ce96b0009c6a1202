"""What is to be said at a place in a file: violations with their runs, and diagnostics.

Reports for code reviews are made of these. Every violation lies at one place: a failing statement,
a process that is stuck, the text of a formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from whorl.conclude import STOPPED_AT_FIRST
from whorl.diagnostics import Diagnostic, Span
from whorl.figures import counted
from whorl.program.program import Program
from whorl.reports.outcome import ModelOutcome
from whorl.trace.trace import InlineCall, Position, Trace, failure_text
from whorl.verdict import EXIT_INTERNAL, INCONCLUSIVE

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A place in a file; where the columns are not known, whole lines."""

    file: str
    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    @classmethod
    def of(cls, span: Span) -> FilePlace:
        last = span.source.line_number(max(span.start, span.end - 1))
        after = span.end - span.source.line_start(last) + 1
        return cls(span.source.name, span.line, span.column, last, max(after, 1))

    @property
    def is_file(self) -> bool:
        """Whether it is in a file, and not in standard input or a formula of the command line."""
        return not self.file.startswith("<")


@dataclass(frozen=True, slots=True)
class Annotation:
    """A message at a place; `related` are other places with what is there."""

    rule: str
    level: Level
    message: str
    outcome: ModelOutcome
    place: FilePlace | None = None
    related: tuple[tuple[FilePlace, str], ...] = ()
    trace: Trace | None = None
    hint: str | None = None

    @property
    def with_values(self) -> str:
        """The message with the values of macros, which tell one check of a model from another."""
        values = ", ".join(f"{name}={value}" for name, value in self.outcome.defines.items())
        return f"{self.message} (with {values})" if values else self.message


def annotations_of(outcomes: Iterable[ModelOutcome]) -> Iterator[Annotation]:
    """Everything that is to be said of these checks."""
    for outcome in outcomes:
        for diagnostic in outcome.diagnostics:
            yield _of_diagnostic(outcome, diagnostic)
        if outcome.result is None:
            continue
        for trace in outcome.result.traces:
            yield _of_violation(outcome, trace)
        why = dict.fromkeys(
            checked.why
            for checked in outcome.result.properties
            if checked.verdict == INCONCLUSIVE and checked.why != STOPPED_AT_FIRST
        )
        for reason in why:
            message = f"inconclusive: {reason}"
            yield Annotation(INCONCLUSIVE, "warning", message, outcome, _beginning(outcome))


def _of_diagnostic(outcome: ModelOutcome, said: Diagnostic) -> Annotation:
    if outcome.status == EXIT_INTERNAL:
        rule = "internal-error"
    elif outcome.result is None and outcome.word == INCONCLUSIVE:
        rule = INCONCLUSIVE
    else:
        rule = f"model-{said.severity}"
    if said.span is None:
        place = _beginning(outcome) if rule == INCONCLUSIVE else None
        return Annotation(rule, said.severity, said.message, outcome, place, hint=said.hint)
    place = FilePlace.of(said.span)
    related, use = [], said.span.via
    while use is not None:
        related.append((FilePlace.of(use), "used here"))
        use = use.via
    return Annotation(
        rule, said.severity, said.message, outcome, place, tuple(related), hint=said.hint
    )


def _beginning(outcome: ModelOutcome) -> FilePlace:
    return FilePlace(outcome.name, 1)


def _of_violation(outcome: ModelOutcome, trace: Trace) -> Annotation:
    assert outcome.model is not None
    which = "" if trace.claim is None else f" ({trace.claim})"
    steps = f"after {counted(len(trace.steps), 'step')}"
    if trace.cycle is not None:
        steps = f"a run of {counted(len(trace.steps), 'step')}"
        if trace.cycle <= len(trace.steps):
            steps += f" that repeats from step {trace.cycle:,} on"
    message = f"{failure_text(trace.kind, trace.message)}{which}: {steps}"
    places = list(_places(outcome.model.program, trace))
    on_files = [(place, text) for place, text in places if place.is_file]
    place, related = _beginning(outcome), on_files
    if on_files:
        (place, _), *related = on_files
    return Annotation(
        trace.kind.replace(" ", "-"), "error", message, outcome, place, tuple(related), trace
    )


def _places(program: Program, trace: Trace) -> Iterator[tuple[FilePlace, str]]:
    """Where a violation lies, the most telling place first, each with what is there."""
    if trace.claim is not None:
        yield from ((FilePlace.of(span), "the property") for span in _spans(program, trace.claim))
    if trace.kind == "end state":
        for stuck in trace.final:
            if stuck.line is not None and stuck.file is not None and not stuck.valid_end:
                yield FilePlace(stuck.file, stuck.line), _stuck(stuck)
                yield from _calls(stuck.calls)
    elif trace.steps:
        at = len(trace.steps)
        if trace.cycle is not None and trace.cycle <= at:
            at = trace.cycle
        step = trace.steps[at - 1]
        repeated = " begins the cycle" if at == trace.cycle else ""
        yield FilePlace(step.file, step.line), f"step {at:,}, {step.who}: {step.said}{repeated}"
        yield from _calls(step.calls)
    if trace.kind == "trace" and program.trace is not None:
        yield FilePlace.of(program.trace.span), "the trace assertion"


def _spans(program: Program, claim: str) -> Iterator[Span]:
    """The text of a property, if it is part of the model."""
    yield from (formula.span for formula in program.formulas if formula.name == claim)
    yield from (never.span for never in program.never if never.name == claim)


def _stuck(position: Position) -> str:
    return f"{position.who} waits here: {' | '.join(position.waiting)}"


def _calls(calls: Iterable[InlineCall]) -> Iterator[tuple[FilePlace, str]]:
    for call in calls:
        yield FilePlace(call.file, call.line, call.column), f"calls {call.name}"
