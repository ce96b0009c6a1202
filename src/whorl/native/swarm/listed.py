"""The list of searches of a swarm: a function of its seed, whoever does them and when.

The sizes of the bit arrays follow the sequence of Luby, Sinclair and Zuckerman ("Optimal speedup
of Las Vegas algorithms", 1993): 1 1 2 1 1 2 4 and so on. A search whose array is full comes to an
end, so that its size is its time; over the list all sizes get the same time, and whichever of
them is the right one to find a violation, the list takes only a logarithmic factor longer than if
that had been known.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

LEAST_BITS = 20  # a fraction of a second
ARRANGEMENTS = ("written", "reversed", "shuffled", "by-process")  # search/arrange.h
# How a search goes, and of so many how often: random orders differ most from one another.
_WAYS = (
    ("dfs", "shuffled", 6),
    ("dfs", "by-process", 6),
    ("dfs", "written", 1),
    ("dfs", "reversed", 1),
    ("bfs", "shuffled", 2),
)
_DEPTHS = (5, 14)  # powers of two between which depth limits are


@dataclass(frozen=True, slots=True)
class ListedSearch:
    """One search of a swarm, by its number in the list of a seed."""

    number: int
    seed: int  # of the hash function and of random orders
    bits: int  # 2^bits of them
    order: str  # dfs or bfs
    arrangement: str  # of the successors of a state
    depth: int | None  # no run goes on from there

    @property
    def words(self) -> list[str]:
        """What the verifier is told."""
        said = ["--seed", str(self.seed), "--arrange", self.arrangement]
        said += ["--bits", str(self.bits), "--order", self.order]
        return said if self.depth is None else [*said, "--max-depth", str(self.depth)]

    @property
    def settings(self) -> str:
        """How it goes, in words."""
        order = "depth first" if self.order == "dfs" else "breadth first"
        taken = {
            "written": "successors in order",
            "reversed": "successors in reverse order",
            "shuffled": "successors in random order",
            "by-process": "processes in one random order",
        }[self.arrangement]
        limit = "" if self.depth is None else f", {self.depth:,} steps deep at most"
        return f"{order}, {taken}, 2^{self.bits} bits{limit}"


@dataclass(frozen=True, slots=True)
class SearchList:
    """The searches of a seed.

    `bits`: each has that size. `most_bits`: none has a larger one. `most_depth`: none goes deeper.
    """

    seed: int
    bits: int | None = None
    most_bits: int = 40
    most_depth: int | None = None

    def __getitem__(self, number: int) -> ListedSearch:
        """The search with that number, from 1."""
        random = Random(f"{self.seed} {number}")
        seed = random.getrandbits(63)
        order, arrangement = _way(random.getrandbits(32))
        depth = _depth(random.getrandbits(32)) if order == "dfs" and random.getrandbits(1) else None
        if self.most_depth is not None:
            depth = min(depth or self.most_depth, self.most_depth)
        bits = self.bits or min(LEAST_BITS + luby(number), self.most_bits)
        return ListedSearch(number, seed, bits, order, arrangement, depth)


def luby(number: int) -> int:
    """The exponent of a number of Luby's sequence, the first of which is number 1."""
    while number & (number + 1):
        number -= (1 << (number.bit_length() - 1)) - 1
    return number.bit_length() - 1


def _way(random: int) -> tuple[str, str]:
    drawn = random % sum(often for _, _, often in _WAYS)
    for order, arrangement, often in _WAYS:
        if drawn < often:
            return order, arrangement
        drawn -= often
    raise AssertionError(drawn)


def _depth(random: int) -> int:
    """A depth limit: of each magnitude as often."""
    least, most = _DEPTHS
    return int(2.0 ** (least + (most - least) * random / 2**32))
