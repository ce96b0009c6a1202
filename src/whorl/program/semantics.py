"""The reference semantics: which steps a state allows, and where each one leads.

Plain and independent of the generated C: it is the oracle. It says what Spin's verifier does:

- a process that is inside an atomic sequence moves alone, until it blocks;
- a rendezvous send and the receive that takes it are one step, and control goes on with the
  receiver if that is inside an atomic sequence;
- `else` is executable when nothing before it at the same location is;
- when a transition of an `unless` is taken, those with less priority are not;
- `timeout` is true when no process can move without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from whorl.language.limits import MOST_CHANNELS, MOST_PROCESSES
from whorl.program.actions import Actions, ExecutableTransition
from whorl.program.evaluate import Evaluator, Value
from whorl.program.foreign import Foreign
from whorl.program.monitor import Monitor
from whorl.program.program import Initial, Program, Transition
from whorl.program.state import (
    LOCATION,
    NOBODY,
    PRIORITY,
    TYPE,
    Channel,
    Failure,
    Fault,
    Record,
    State,
    WorkingState,
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: who did what, and the state after it (None where it has no meaning)."""

    pid: int
    transition: Transition
    state: State | None
    partner: tuple[int, Transition] | None = None  # who received, in a handshake
    failures: tuple[Failure, ...] = ()
    output: tuple[str, ...] = ()


def _nothing() -> None:
    pass


