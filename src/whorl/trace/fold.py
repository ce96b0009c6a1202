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


def folded_to_messages(
    steps: Sequence[TraceStep], cycle: int | None
) -> list[tuple[TraceStep, int]]:
    """As `folded`, but with a row for each message and each failure in a fold.

    What is silent before the first message and after each of them is in its row. An atomic sequence
    goes on with the receiver of a handshake.
    """
    parts = [part for run in _runs(steps, cycle, handed_on=True) for part in _parts(run)]
    return [(_headed(part), part[-1].number) for part in parts]


def _parts(run: list[TraceStep]) -> Iterator[list[TraceStep]]:
    part: list[TraceStep] = []
    for step in run:
        told = any(before.message is not None for before in part)
        if part and (step.failures or (step.message is not None and told)):
            yield part
            part = []
        part.append(step)
    yield part


def _headed(part: list[TraceStep]) -> TraceStep:
    """The step with the message, and what the silent ones change."""
    for step in part:
        if step.message is not None:
            return replace(
                step,
                changes=_changes(part),
                output=tuple(text for silent in part for text in silent.output),
                atomic=part[-1].atomic and part[-1].next_pid == step.next_pid,
            )
    return _one(part)


def _runs(
    steps: Sequence[TraceStep], cycle: int | None, handed_on: bool = False
) -> Iterator[list[TraceStep]]:
    run: list[TraceStep] = []
    for step in steps:
        goes_on = bool(run) and (
            _belongs(run[-1], step)
            or (handed_on and run[-1].atomic and run[-1].next_pid == step.pid)
        )
        if run and (step.number == cycle or not goes_on):
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


def _changes(run: list[TraceStep]) -> tuple[Change, ...]:
    """The last value of each variable that the steps change."""
    changes: dict[tuple[str | None, str], Change] = {}
    for step in run:
        for change in step.changes:
            changes[change.process, change.name] = change
    return tuple(changes.values())


def _one(run: list[TraceStep]) -> TraceStep:
    first, last = run[0], run[-1]
    if len(run) == 1:
        return first
    same = {step.calls[:1] for step in run}
    call = first.calls[0] if first.calls and len(same) == 1 else None
    what = f"atomic: {first.said}" if call is None else call.name
    return replace(
        first,
        file=first.file if call is None else call.file,
        line=first.line if call is None else call.line,
        text=f"{what} ({len(run)} steps)",
        changes=_changes(run),
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
