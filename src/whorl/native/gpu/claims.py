"""A search for runs that a claim accepts, on a device: all nodes of the product, then elimination.

A claim holds only after a round of elimination that leaves nothing, over nodes all of which were
explored. So `rounds` is 0 until then, and whoever reads a verdict out of such a search looks at it.
"""

from __future__ import annotations

import struct

from whorl.native.code.generate import Generated
from whorl.native.code.sites import CAPACITY
from whorl.native.gpu.elimination import Elimination, Lassos
from whorl.native.gpu.search import LaunchesStopped, LevelSearch
from whorl.native.gpu.text import TELLING
from whorl.native.verifier import FoundViolation


class ClaimRun:
    """A search and what it has found so far."""

    def __init__(self, search: LevelSearch, generated: Generated, all_errors: bool) -> None:
        self.search = search
        self.generated = generated
        self.all_errors = all_errors
        self.found: list[FoundViolation] = []
        self.rounds = 0  # of elimination
        self._told: set[int] = set()
        self._lassos: Lassos | None = None

    def to_end(self) -> None:
        """Searches until all is expanded, or something ends it; LaunchesStopped: a limit."""
        search = self.search
        if not search.begin():  # a fault in the initial state
            sites = [site for site, has in enumerate(search.failed()) if has]
            self.found += [FoundViolation(site, ()) for site in sites]
            return
        more = True
        while more:
            level = len(search.levels) - 1
            try:
                more = search.expand_level()
            except LaunchesStopped as stopped:
                if not stopped.by_time:  # there is none left to tell anything
                    self._ended_at(level)
                raise
            if self._ended_at(level):
                return
        elimination = Elimination(search)
        try:
            left = elimination.anything_left()
            self.rounds = elimination.rounds
            if left:
                with search.telling():
                    self.found.append(self._telling().lasso(elimination))
        finally:
            elimination.close()

    def met(self) -> list[tuple[int, int]]:
        """Sites where the program fails, each with a transition."""
        count = self.search.shape.sites
        data = self.search.device.read(self.search.world.met, 4 * count) if count else b""
        transitions = struct.unpack(f"<{count}i", data)
        return [(site, number - 1) for site, number in enumerate(transitions) if number]

    def _ended_at(self, level: int) -> bool:
        """Tells where in a level the claim comes to its end, or to a fault; whether that is all."""
        search = self.search
        if not search.tally.failed:
            return False
        end = search.shape.sites
        failed = search.failed()
        sites = [site for site, has in enumerate(failed) if has and site not in self._told]
        for site in sites:
            if site < end and self.generated.kinds[site] == CAPACITY:
                self.found.append(FoundViolation(site, ()))  # larger kernels are to be made
                return True
        with search.telling():
            for site in [end] if end in sites else sites:
                self._told.add(site)
                self.found.append(self._telling().to_failure(level, site))
                if site == end or not self.all_errors:
                    return True
        search.count(bytes(int(site not in self._told) for site in range(end + 1)))
        return False

    def _telling(self) -> Lassos:
        if self._lassos is None:
            module = self.search.device.compiled(self.generated.text, *TELLING)
            self._lassos = Lassos(self.search, module)
        return self._lassos
