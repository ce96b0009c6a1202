"""A search that survives its workers: it commits what they find, and goes on from the last commit.

If a worker is lost, all are given up, others are gathered, and each loads what was committed of
its part. So there is one way back for a killed worker, a killed machine and a killed driver
(`--resume`), and it needs nothing of the workers that are still there. What was found since the
commit is found again. If nothing is kept the search begins anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any

from whorl import deadline
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.cluster.course import Assignment, Course
from whorl.native.cluster.engine import About, Gather
from whorl.native.cluster.figures import Figures
from whorl.native.cluster.kept import KeptSearch, Pace, refuse_other, state_file_name
from whorl.native.cluster.library import PartitionOptions, Stopped
from whorl.native.cluster.pieces import PieceError, StateFile
from whorl.native.cluster.searches import search
from whorl.native.cluster.tally import total_of
from whorl.native.cluster.transport import Crew, WorkerLost
from whorl.native.job import Room
from whorl.native.verifier import NOTHING_TOLD, FoundViolation, Outcome
from whorl.program.choice import Choice

GRACE = 10.0  # seconds for a search to come between two supersteps once its time is over
MOST_LOSSES = 3  # one after the other, without a commit in between
NOT_KEPT = "kept"  # why a search stopped: what it finds cannot be kept
LOST = "lost"
ENDED = ("interrupted", "time", "states")  # between two supersteps: a last commit is possible


@dataclass(slots=True)
class Keeping:
    """What is kept of a search, and what became of it."""

    kept: KeptSearch
    wanted: bool  # by the user, who has named the folder: it matters more than a verdict
    pace: Pace = field(default_factory=Pace)
    failed: str | None = None  # why nothing more is kept
    seconds: float = 0.0  # that commits took
    resumed: bool = False  # the search was begun before

    def counts(self, workers: int) -> list[int]:
        """How much of the log of each worker is committed."""
        return [sum(c.pieces[n].states for c in self.kept.commits) for n in range(workers)]


@dataclass(slots=True)
class EnduringSearch:
    """Searches with crews, one after the other if need be, until one comes to the end."""

    gather: Gather
    folder: Path | None = None  # where to keep what is found; None: it is not
    resumed: KeptSearch | None = None  # what is kept there already
    wanted: bool = False  # see `Keeping`
    report: Callable[[str], None] = lambda _: None
    pace: Callable[[], Pace] = Pace
    keeping: Keeping | None = None
    losses: list[str] = field(default_factory=list)

    @property
    def room(self) -> Room | None:
        if self.resumed is None:
            return None
        processes, channels = self.resumed.search["room"]
        return processes, channels

    def __call__(
        self,
        library: Path,
        options: Sequence[PartitionOptions],
        asked: Assignment,
        about: About,
    ) -> Outcome:
        self._keep(about)
        try:
            with deadline.phase("searching", grace=GRACE):
                return self._run(library, options, asked)
        except deadline.TimeUp:  # a worker has not answered in time
            return self._ended("time", deadline.caught())
        except KeyboardInterrupt:  # a second one: the first is a request (asked.stop)
            return self._ended("interrupted", None)

    def _run(
        self, library: Path, options: Sequence[PartitionOptions], asked: Assignment
    ) -> Outcome:
        in_a_row = 0
        while True:
            committed = self._committed
            try:
                return self._run_once(library, options, asked)
            except WorkerLost as lost:
                self.losses.append(str(lost))
                in_a_row = in_a_row + 1 if self._committed == committed else 1
                if in_a_row > MOST_LOSSES:
                    return self._ended(LOST, f"{lost}; so it was {in_a_row} times in a row")
                self.report(f"worker {lost.number} is lost, going back to the last commit")

    def _keep(self, about: About) -> None:
        """From now on what is found is of this search, and not of one with less room."""
        if self.folder is None:
            return
        if self.keeping is not None:
            self.keeping.kept.remove()
        elif self.resumed is not None:
            refuse_other(self.resumed, about)
            self.resumed.sweep()
            self.keeping = Keeping(self.resumed, self.wanted, self.pace(), resumed=True)
            return
        self.keeping = Keeping(KeptSearch(self.folder, about), self.wanted, self.pace())

    @property
    def _committed(self) -> int:
        return 0 if self.keeping is None else len(self.keeping.kept.commits)

    def _run_once(
        self, library: Path, options: Sequence[PartitionOptions], asked: Assignment
    ) -> Outcome:
        keeping = self.keeping
        with self.gather(library, options) as crew:
            commits = None if keeping is None else _Commits(crew, keeping)
            try:
                course = self._restored(crew)
                outcome = search(crew, asked, course, commits)
            except PieceError as error:
                return self._unreadable(error)
            except Stopped as stopped:  # there is no room for what was committed
                return self._ended(stopped.why, None)
            if keeping is not None and keeping.failed is not None and keeping.wanted:
                outcome.figures["why"] = keeping.failed
            elif commits is not None and outcome.figures["stopped"] in ENDED:
                commits.last()
            return outcome

    def _restored(self, crew: Crew) -> Course | None:
        if self.keeping is None or not self.keeping.kept.commits:
            return None
        self.report("loading what was committed")
        course = restored(crew, self.keeping.kept)
        self.keeping.pace.done(self.keeping.pace.took)
        return course

    def _unreadable(self, error: PieceError) -> Outcome:
        assert self.keeping is not None
        if not self.losses:  # nothing was done yet: it is what the user has asked for
            said = f"cannot go on from '{self.keeping.kept.folder}': {error}"
            raise WhorlError(Diagnostic("error", said))
        return self._ended(LOST, f"{self.losses[-1]}, and what was committed is gone, too: {error}")

    def _ended(self, stopped: str, why: str | None) -> Outcome:
        """It has no workers: the figures are those of the last commit."""
        figures = dict(NOTHING_TOLD)
        if self.keeping is not None and self.keeping.kept.commits:
            state = self.keeping.kept.commits[-1].state
            total = Figures(**state["figures"])
            figures |= {
                "states": self.keeping.kept.states,
                "transitions": total.transitions,
                "depth": state["superstep"],
                "seconds": state["seconds"],
            }
        figures |= {"stopped": stopped, "workers": [], "refused": "limit"}
        if why is not None:
            figures["why"] = why
        return Outcome(figures=figures)


@dataclass(slots=True)
class _Commits:
    """Called between supersteps: commits when it is time."""

    crew: Crew
    keeping: Keeping
    course: Course | None = None  # of the last superstep

    def __call__(self, crew: Crew, course: Course) -> None:
        self.course = course
        if self.keeping.failed is None and self.keeping.pace.due:
            self._commit(course)

    def last(self) -> None:
        """What was found since the last commit, where a search ends between two supersteps."""
        course = self.course
        if course is not None and course.whole and self.keeping.failed is None:
            self._commit(course)

    def _commit(self, course: Course) -> None:
        began = time.monotonic()
        try:
            committed(self.crew, course, self.keeping.kept)
        except PieceError as error:
            self.keeping.failed = str(error)
            if self.keeping.wanted:
                raise Stopped(NOT_KEPT) from None
        took = time.monotonic() - began
        self.keeping.seconds += took
        self.keeping.pace.done(took)


def committed(crew: Crew, course: Course, kept: KeptSearch) -> None:
    """Commits what the workers have found since the last commit. PieceError: it does not count."""
    kept.begin()
    number = len(kept.commits)
    starts = [sum(c.pieces[n].states for c in kept.commits) for n in range(crew.count)]
    known = [sum(len(c.state["begins"][n]) for c in kept.commits) for n in range(crew.count)]
    names = [state_file_name(number, worker) for worker in range(crew.count)]
    pieces: list[StateFile] = []
    for answer in crew.all("save", kept.folder, names, starts):
        if isinstance(answer, str):
            raise PieceError(answer)
        pieces.append(answer)
    total = total_of(course.before, crew.all("figures"))
    begins = crew.all("begins")
    state: dict[str, Any] = {
        "superstep": course.superstep,
        "begins": [each[first:] for each, first in zip(begins, known, strict=True)],
        "told": sorted(course.told),
        "seconds": course.seconds,
        "figures": total.as_dict(),
        "violations": [
            [found.site, *(list(astuple(choice)) for choice in found.choices)]
            for found in course.violations
        ],
    }
    kept.commit(pieces, state)


def restored(crew: Crew, kept: KeptSearch) -> Course:
    """Workers that have begun get their logs again. PieceError: a file is not as it was."""
    commits, workers = kept.commits, range(crew.count)
    pieces = [[commit.pieces[number] for commit in commits] for number in workers]
    begins = [[at for c in commits for at in c.state["begins"][number]] for number in workers]
    for problem in crew.all("restore", kept.folder, pieces, begins):
        if problem is not None:
            raise PieceError(problem)
    state = commits[-1].state
    # Workers count what they have loaded.
    figures = Figures(**state["figures"])
    before = replace(figures, states=0, logged=0, cursor=0, memory=0, store=0)
    violations = [
        FoundViolation(site, tuple(Choice(*numbers) for numbers in choices))
        for site, *choices in state["violations"]
    ]
    return Course(state["superstep"], set(state["told"]), before, state["seconds"], violations)
