"""Workers of Ray beside one native process: CPU time, traffic, checkpoints, recovery, memory.

    python -m benchmarks.cluster              the figures, as the tables of docs/cluster-figures.md
    python -m benchmarks.cluster --write      writes them there

All is on one machine, and all ratios are of one run. CPU time is that of everything: the driver,
the actors, and Ray's own processes, from when the workers are there until the search is done. What
a worker's library takes is counted by the worker's own clock of its thread; the rest is Ray's and
Python's share.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import whorl
from benchmarks import machine
from benchmarks.cases import OURS, Case
from whorl.api import tasks_of
from whorl.engines import reference_semantics
from whorl.native.cluster.by_ray import HERE
from whorl.native.cluster.engine import explore_together, planned
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.ray_driver import DrivenCluster, DrivenCrew, connected
from whorl.native.cluster.recovery import EnduringSearch
from whorl.native.compiler import Compiler, find_compiler
from whorl.native.engine import explore_native
from whorl.options import CHECK
from whorl.search.exploration import Exploration
from whorl.selection import WantedSearches
from whorl.task import Task

PAGE = Path(__file__).parents[1] / "docs" / "cluster-figures.md"
TICK = os.sysconf("SC_CLK_TCK")
CASES = (
    Case("directory_cache", OURS / "directory_cache.pml", 0, {"N": 5, "Q": 3}),
    Case("ring_election", OURS / "ring_election.pml", 0, {"N": 7}),
    Case("szymanski", OURS / "szymanski.pml", 0, {"N": 3, "R": 2}),
)
SMALL = (
    Case("directory_cache", OURS / "directory_cache.pml", 0, {"N": 4}),
    Case("szymanski", OURS / "szymanski.pml", 0, {"N": 3}),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A search: what it took and what it found."""

    label: str
    workers: int  # 0: one native process
    found: Exploration
    cpu: float
    wall: float

    @property
    def states(self) -> int:
        return self.found.progress.states

    @property
    def of_library(self) -> float:
        return 0.0 if self.found.cluster is None else sum(self.found.cluster.seconds)


def task_of(case: Case, **options: object) -> Task:
    """The full search for violations of safety."""
    defaults = {option.name: option.default for option in CHECK}
    asked = SimpleNamespace(**{**defaults, "por": "none", "all_errors": True, **options})
    model = whorl.load(case.text(), name=case.name)
    (task,) = tasks_of(reference_semantics(model.program), WantedSearches(True, ()), asked)
    return planned(task)


def native(case: Case, compiler: Compiler) -> Row:
    """One process on one thread; compiled before."""
    task = task_of(case)
    task = replace(task, native=replace(task.native, threads=1))
    short = replace(task.options, limits=replace(task.options.limits, states=1000))
    explore_native(replace(task, options=short), compiler)
    began, before = time.monotonic(), _of_children()
    found = explore_native(task, compiler)
    return _told(Row(case.label, 0, found, _of_children() - before, time.monotonic() - began))


def clustered(
    case: Case,
    compiler: Compiler,
    cluster: DrivenCluster,
    workers: int,
    folder: Path | None = None,
    kill_at: int | None = None,
    memory: int | None = None,
) -> tuple[Row, EnduringSearch]:
    """The same by workers; `kill_at`: one of them is killed after so many commits."""
    spent = [0.0, 0.0]
    killed = kill_at is None

    @contextmanager
    def gather(library: Path, options: Sequence[PartitionOptions]) -> Iterator[DrivenCrew]:
        nonlocal killed
        with cluster.gather(library, options) as crew:
            began, before = time.monotonic(), _of_all()
            plain = crew.all

            def watched(name: str, *arguments: object) -> list[object]:
                nonlocal killed
                kept = None if searching.keeping is None else searching.keeping.kept
                if not killed and kept is not None and len(kept.commits) >= (kill_at or 0):
                    killed = True
                    os.kill(crew.spots[-1].process, signal.SIGKILL)
                return plain(name, *arguments)

            crew.all = watched  # type: ignore[method-assign]
            try:
                yield crew
            finally:
                spent[0] += _of_all() - before
                spent[1] += time.monotonic() - began

    searching = EnduringSearch(gather, folder)
    task = task_of(case, **({} if memory is None else {"memory": memory}))
    found = explore_together(task, compiler, searching, workers)
    return _told(Row(case.label, workers, found, spent[0], spent[1])), searching


