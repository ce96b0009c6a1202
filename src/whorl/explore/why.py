"""Why steps are not enabled: for each process, what its next statements wait for.

It follows the reference semantics (`program/semantics.py`): first what keeps a whole process from
moving, then each transition in the order in which the semantics tries them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whorl.explore.hindrance import Hindrance
from whorl.explore.reads import ExpressionReader
from whorl.explore.waits import ChannelWaits
from whorl.program.actions import ExecutableTransition
from whorl.program.expression_text import expression_text
from whorl.program.program import (
    Action,
    BinaryOp,
    Builtin,
    DStep,
    Expr,
    Guard,
    ReceiveAction,
    SendAction,
    Terminate,
    Transition,
    contains_run,
    subexpressions,
)
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, PRIORITY, TYPE, Record, State, WorkingState


@dataclass(frozen=True, slots=True)
class DisabledStep:
    """A transition that cannot be taken; without `reasons`, only its process is kept from it."""

    transition: Transition
    reasons: tuple[Hindrance, ...]


@dataclass(frozen=True, slots=True)
class HinderedProcess:
    """A process with transitions that cannot be taken; `reasons` are those of all of them."""

    pid: int
    process: str
    reasons: tuple[Hindrance, ...]
    steps: tuple[DisabledStep, ...]


class Why:
    """Explains the states of a program."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.program = semantics.program
        self.reader = ExpressionReader(semantics)
        self.waits = ChannelWaits(semantics, self.reader)

    def hindered(self, state: State, steps: Sequence[Step]) -> tuple[HinderedProcess, ...]:
        """Every process that has transitions which are none of `steps`, all those of the state."""
        enabled = {(step.pid, step.transition.way) for step in steps}
        enabled |= {(p[0], p[1].way) for step in steps if (p := step.partner) is not None}
        semantics, everyone = self.semantics, range(len(state.processes))
        holder = state.holder
        if holder != NOBODY and not semantics.steps_of_holder(state):
            holder = NOBODY
        timeout = holder == NOBODY and not semantics.steps_of(WorkingState(state), everyone)
        store = WorkingState(state, timeout)
        found = []
        for pid in everyone:
            record = state.processes[pid]
            whole = tuple(self._whole(store, pid, holder))
            disabled = tuple(
                DisabledStep(transition, reasons)
                for transition, reasons in self._transitions(store, pid, record)
                if (pid, transition.way) not in enabled
            )
            if not semantics.moves(record):
                whole = (*whole, Hindrance("dead end", "no statement follows here"))
            if disabled or not semantics.moves(record):
                found.append(HinderedProcess(pid, self._title(record), whole, disabled))
        return tuple(found)

    def _title(self, record: Record) -> str:
        return self.program.processes[record[TYPE]].title

    def _who(self, store: WorkingState, pid: int) -> str:
        return f"{self._title(store.processes[pid])}:{pid}"

    # --- a whole process -------------------------------------------------------------------------

    def _whole(self, store: WorkingState, pid: int, holder: int) -> Iterator[Hindrance]:
        """What keeps a process from moving, whatever it would do."""
        if holder not in (NOBODY, pid):
            who = self._who(store, holder)
            yield Hindrance("atomic", f"{who} is inside an atomic sequence and goes on alone")
        record = store.processes[pid]
        clause = self.program.processes[record[TYPE]].provided
        if clause is not None and self.reader.value(clause, store, record) == 0:
            text = expression_text(clause, self.program)
            values = self.reader.reads(clause, store, record)
            yield Hindrance("provided", f"it runs only while {text}, which is false", values)
        if self.program.uses_priorities:
            yield from self._more_urgent(store, pid)

    def _more_urgent(self, store: WorkingState, pid: int) -> Iterator[Hindrance]:
        own = store.processes[pid][PRIORITY]
        for other, record in enumerate(store.processes):
            if other == pid or record[PRIORITY] <= own:
                continue
            if self.semantics.can_move(store, other):
                moves = self.semantics.moves(record)
                can = any(self.semantics.take(store, other, record, move) for move in moves)
                able = "can move" if can else "offers a message, which counts as a move,"
                has = f"has priority {record[PRIORITY]}, this process {own}"
                yield Hindrance("priority", f"{self._who(store, other)} {able} and {has}")

    # --- transitions -----------------------------------------------------------------------------

    def _transitions(
        self, store: WorkingState, pid: int, record: Record
    ) -> Iterator[tuple[Transition, tuple[Hindrance, ...]]]:
        """Each transition, with what keeps it from being taken beside what keeps the process."""
        taken: list[ExecutableTransition] = []
        for move in self.semantics.moves(record):
            transition = move.transition
            escape = taken[-1].transition.escape if taken else 0
            if escape and transition.escape != escape:
                text = f"{_told(taken[-1])}, of its unless, can be executed and goes first"
                yield transition, (Hindrance("unless", text),)
            elif move.otherwise and taken:
                said = ", ".join(dict.fromkeys(map(_told, taken)))
                yield transition, (Hindrance("else", f"another option can be executed: {said}"),)
            elif self.semantics.take(store, pid, record, move):
                taken.append(move)
                yield transition, ()
            else:
                reasons = self._action(transition.action, move, store, pid, record)
                yield transition, tuple(dict.fromkeys(reasons))

    def _action(
        self,
        action: Action,
        move: ExecutableTransition,
        store: WorkingState,
        pid: int,
        record: Record,
    ) -> Iterator[Hindrance]:
        match action:
            case Guard(condition):
                yield from self._condition(condition, store, pid, record)
            case SendAction():
                yield from self.waits.send(action, move, store, pid)
            case ReceiveAction():
                yield from self.waits.receive(action, move, store, pid)
            case Terminate():
                later = [self._who(store, n) for n in range(pid + 1, len(store.processes))]
                text = "a process goes after those that were started after it"
                yield Hindrance("end", f"{text}: {', '.join(later)}")
            case DStep():
                for guard in action.guards:
                    yield from self._action(guard, move, store, pid, record)

    def _condition(
        self, condition: Expr, store: WorkingState, pid: int, record: Record
    ) -> Iterator[Hindrance]:
        if contains_run(condition):
            yield Hindrance("guard", f"{expression_text(condition, self.program)} is 0")
            return
        timeout = Builtin("timeout")
        parts = list(self._false_parts(condition, store, record))
        if not store.timeout and any(timeout in subexpressions(part) for part in parts):
            text = "timeout is true only where nobody can move without it"
            yield Hindrance("timeout", f"{text}: {', '.join(self._moving(store))} can")
            parts = [part for part in parts if part != timeout]
        if parts:
            said = " and ".join(expression_text(part, self.program) for part in parts)
            values = [v for part in parts for v in self.reader.reads(part, store, record)]
            verb = "are" if len(parts) > 1 else "is"
            yield Hindrance("guard", f"{said} {verb} false", tuple(dict.fromkeys(values)))

    def _moving(self, store: WorkingState) -> list[str]:
        pids = dict.fromkeys(
            step.pid for step in self.semantics.steps_of(store, range(len(store.processes)))
        )
        return [self._who(store, pid) for pid in pids]

    def _false_parts(self, condition: Expr, store: WorkingState, record: Record) -> Iterator[Expr]:
        """Of a condition that is false, the parts of an `&&` that make it so."""
        if isinstance(condition, BinaryOp) and condition.operator == "&&":
            for side in (condition.left, condition.right):
                if self.reader.value(side, store, record) == 0:
                    yield from self._false_parts(side, store, record)
        else:
            yield condition


def _told(move: ExecutableTransition) -> str:
    transition = move.transition
    return f"{transition.text or 'what follows'} (line {transition.span.line})"
