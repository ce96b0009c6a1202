"""What the searches of a swarm have seen together, reckoned from samples of the states of each.

A search hands over the least of its states' hashes (store/sketch.h). Below the least threshold of
all it is then known of each hash which searches had it. So the number of different states that
all have seen is estimated as for bottom-k sketches (Beyer et al., 2007): sampled hashes, by the
share of hashes below the threshold. With n of them the relative standard error is about 1 /
sqrt(n).

Of the states that searches could have come to and none did, a lower bound is estimated from how
many of the sampled ones were seen once and how many twice (Chao, "Estimating the population size
for capture-recapture data with unequal catchability", 1987). The bound holds however unlikely
single states are to be seen, as long as searches are drawn independently of each other; those of
a swarm are, by their seeds. States that no such search can come to are not in it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from math import sqrt

HASHES = 1 << 64
OF_ONE = 1024  # hashes that a search hands over at most: WHORL_SKETCH
KEPT = 1 << 16  # of all


class SeenStates:
    """The states that searches have seen, as far as they are sampled."""

    def __init__(self) -> None:
        self.searches = 0
        self._threshold = HASHES  # below it all are known
        self._times: dict[int, int] = {}  # by hash: how many searches have seen it

    def add(self, sample: list[int]) -> int:
        """Takes note of a search; how many sampled states it is the first to see."""
        self.searches += 1
        if len(sample) >= OF_ONE:
            self._lower(max(sample))
        known = len(self._times)
        for seen in sample:
            if seen < self._threshold:
                self._times[seen] = self._times.get(seen, 0) + 1
        new = len(self._times) - known
        if len(self._times) > KEPT:
            self._lower(heapq.nsmallest(KEPT, self._times)[-1])
        return new

    def _lower(self, threshold: int) -> None:
        if threshold < self._threshold:
            self._threshold = threshold
            self._times = {h: times for h, times in self._times.items() if h < threshold}

    @property
    def sampled(self) -> int:
        return len(self._times)

    @property
    def is_exact(self) -> bool:
        """Whether every state is in the sample."""
        return self._threshold == HASHES

    @property
    def states(self) -> int:
        """How many different ones there are."""
        return round(self.sampled * HASHES / self._threshold)

    @property
    def error(self) -> float:
        """The relative standard error of that."""
        return 0.0 if self.is_exact else 1 / sqrt(max(self.sampled, 1))

    @property
    def coverage_at_most(self) -> float | None:
        """The share of the states that such searches can come to; None: too little is known."""
        if self.searches < 2 or not self._times:
            return None
        once, twice = _seen(1, self._times.values()), _seen(2, self._times.values())
        unseen = (self.searches - 1) / self.searches * once * (once - 1) / (2 * (twice + 1))
        return self.sampled / (self.sampled + unseen)


def _seen(times: int, counts: Iterable[int]) -> int:
    return sum(count == times for count in counts)
