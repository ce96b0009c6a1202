"""After a check: what `--vacuity` and `--witness` add to its result."""

from __future__ import annotations

from dataclasses import replace

from whorl import deadline
from whorl.findings import Findings
from whorl.mutation import OtherFormulas
from whorl.task import Task
from whorl.trace.trace import Trace
from whorl.vacuity import vacuity, vacuity_note
from whorl.verdict import HOLDS, Result, Vacuity
from whorl.witness import run_of, witnesses


def understood(
    result: Result,
    tasks: tuple[Task, ...],
    findings: Findings,
    engine: str,
    *,
    with_vacuity: bool,
    with_witness: bool,
) -> Result:
    """The result with what was asked for beside the verdicts."""
    verdicts = {checked.name: checked.verdict for checked in result.properties}
    about: list[Vacuity] = []
    shown: list[Trace] = []
    notes: list[str | None] = []
    formulas = [task for task in tasks if task.claim is not None and task.claim.formula is not None]
    for task in formulas:
        if verdicts[task.name] != HOLDS:
            continue
        others = OtherFormulas(task, engine)
        try:
            if with_vacuity:
                about.append(vacuity(others))
                notes.append(vacuity_note(about[-1]))
            if with_witness:
                traces, said = witnesses(others, findings)
                shown += traces
                notes.append(said)
        except (deadline.TimeUp, KeyboardInterrupt):  # the verdicts stay
            notes.append(f"no more was found out of {task.name}: there was no time for it")
            break
    if with_witness and not formulas and result.verdict == HOLDS and tasks:
        shown.append(run_of(tasks[0].semantics))
    if with_vacuity and not formulas:
        notes.append("--vacuity is about formulas, and none was checked")
    said_now = tuple(note for note in notes if note is not None)
    return replace(
        result,
        notes=tuple(dict.fromkeys((*result.notes, *said_now))),
        vacuity=tuple(about),
        witnesses=tuple(shown),
    )
