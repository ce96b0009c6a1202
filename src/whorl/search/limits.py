"""When a search stops before it is done."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from whorl.memory import resident_bytes


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a search may use; None: no limit."""

    states: int | None = None
    depth: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None


@dataclass(slots=True)
class Progress:
    """The figures so far, for whoever watches."""

    states: int = 0
    transitions: int = 0
    depth: int = 0  # the deepest point reached
    started: float = field(default_factory=time.monotonic)
    memory_bytes: int | None = None  # None: this process's own

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def exceeded(self, limits: Limits) -> str | None:
        """Which limit is passed, in words; None if none is."""
        if limits.seconds is not None and self.seconds > limits.seconds:
            return f"the time limit of {limits.seconds:g} s was reached"
        if limits.memory_bytes is not None and resident_bytes() > limits.memory_bytes:
            return f"the memory limit of {size(limits.memory_bytes)} was reached"
        return None


def size(count: int) -> str:
    """A number of bytes, in words."""
    return f"{count / 2**20:,.0f} MB" if count >= 2**20 else f"{count:,} bytes"
