"""The search for accepting cycles on a device, by elimination (runtime/gpu/elimination.h).

All nodes have been explored, level by level. Phases have no levels: a kernel expands what is in the
queue, and puts behind it what it finds, until nothing is left to expand. Nodes are least by their
words, so the counterexample does not depend on which thread was first; it is made as that of a
cluster is (native/cluster/elimination.py).
"""

from __future__ import annotations

import struct
from dataclasses import replace

from whorl.native.gpu.device import DeviceFailed, DeviceFull, Module
from whorl.native.gpu.search import FULL, LaunchesStopped, LevelSearch
from whorl.native.verifier import FoundViolation
from whorl.program.choice import Choice

OF_CLAIM = -2  # instead of a site: a run that the claim accepts
BITS = 64  # of the hash of a node
OUT, LEFT, REACHED, COLOUR = 0, 1, 2, 3  # of colours, as in elimination.h

Node = int  # its index


class Elimination:
    """Takes away, of the nodes of a search, what is on no accepting cycle."""

    def __init__(self, search: LevelSearch) -> None:
        self.search = search
        self.rounds = 0
        self._held: list[int] = []
        self.count = search.tally.taken
        try:
            for name, size in (("colours", 4), ("queue", 8)):
                self._held.append(search.device.allocate(size * max(1, self.count)))
                setattr(search.world, name, self._held[-1])
        except DeviceFull:
            self.close()
            raise LaunchesStopped(FULL) from None

    def close(self) -> None:
        """Gives the memory back."""
        for address in self._held:
            self.search.device.release(address)
        self._held = []
        self.search.world.colours = self.search.world.queue = 0

    def anything_left(self) -> bool:
        """Whether anything is left where nothing more can be taken away: then there is a cycle."""
        left, _ = self.counted("whorl_claim_leave")
        while True:
            before = left
            self.clear_queue()
            self.over_all("whorl_claim_seed")
            self.drain("whorl_claim_reach")
            self.clear_queue()
            self.over_all("whorl_claim_leave_out")
            self.drain("whorl_claim_trim")
            left, rejects = self.counted("whorl_claim_round")
            self.rounds += 1
            if left > before:
                raise DeviceFailed("more nodes are left than were before")
            if left == before or rejects == 0:
                break
        if self.search.tally.strange and not self.search.truncated:
            raise DeviceFailed("the end of an edge is not stored, or edges were counted wrongly")
        return left > 0

    def over_all(self, kernel: str, module: Module | None = None) -> None:
        """Runs a kernel that expands nothing, for all nodes."""
        self.over(kernel, 0, self.count, module)

    def over(self, kernel: str, begin: int, end: int, module: Module | None = None) -> None:
        """The same for some of them."""
        search = self.search
        for at in range(begin, end, search.launched):
            search.launch(kernel, at, min(end, at + search.launched), module)
            search.look_up()

    def counted(self, kernel: str, module: Module | None = None) -> tuple[int, int]:
        """What a kernel counts, of all nodes."""
        self.search.set_tally(replace(self.search.tally, left=0, other=0))
        self.over_all(kernel, module)
        return self.search.tally.left, self.search.tally.other

    def clear_queue(self) -> None:
        """Begins a phase."""
        self.search.set_tally(replace(self.search.tally, queued=0))

    def drain(self, kernel: str, module: Module | None = None) -> None:
        """Expands all that is in the queue, and what comes behind it."""
        at = 0
        while at < (end := self.search.tally.queued):
            self.search.sweep(kernel, at, end, module, within=self.search.world.queue)
            at = end


