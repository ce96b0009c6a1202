"""Searches by several workers in one process: quick to begin, for tests on many small models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import whorl
from whorl.api import tasks_of
from whorl.engines import reference_semantics
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.searches import worker_of
from whorl.native.cluster.transport import values_of
from whorl.native.cluster.worker import ClusterWorker
from whorl.options import CHECK
from whorl.selection import Wanted, WantedSearches, select
from whorl.task import Task


class InOneProcess:
    """A crew of workers that are called one after the other."""

    def __init__(
        self,
        library: Path,
        options: Sequence[PartitionOptions],
        worker: Callable[[Path, PartitionOptions], ClusterWorker] = worker_of,
    ) -> None:
        self.workers = [worker(library, each) for each in options]

    def __enter__(self) -> InOneProcess:
        return self

    def __exit__(self, *raised: object) -> None:
        for worker in self.workers:
            worker.close()

    @property
    def count(self) -> int:
        return len(self.workers)

    def all(self, name: str, *arguments: Any) -> list[Any]:
        return values_of([worker.answer(name, *arguments) for worker in self.workers])

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        return values_of([self.workers[number].answer(name, *arguments)])[0]

    def exchange(self) -> None:
        outgoing = [worker.outgoing() for worker in self.workers]
        values_of(
            [
                worker.answer("insert", outgoing[other.number][worker.number])
                for worker in self.workers
                for other in self.workers
            ]
        )


def tasks(model: str | Path, wanted: WantedSearches, options: dict[str, Any]) -> list[Task]:
    """The searches that `whorl.check` would do with these options."""
    asked = SimpleNamespace(**{option.name: option.default for option in CHECK})
    for name, value in options.items():
        assert hasattr(asked, name), name
        setattr(asked, name, value)
    semantics = reference_semantics(whorl.load(model).program)
    return list(tasks_of(semantics, wanted, asked))


def safety_task(model: str | Path, **options: Any) -> Task:
    """That for violations of safety."""
    return tasks(model, WantedSearches(True, ()), options)[0]


def claim_tasks(model: str | Path, wanted: Wanted | None = None, **options: Any) -> list[Task]:
    """Those for claims: of the model's own, or of what is wanted."""
    program = whorl.load(model).program
    names = [formula.name for formula in program.formulas] + [n.name for n in program.never]
    asked = Wanted(claims=tuple(names)) if wanted is None else wanted
    return tasks(model, WantedSearches(False, select(program, asked).claims), options)
