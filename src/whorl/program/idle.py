"""Idle variables: those that no process ever looks at, but to compute idle variables.

A counter of rounds is one, if nothing asks for it. What an idle variable holds does not decide
where a run can go, except by a fault: an index that is out of bounds, a division by zero.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from whorl.program.parts import parts
from whorl.program.program import (
    Action,
    Load,
    Output,
    Place,
    ProcessType,
    Program,
    Region,
    RemoteLoad,
    Store,
    VariableInfo,
)

GLOBAL = -1  # instead of the number of a process type
Variable = tuple[int, int]  # of which process type, and its first slot


@dataclass(frozen=True, slots=True)
class Idle:
    """The slots of idle variables: global ones, and those of each process type."""

    slots: frozenset[int]
    local: tuple[frozenset[int], ...]


def idle_variables(program: Program) -> Idle:
    """The idle variables of a program; formulas and claims are not looked at."""
    owners = {GLOBAL: program.variables} | {p.index: p.variables for p in program.processes}
    first = {where: _first_slots(variables) for where, variables in owners.items()}

    def variable(where: int, place: Place) -> Variable:
        where = GLOBAL if place.region is Region.GLOBAL else where
        return where, first[where].get(place.offset, place.offset)

    seen: set[Variable] = set()
    sources: dict[Variable, set[Variable]] = defaultdict(set)
    for process in program.processes:
        for action in (t.action for t in process.transitions()):
            read = {variable(where, place) for where, place in _read(process, action)}
            if isinstance(action, Store) and action.place.region in (Region.GLOBAL, Region.LOCAL):
                sources[variable(process.index, action.place)] |= read
            else:
                seen |= read
        others = (process.initials, process.provided)
        seen |= {variable(where, place) for where, place in _loads(process, others)}
    waiting = list(seen)
    while waiting:
        new = sources[waiting.pop()] - seen
        seen |= new
        waiting += new

    def unseen(where: int, count: int) -> frozenset[int]:
        slots = range(count)
        return frozenset(s for s in slots if (where, first[where].get(s, s)) not in seen)

    local = tuple(unseen(p.index, len(p.slots)) for p in program.processes)
    return Idle(unseen(GLOBAL, len(program.slots)), local)


def _first_slots(variables: Iterable[VariableInfo]) -> dict[int, int]:
    return {slot: v.offset for v in variables for slot in range(v.offset, v.offset + v.size)}


def _read(process: ProcessType, action: Action) -> Iterator[tuple[int, Place]]:
    """What an action looks at; what is printed decides nothing."""
    if isinstance(action, Store):
        yield from _loads(process, (action.value, action.place.indices))
    elif not isinstance(action, Output):
        yield from _loads(process, action)


def _loads(process: ProcessType, whole: object) -> Iterator[tuple[int, Place]]:
    for part in parts(whole):
        match part:
            case Load(place):
                yield process.index, place
            case RemoteLoad():
                yield part.process, part.place
