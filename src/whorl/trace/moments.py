"""The states of a run, each as what is different from the one before."""

from __future__ import annotations

from itertools import pairwise

from whorl.program.program import Program
from whorl.program.semantics import Step
from whorl.program.state import LOCATION, TYPE, State
from whorl.trace.describe import (
    changed_values,
    failed_assertion,
    is_shown,
    position,
    positions,
    values,
)
from whorl.trace.trace import Change, Position, TraceMoment

Values = dict[tuple[str | None, str], str]


def moments(
    program: Program, first: State, steps: list[Step], last: Step | None
) -> tuple[TraceMoment, ...]:
    """The initial state, and the state after each step that is shown.

    A step that is not shown belongs to the one before it. `last` is the last step, if what it
    shows is what is wrong with it.
    """
    states = [first]
    for step in steps:
        after = states[-1] if step.state is None else step.state  # a fault leads nowhere
        if is_shown(step):
            states.append(after)
        else:
            states[-1] = after
    known: Values = {}
    history = [_first(program, states[0], last if len(states) == 1 else None, known)]
    for number, (before, after) in enumerate(pairwise(states), 1):
        failing = last if number == len(states) - 1 else None
        history.append(_following(program, before, after, failing, known))
    return tuple(history)


def _first(program: Program, state: State, last: Step | None, known: Values) -> TraceMoment:
    shown = values(program, state, last)
    known.update({(value.process, value.name): value.value for value in shown})
    return TraceMoment(positions(program, state, last), (), shown, ())


def _following(
    program: Program, before: State, after: State, last: Step | None, known: Values
) -> TraceMoment:
    """The moment of the state `after`; `known` goes on from the values before it to those of it."""
    moved = tuple(_moved(program, before, after, last))
    ended = tuple(range(len(after.processes), len(before.processes)))
    changed = changed_values(program, before, after) if last is None else None
    if changed is not None:
        known.update({(value.process, value.name): value.value for value in changed})
        return TraceMoment(moved, ended, changed, ())
    shown = values(program, after, last)
    now = {(value.process, value.name): value.value for value in shown}
    new = tuple(value for value in shown if _differs(value, known))
    gone = tuple(name for name in known if name not in now)
    known.clear()
    known.update(now)
    return TraceMoment(moved, ended, new, gone)


def _differs(value: Change, known: Values) -> bool:
    return known.get((value.process, value.name)) != value.value


def _moved(program: Program, before: State, after: State, last: Step | None) -> list[Position]:
    """The processes that are new or elsewhere; one whose assertion has failed is still at it."""
    moved: list[Position] = []
    for pid, record in enumerate(after.processes):
        failed = failed_assertion(last, pid)
        old = before.processes[pid] if pid < len(before.processes) else ()
        if failed is not None or old[TYPE : LOCATION + 1] != record[TYPE : LOCATION + 1]:
            moved.append(position(program, pid, record, failed))
    return moved