class Lassos:
    """Makes counterexamples; `module` has the kernels for that."""

    def __init__(self, search: LevelSearch, module: Module) -> None:
        self.search = search
        self.module = module

    def to_failure(self, level: int, site: int) -> FoundViolation:
        """The way to the least node of a level where something fails at a site.

        The last of the sites is the end of the claim.
        """
        end = self.search.shape.sites
        counts = bytes(int(each == site) for each in range(end + 1))
        self.search.count(counts)
        node = self._least("whorl_claim_failing", *self.search.levels[level])
        assert node is not None, "what was found once is found again"
        return self._told(OF_CLAIM if site == end else site, self._stem(level, node), None)

    def lasso(self, elimination: Elimination) -> FoundViolation:
        """Something is left: a way to an accepting node of it, and a shortest one back."""
        count, _ = elimination.counted("whorl_claim_starts", self.module)
        level, node = self._first(elimination)
        around = self._around(elimination, node)
        if around is None:
            self._halve(elimination, count)
            level, node = self._first(elimination)
            around = self._around(elimination, node)
        if around is None:
            raise DeviceFailed("nodes are left, and no cycle is among them")
        way = self._stem(level, node)
        return self._told(OF_CLAIM, [*way, *around, node], len(way) - 1)

    def _halve(self, elimination: Elimination, count: int) -> None:
        """Leaves one start: it is in a component to which nothing else leads that is left."""
        module = self.module
        for bit in range(BITS):
            if count == 1:
                return
            self.search.world.bit = bit
            without, _ = elimination.counted("whorl_claim_count", module)
            if without in (0, count):
                continue
            elimination.clear_queue()
            elimination.over_all("whorl_claim_spread", module)
            elimination.drain("whorl_claim_visit", module)
            _, unvisited = elimination.counted("whorl_claim_count", module)
            keep = "unvisited" if unvisited else "without"
            count, _ = elimination.counted(f"whorl_claim_keep_{keep}", module)
        if count != 1:
            raise DeviceFailed("two nodes have one hash of 64 bits")

    def _first(self, elimination: Elimination) -> tuple[int, Node]:
        """Of the starts that were explored first the least, after its level."""
        for level in range(len(self.search.levels)):
            self._forget_least()
            elimination.over("whorl_claim_first", *self.search.levels[level], self.module)
            if self.search.tally.least:
                return level, self.search.tally.least - 1
        raise DeviceFailed("nodes are left, and none of them accepts")

    def _around(self, elimination: Elimination, node: Node) -> list[Node] | None:
        """The nodes of a shortest way from a node back to it, without it; None if there is none."""
        search = self.search
        elimination.over_all("whorl_claim_unvisit", self.module)
        at = search.world.colours + 4 * node
        (colour,) = struct.unpack("<I", search.device.read(at, 4))
        search.device.write(at, struct.pack("<I", colour - LEFT + REACHED))
        search.device.write(search.world.queue, struct.pack("<Q", node))
        search.set_tally(replace(search.tally, queued=1))
        levels, queue = [(0, 1)], search.world.queue
        while True:
            search.world.target = self._address(node)
            closing = self._least("whorl_claim_around", *levels[-1], queue)
            if closing is not None:
                break
            search.sweep("whorl_claim_visit", *levels[-1], self.module, queue)
            end = levels[-1][1]
            if search.tally.queued == end:
                return None
            levels.append((end, search.tally.queued))
        way = [closing]
        for begin, end in reversed(levels[:-1]):
            search.world.target = self._address(way[-1])
            before = self._least("whorl_claim_around", begin, end, queue)
            assert before is not None, "what was visited was visited from there"
            way.append(before)
        way.reverse()
        if way[0] != node:
            raise DeviceFailed("a way round does not begin where it ends")
        return way[1:]

    def _stem(self, level: int, node: Node) -> list[Node]:
        """The nodes from the initial one to a node of a level."""
        way = [node]
        for before in range(level - 1, -1, -1):
            self.search.world.target = self._address(way[-1])
            found = self._least("whorl_claim_before", *self.search.levels[before])
            assert found is not None, "a node of a level has a predecessor in the one before"
            way.append(found)
        way.reverse()
        return way

    def _told(self, site: int, way: list[Node], loop: int | None) -> FoundViolation:
        """The choices along a way, and where the point `loop` of it is."""
        choices: list[Choice] = []
        at_loop = 0
        for position, node in enumerate(way[:-1]):
            if position == loop:
                at_loop = len(choices)
            choices += self._choices(node, way[position + 1])
        return FoundViolation(site, tuple(choices), None if loop is None else at_loop)

    def _choices(self, source: Node, target: Node) -> list[Choice]:
        search = self.search
        search.world.target = self._address(target)
        search.sweep("whorl_claim_tell", source, source + 1, self.module)
        (count,) = struct.unpack("<i", search.device.read(search.world.told, 4))
        if count < 0:
            raise LaunchesStopped("the buffers of the GPU are too small to tell a run")
        data = search.device.read(search.world.told + 16, 16 * count) if count else b""
        numbers = struct.unpack(f"<{4 * count}i", data)
        return [Choice(*numbers[i : i + 4]) for i in range(0, 4 * count, 4)]

    def _address(self, node: Node) -> int:
        return self.search.world.states + 8 * self.search.shape.words * node

    def _forget_least(self) -> None:
        self.search.set_tally(replace(self.search.tally, least=0))

    def _least(self, kernel: str, begin: int, end: int, within: int = 0) -> Node | None:
        """The least of some nodes that a kernel looks for; of all, or of those in a list."""
        self._forget_least()
        self.search.sweep(kernel, begin, end, self.module, within)
        return self.search.tally.least - 1 if self.search.tally.least else None
