"""What a step looks at: a store that takes note of every part of the state that is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any

from whorl.program.parts import parts
from whorl.program.program import (
    BinaryOp,
    Const,
    Guard,
    Load,
    Otherwise,
    Place,
    Region,
    Skip,
    Transition,
    UnaryOp,
)
from whorl.program.program import Store as Assignment
from whorl.program.semantics import Semantics, Step
from whorl.program.state import Fault, State, WorkingState

Part = tuple[str, int]  # a global slot, a channel or a process by number; COUNT: how many there are
GLOBAL, CHANNEL, PROCESS = "global", "channel", "process"
COUNT = -1


class Noted(list[Any]):
    """A list that takes note of the places that are read."""

    __slots__ = ("kind", "read")

    def __init__(self, values: Sequence[Any], kind: str, read: set[Part]) -> None:
        super().__init__(values)
        self.kind = kind
        self.read = read

    def __getitem__(self, at: Any) -> Any:
        self.read.add((self.kind, at if at >= 0 else at + list.__len__(self)))
        return list.__getitem__(self, at)

    def __len__(self) -> int:
        self.read.add((self.kind, COUNT))
        return list.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        count = list.__len__(self)
        self.read.update((self.kind, at) for at in range(COUNT, count))
        return list.__iter__(self)


class NotedStore(WorkingState):
    """A WorkingState that takes note of what is read of its state, by itself and by its forks."""

    __slots__ = ("read",)

    def __init__(self, state: State, timeout: bool = False) -> None:
        super().__init__(state, timeout)
        self.read: set[Part] = set()
        self._take_note()

    def _take_note(self) -> None:
        self.globals = Noted(self.globals, GLOBAL, self.read)
        self.processes = Noted(self.processes, PROCESS, self.read)
        self.channels = Noted(self.channels, CHANNEL, self.read)

    def fork(self, pid: int) -> NotedStore:
        known = set(self.read)
        copy = super().fork(pid)
        self.read.intersection_update(known)  # to copy is not to look
        made = NotedStore.__new__(NotedStore)
        for name in WorkingState.__slots__:
            setattr(made, name, getattr(copy, name))
        made.read = self.read
        made._take_note()
        return made


def read_by(semantics: Semantics, state: State, step: Step) -> set[Part]:
    """The parts of `state` that a step from it looks at, when it is tried and when it is taken."""
    store = NotedStore(state)
    record = state.processes[step.pid]
    moves = semantics.moves(record)
    move = next(m for m in moves if m.transition is step.transition)
    with suppress(Fault):
        if semantics.restrained:
            semantics.may_run(store, step.pid)
        for other in takewhile(lambda m: m is not move, moves):
            if move.otherwise or other.transition.escape != move.transition.escape:
                other.ready(store, record)
        if not move.ready(store, record):  # but where nothing else can move
            return _everything(state)
        work = store.fork(step.pid)
        move.fire(work, work.processes[step.pid])
        if step.partner is not None:
            _answered(semantics, work, *step.partner)
    return store.read


def fixed_reads(semantics: Semantics, state: State, step: Step) -> frozenset[Part] | None:
    """What a transition reads in every state where it is taken; None if that depends on the state.

    It is what `read_by` finds (but for the process itself), without taking the step again.
    """
    moves = semantics.moves(state.processes[step.pid])
    taken = step.transition
    if semantics.restrained or any(move.transition.escape for move in moves):
        return None
    asked = [m.transition for m in moves] if isinstance(taken.action, Otherwise) else [taken]
    reads: set[Part] = set()
    for transition in asked:
        if not isinstance(transition.action, (Skip, Guard, Otherwise, Assignment)):
            return None
        for part in parts(transition.action):
            match part:
                case Load(Place(region=Region.GLOBAL, offset=slot, indices=())):
                    reads.add((GLOBAL, slot))
                case BinaryOp(operator="&&" | "||"):
                    return None
                case BinaryOp() | UnaryOp() | Const() | Load() | Place(indices=()):
                    pass
                case Skip() | Guard() | Otherwise() | Assignment():
                    pass
                case _:
                    return None
    return frozenset(reads)


def _answered(semantics: Semantics, work: NotedStore, pid: int, transition: Transition) -> None:
    """The half of a handshake that receives."""
    record = work.processes[pid]
    moves = semantics.moves(record)
    answer = next(m for m in moves if m.transition is transition)
    if semantics.restrained:
        semantics.may_run(work, pid)
    if answer.ready(work, record):
        taken = work.fork(pid)
        answer.fire(taken, taken.processes[pid])


def written(before: State, after: State) -> set[Part]:
    """The parts in which two states differ."""
    return {
        (kind, at)
        for kind, old, new in (
            (GLOBAL, before.globals, after.globals),
            (PROCESS, before.processes, after.processes),
            (CHANNEL, before.channels, after.channels),
        )
        if old != new
        for at in _different(old, new)
    }


def _different(old: Sequence[object], new: Sequence[object]) -> Iterator[int]:
    both = min(len(old), len(new))
    yield from (at for at in range(both) if old[at] != new[at])
    if len(old) != len(new):
        yield COUNT
        yield from range(both, max(len(old), len(new)))


def _everything(state: State) -> set[Part]:
    return written(State((), (), ()), state)
