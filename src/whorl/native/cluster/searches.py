"""Which search workers do, and which workers do it: for safety, or for a claim."""

from __future__ import annotations

from pathlib import Path

from whorl.native.cluster import elimination, levels
from whorl.native.cluster.claims import ClaimWorker
from whorl.native.cluster.course import Assignment, Commit, Course
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.transport import Crew
from whorl.native.cluster.worker import ClusterWorker
from whorl.native.verifier import Outcome


def search(
    crew: Crew, asked: Assignment, course: Course | None = None, commit: Commit | None = None
) -> Outcome:
    """What is found; `course`: of a search that goes on, whose workers have their logs again."""
    if asked.claim:
        return elimination.search(crew, asked, course, commit)
    return levels.search(crew, asked, course, commit)


def worker_of(library: Path, options: PartitionOptions) -> ClusterWorker:
    """A worker with what its library was generated for."""
    return ClaimWorker(library, options) if options.claim else ClusterWorker(library, options)
