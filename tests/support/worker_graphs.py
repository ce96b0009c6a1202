"""Graphs (graph.c) that several workers search in one process, compared with the definition."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from support.cluster import InOneProcess
from support.graph_searches import text
from support.runtime import Build
from support.small_graphs import Claim, Small
from whorl.native.cluster import library
from whorl.native.cluster.claims import ClaimWorker
from whorl.native.cluster.course import Assignment
from whorl.native.cluster.elimination import search
from whorl.native.cluster.library import PartitionOptions, _loaded

ALL_EVERY = 7  # so often every number of workers searches a graph; else one of them


def graph_library(build: Build, claim: int, *options: str, fair: bool = False, **more: int) -> Path:
    """What searches graphs with a claim of a kind."""
    named = {"CLAIM": claim, "WHORL_FAIR": int(fair), **more}
    defined = [f"-D{name}={value}" for name, value in named.items()]
    return build("partition.c", "-O0", "-Wno-unused", "-fPIC", "-shared", *options, *defined)


def compare(
    path: Path,
    graphs: Sequence[tuple[Small, Claim]],
    is_violated: Callable[[Small, Claim], bool],
    counts: Sequence[int] = (1, 2, 3, 4),
) -> None:
    violated = 0
    for position, (graph, claim) in enumerate(graphs):
        line = str(graph) + text(claim)
        chosen = counts if position % ALL_EVERY == 0 else [counts[position % len(counts)]]
        found = [found_in(path, line, count) for count in chosen]
        assert len({json.dumps(one) for one in found}) == 1, (line, found)
        violation = found[0][0]
        assert (violation is not None) == is_violated(graph, claim), line
        if violation is not None:
            violated += 1
            run = graph.lasso(*violation)
            assert run is not None, (line, violation)
            assert is_violated(run, claim), (line, violation)
    assert 0.05 < violated / len(graphs) < 0.95


@cache
def _copy(path: Path, number: int) -> ctypes.CDLL:
    """The library of a worker in this process, which may begin again."""
    return _loaded(path)


class GraphWorker(ClaimWorker):
    def __init__(self, path: Path, options: PartitionOptions) -> None:
        with mock.patch.object(library, "_loaded", lambda path: _copy(path, options.number)):
            super().__init__(path, options)


def found_in(path: Path, line: str, count: int) -> Any:
    """The violation, as choices and where they come again, and how large the graph is."""
    os.environ["GRAPH"] = line
    options = [PartitionOptions(number, count, claim=True) for number in range(count)]
    with InOneProcess(path, options, GraphWorker) as crew:
        outcome = search(crew, Assignment(claim=True))
    figures = outcome.figures
    size = figures["states"], figures["transitions"], figures["depth"]
    if not outcome.violations:
        return None, size
    (found,) = outcome.violations
    choices = [[c.pid, c.transition, c.partner, c.partner_transition] for c in found.choices]
    return (choices, found.loop), size
