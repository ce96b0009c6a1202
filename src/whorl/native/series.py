"""The searches of one check, whose verifiers have much in common: that is made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from whorl import deadline
from whorl.native.compiler import Builder, Compiler
from whorl.native.job import Job, Room, Written, job_of, write
from whorl.native.tiers import ClaimGroup, Shared
from whorl.native.weave import Fabric
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.program.walks import estimate
from whorl.task import Task


class Series:
    """Searches of one program.

    Of those of `tasks` that look for claims the quick verifiers are compiled together, as far as
    they go together (weave.py). A verifier that could not be kept in the cache is there as long as
    the series.
    """

    def __init__(self, semantics: Semantics, tasks: Sequence[Task] = ()) -> None:
        self.semantics = semantics
        self.tasks = tasks
        self._jobs: dict[Task, Job] = {}
        self._builders: dict[Compiler, Builder] = {}
        self._written: dict[tuple[Job, Room], Written] = {}
        self._shared: dict[Room, dict[Job, Shared]] = {}

    @property
    def program(self) -> Program:
        return self.semantics.program

    @cached_property
    def estimated(self) -> Room:
        """The room that verifiers have at first."""
        return estimate(self.semantics)

    def job(self, task: Task) -> Job:
        """What is compiled for a task."""
        if task not in self._jobs:
            self._jobs[task] = job_of(task)
        return self._jobs[task]

    @cached_property
    def together(self) -> list[Job]:
        """What may be compiled together."""
        return [self.job(task) for task in self.tasks if task.claim is not None]

    def builder(self, compiler: Compiler) -> Builder:
        if compiler not in self._builders:
            embedded = self.program.embedded
            folders = () if embedded is None else embedded.folders
            self._builders[compiler] = Builder(compiler, folders)
        return self._builders[compiler]

    def written(self, job: Job, room: Room) -> Written:
        """The verifier of a job, for itself alone."""
        if (job, room) not in self._written:
            self._written[job, room] = write(self.semantics, job, room)
        return self._written[job, room]

    def shared(self, job: Job, room: Room) -> Shared | None:
        """The verifier that a job shares with others; None if there are none that it goes with."""
        if (
            job.search is None or job.search.safety or self.program.embedded is not None
        ):  # whose C may be anything
            return None
        if room not in self._shared:
            with deadline.phase("analysing the model"):
                self._shared[room] = self._woven(room)
        return self._shared[room].get(job)

    @property
    def groups(self) -> list[ClaimGroup]:
        """What has been woven so far."""
        woven = [shared.group for known in self._shared.values() for shared in known.values()]
        return list({id(group): group for group in woven}.values())

    def _woven(self, room: Room) -> dict[Job, Shared]:
        fabrics: list[tuple[Fabric, list[Job]]] = []
        for job in self.together:
            text = self.written(job, room).text
            for fabric, jobs in fabrics:
                if fabric.add(text):
                    jobs.append(job)
                    break
            else:
                fabric = Fabric()
                fabric.add(text)
                fabrics.append((fabric, [job]))
        return {
            job: Shared(group, number)
            for fabric, jobs in fabrics
            if len(jobs) > 1
            for group in [ClaimGroup(fabric.text(), len(jobs))]
            for number, job in enumerate(jobs)
        }
