"""When a search stops before it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from whorl import deadline
from whorl.figures import counted
from whorl.memory import SHARE, Allowance, resident_bytes, size_text

INTERRUPTED = "it was interrupted"
LEAST = 0.001  # seconds that a search is given, however late it begins


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a search may use; None: no limit."""

    states: int | None = None
    depth: int | None = None
    seconds: float | None = None
    memory_bytes: int | None = None
    share_of: str | None = None  # what the limit of memory is a share of, if nobody has set it

    def with_memory(self, allowance: Allowance | None) -> Limits:
        """The same limits with that of memory."""
        if allowance is None:
            return self
        return replace(self, memory_bytes=allowance.size, share_of=allowance.share_of)

    def seconds_left(self, before: float = 0.0) -> float | None:
        """The time for a search that begins now, `before` seconds of which are spent.

        It is also limited by what is left to the whole command (deadline.py).
        """
        if self.seconds is None:
            return None
        of_command = deadline.left()
        left = self.seconds - before
        return max(left if of_command is None else min(left, of_command), LEAST)

    @property
    def states_reached(self) -> str:
        """That there are as many states as there may be, in words."""
        return f"the limit of {counted(self.states or 0, 'state')} was reached"

    @property
    def time_reached(self) -> str:
        """That the time is over, in words."""
        return f"the time limit of {self.seconds:g} s was reached"

    @property
    def memory_reached(self) -> str:
        """That all the memory is in use, in words."""
        assert self.memory_bytes is not None
        share = "" if self.share_of is None else f" ({SHARE:.0%} of {self.share_of})"
        return f"the memory limit of {size_text(self.memory_bytes)}{share} was reached"


@dataclass(slots=True)
class Progress:
    """The figures so far, for whoever watches."""

    states: int = 0
    transitions: int = 0
    depth: int = 0  # the deepest point reached
    started: float = field(default_factory=time.monotonic)
    memory_bytes: int | None = None  # None: this process's own
    doing: str = ""  # what comes before the search, as long as there are no figures
    about: str = ""  # which of several properties
    workers: str = ""  # of a cluster: what they do

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def exceeded(self, limits: Limits) -> str | None:
        """Which limit is passed, in words; None if none is."""
        left = limits.seconds_left(self.seconds)
        if left is not None and left <= LEAST:
            return limits.time_reached
        if limits.memory_bytes is not None and resident_bytes() > limits.memory_bytes:
            return limits.memory_reached
        return None


def about(
    what: str, report: Callable[[Progress], None] | None
) -> Callable[[Progress], None] | None:
    """The same report with a word on what it is about."""
    if report is None:
        return None
    return lambda progress: report(replace(progress, about=what))
