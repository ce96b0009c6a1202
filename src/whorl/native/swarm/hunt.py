"""Gives out the searches of a swarm, and ends them: by a violation, a limit, or saturation.

Workers may be anywhere: whoever has the functions of `Workers` can do the searches of a list.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Protocol

from whorl.figures import bytes_text, count_text, counted, seconds_text
from whorl.native.swarm.listed import ListedSearch, SearchList
from whorl.native.swarm.sample import SeenStates
from whorl.native.verifier import GRACE, WAIT_AFTER_INTERRUPT, Outcome
from whorl.search.limits import INTERRUPTED, LEAST, Limits, Progress

TICK = 0.2  # seconds between looks at the clock
RECENT = 16  # searches that have to bring nothing new
NEGLIGIBLE = 0.001  # share of all sampled states that counts as nothing
ROOMY = 0.01  # the chance of taking a new state for an old one below which an array was not full
MOST_KILLED = 3  # searches one after the other
FOUND = "a violation was found"
SATURATED = f"saturation: the last {RECENT} searches saw next to nothing that others had not seen"


class Workers(Protocol):
    """What does the searches."""

    @property
    def running(self) -> list[Outcome]: ...
    def start(self, search: ListedSearch) -> None: ...
    def ended(self, seconds: float) -> Iterator[tuple[ListedSearch, Outcome]]: ...
    def stopped(self, seconds: float) -> Iterator[tuple[ListedSearch, Outcome]]: ...


@dataclass(frozen=True, slots=True)
class Quarry:
    """What is looked for, and for how long: searches of a list."""

    searches: SearchList
    first: int
    last: int | None  # None: there is no end to the list
    workers: int  # at a time
    limits: Limits
    is_violation: Callable[[Outcome], bool]
    report: Callable[[Progress], None] | None = None

    @property
    def all_done(self) -> str:
        """That no search is left, in words."""
        assert self.last is not None
        if self.last == self.first:
            return "the search that was asked for was done"
        return f"all {self.last - self.first + 1:,} searches that were asked for were done"


@dataclass(slots=True)
class Hunted:
    """What came of the searches so far."""

    done: int = 0  # searches that came to their own end
    cut: int = 0  # that something else ended
    killed: int = 0  # of these, from outside
    seen: SeenStates = field(default_factory=SeenStates)
    recent: deque[tuple[float, bool]] = field(default_factory=lambda: deque(maxlen=RECENT))
    found: tuple[ListedSearch, Outcome] | None = None
    full: Outcome | None = None  # of one that had no room for more processes or channels
    stopped: str | None = None  # why no more searches were begun
    interrupted: bool = False
    killed_in_a_row: int = 0
    seconds: float = 0.0  # on the clock
    states: int = 0
    transitions: int = 0
    depth: int = 0
    cpu_seconds: float = 0.0
    memory_bytes: int = 0  # of one
    store_bytes: int = 0
    endless: bool = False
    reached: int = 0  # bits, as the verifiers tell them
    finished: int = 0

    def add(self, search: ListedSearch, outcome: Outcome, quarry: Quarry) -> None:
        """Takes note of a search that has come to its end."""
        figures = outcome.figures
        self.states += figures["states"]
        self.transitions += figures["transitions"]
        self.depth = max(self.depth, figures["depth"])
        self.cpu_seconds += figures.get("cpu_seconds", figures["seconds"])
        self.memory_bytes = max(self.memory_bytes, figures["memory_bytes"])
        self.store_bytes = max(self.store_bytes, figures["store_bytes"] or 0)
        self.endless |= figures["endless"]
        self.reached |= _bits(figures["reached"])
        self.finished |= _bits(figures["finished"])
        whole = figures["stopped"] in (None, "violation")
        self.done += whole
        self.cut += not whole
        new = self.seen.add(figures["sample"]) if "sample" in figures else 0
        roomy = figures.get("collision", 1.0) < ROOMY and not figures["truncated"]
        largest = search.bits >= quarry.searches.most_bits
        self.recent.append((new / max(self.seen.sampled, 1), whole and (roomy or largest)))
        self._judge(search, outcome, quarry)

    def _judge(self, search: ListedSearch, outcome: Outcome, quarry: Quarry) -> None:
        """Whether that was the last one."""
        why = outcome.figures["stopped"]
        self.killed_in_a_row = self.killed_in_a_row + 1 if why == "killed" else 0
        self.killed += why == "killed"
        if outcome.violations and self.found is None and self.full is None:
            if quarry.is_violation(outcome):
                self.found, self.stopped = (search, outcome), FOUND
            else:
                self.full = outcome
        elif self.stopped is None and why == "time":
            self.stopped = quarry.limits.time_reached
        elif self.stopped is None and why == "memory" and outcome.figures["states"] == 0:
            self.stopped = quarry.limits.memory_reached
        elif self.stopped is None and self.killed_in_a_row == MOST_KILLED:
            self.stopped = f"{MOST_KILLED} searches one after the other were killed from outside"
        elif self.stopped is None and self.is_saturated:
            self.stopped = SATURATED

    @property
    def is_saturated(self) -> bool:
        """Whether new searches bring nothing new, and not for want of room."""
        lately = self.new_lately
        return lately is not None and lately <= NEGLIGIBLE and any(room for _, room in self.recent)

    @property
    def new_lately(self) -> float | None:
        """The share of all states seen that the last ones were the first to see; None: too few."""
        return min(sum(new for new, _ in self.recent), 1.0) if len(self.recent) == RECENT else None


def hunt(quarry: Quarry, workers: Workers) -> Hunted:
    """Has searches done until something ends that; then none is left running."""
    hunted, began = Hunted(), time.monotonic()
    number = quarry.first
    with _requests_to_end() as come:
        while hunted.stopped is None and hunted.full is None:
            while len(workers.running) < quarry.workers and (
                quarry.last is None or number <= quarry.last
            ):
                workers.start(quarry.searches[number])
                number += 1
            if not workers.running:
                hunted.stopped = quarry.all_done
                break
            for search, outcome in workers.ended(TICK):
                hunted.add(search, outcome, quarry)
            left = quarry.limits.seconds_left(time.monotonic() - began)
            if come and hunted.stopped is None:
                hunted.stopped, hunted.interrupted = INTERRUPTED, True
            elif left is not None and left <= LEAST and hunted.stopped is None:
                hunted.stopped = quarry.limits.time_reached
            if quarry.report is not None:
                quarry.report(_progress(hunted, workers.running, began))
        grace = GRACE if hunted.found or not hunted.interrupted else WAIT_AFTER_INTERRUPT
        for search, outcome in workers.stopped(grace):
            hunted.add(search, outcome, quarry)
    hunted.seconds = time.monotonic() - began
    return hunted


def _progress(hunted: Hunted, running: list[Outcome], began: float) -> Progress:
    told = [outcome.told for outcome in running if outcome.told]
    seen = hunted.seen
    said = [f"{counted(hunted.done + hunted.cut, 'search')} done, {len(running)} running"]
    if seen.sampled:
        said.append(f"{approximately(seen)} different states")
        if (most := seen.coverage_at_most) is not None:
            said.append(f"coverage at most {100 * most:.0f} %")
    said.append(seconds_text(time.monotonic() - began))
    return Progress(
        hunted.states + sum(each["states"] for each in told),
        hunted.transitions + sum(each["transitions"] for each in told),
        max([hunted.depth, *(each["depth"] for each in told)]),
        began,
        sum(each["memory_bytes"] for each in told),
        about=", ".join(said),
    )


def approximately(seen: SeenStates) -> str:
    """How many different states were seen, with no more digits than are known."""
    if seen.is_exact:
        return count_text(seen.states)
    digits = max(len(str(seen.states)) - 3, 0)
    return f"about {round(seen.states, -digits):,}"


def memory_text(count: int, workers: int) -> str:
    """What each of so many may use, in words."""
    return f"{bytes_text(count)} for each of {counted(workers, 'worker')}"


def _bits(bitmap: str) -> int:
    return int.from_bytes(bytes.fromhex(bitmap), "little")


@contextmanager
def _requests_to_end() -> Iterator[list[int]]:
    """Inside of this a Ctrl-C and the like raise nothing: the list that is given has them."""
    come: list[int] = []
    before = {}

    def note(number: int, _frame: FrameType | None) -> None:
        come.append(number)

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if callable(handler := signal.getsignal(number)):  # it is neither ignored nor deadly
                before[number] = handler
                signal.signal(number, note)
    try:
        yield come
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
