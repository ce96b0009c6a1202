"""The analysis as tables, for an engine that runs no Python: the generator of native/.

A *kind* is all that the analysis asks about a process: its type, its location and its signature,
the values that are fixed as long as it lives and that an index or a channel is computed from. Which
signatures there are is found by starting the program; a process with another one is of the kind
that stands for any. Each transition of a location has an *index*, its bit in masks.

Whether a process depends on another is a question about their kinds, and about which transitions of
the first are enabled: a Dependency, in which bit n is about the transition of index n. The tests
hold it against candidates.Situation.depends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from whorl.program.assigned import place_slots
from whorl.program.parts import parts
from whorl.program.program import (
    Assertion,
    Load,
    Output,
    ProcessType,
    Region,
    Skip,
    Store,
    Transition,
)
from whorl.program.state import LOCALS, LOCATION, PID, TYPE, Record
from whorl.program.walks import starting_walk
from whorl.reduction.accesses import comes_last
from whorl.reduction.analysis import Analysis
from whorl.reduction.explain import locations
from whorl.reduction.footprint import (
    Footprint,
    bits_in,
    conflict,
    opposite,
    union,
    union_of,
    visible,
)
from whorl.reduction.sticky import sticky_runs

LAST_INDEX = 63  # a mask has 64 bits: all transitions of a location from the 64th on share it
MOST_PAIRS = 4_000_000  # of kinds and futures; with more, futures are told apart less well

Asked = tuple[int, Footprint, Footprint]  # an index, what it touches if enabled, and if not
Signature = tuple[int, tuple[int, ...]]  # a pid, and the values of Tables.slots


class Dependency(NamedTuple):
    """Which transitions of a process depend on what another can still do; bit n is index n.

    `whole` counts where a transition is executable, `guard` where it is not; one that always is has
    the same in both, so that a bit in both always counts. The two last are about
    the two ends of a channel, and count unless a transition "stays as it is" in the state at hand
    (Analysis.stays_as_it_is).
    """

    whole: int = 0
    guard: int = 0
    whole_ends: int = 0
    guard_ends: int = 0


class ProcessKind(NamedTuple):
    process: int
    location: int
    signature: Signature | None  # None: any


@dataclass(frozen=True, slots=True)
class Tables:
    """What an engine needs of a program and a property to choose ample sets."""

    slots: tuple[tuple[int, ...], ...]  # of each process type: the locals in its signatures
    signatures: tuple[dict[Signature, Record], ...]  # of each process type, with one that has each
    indices: dict[int, int]  # of each transition: its bit in masks
    kinds: dict[ProcessKind, int]
    rows: tuple[int, ...]  # of each kind
    columns: tuple[int, ...]
    pairs: tuple[tuple[int, ...], ...]  # by row and column: the number of a dependency
    dependencies: tuple[Dependency, ...]  # the first one is that of independent processes
    visible: tuple[int, ...]  # of each kind: the transitions that may change a proposition
    sticky: tuple[int, ...]  # of each kind: those whose run may take a sticky transition
    makes_deterministic: frozenset[int]  # the transitions that may make another process so

    def kind(self, record: Record) -> int:
        known = self.signatures[record[TYPE]]
        values = tuple(record[LOCALS + slot] for slot in self.slots[record[TYPE]])
        signature = record[PID], values
        key = ProcessKind(record[TYPE], record[LOCATION], signature if signature in known else None)
        return self.kinds[key]

    def record(self, kind: ProcessKind) -> Record | None:
        """A process of a kind; None: it stands for any."""
        return None if kind.signature is None else self.signatures[kind.process][kind.signature]

    def dependency(self, kind: int, other: int) -> Dependency:
        return self.dependencies[self.pairs[self.rows[kind]][self.columns[other]]]


def transition_indices(processes: Iterable[ProcessType]) -> dict[int, int]:
    """The indices of the transitions of some processes.

    A statement that begins an option can be taken from several locations, and has the same index in
    all of them; but those of one location differ.
    """
    places: dict[int, list[tuple[int, int]]] = {}  # of each transition
    for process in processes:
        for location, here in process.locations.items():
            for transition in here:
                places.setdefault(transition.number, []).append((process.index, location))
    indices: dict[int, int] = {}
    taken: dict[tuple[int, int], int] = {}  # of each location, as bits
    for number in sorted(places):
        used = union(taken.get(place, 0) for place in places[number])
        free = ~used & used + 1  # the least bit that is not in it
        index = indices[number] = min(free.bit_length() - 1, LAST_INDEX)
        taken.update((place, taken.get(place, 0) | 1 << index) for place in places[number])
    return indices


def indexed(
    process: ProcessType, location: int, known: Mapping[int, int]
) -> Iterator[tuple[int, Transition]]:
    """The transitions of a location that a candidate has to look at, each with its index."""
    for transition in process.locations.get(location, ()):
        if not comes_last(process, transition):
            yield known[transition.number], transition


def is_sure(process: ProcessType, transition: Transition) -> bool:
    """Whether a transition can be taken wherever its process is there."""
    siblings = process.locations[transition.source]
    return (
        isinstance(transition.action, Store | Skip | Assertion | Output)
        and process.provided is None
        and not any(t.escape for t in siblings)
    )


@lru_cache(maxsize=2)
def tables(analysis: Analysis) -> Tables:
    """The tables of a program; kinds are those that some process can come to be of."""
    processes = analysis.program.processes
    slots, signatures = known_signatures(analysis)
    kinds: dict[ProcessKind, int] = {}
    records: list[Record | None] = []
    for process in processes:
        for signature in (None, *signatures[process.index]):
            for location in locations(process):
                kinds[ProcessKind(process.index, location, signature)] = len(records)
                record = None if signature is None else signatures[process.index][signature]
                records.append(record)
    shared = shared_cells(analysis)
    futures: dict[Footprint, int] = {}
    columns = tuple(
        futures.setdefault(
            analysis.future_at((kind.process, kind.location), records[number]).within(shared),
            len(futures),
        )
        for kind, number in kinds.items()
    )
    owners = [(kind.process, kind.signature) for kind in kinds]
    columns, coarse = coarser(columns, owners, list(futures), MOST_PAIRS // len(kinds))
    index_of = transition_indices(processes)
    comparing = _Comparing(analysis, shared, coarse, index_of)
    rows: dict[tuple[int, ...], int] = {}
    row_of = tuple(
        rows.setdefault(comparing.row(kind, records[number]), len(rows))
        for kind, number in kinds.items()
    )
    blocking = sticky_runs(analysis)
    seen: list[int] = []
    held: list[int] = []
    for kind, number in kinds.items():
        seen.append(0)
        held.append(0)
        for index, transition in indexed(processes[kind.process], kind.location, index_of):
            touched = analysis.touched(transition.way, records[number])
            seen[-1] |= visible(touched, analysis.property) << index
            held[-1] |= (transition.number in blocking) << index
    return Tables(
        slots,
        tuple(signatures),
        index_of,
        kinds,
        row_of,
        columns,
        tuple(rows),
        tuple(comparing.dependencies),
        tuple(seen),
        tuple(held),
        _makes_deterministic(analysis, kinds, columns),
    )


def shared_cells(analysis: Analysis) -> int:
    """The cells that more than one process may touch: others make no two processes dependent."""
    once = twice = 0
    several = analysis.cells.started
    active = [index for index, _ in analysis.program.active]
    for process in analysis.program.processes:
        touched = union_of(analysis.touched(t.way, None) for t in process.transitions())
        cells = touched.reads | touched.writes | touched.adds
        twice |= once & cells
        once |= cells
        if process.index in several or active.count(process.index) > 1:
            twice |= cells
    return twice


def coarser(
    columns: Sequence[int], owners: Sequence[object], futures: Sequence[Footprint], most: int
) -> tuple[tuple[int, ...], list[Footprint]]:
    """The columns of kinds with about `most` futures: unions of several of an owner, if need be.

    Where there are many it is in long sequences of statements, and those near each other differ
    little. What may touch more commutes with less, so this is as sound.
    """
    size = -(-len(futures) // max(most, 1))
    if size == 1:
        return tuple(columns), list(futures)
    first = dict(reversed([*zip(columns, owners, strict=True)]))  # who has a future first
    groups: list[list[int]] = []
    for _, some in groupby(sorted(first), key=lambda column: first[column]):
        of_owner = list(some)
        groups += [of_owner[at : at + size] for at in range(0, len(of_owner), size)]
    group_of = {column: number for number, group in enumerate(groups) for column in group}
    unions = [union_of(futures[column] for column in group) for group in groups]
    return tuple(group_of[column] for column in columns), unions


class _Comparing:
    """Compares transitions with futures; each pair of footprints once."""

    def __init__(
        self,
        analysis: Analysis,
        shared: int,
        futures: Sequence[Footprint],
        indices: Mapping[int, int],
    ) -> None:
        self.analysis = analysis
        self.shared = shared
        self.futures = futures
        self.indices = indices
        self.dependencies: dict[Dependency, int] = {Dependency(): 0}
        self._known: dict[Footprint, tuple[int, int]] = {}
        self._rows: dict[tuple[Asked, ...], tuple[int, ...]] = {}

    def row(self, kind: ProcessKind, record: Record | None) -> tuple[int, ...]:
        """The dependencies of a process of this kind on one of each future."""
        process = self.analysis.program.processes[kind.process]
        asked: list[Asked] = []
        for index, transition in indexed(process, kind.location, self.indices):
            whole = self.analysis.touched(transition.way, record).within(self.shared)
            guard = self.analysis.waited_for(transition.way, record).within(self.shared)
            asked.append((index, whole, whole if is_sure(process, transition) else guard))
        key = tuple(asked)
        known = self._rows.get(key)
        if known is None:
            known = self._rows[key] = self._row(key)
        return known

    def _row(self, asked: Iterable[Asked]) -> tuple[int, ...]:
        masks: dict[int, list[int]] = {}  # of a future, unless all is independent of it
        for index, *both in asked:
            for place, touched in enumerate(both):
                conflicts, ends = self.with_all(touched)
                for future in bits_in(conflicts):
                    masks.setdefault(future, [0, 0, 0, 0])[place] |= 1 << index
                for future in bits_in(ends):
                    masks.setdefault(future, [0, 0, 0, 0])[place + 2] |= 1 << index
        row = [0] * len(self.futures)
        for future, mask in sorted(masks.items()):
            row[future] = self.dependencies.setdefault(Dependency(*mask), len(self.dependencies))
        return tuple(row)

    def with_all(self, touched: Footprint) -> tuple[int, int]:
        """The futures that conflict with a footprint, and those at other ends, as bits."""
        known = self._known.get(touched)
        if known is None:
            conflicts = union(1 << n for n, f in enumerate(self.futures) if conflict(touched, f))
            ends = union(1 << n for n, f in enumerate(self.futures) if opposite(touched, f))
            known = self._known[touched] = conflicts, ends
        return known


# --- signatures -----------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def known_signatures(
    analysis: Analysis,
) -> tuple[tuple[tuple[int, ...], ...], list[dict[Signature, Record]]]:
    """Of each process type: the slots that tell its signatures apart, and those that are known."""
    slots = tuple(_slots(analysis, process) for process in analysis.program.processes)
    return slots, _signatures(analysis, slots)


def as_known(analysis: Analysis, record: Record) -> Record | None:
    """A process as far as the tables tell it from others of its type: None, if they do not."""
    slots, signatures = known_signatures(analysis)
    values = tuple(record[LOCALS + slot] for slot in slots[record[TYPE]])
    return record if (record[PID], values) in signatures[record[TYPE]] else None


def _slots(analysis: Analysis, process: ProcessType) -> tuple[int, ...]:
    """The local slots from which an index or a channel is computed that is fixed for a process."""
    slots: set[int] = set()
    for node in parts(list(_narrows(analysis, process))):
        if isinstance(node, Load) and node.place.region is Region.LOCAL:
            slots.update(place_slots(node.place))
    return tuple(sorted(slots))


def _narrows(analysis: Analysis, process: ProcessType) -> list[object]:
    ways = [t.way for t in process.transitions()]
    templates = [table[way] for way in ways for table in (analysis.own, analysis.guard)]
    return [a.narrow for template in templates for a in template if a.narrow is not None]


def _signatures(
    analysis: Analysis, slots: tuple[tuple[int, ...], ...]
) -> list[dict[Signature, Record]]:
    """Of each process type the signatures on the walk, each with a process that has it."""
    asked = [bool(_narrows(analysis, p)) for p in analysis.program.processes]
    signatures: list[dict[Signature, Record]] = [{} for _ in analysis.program.processes]
    if any(asked):
        for state in starting_walk(analysis.semantics):
            for record in state.processes:
                if asked[record[TYPE]]:
                    values = tuple(record[LOCALS + slot] for slot in slots[record[TYPE]])
                    signatures[record[TYPE]].setdefault((record[PID], values), record)
    return signatures


def is_fixed_by_pid(analysis: Analysis, process: ProcessType) -> bool:
    """Whether the processes of a type are there from the start: then the pid tells the rest."""
    return process.index not in analysis.cells.started


# --- deterministic processes ----------------------------------------------------------------------


def _makes_deterministic(
    analysis: Analysis, kinds: dict[ProcessKind, int], columns: tuple[int, ...]
) -> frozenset[int]:
    """The transitions after which another process may be deterministic that was not (alone.h).

    Either the process that moved can do less now, or it was at one end of a channel and somebody
    may wait at the other.
    """
    numbers: set[int] = set()
    signatures: dict[tuple[int, int], set[Signature | None]] = {}
    for kind in kinds:
        signatures.setdefault((kind.process, kind.location), set()).add(kind.signature)
    for process in analysis.program.processes:
        for t in process.transitions():
            target = analysis.target(process, t)
            whole = analysis.touched(t.way, None)
            changes = any(
                columns[kinds[ProcessKind(process.index, t.source, signature)]]
                != columns[kinds[ProcessKind(process.index, target, signature)]]
                for signature in signatures.get((process.index, t.source), ())
                if ProcessKind(process.index, target, signature) in kinds
            )
            touches = whole.sends | whole.receives | whole.queries
            births = (whole.writes | whole.adds) & (analysis.cells.birth | analysis.cells.death)
            if changes or touches or births or whole.everything:
                numbers.add(t.number)
    return frozenset(numbers)
