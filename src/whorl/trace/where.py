"""When an expression is true along a run, on the states of the reference semantics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.language.formula import Formula, Op
from whorl.program.choice import Choice
from whorl.program.program import LtlProperty
from whorl.program.semantics import Semantics
from whorl.program.state import Fault, State, WorkingState
from whorl.property.reading import NO_PROCESS
from whorl.trace.describe import is_shown
from whorl.trace.replay import follow


@dataclass(frozen=True, slots=True)
class TruthChange:
    """From `after` steps on an expression has another value; `fault`: it has none, and why."""

    after: int
    value: bool
    fault: str | None = None


def refuse_temporal(asked: LtlProperty, what: str = "--where") -> None:
    """Raises a WhorlError of what has no value in a single state."""
    for part in asked.formula.subformulas():
        if part.op.is_temporal:
            message = f"{what} takes an expression, and '{part.op.value}' is a temporal operator"
            hint = "`whorl check --ltl FORMULA` checks a formula"
            raise WhorlError(Diagnostic("error", message, asked.span, hint))


def truth_changes(
    semantics: Semantics, asked: LtlProperty, choices: tuple[Choice, ...]
) -> Iterator[TruthChange]:
    """The value in the initial state, then each change of it; steps count as they are shown."""
    first, steps = follow(semantics, choices)
    states = [first]
    for step in steps:
        after = states[-1] if step.state is None else step.state
        if is_shown(step):
            states.append(after)
        else:
            states[-1] = after
    before: TruthChange | None = None
    for after_steps, state in enumerate(states):
        now = evaluated(semantics, asked, state, after_steps)
        if before is None or (now.value, now.fault) != (before.value, before.fault):
            yield now
        before = now


def evaluated(
    semantics: Semantics, asked: LtlProperty, state: State, after: int = 0
) -> TruthChange:
    """The value of an expression in a state."""
    timeout = not semantics.steps_of(WorkingState(state), range(len(state.processes)))
    store = WorkingState(state, timeout)
    values: dict[str, bool] = {}
    try:
        for name, atom in zip(asked.formula.propositions, asked.atoms, strict=True):
            values[name] = bool(semantics.evaluator.value(atom)(store, NO_PROCESS))
    except Fault as fault:
        return TruthChange(after, False, fault.message)
    return TruthChange(after, _holds(asked.formula, values))


def _holds(formula: Formula, values: dict[str, bool]) -> bool:
    parts = [_holds(part, values) for part in formula.args]
    match formula.op:
        case Op.ATOM:
            return values[formula.name]
        case Op.NOT:
            return not parts[0]
        case Op.AND:
            return all(parts)
        case Op.OR:
            return any(parts)
        case Op.IMPLIES:
            return not parts[0] or parts[1]
        case Op.IFF:
            return parts[0] == parts[1]
    return formula.op is Op.TRUE
