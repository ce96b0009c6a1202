"""Leaves out rounds: moves of a process after which it is where it was before.

At the beginning and the end of a round the process has the same location and variables. It is left
out, and moves of others in between stay, if these and all later ones read the same values without
it. Where they do not, and where another process takes part, a round of that other is left out along
with it, if there is one. Values of idle variables, which decide nothing, are not compared.

All is told from what the steps of the run have read and written. The effort is bounded, so that in
a very long run rounds may stay.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from whorl.program.assigned import place_slots
from whorl.program.idle import idle_variables
from whorl.program.noted import COUNT, GLOBAL, PROCESS, NotedStore, Part
from whorl.program.parts import parts
from whorl.program.program import Load, Region
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, TYPE, State
from whorl.trace.blocks import StepBlock

EFFORT = 300_000  # accesses of blocks that are looked at, for near and for far ends of rounds
TRY = 5  # what it takes, as accesses, to look at a round at all
NEAREST, FURTHEST = 3, 3  # ends of a round that are tried from one beginning
MOST_ROUNDS = 12  # that are left out together, or made longer
EARLIER = 20  # beginnings that are tried for a round that has to cover some moves

UNCHANGED = object()
Access = tuple[int, bool, object]  # number of the block, whether it reads, the value that it writes
Ends = Callable[[int, int], Iterable[int]]  # which of the ends from `near` to `far` are tried


@dataclass(slots=True)
class Moves:
    """The moves of a process, as numbers of blocks; what it is like before each, and at the end."""

    blocks: list[int] = field(default_factory=list)
    before: list[object] = field(default_factory=list)
    places: dict[object, list[int]] = field(default_factory=lambda: defaultdict(list))
    gone: set[int] = field(default_factory=set)  # places in the middle of what was left out

    def covering(self, low: int, high: int) -> tuple[int, int] | None:
        """The shortest round that has the moves from `low` to before `high`, of some."""
        shortest = None
        for start in range(low, max(low - EARLIER, -1), -1):
            ends = self.places[self.before[start]]
            at = bisect_left(ends, max(high, start + 1))
            if start in self.gone or at == len(ends) or ends[at] in self.gone:
                continue
            if shortest is None or ends[at] - start < shortest[1] - shortest[0]:
                shortest = start, ends[at]
        return shortest


Cut = dict[int, tuple[int, int]]  # by process: from which of its moves to before which


class Rounds:
    """The blocks of a run, of which those are taken out that make rounds."""

    def __init__(
        self,
        semantics: Semantics,
        states: list[State],
        blocks: list[StepBlock],
        pinned: set[int],
        at_end: set[Part],
    ) -> None:
        """`pinned`: blocks that stay; `at_end`: what is read of the state in which the run ends."""
        self.idle = idle_variables(semantics.program)
        self.states = states
        self.blocks = blocks
        self.pinned = pinned
        self.kept = [True] * len(blocks)
        self.effort = 0  # what is left
        self.accesses: dict[Part, list[Access]] = defaultdict(list)
        self.writes: list[set[Part]] = []
        self.moves: dict[int, Moves] = defaultdict(Moves)
        for number, block in enumerate(blocks):
            self._add(number, block)
        for pid, moves in self.moves.items():
            self._note(moves, self._value(states[-1], (PROCESS, pid)))
        for part in at_end:
            self.accesses[part].append((len(blocks), True, UNCHANGED))

    def _add(self, number: int, block: StepBlock) -> None:
        before, after = self.states[block.start], self.states[min(block.end, len(self.states) - 1)]
        for pid in block.processes:
            moves = self.moves[pid]
            self._note(moves, self._value(before, (PROCESS, pid)))
            moves.blocks.append(number)
        writes = {part for part in block.writes if self._matters(part)}
        self.writes.append(writes)
        for part in block.reads | writes:
            if self._matters(part):
                value = self._value(after, part) if part in writes else UNCHANGED
                self.accesses[part].append((number, part in block.reads, value))

    def _note(self, moves: Moves, like: object) -> None:
        moves.places[like].append(len(moves.before))
        moves.before.append(like)

    def without(self) -> list[StepBlock]:
        """The blocks that stay."""
        for ends in (_near, _far):
            self.effort = EFFORT
            for pid in sorted(self.moves):
                self._leave_out(pid, ends)
        return [block for block, kept in zip(self.blocks, self.kept, strict=True) if kept]

    def _leave_out(self, pid: int, tried: Ends) -> None:
        """Takes out rounds that begin with moves of this process."""
        moves = self.moves[pid]
        for place in range(len(moves.blocks)):
            if self.effort <= 0:
                break
            ends = moves.places[moves.before[place]]
            for end in tried(bisect_right(ends, place), len(ends)):
                if place in moves.gone or not self.kept[moves.blocks[place]]:
                    break
                if ends[end] not in moves.gone and self._try({pid: (place, ends[end])}):
                    break

    def _try(self, cut: Cut) -> bool:
        """Takes out these rounds, with others that have to go as well; whether that can be."""
        for _ in range(MOST_ROUNDS):
            without = {
                number
                for pid, (start, end) in cut.items()
                for number in self.moves[pid].blocks[start:end]
                if self.kept[number]
            }
            self.effort -= TRY + len(without)
            if self.effort <= 0 or not without.isdisjoint(self.pinned):
                return False
            wrong = self._divided(cut, without)
            if wrong is None:
                wrong = self._misled(without)
            if wrong is None:
                self._take_out(cut, without)
                return True
            if wrong == len(self.blocks) or not self._cover(cut, wrong):
                return False
        return False

    def _divided(self, cut: Cut, without: set[int]) -> int | None:
        """A block that would be left out for one of its processes, and not for another."""
        for number in without:
            for pid in self.blocks[number].processes:
                if pid not in cut or not self._covers(cut[pid], pid, number):
                    return number
        return None

    def _covers(self, round_: tuple[int, int], pid: int, number: int) -> bool:
        blocks, (start, end) = self.moves[pid].blocks, round_
        return blocks[start] <= number and (end == len(blocks) or number < blocks[end])

    def _cover(self, cut: Cut, number: int) -> bool:
        """Makes rounds of all processes of a block cover it, if there are any."""
        for pid in self.blocks[number].processes:
            moves = self.moves[pid]
            place = bisect_left(moves.blocks, number)
            start, end = cut.get(pid, (place, place + 1))
            covering = moves.covering(min(start, place), max(end, place + 1))
            if covering is None:
                return False
            cut[pid] = covering
        return True

    def _misled(self, without: set[int]) -> int | None:
        """A block that stays and would read something else; the number of blocks: the end does."""
        # Sorted, for the order of a set of texts is another in each run of Python.
        changed = sorted(set[Part]().union(*(self.writes[number] for number in without)))
        first, last = min(without), max(without)
        misled = (self._misled_by(part, first, last, without) for part in changed)
        return next((number for number in misled if number is not None), None)

    def _misled_by(self, part: Part, first: int, last: int, without: set[int]) -> int | None:
        accesses = self.accesses[part]
        at = bisect_left(accesses, first, key=lambda access: access[0])
        now = without_them = self._value_before(part, at)
        for place in range(at, len(accesses)):
            number, reads, value = accesses[place]
            self.effort -= 1
            if number > last and now == without_them:
                break
            if number < len(self.kept) and not self.kept[number]:
                continue
            if number in without:
                now = now if value is UNCHANGED else value
                continue
            if reads and now != without_them:
                return number
            if value is not UNCHANGED:
                now = without_them = value
        return None

    def _take_out(self, cut: Cut, without: set[int]) -> None:
        for number in without:
            self.kept[number] = False
        for pid, (start, end) in cut.items():
            self.moves[pid].gone.update(range(start + 1, end))

    def _value_before(self, part: Part, at: int) -> object:
        """What a part holds before its access number `at`."""
        accesses = self.accesses[part]
        for place in range(at - 1, -1, -1):
            self.effort -= 1
            number, _, value = accesses[place]
            if value is not UNCHANGED and self.kept[number]:
                return value
        return self._value(self.states[0], part)

    def _matters(self, part: Part) -> bool:
        return part[0] != GLOBAL or part[1] not in self.idle.slots

    def _value(self, state: State, part: Part) -> object:
        """What a part of a state holds; of a process, what is not idle."""
        kind, at = part
        if kind == GLOBAL:
            return state.globals[at]
        values = state.processes if kind == PROCESS else state.channels
        if at == COUNT:
            return len(values)
        if at >= len(values):
            return None
        return self._looked_at(state.processes[at]) if kind == PROCESS else values[at]

    def _looked_at(self, record: tuple[int, ...]) -> tuple[int, ...]:
        idle = self.idle.local[record[TYPE]]
        if not idle:
            return record
        return tuple(v for slot, v in enumerate(record, -LOCALS) if slot not in idle)


def read_at_end(semantics: Semantics, state: State) -> set[Part]:
    """What is read to find that nothing can move: the guards of all transitions that are next."""
    store = NotedStore(state)
    reads = store.read
    for pid, record in enumerate(state.processes):
        if semantics.restrained:
            semantics.may_run(store, pid)
        for move in semantics.moves(record):
            move.ready(store, record)
            for part in parts(move.transition):  # what is sent is read only if somebody listens
                if isinstance(part, Load) and part.place.region is Region.GLOBAL:
                    reads |= {(GLOBAL, slot) for slot in place_slots(part.place)}
    return reads


def _near(near: int, far: int) -> Iterable[int]:
    return range(near, min(near + NEAREST, far))


def _far(near: int, far: int) -> Iterable[int]:
    return range(far - 1, near + NEAREST - 1, -max(1, (far - near) // FURTHEST))
