"""What a worker has counted; the figures of several workers can be added."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts, bytes and seconds of one worker, or of several together."""

    states: int = 0
    transitions: int = 0
    logged: int = 0  # in the log: states, as a rule
    cursor: int = 0  # of them, those that were expanded
    sent: int = 0  # records
    spared: int = 0  # records that were not sent: they had been, not long before
    received: int = 0  # records
    memory: int = 0  # bytes
    store: int = 0  # of that, what the states take
    expanding: float = 0.0  # seconds
    inserting: float = 0.0
    truncated: bool = False  # the depth limit left something out
    endless: bool = False  # an atomic sequence can go round for ever
    reached: int = 0  # transitions, as bits: those that were taken
    finished: int = 0  # of them, those that did not fault each time

    def plus(self, other: Figures) -> Figures:
        added: dict[str, Any] = {}
        for field in fields(self):
            one, two = getattr(self, field.name), getattr(other, field.name)
            joined = isinstance(one, bool) or field.name in ("reached", "finished")
            added[field.name] = one | two if joined else one + two
        return Figures(**added)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def bitmaps(reached: bytes) -> tuple[int, int]:
    """Which transitions were taken, and which went well once; of a byte for each (partition.h)."""
    taken = finished = 0
    for number, byte in enumerate(reached):
        if byte:
            taken |= 1 << number
        if byte & 1:
            finished |= 1 << number
    return taken, finished
