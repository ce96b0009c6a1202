"""Explains the reduction: of each location, whether its process may go first there, and why not.

Transitions are compared one with another, not with all that a process can still do: so that the
reason is a statement. Where every process is there from the start, each process is itself; else any
process of a type stands for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.program.program import ProcessType, Transition, Way
from whorl.program.state import TYPE, Record
from whorl.reduction.accesses import needs_timeout
from whorl.reduction.analysis import Analysis, reachable
from whorl.reduction.footprint import (
    EVERY_CHANNEL,
    NOTHING,
    Footprint,
    conflict,
    opposite,
    visible,
)
from whorl.reduction.sticky import sticky

REDUCIBLE, CONDITIONAL, FIXED = "reducible", "conditional", "not reducible"


OF_PROCESSES = "a channel of a process"  # that it has made


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a process may not go first, by one of its statements.

    `kind`: "visible", "dependent", "channel" (until the other end has moved), "index" (where the
    indices of two processes are equal), "sticky", "timeout", "everything". `other` is the statement
    that it depends on, of the process `whose`.
    """

    kind: str
    statement: Transition
    what: tuple[str, ...] = ()  # the variables, channels and labels that it is about
    whose: str | None = None
    other: Transition | None = None
    passing: bool = False  # the other process may come to where it can no longer do that


@dataclass(frozen=True, slots=True)
class Explained:
    """A location of a process type."""

    process: ProcessType
    location: int
    statements: tuple[Transition, ...]
    reasons: tuple[Reason, ...]

    @property
    def verdict(self) -> str:
        if not self.reasons:
            return REDUCIBLE
        passing = ("channel", "index", "sticky")  # phase 1 takes sticky steps, too
        holding = [r for r in self.reasons if r.kind not in passing and not r.passing]
        return FIXED if holding else CONDITIONAL


def explain(analysis: Analysis) -> Iterator[Explained]:
    """Every location of every process type from which something can be done, in order."""
    stuck = sticky(analysis)
    explainer = _Explainer(analysis)
    for process in analysis.program.processes:
        for location in locations(process):
            statements = process.locations.get(location, ())
            if not statements:
                continue
            reasons: list[Reason] = []
            for statement in statements:
                reasons += explainer.reasons(process, statement)
                if statement.number in stuck and not any(
                    r.statement is statement and r.kind in ("visible", "everything")
                    for r in reasons
                ):
                    reasons.append(Reason("sticky", statement))
            yield Explained(process, location, statements, tuple(reasons))


def locations(process: ProcessType, start: int | None = None) -> list[int]:
    """The locations that the process can come to from `start`, in the order in which they are met.

    `start` is where it begins unless another location is given.
    """
    met = [process.start if start is None else start]
    known = set(met)
    for location in met:  # grows meanwhile
        for transition in process.locations.get(location, ()):
            if transition.target not in known:
                known.add(transition.target)
                met.append(transition.target)
    return met


class _Explainer:
    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.program = analysis.program
        # The processes, where all of them are there from the start; else one of each type.
        self.records: dict[int, list[Record | None]] = {p.index: [] for p in self.program.processes}
        for record in analysis.start.processes:
            self.records[record[TYPE]].append(record)
        if analysis.cells.started:
            self.records = {index: [None, None] for index in self.records}

    def reasons(self, process: ProcessType, statement: Transition) -> Iterator[Reason]:
        if needs_timeout(statement.action):
            yield Reason("timeout", statement)
            return
        mine = self.analysis.touched(statement.way, None)
        if mine.everything:
            yield Reason("everything", statement)
            return
        if visible(mine, self.analysis.property):
            yield Reason("visible", statement, self.names(_seen(mine, self.analysis.property)))
        for other in self.program.processes:
            yield from self.against(process, statement, other)

    def against(
        self, process: ProcessType, statement: Transition, other: ProcessType
    ) -> Iterator[Reason]:
        """What in another process, or in another one of the same type, it depends on."""
        pairs = [
            (a, b)
            for place, a in enumerate(self.records[process.index])
            for number, b in enumerate(self.records[other.index])
            if process is not other or place != number
        ]
        if not pairs:
            return
        ways: dict[int, list[Way]] = {}
        for way in sorted(reachable(other, other.start)):
            ways.setdefault(way[1], []).append(way)
        for number, theirs in sorted(ways.items()):
            dependencies = [self.dependency(statement, theirs, a, b) for a, b in pairs]
            if not any(dependencies):
                continue
            kinds = {kind for kind, _ in filter(None, dependencies)}
            kind = "dependent" if "dependent" in kinds else "channel"
            if kind == "dependent" and not all(dependencies):
                kind = "index"
            what = next(shared for d in dependencies if d is not None for _, shared in [d])
            passing = any(
                number not in {n for _, n in reachable(other, at)} for at in locations(other)
            )
            transition = self.analysis.transitions[theirs[0]]
            yield Reason(kind, statement, what, other.title, transition, passing)

    def dependency(
        self, statement: Transition, theirs: list[Way], a: Record | None, b: Record | None
    ) -> tuple[str, tuple[str, ...]] | None:
        """How a statement depends on another, `theirs`, and by what; None if it does not."""
        mine = self.analysis.touched(statement.way, a)
        other = NOTHING
        for way in theirs:
            other |= self.analysis.touched(way, b)
        if other.everything:
            return "dependent", ("any step",)
        if conflict(mine, other):
            return "dependent", self.names(_shared(mine, other))
        if opposite(mine, other):
            return "channel", self.names(_shared(mine, other))
        return None

    def names(self, shared: tuple[int, int]) -> tuple[str, ...]:
        """Cells and channels, in words, each once."""
        cells, channels = shared
        words = [
            self.analysis.cells.name(1 << n) for n in range(cells.bit_length()) if cells >> n & 1
        ]
        if channels == EVERY_CHANNEL:
            words.append("a channel")
        else:
            slots = {number: slot for slot, number in self.analysis.fixed.channels.items()}
            for number in range(channels.bit_length()):
                if channels >> number & 1:
                    slot = slots.get(number)
                    words.append(
                        OF_PROCESSES if slot is None else self.analysis.cells.name(1 << slot)
                    )
        return tuple(dict.fromkeys(words))


def _shared(a: Footprint, b: Footprint) -> tuple[int, int]:
    """The cells and channels by which two footprints are dependent."""
    mine, theirs = a.writes | a.adds, b.writes | b.adds
    cells = mine & b.reads | a.reads & theirs | a.writes & theirs | mine & b.writes
    return cells, _channels(a) & _channels(b)


def _seen(a: Footprint, property_: Footprint) -> tuple[int, int]:
    return (a.writes | a.adds) & property_.reads, (a.sends | a.receives) & property_.queries


def _channels(a: Footprint) -> int:
    return a.sends | a.send_tests | a.receives | a.receive_tests | a.queries | a.sorted_sends
