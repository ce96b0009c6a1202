"""Counterexamples of a search on a device: of the failures of a level that in the least state.

The way there is made of least states, too: for each level back to the first one all its states
are expanded again, and the least one that leads on is taken, as runtime/search/levels.h does. So
nothing is kept for it beside the states, and the counterexample is the same on every device.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise

from whorl.native.gpu.device import Module
from whorl.native.gpu.search import LaunchesStopped, LevelSearch
from whorl.native.verifier import FoundViolation
from whorl.program.choice import Choice

END_STATE = -1  # the site of an invalid end state, as a verifier has it


@dataclass(frozen=True, slots=True)
class _Told:
    """A run from a state; `key` puts failures in the order in which they are told."""

    choices: tuple[Choice, ...]
    key: tuple[tuple[int, ...], int, int]
    site: int


class Trails:
    """Tells violations; `module` has the kernels for that."""

    def __init__(
        self, search: LevelSearch, module: Module, counts: bytes, all_errors: bool
    ) -> None:
        self.search = search
        self.module = module
        self.counts = bytearray(counts)  # what has been told does not count any more
        self.all_errors = all_errors

    def tell(self, level: int, failed: bytes) -> list[FoundViolation]:
        """What fails in a level: all that was not told yet or, unless all are wanted, the first."""
        sites = [site for site, has in enumerate(failed) if has and self.counts[site]]
        if not sites:
            return []
        end = len(self.counts) - 1  # such a state is nearer than a step that fails
        if self.all_errors:
            found = [self._first(level, [site]) for site in sites]
            found.sort(key=lambda each: (each[1].site != END_STATE, each[1].key))
        else:
            found = [self._first(level, [end] if end in sites else sites)]
        for site in sites:
            self.counts[site] = 0
        self.search.count(bytes(self.counts))
        return [FoundViolation(last.site, self._way(level, at, last)) for at, last in found]

    def _first(self, level: int, sites: list[int]) -> tuple[int, _Told]:
        """The least state in which something fails at one of these sites, and what."""
        wanted = bytes(int(site in sites) for site in range(len(self.counts)))
        self.search.count(wanted)
        self.search.world.target = 0
        at = self._least("whorl_gpu_failing", level)
        return at, self._told(at)

    def _way(self, level: int, at: int, last: _Told) -> tuple[Choice, ...]:
        way = [at]
        for before in range(level - 1, -1, -1):
            self.search.world.target = self._address(way[-1])
            way.append(self._least("whorl_gpu_before", before))
        way.reverse()
        choices: list[Choice] = []
        for source, target in pairwise(way):
            self.search.world.target = self._address(target)
            choices += self._told(source).choices
        return (*choices, *last.choices)

    def _address(self, index: int) -> int:
        return self.search.world.states + 8 * self.search.shape.words * index

    def _least(self, kernel: str, level: int) -> int:
        """The index of the least state of a level that a kernel looks for."""
        search = self.search
        search.tally.least = 0
        search.set_tally(search.tally)
        search.sweep(kernel, *search.levels[level], self.module)
        assert search.tally.least, "what was found once is found again"
        return search.tally.least - 1

    def _told(self, at: int) -> _Told:
        """The run from a state to the target, or to the first failure that counts."""
        search = self.search
        search.sweep("whorl_gpu_tell", at, at + 1, self.module)
        count, site, step, order = struct.unpack("<4i", search.device.read(search.world.told, 16))
        if count < 0:
            raise LaunchesStopped("the buffers of the GPU are too small to tell a run that fails")
        numbers = struct.unpack(
            f"<{4 * count}i", search.device.read(search.world.told + 16, 16 * count)
        )
        choices = tuple(Choice(*numbers[i : i + 4]) for i in range(0, 4 * count, 4))
        words = search.shape.words
        state = struct.unpack(f"<{words}Q", search.device.read(self._address(at), 8 * words))
        return _Told(choices, (state, step, order), site)
