"""A search for violations of safety on a device: breadth first, level by level.

The states of a level are a range of indices, since they are numbered as they are found. A launch
expands some of them, and stores what is new behind. What a launch could not do is done again: where
the store was full, after it has grown; where a state needs more room than its thread had, in a list
of such states, with more room. Both may be, since what is stored twice is stored once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import or_

from whorl.native.gpu.device import Device, DeviceFull, Module
from whorl.native.gpu.store import DeviceStore
from whorl.native.gpu.world import TALLY_BYTES, WORLD_BYTES, LaunchTally, World, room_bytes
from whorl.search.limits import LEAST, Limits, Progress

ROOMS = (64, 512, 4096, 1 << 15)  # steps that a thread has room for, one after the other
SCRATCH = 1 << 31  # bytes for them, at most
SCRATCH_SHARE = 8  # of the budget, at most one part in so many
MEMO_BYTES = 8 * (1 << 12) + 256  # sizeof(whorl_memo)
TOLD_ROOM = 1 << 15  # choices of one run
ELIMINATION_BYTES = 12  # for each node, beside the store: its colour, and a place in the queue
MANY = 0.5  # of the states of a launch need more room: then all are given it at once
PROGRESS_SECONDS = 0.2

FULL = "the memory of the GPU is full"
TOO_SMALL = (
    "the buffers of the GPU are too small: a state has more than"
    f" {ROOMS[-1]:,} steps, with those in the middle of atomic sequences"
)


class LaunchesStopped(Exception):
    """The search cannot go on; the text says why. `by_time`: there is no time for anything else."""

    def __init__(self, why: str, by_time: bool = False) -> None:
        super().__init__(why)
        self.by_time = by_time


@dataclass(slots=True)
class Shape:
    """What a search has to know of the kernels."""

    words: int  # of what is stored: of a state, and one for the place where there is a claim
    transitions: int
    sites: int
    by_process: bool  # there is no reduction: one process after the other
    claim: bool = False  # nodes of the product are stored

    @property
    def begins(self) -> str:
        """The kernel that stores the first."""
        return "whorl_claim_begin" if self.claim else "whorl_gpu_begin"

    @property
    def expands(self) -> str:
        """The kernel that expands one as a whole."""
        return "whorl_claim_explore" if self.claim else "whorl_gpu_whole"


@dataclass(slots=True)
class GpuRequest:
    """What is asked of a search: by site, whether it counts; the last is of invalid end states."""

    counts: bytes
    limits: Limits
    budget: int  # bytes on the device
    report: Callable[[Progress], None] | None = None


@dataclass(slots=True)
class Levels:
    """The states, by their depth: from which index on, and where the last level ends."""

    begins: list[int] = field(default_factory=lambda: [0])
    end: int = 0

    def __len__(self) -> int:
        return len(self.begins)

    def __getitem__(self, level: int) -> tuple[int, int]:
        last = level + 1 == len(self.begins)
        return self.begins[level], self.end if last else self.begins[level + 1]


class LevelSearch:
    """A search; `run` goes on to the end, or raises LaunchesStopped."""

    def __init__(self, device: Device, module: Module, shape: Shape, asked: GpuRequest) -> None:
        self.device = device
        self.module = module
        self.shape = shape
        self.asked = asked
        self.began = self.said = time.monotonic()
        self.world = World()
        self.tally = LaunchTally()
        self.levels = Levels()
        self.truncated = False
        self._whole = not shape.by_process
        self._telling = False
        self._within = 0  # the list that is swept
        self._fixed: list[int] = []
        self._allocate()

    # --- buffers ---------------------------------------------------------------------------------

    def _allocate(self) -> None:
        device, world, shape, budget = self.device, self.world, self.shape, self.asked.budget
        # Two lists of so many indices take a small part of the memory.
        self.launched = min(device.launched, max(budget >> 8, 1 << 10))
        largest = room_bytes(shape.words, ROOMS[-1])
        self._scratch = max(min(SCRATCH, budget // SCRATCH_SHARE), largest)
        fixed = {
            "tally": TALLY_BYTES,
            "counts": shape.sites + 1,
            "failed": shape.sites + 1,
            "reached": 2 * shape.transitions,
            "scratch": self._scratch,
            "memo": MEMO_BYTES,
            "told": 16 * (TOLD_ROOM + 1),
            "met": 4 * (shape.sites + 1),
            "later": 8 * self.launched,
            "list": 8 * self.launched,
        }
        self.fixed_bytes = sum(fixed.values()) + WORLD_BYTES
        try:
            for name, size in fixed.items():
                self._fixed.append(device.allocate(size))
                setattr(world, name, self._fixed[-1])
            self.argument = device.allocate(WORLD_BYTES)
            self._fixed.append(self.argument)
            self.store = DeviceStore(
                device,
                world,
                shape.words,
                budget - self.fixed_bytes,
                ELIMINATION_BYTES if shape.claim else 0,
            )
        except DeviceFull:
            self._release()
            raise LaunchesStopped("the GPU has not enough free memory to begin") from None
        self._lists = world.later, world.list
        world.list, world.later_room, world.told_room = 0, self.launched, TOLD_ROOM
        self.count(self.asked.counts)

    def _release(self) -> None:
        for address in self._fixed:
            self.device.release(address)
        self._fixed = []

    def close(self) -> None:
        """Gives the memory back."""
        self._release()
        self.store.close()

    @property
    def memory_bytes(self) -> int:
        return self.fixed_bytes + self.store.bytes

    # --- launches --------------------------------------------------------------------------------

    def launch(
        self, kernel: str, begin: int, end: int, module: Module | None = None
    ) -> LaunchTally:
        """Runs a kernel for states, by index or place in the list; again where it was full."""
        world, device, before = self.world, self.device, self.tally
        while True:
            world.begin, world.end, world.older = begin, end, before.taken
            device.write(self.argument, world.packed())
            (module or self.module).launch(kernel, self.argument, end - begin)
            tally = LaunchTally.unpacked(device.read(world.tally, TALLY_BYTES))
            if not tally.full:
                self.tally = tally
                return tally
            tally.taken, tally.full = world.capacity, 0
            tally.transitions, tally.later = before.transitions, before.later
            self.set_tally(tally)
            if not self.store.grow(self.module, tally.taken, self.argument):
                raise LaunchesStopped(FULL)
            before = tally
            self.look_up()

    def set_tally(self, tally: LaunchTally) -> None:
        self.tally = tally
        self.device.write(self.world.tally, tally.packed())

    def count(self, counts: bytes) -> None:
        """Which sites count from now on."""
        self.device.write(self.world.counts, counts)

    def sweep(
        self, kernel: str, begin: int, end: int, module: Module | None = None, within: int = 0
    ) -> None:
        """Runs a kernel that expands states as a whole, with as much room as each needs.

        Of all states, by index, or of those in the list at the address `within`.
        """
        self.world.list = self._within = within
        try:
            self._spread(kernel, begin, end, 0, module)
        finally:
            self.world.list = self._within = 0

    def _spread(self, kernel: str, begin: int, end: int, room: int, module: Module | None) -> None:
        """In launches for which there is room, each followed by a look at the clock."""
        self.world.room = ROOMS[room]
        threads = self._scratch // room_bytes(self.shape.words, ROOMS[room])
        threads = min(threads, self.launched)
        for at in range(begin, end, threads):
            self.launch(kernel, at, min(end, at + threads), module)
            if self.world.list == self._within:  # `_again` itself looks after what it sweeps
                self._again(kernel, room + 1, module)
                self.world.room = ROOMS[room]
            self.look_up()

    def _again(self, kernel: str, room: int, module: Module | None) -> None:
        """The states that were put off, with more room and, if need be, with more again."""
        while count := self.tally.later:
            if room == len(ROOMS):
                raise LaunchesStopped(TOO_SMALL)
            assert count <= self.launched
            self.world.list = self.world.later
            self.world.later = next(one for one in self._lists if one != self.world.list)
            self.tally.later = 0
            self.set_tally(self.tally)
            self._spread(kernel, 0, count, room, module)
            room += 1
        self.world.list = self._within

    # --- the search ------------------------------------------------------------------------------

    def begin(self) -> bool:
        """Stores the initial state; whether there is one."""
        self.tally.transitions = 1
        self.set_tally(self.tally)
        self.world.room = ROOMS[0]
        self.launch(self.shape.begins, 0, 1)
        self.levels.end = self.tally.taken
        return self.tally.taken > 0

    def expand_level(self) -> bool:
        """Expands the states of the last level, which are then one before it; whether there is one.

        What fails in it is in `failed`, of which the caller has to take notice.
        """
        begin, end = self.levels[len(self.levels) - 1]
        depth = self.asked.limits.depth
        if depth is not None and len(self.levels) > depth:
            self.truncated = True
            return False
        at = begin
        while at < end:
            if self._whole:
                self.sweep(self.shape.expands, at, end)
                break
            next_ = min(end, at + self.launched)
            self.launch("whorl_gpu_by_process", at, next_)
            self._whole = self.tally.later > MANY * (next_ - at) and next_ - at > 1
            self._again(self.shape.expands, 0, None)
            self.look_up()
            at = next_
        if self.tally.taken - end == 0:
            return False
        self.levels.begins.append(end)
        self.levels.end = self.tally.taken
        return True

    @property
    def states(self) -> int:
        return self.tally.taken - self.tally.holes

    @property
    def depth(self) -> int:
        """Of the deepest state that is stored."""
        return len(self.levels) - (self.tally.taken <= self.levels.end)

    def failed(self) -> bytes:
        """By site, whether something fails there; the last is of invalid end states."""
        return self.device.read(self.world.failed, self.shape.sites + 1)

    def reached(self) -> tuple[bytes, bytes]:
        """By transition, whether it was taken, and whether it went well."""
        count = self.shape.transitions
        data = self.device.read(self.world.reached, 2 * count)
        well, faults = data[:count], data[count:]
        return bytes(map(or_, well, faults)), well

    @contextmanager
    def telling(self) -> Iterator[None]:
        """While a counterexample is told there is no other limit than that of time."""
        self._telling = True
        try:
            yield
        finally:
            self._telling = False

    def look_up(self) -> None:
        """Between two launches: tells how far it is, and whether it is time to stop."""
        now, limits = time.monotonic(), self.asked.limits
        if self.asked.report is not None and now - self.said > PROGRESS_SECONDS:
            self.said = now
            self.asked.report(self.progress())
        left = limits.seconds_left(now - self.began)
        if left is not None and left <= LEAST:
            raise LaunchesStopped(limits.time_reached, by_time=True)
        if self._telling:
            return
        if limits.states is not None and self.states > limits.states:
            raise LaunchesStopped(limits.states_reached)

    def progress(self) -> Progress:
        progress = Progress(self.states, self.tally.transitions, self.depth)
        progress.started = self.began
        progress.memory_bytes = self.memory_bytes
        return progress
