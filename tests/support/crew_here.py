"""A crew whose workers are all in this process; and graphs that it searches, compared with the definition."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from support.graph_searches import text
from support.runtime import Build
from support.small_graphs import Claim, Small
from whorl.native.cluster import library
from whorl.native.cluster.claims import ClaimWorker
from whorl.native.cluster.elimination import search
from whorl.native.cluster.levels import Asked
from whorl.native.cluster.library import PartitionOptions, _loaded
from whorl.native.cluster.transport import values_of
from whorl.native.cluster.worker import Worker
from whorl.native.verifier import VerifierError

BATCH = 12  # graphs that a process searches: what a worker reserves is not given back


class CrewHere:
    """Calls its workers one after the other."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.workers = workers

    @property
    def count(self) -> int:
        return len(self.workers)

    def all(self, name: str, *arguments: Any) -> list[Any]:
        return values_of([worker.answer(name, *arguments) for worker in self.workers])

    def at(self, number: int, name: str, *arguments: Any) -> Any:
        return values_of([self.workers[number].answer(name, *arguments)])[0]

    def exchange(self) -> None:
        outgoing = [worker.outgoing() for worker in self.workers]
        for to, worker in enumerate(self.workers):
            values_of([worker.answer("insert", batches[to]) for batches in outgoing])


@cache
def _copy(path: Path, number: int) -> ctypes.CDLL:
    """The library of a worker in this process, which may begin again."""
    return _loaded(path)


@contextmanager
def claim_crew(library: Path, options: Sequence[PartitionOptions]) -> Iterator[CrewHere]:
    """As together.py makes one."""
    yield CrewHere([ClaimWorker(library, each) for each in options])


def graph_library(build: Build, claim: int, *, fair: bool = False, **more: int) -> Path:
    """Searches graphs (graph.c) with a claim of a kind."""
    named = {"CLAIM": claim, "WHORL_FAIR": int(fair), **more}
    defined = [f"-D{name}={value}" for name, value in named.items()]
    return build("partition.c", "-O0", "-Wno-unused", "-fPIC", "-shared", *defined)


def compare(
    path: Path,
    graphs: Sequence[tuple[Small, Claim]],
    is_violated: Callable[[Small, Claim], bool],
    counts: Sequence[int] = (1, 2, 3, 4),
) -> None:
    """By turns so many workers search a graph: all of them every seventh graph."""
    violated = 0
    for start in range(0, len(graphs), BATCH):
        some = graphs[start : start + BATCH]
        for (graph, claim), found in zip(some, _answers(path, some, counts), strict=True):
            line = str(graph) + text(claim)
            assert len({json.dumps(one) for one in found}) == 1, (line, found)
            violation = found[0][0]
            assert violation != "error", (line, found)
            assert (violation is not None) == is_violated(graph, claim), line
            if violation is not None:
                violated += 1
                run = graph.lasso(*violation)
                assert run is not None, (line, violation)
                assert is_violated(run, claim), (line, violation)
    assert 0.05 < violated / len(graphs) < 0.95


def _answers(
    path: Path, graphs: Sequence[tuple[Small, Claim]], counts: Sequence[int]
) -> list[list[Any]]:
    """What different numbers of workers find, in a process of its own."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answers = []
            for position, (graph, claim) in enumerate(graphs):
                os.environ["GRAPH"] = str(graph) + text(claim)
                every = position % 7 == 0
                chosen = counts if every else [counts[position % len(counts)]]
                answers.append([_found(path, count) for count in chosen])
            os.write(theirs, json.dumps(answers).encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as stream:
        said = stream.read()
    os.waitpid(child, 0)
    found: list[list[Any]] = json.loads(said)
    return found


def _found(path: Path, count: int) -> Any:
    """The violation, as choices and where they come again, and how many nodes there are."""
    workers = []
    for number in range(count):
        with mock.patch.object(library, "_loaded", lambda path, n=number: _copy(path, n)):
            workers.append(ClaimWorker(path, PartitionOptions(number, count)))
    try:
        outcome = search(CrewHere(workers), Asked())
    except VerifierError as error:
        return "error", str(error)
    figures = outcome.figures["states"], outcome.figures["transitions"], outcome.figures["depth"]
    if not outcome.violations:
        return None, figures
    (violation,) = outcome.violations
    choices = [
        [c.pid, c.transition, c.partner, c.partner_transition] for c in violation.choices
    ]
    return (choices, violation.loop), figures