class Semantics:
    """Steps of a program. `verbose` collects what printf prints."""

    def __init__(self, program: Program, verbose: bool = False) -> None:
        self.program = program
        self.verbose = verbose
        self.look: Callable[[], None] = _nothing  # called now and then on the way of a long run
        self.foreign = None
        if program.embedded is not None:
            self.foreign = Foreign(program, program.embedded)
        self.evaluator = Evaluator(program, self.start, self.enabled, self.foreign)
        self.monitor = None
        if program.trace is not None:
            self.monitor = Monitor(program.trace, program.trace_negated, self.evaluator)
        self.actions = Actions(program, self.evaluator, self.monitor)
        self._moves: dict[
            tuple[int, int], tuple[ExecutableTransition, ...]
        ] = {}  # made when first asked for
        self.provided = [
            None if process.provided is None else self.evaluator.value(process.provided)
            for process in program.processes
        ]
        self.initials = [self._initials(p.initials) for p in program.processes]
        self.restrained = program.uses_priorities or any(p for p in self.provided)
        self.truncations = [
            [slot.truncate for slot in process.slots] for process in program.processes
        ]

    # --- starting --------------------------------------------------------------------------------

    def initial(self) -> State:
        """The state in which every active process has just started."""
        store = WorkingState(State((), (), ()))
        store.globals = [0] * len(self.program.slots)
        store.processes = []
        store.channels = []
        store.monitor = 0 if self.monitor is None else self.monitor.start
        if self.foreign is not None:
            store.unmatched = self.foreign.initial_unmatched()
        blank: Record = ()
        for offset, value in self._initials(self.program.initials):
            kind = self.program.slots[offset]
            store.globals[offset] = kind.truncate(
                self.make_channel(store, value, NOBODY)
                if isinstance(value, int)
                else value(store, blank)
            )
        for process, priority in self.program.active:
            self.start(store, process, [], priority)
        return store.freeze(NOBODY)

    def _initials(self, initials: Iterable[Initial]) -> list[tuple[int, Value | int]]:
        return [
            (i.offset, i.value if isinstance(i.value, int) else self.evaluator.value(i.value))
            for i in initials
        ]

    def make_channel(self, store: WorkingState, kind: int, owner: int) -> int:
        if len(store.channels) >= MOST_CHANNELS:
            raise Fault("limit", f"more than {MOST_CHANNELS} channels")
        assert isinstance(store.channels, list)
        store.channels.append(Channel(kind, owner, ()))
        return len(store.channels)

    def start(self, store: WorkingState, index: int, arguments: list[int], priority: int) -> int:
        """Starts a process; its pid."""
        pid = len(store.processes)
        if pid >= MOST_PROCESSES:
            raise Fault("limit", f"more than {MOST_PROCESSES} processes")
        process = self.program.processes[index]
        values = [
            truncate(value)
            for truncate, value in zip(self.truncations[index], arguments, strict=False)
        ]
        values += [0] * (len(process.slots) - len(values))
        record = [pid, index, process.start, priority, *values]
        assert isinstance(store.processes, list)
        store.processes.append(record)
        for offset, value in self.initials[index]:
            number = (
                self.make_channel(store, value, pid)
                if isinstance(value, int)
                else value(store, record)
            )
            record[len(record) - len(process.slots) + offset] = process.slots[offset].truncate(
                number
            )
        return pid

    # --- who may move ----------------------------------------------------------------------------

    def moves(self, record: Record) -> tuple[ExecutableTransition, ...]:
        """The transitions of the location at which a process is, ready to be taken."""
        key = record[TYPE], record[LOCATION]
        known = self._moves.get(key)
        if known is None:
            here = self.program.processes[key[0]].locations.get(key[1], ())
            known = self._moves[key] = tuple(map(self.actions.move, here))
        return known

    def enabled(self, store: WorkingState, pid: int) -> bool:
        """Whether some transition of process `pid` is executable."""
        record = store.processes[pid]
        return any(move.otherwise or move.ready(store, record) for move in self.moves(record))

    def may_run(self, store: WorkingState, pid: int) -> bool:
        """Whether the process's provided clause and the priorities of the others let it move.

        Fault, if its provided clause has no value: then whatever it would do next faults.
        """
        if not self.is_provided(store, pid):
            return False
        if not self.program.uses_priorities:
            return True
        priority = store.processes[pid][PRIORITY]
        return not any(
            other != pid and record[PRIORITY] > priority and self.can_move(store, other)
            for other, record in enumerate(store.processes)
        )

    def can_move(self, store: WorkingState, pid: int) -> bool:
        """Whether the process has a step, if nobody goes first: one that faults is a step, too."""
        try:
            return self.is_provided(store, pid) and self.enabled(store, pid)
        except Fault:
            return True

    def is_provided(self, store: WorkingState, pid: int) -> bool:
        record = store.processes[pid]
        condition = self.provided[record[TYPE]]
        return condition is None or condition(store, record) != 0

    # --- steps -----------------------------------------------------------------------------------

    def steps(self, state: State) -> list[Step]:
        """Every step from `state`. None: it is the end of the run, or a deadlock.

        Inside an atomic sequence these are the steps of its process, if it has any.
        """
        if state.holder != NOBODY:
            own = self.steps_of_holder(state)
            if own:
                return own
        everyone = range(len(state.processes) - 1, -1, -1)
        return self.steps_of(WorkingState(state), everyone) or self.steps_of(
            WorkingState(state, timeout=True), everyone
        )

    def steps_by(self, state: State, pid: int) -> list[Step]:
        """Those of `steps` that process `pid` begins, and perhaps others: sooner than all."""
        if state.holder == NOBODY and pid < len(state.processes):
            own = self.steps_of(WorkingState(state), [pid])
            if own:
                return own
        return self.steps(state)

    def steps_of_holder(self, state: State) -> list[Step]:
        """The steps of the process in the middle of an atomic sequence; none: it blocks."""
        return self.steps_of(WorkingState(state), [state.holder])

    def steps_of(self, store: WorkingState, pids: Iterable[int]) -> list[Step]:
        if self.verbose:
            store.output = []
        steps: list[Step] = []
        for pid in pids:
            record = store.processes[pid]
            moves = self.moves(record)
            try:
                if self.restrained and not self.may_run(store, pid):
                    continue
            except Fault as fault:
                steps += [_faulty(pid, move, fault, store) for move in moves[:1]]
                continue
            moved, escape = False, 0
            for move in moves:
                if escape and move.transition.escape != escape:
                    break
                if move.otherwise and moved:
                    continue
                taken = self.take(store, pid, record, move)
                if taken:
                    moved, escape = True, move.transition.escape
                    steps += taken
        return steps

    def take(
        self, store: WorkingState, pid: int, record: Record, move: ExecutableTransition
    ) -> list[Step]:
        """The steps that begin with `move`: none or one; of a handshake, one for each receiver."""
        work = store
        try:
            if not move.ready(store, record):
                return []
            work = store.fork(pid)
            move.fire(work, work.processes[pid])
        except Fault as fault:
            return [_faulty(pid, move, fault, work)]
        self._arrive(work, pid, move)
        if work.offer != NOBODY:
            return self.handshakes(work, pid, move)
        holder = pid if move.transition.atomic and pid < len(work.processes) else NOBODY
        return [self._step(work, pid, move, None, holder)]

    def handshakes(self, offered: WorkingState, pid: int, move: ExecutableTransition) -> list[Step]:
        """The steps that complete a send on a rendezvous channel.

        Where there are priorities, by those who have the highest of all who can answer.
        """
        steps: list[Step] = []
        for other in range(len(offered.processes) - 1, -1, -1):
            if other == pid:
                continue
            record = offered.processes[other]
            escape = 0
            for answer in self.moves(record):
                if escape and answer.transition.escape != escape:
                    break
                if not answer.hears(offered, record):
                    continue
                try:
                    if self.restrained and not self.is_provided(offered, other):
                        break
                except Fault as fault:
                    steps.append(_faulty(pid, move, fault, offered, (other, answer.transition)))
                    break
                step = self.answer(offered, pid, move, other, answer)
                if step is not None:
                    escape = answer.transition.escape
                    steps.append(step)
        return self._urgent(offered, steps) if self.program.uses_priorities else steps

    def _urgent(self, offered: WorkingState, answers: list[Step]) -> list[Step]:
        """The answers to an offer by the processes of highest priority."""
        priorities = [
            NOBODY if step.partner is None else offered.processes[step.partner[0]][PRIORITY]
            for step in answers
        ]
        most = max(priorities, default=NOBODY)
        return [step for step, own in zip(answers, priorities, strict=True) if own == most]

    def answer(
        self,
        offered: WorkingState,
        pid: int,
        move: ExecutableTransition,
        other: int,
        answer: ExecutableTransition,
    ) -> Step | None:
        """The step in which process `other` takes what `pid` offers, if it fits."""
        partner = (other, answer.transition)
        work = offered
        try:
            if not answer.ready(offered, offered.processes[other]):
                return None
            work = offered.fork(other)
            answer.fire(work, work.processes[other])
        except Fault as fault:
            return _faulty(pid, move, fault, work, partner)
        self._arrive(work, other, answer)
        holder = other if answer.transition.atomic else NOBODY
        return self._step(work, pid, move, partner, holder)

    def _arrive(self, work: WorkingState, pid: int, move: ExecutableTransition) -> None:
        if pid < len(work.processes):
            record = work.processes[pid]
            assert isinstance(record, list)
            record[LOCATION] = move.transition.target
        if self.program.uses_last:
            work.last = pid

    def _step(
        self,
        work: WorkingState,
        pid: int,
        move: ExecutableTransition,
        partner: tuple[int, Transition] | None,
        holder: int,
    ) -> Step:
        return Step(
            pid,
            move.transition,
            work.freeze(holder),
            partner,
            tuple(work.failures),
            tuple(work.output or ()),
        )

    # --- ends ------------------------------------------------------------------------------------

    def is_valid_end(self, state: State) -> bool:
        """Whether a run may stop here: every process at its end or at an end label."""
        processes = self.program.processes
        if not state.processes:
            return True
        if not all(r[LOCATION] in processes[r[TYPE]].end_locations for r in state.processes):
            return False
        return self.monitor is None or self.monitor.complete(state.monitor)


def _faulty(
    pid: int,
    move: ExecutableTransition,
    fault: Fault,
    work: WorkingState,
    partner: tuple[int, Transition] | None = None,
) -> Step:
    """A step that ends in a fault, after what had failed before."""
    failures = (*work.failures, Failure(fault.kind, fault.message))
    return Step(pid, move.transition, None, partner, failures)
