"""Folds the steps of an atomic sequence, or of the call of an inline, to one that is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from whorl.trace.trace import Change, TraceStep


def folded(steps: Sequence[TraceStep], cycle: int | None) -> list[tuple[TraceStep, int]]:
    """The steps to show, each with the number of the last step that is in it.

    A fold is of one process, and does not reach over the beginning of the cycle.
    """
    return [(_one(run), run[-1].number) for run in _runs(steps, cycle)]


def _runs(steps: Sequence[TraceStep], cycle: int | None) -> Iterator[list[TraceStep]]:
    run: list[TraceStep] = []
    for step in steps:
        if run and (step.number == cycle or not _belongs(run[-1], step)):
            yield run
            run = []
        run.append(step)
    if run:
        yield run


def _belongs(step: TraceStep, following: TraceStep) -> bool:
    if step.pid != following.pid:
        return False
    if step.atomic and step.partner is None:
        return True
    return bool(step.calls) and step.calls[:1] == following.calls[:1]


def _one(run: list[TraceStep]) -> TraceStep:
    first, last = run[0], run[-1]
    if len(run) == 1:
        return first
    changes: dict[tuple[str | None, str], Change] = {}
    for step in run:
        for change in step.changes:
            changes[change.process, change.name] = change
    same = {step.calls[:1] for step in run}
    call = first.calls[0] if first.calls and len(same) == 1 else None
    what = f"atomic: {first.said}" if call is None else call.name
    return replace(
        first,
        file=first.file if call is None else call.file,
        line=first.line if call is None else call.line,
        text=f"{what} ({len(run)} steps)",
        changes=tuple(changes.values()),
        output=tuple(text for step in run for text in step.output),
        failures=tuple(text for step in run for text in step.failures),
        atomic=last.atomic and last.next_pid == last.pid,
        message=None,
        partner=None,
        partner_pid=None,
        partner_file=None,
        partner_line=None,
        partner_text=None,
    )
