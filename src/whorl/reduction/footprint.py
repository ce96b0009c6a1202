"""Footprints: what a transition touches, as bit sets, and when two of them are in conflict.

A *cell* is anything that can be read and written: a global slot, the list of processes, the trace
assertion's automaton, where a process is. A channel is apart from these because its two ends hardly
depend on each other: a send and a receive commute whenever both can be executed. So the accesses to
a channel are told apart by end, and by whether they change it or only look.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

EVERY_CHANNEL = (1 << 256) - 2  # channels are numbered from 1 to 255


class Mode(IntEnum):
    """How something is accessed. Cells are read, written and added to; the rest is for channels."""

    READ = 0
    WRITE = 1
    SEND = 2  # appends a message
    MAY_SEND = 3  # looks whether there is room, and nothing else
    RECEIVE = 4  # takes a message
    MAY_RECEIVE = 5  # looks at the first message, or whether there is one
    QUERY = 6  # looks at the whole: its length, or that it is *not* ready for something
    SORTED = 7  # a send that may put the message first
    ADD = 8  # a cell again: a change that commutes with others of its kind, such as x++


class Footprint(NamedTuple):
    """Bit sets, one for each Mode in its order. `everything`, if 1: it may notice any step."""

    reads: int = 0
    writes: int = 0
    sends: int = 0
    send_tests: int = 0
    receives: int = 0
    receive_tests: int = 0
    queries: int = 0
    sorted_sends: int = 0
    adds: int = 0
    everything: int = 0

    def __or__(self, other: Footprint) -> Footprint:
        if self is other or other is NOTHING:
            return self
        return Footprint(*[mine | others for mine, others in zip(self, other, strict=True)])

    def within(self, cells: int) -> Footprint:
        """What it has of some cells; channels as they are."""
        return self._replace(
            reads=self.reads & cells, writes=self.writes & cells, adds=self.adds & cells
        )

    @property
    def touches_nothing(self) -> bool:
        """Whether no other process can notice it, nor it any other process."""
        return self == NOTHING


NOTHING = Footprint()


def conflict(a: Footprint, b: Footprint) -> bool:
    """Whether a and b may fail to commute, wherever both are executable."""
    return bool(
        a.everything
        or b.everything
        or a.writes & (b.reads | b.writes)
        or a.reads & b.writes
        or a.adds & (b.reads | b.writes)
        or b.adds & (a.reads | a.writes)
        # the same end of a channel, and one of them changes it
        or a.sends & (b.sends | b.send_tests)
        or a.send_tests & b.sends
        or a.receives & (b.receives | b.receive_tests)
        or a.receive_tests & b.receives
        # one looks at the whole that the other changes
        or a.queries & (b.sends | b.receives)
        or b.queries & (a.sends | a.receives)
        # a sorted send may change which message is first
        or a.sorted_sends & (b.receives | b.receive_tests)
        or b.sorted_sends & (a.receives | a.receive_tests)
    )


def opposite(a: Footprint, b: Footprint) -> bool:
    """Whether a and b are at the two ends of a channel: b may make a executable, or a make b.

    They commute where both are executable; but a, while it waits, waits for b.
    """
    return bool(
        a.sends & (b.receives | b.receive_tests)
        or a.send_tests & b.receives
        or a.receives & (b.sends | b.send_tests)
        or a.receive_tests & b.sends
    )


def visible(a: Footprint, property_: Footprint) -> bool:
    """Whether a may change the truth of a proposition that reads `property_`."""
    return bool(
        property_.everything
        or (a.writes | a.adds) & property_.reads
        or (a.sends | a.receives) & property_.queries
    )


def union_of(footprints: Iterable[Footprint]) -> Footprint:
    total = NOTHING
    for footprint in footprints:
        total |= footprint
    return total


def union(sets: Iterable[int]) -> int:
    """The union of bit sets."""
    total = 0
    for bits in sets:
        total |= bits
    return total


def bits_in(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, from the least."""
    while mask:
        least = mask & -mask
        yield least.bit_length() - 1
        mask ^= least
