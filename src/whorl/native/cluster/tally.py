"""How far a search by workers is: its figures, its limits, and what it tells of itself."""

from __future__ import annotations

import time
from typing import Any

from whorl.figures import bytes_text, counted
from whorl.native.cluster.course import Assignment, Course
from whorl.native.cluster.figures import Figures
from whorl.native.cluster.transport import Crew
from whorl.search.limits import Progress

LEAST_BUDGET = 64  # states
PROGRESS_SECONDS = 0.2


class ClusterTally:
    """Of one search, as long as its crew lasts."""

    def __init__(self, crew: Crew, asked: Assignment, course: Course) -> None:
        self.crew = crew
        self.asked = asked
        self.course = course
        self.began = time.monotonic()
        self.first = self.reported = self.began  # when progress was
        self.width = 0  # of a state, in bytes

    def figures(self) -> Figures:
        """Of all workers, and of those before them."""
        return total_of(self.course.before, self.crew.all("figures"))

    def budget(self) -> int:
        """How much a worker may expand at once, so that it does not go far over a limit."""
        most = self.asked.most_states
        if most is None:
            return self.asked.budget
        share = (most - self.figures().states) // (4 * self.crew.count)
        return max(LEAST_BUDGET, min(self.asked.budget, share))

    def lap(self) -> None:
        """Adds the time since the last one."""
        now = time.monotonic()
        self.course.seconds, self.began = self.course.seconds + now - self.began, now

    def why_stop(self) -> str | None:
        """The limit that was reached, if one was; and tells how far the search is."""
        stopped = self.asked.stop()
        report, now = self.asked.report, time.monotonic()
        if report is not None and now - self.reported < PROGRESS_SECONDS:
            report = None
        if report is None and self.asked.most_states is None:
            return stopped
        each = self.crew.all("figures")
        figures = total_of(self.course.before, each)
        if report is not None:
            self.reported = now
            report(self._progress(figures, each))
        most = self.asked.most_states
        return "states" if most is not None and figures.states > most else stopped

    def _progress(self, figures: Figures, each: list[Figures]) -> Progress:
        progress = Progress(figures.states, figures.transitions, self.course.superstep)
        progress.started -= self.course.seconds + time.monotonic() - self.began
        progress.memory_bytes = figures.memory
        progress.workers = self._busy(figures.sent, each)
        return progress

    def _busy(self, sent: int, each: list[Figures]) -> str:
        """What the workers do, in words: the slowest one is the busiest."""
        self.width = self.width or 8 * self.crew.at(0, "state_words")
        elapsed = max(time.monotonic() - self.first, 1e-9)
        shares = [100 * (one.expanding + one.inserting) / elapsed for one in each]
        busy = f"{min(shares):.0f} to {max(shares):.0f} % busy"
        return f"{counted(len(each), 'worker')} {busy}, {bytes_text(sent * self.width)} sent"

    def final(self, stopped: str | None) -> dict[str, Any]:
        """The last figures, as a verifier prints them, and those of each worker."""
        course, workers = self.course, self.crew.all("figures")
        total = total_of(course.before, workers)
        self.lap()
        figures = {
            "stopped": stopped,
            "truncated": total.truncated,
            "endless": total.endless,
            "states": total.states,
            "transitions": total.transitions,
            "depth": course.superstep,
            "seconds": course.seconds,
            "memory_bytes": total.memory,
            "store_bytes": total.store,
            "met": [],
            "reached": hexadecimal(total.reached),
            "finished": hexadecimal(total.finished),
            "workers": [one.as_dict() for one in workers],
        }
        if stopped == "memory":
            refused = set(self.crew.all("refused"))
            why = next((each for each in ("limit", "system") if each in refused), "room")
            figures["refused"] = why
        return figures


def total_of(before: Figures, each: list[Figures]) -> Figures:
    """The figures of workers together, and of those before them."""
    total = before
    for one in each:
        total = total.plus(one)
    return total


def hexadecimal(bits: int) -> str:
    """A bitmap as verifiers print it."""
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little").hex()