def _told(row: Row) -> Row:
    """Says on standard error how far it is."""
    said = f"{row.label}: {row.workers} workers, {row.states:,} states, {row.cpu:.1f} s of CPU time"
    print(f"{said}, of it the library {row.of_library:.1f}", file=sys.stderr, flush=True)
    return row


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _of_all() -> float:
    """The CPU time of this process and of all that it has started, Ray's among them."""
    spent, parents = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = path.joinpath("stat").read_text().rpartition(")")[2].split()
            process = int(path.name)
            parents[process] = int(fields[1])
            spent[process] = (int(fields[11]) + int(fields[12])) / TICK
    ours = {os.getpid()}
    while more := {p for p, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(spent.get(process, 0.0) for process in ours)


def scale_table(rows: Sequence[Row]) -> Iterator[str]:
    yield (
        "| model, full search | states | workers | CPU s | beside one process |"
        " of it, Ray and Python | bytes sent a state | slowest worker by the mean |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        if row.workers == 0:
            one = row
            yield f"| `{row.label}` | {row.states:,} | one process | {row.cpu:.1f} | 1 | | | |"
            continue
        cluster = row.found.cluster
        assert cluster is not None
        assert (row.states, row.found.progress.transitions) == (
            one.states,
            one.found.progress.transitions,
        )
        share = (row.cpu - row.of_library) / row.cpu
        mean = sum(cluster.seconds) / len(cluster.seconds)
        yield (
            f"| `{row.label}` | {row.states:,} | {row.workers} | {row.cpu:.1f} |"
            f" {row.cpu / one.cpu:.2f} | {100 * share:.0f} % |"
            f" {cluster.sent_bytes / row.states:.0f} | {max(cluster.seconds) / mean:.2f} |"
        )


def kept_table(rows: Sequence[tuple[Row, EnduringSearch]]) -> Iterator[str]:
    yield "| model, 2 workers | commits | states in them | bytes a state | share of the time |"
    yield "|---|---:|---:|---:|---:|"
    for row, searching in rows:
        keeping = searching.keeping
        assert keeping is not None
        kept = keeping.kept
        share = 100 * keeping.seconds / row.wall
        each = kept.bytes / max(kept.states, 1)
        of_all = 100 * kept.states / row.states
        yield (
            f"| `{row.label}` | {len(kept.commits)} | {of_all:.0f} % | {each:.1f} | {share:.0f} % |"
        )


def measure(options: argparse.Namespace) -> Iterator[str]:
    """The tables, in Markdown."""
    compiler = find_compiler()
    assert compiler is not None, "there is no C compiler"
    cases = [c for c in (SMALL if options.quick else CASES) if (options.only or "") in c.name]
    rows: list[Row] = []
    about = machine.look()
    with connected(HERE, max(options.workers)) as cluster, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in cases:
            rows.append(native(case, compiler))
            rows += [clustered(case, compiler, cluster, n)[0] for n in options.workers]
        plain = {(row.label, row.workers): row for row in rows}
        kept = [
            clustered(case, compiler, cluster, 2, folder / f"{number}")
            for number, case in enumerate(cases)
        ]
        lost = clustered(cases[0], compiler, cluster, 2, folder / "lost", kill_at=2)
        memory = list(_memory(cases[0], compiler, cluster, plain[cases[0].label, 0]))
    yield (
        f"{about.date}, {about.processor}, {about.cores} cores, {about.compiler},"
        f" Ray {version('ray')}."
        f" Others used the machine at the same time: the load was {about.load:.0f} at the beginning"
        f" and {os.getloadavg()[0]:.0f} at the end."
    )
    yield ""
    yield from scale_table(rows)
    yield ""
    yield from kept_table(kept)
    yield ""
    row, searching = lost
    undisturbed = kept[0][0]
    yield (
        f"A worker of `{row.label}` was killed after its second commit (losses:"
        f" {len(searching.losses)}): the same {row.states:,} states in"
        f" {row.cpu / undisturbed.cpu:.2f} times the CPU time of the search that was not disturbed."
    )
    yield ""
    yield from memory


def _memory(case: Case, compiler: Compiler, cluster: DrivenCluster, one: Row) -> Iterator[str]:
    """A limit for each worker that holds half of the space; four workers."""
    assert one.found.store_bytes is not None
    base = 15 << 20  # what a worker has before it stores anything, and the log beside the store
    limit = base + one.found.memory_bytes // 2
    most = 4 if max(cluster.workers, 1) >= 4 else cluster.workers
    small, _ = clustered(case, compiler, cluster, 1, memory=limit)
    large, _ = clustered(case, compiler, cluster, most, memory=most * limit)
    yield (
        f"With a limit of {limit >> 20} MB for each worker, `{case.label}`, for which one process"
        f" needs {one.found.memory_bytes >> 20} MB, ends with one worker after {small.states:,}"
        f" states ({small.found.stopped or 'complete'}), and with {most} workers after"
        f" {large.states:,} ({large.found.stopped or 'complete'})."
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--only", help="the models whose names have this in them")
    parser.add_argument("--quick", action="store_true", help="smaller models")
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    said = "\n".join(measure(options))
    print(said)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        marked = re.compile(r"(?<=<!-- figures -->\n).*(?=<!-- end of figures -->)", re.DOTALL)
        PAGE.write_text(marked.sub(lambda _: f"\n{said}\n\n", text), encoding="utf-8")


if __name__ == "__main__":
    main()
