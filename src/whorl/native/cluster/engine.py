"""The search of a task by a crew of workers: their library, its room, and what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from whorl import deadline
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.claim_search import check_fair
from whorl.native.cluster.course import Assignment
from whorl.native.cluster.library import PartitionOptions
from whorl.native.cluster.searches import search
from whorl.native.cluster.transport import Crew
from whorl.native.code.generate import Generated
from whorl.native.compiler import OPTIMISED, PARTITION, RUNTIME, Builder, Compiler
from whorl.native.engine import CUT, explored, is_full, larger
from whorl.native.engine import why as why_stopped
from whorl.native.job import Room, is_most
from whorl.native.series import Series
from whorl.native.verifier import Outcome, VerifierError
from whorl.reduction.scheme import ByStack, OwnSearch, SleepSets
from whorl.reduction.schemes import Reduction, use_of
from whorl.search.exploration import ClusterFigures, Exploration
from whorl.search.limits import Progress
from whorl.task import Task

Gather = Callable[[Path, Sequence[PartitionOptions]], AbstractContextManager[Crew]]
About = dict[str, Any]  # what tells a search from others (`about`)
Searched = Callable[[Path, Sequence[PartitionOptions], Assignment, About], Outcome]
OWNERS = RUNTIME / "cluster" / "owners.h"  # it says whose a state is
ELIMINATION = "owcty"  # of the algorithms the one that workers have


def by(gather: Gather) -> Searched:
    """Searches with workers that are there until one of them is lost."""

    def searched(
        library: Path, options: Sequence[PartitionOptions], asked: Assignment, about: About
    ) -> Outcome:
        with gather(library, options) as crew:
            return search(crew, asked)

    return searched


def planned(task: Task) -> Task:
    """The task with a reduction that does not depend on the order in which states are found.

    Where one was asked for that does, or something else that workers cannot do, that is refused.
    """
    if task.program.embedded is not None:
        raise _refused("the C of the model may keep data of its own", "leave out --cluster")
    if task.claim is not None:
        return _planned_for_claim(task)
    if task.native.store not in ("auto", "tree"):
        message = f"--store {task.native.store} is for one machine"
        raise _refused(message, "leave out --store: workers keep their states in the tree")
    asked = task.reduction
    assert isinstance(asked, Reduction)
    task = replace(task, reduction=replace(asked, order_free=True))
    if depends_on_order(task.plan.reduction, for_runs=False):
        message = (
            f"the reduction '{task.plan.scheme}' depends on the order in which states are found"
        )
        raise _refused(
            message, "leave out --por, or take static, two-phase, two-phase-ample or none"
        )
    return task


def _planned_for_claim(task: Task) -> Task:
    """The same for a search for cycles, which is by elimination."""
    asked = task.options.algorithm
    if asked not in ("auto", ELIMINATION):
        message = f"the search '{asked}' goes by one stack"
        raise _refused(message, f"leave out --algorithm, or take --algorithm {ELIMINATION}")
    if task.plan.scheme != "none" and depends_on_order(task.plan.reduction, for_runs=True):
        message = f"the reduction '{task.plan.scheme}' goes by more than the state"
        raise _refused(
            message, "leave out --por, or take static, two-phase, two-phase-ample or none"
        )
    return replace(task, options=replace(task.options, algorithm=ELIMINATION))


def depends_on_order(reduction: Reduction, *, for_runs: bool) -> bool:
    """Whether what is stored depends on the order in which it is found."""
    if reduction.scheme == "none":
        return False
    use = use_of(reduction, for_runs=for_runs)[1]
    return use.proviso or isinstance(use.reference, ByStack | OwnSearch | SleepSets)


def _refused(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", f"no cluster can do this search: {message}", None, hint))


def explore_together(
    task: Task,
    compiler: Compiler,
    searched: Searched,
    workers: int,
    stop: Callable[[], str | None] = lambda: None,
    room: Room | None = None,
) -> Exploration:
    """Does a task with so many workers, which `searched` has (`by`).

    `room`: to begin with.
    """
    task = planned(task)
    series = Series(task.semantics)
    generated, outcome = _run(task, compiler, series, searched, workers, stop, room)
    figures = outcome.figures
    if task.claim is not None and figures["stopped"] is None and not figures.get("rounds"):
        raise VerifierError("no round of elimination was done, so nothing is known of the claim")
    stopped = figures.get("why")
    if stopped is None and figures["stopped"] in CUT:
        stopped = why_stopped(figures, task.options.limits)
    result = explored(task, generated, outcome, stopped)
    result.cluster = _cluster_figures(figures, workers, 8 * generated.layout.words)
    return result


def _cluster_figures(figures: dict[str, Any], workers: int, width: int) -> ClusterFigures:
    each = figures["workers"]
    sent = sum(one["sent"] for one in each)
    return ClusterFigures(
        workers,
        figures["depth"],
        sent,
        sent * width,
        sum(one["spared"] for one in each),
        tuple(one["expanding"] + one["inserting"] for one in each),
    )


def _run(
    task: Task,
    compiler: Compiler,
    series: Series,
    searched: Searched,
    workers: int,
    stop: Callable[[], str | None],
    room: Room | None,
) -> tuple[Generated, Outcome]:
    """Searches with room for enough processes and channels: with more if need be."""
    job = series.job(task)
    room = series.estimated if room is None else room
    asked = partial(_asked, task, stop)
    fair = job.search is not None and job.search.fair
    while True:
        if job.search is not None:
            check_fair(job.search, room[0])
        with deadline.phase("analysing the model"):
            written = series.written(job, room)
        if task.options.report is not None:
            task.options.report(Progress(doing="compiling"))
        library = built(series.builder(compiler), written.text)
        given = options_of(task, workers)
        outcome = searched(library, given, asked(), about(task, written.text, room, workers))
        if not is_full(written.generated, outcome) or is_most(room):
            return written.generated, outcome
        room = larger(*room, fair)


def about(task: Task, text: str, room: Room, workers: int) -> About:
    """What a search that goes on has to have in common with the one that was begun."""
    options = task.options
    return {
        "model": hashlib.sha256(text.encode()).hexdigest(),
        "options": {
            "assertions": options.assertions,
            "end_states": options.end_states,
            "all_errors": options.all_errors,
            "levels": not exhausts(task),
            "depth": options.limits.depth,
        },
        "workers": workers,
        "room": list(room),
        "owners": hashlib.sha256(OWNERS.read_bytes()).hexdigest(),
    }


def built(builder: Builder, text: str) -> Path:
    """The library of a worker, for a generated model."""
    return builder.build(PARTITION + text, OPTIMISED)


def options_of(task: Task, workers: int) -> list[PartitionOptions]:
    """What each worker is asked."""
    options, limits = task.options, task.options.limits
    whole: dict[str, Any] = {
        "max_depth": limits.depth,
        "seconds": limits.seconds_left(),
        "memory": None if limits.memory_bytes is None else limits.memory_bytes // workers,
        "assertions": options.assertions,
        "end_states": options.end_states,
        "exhaust": exhausts(task),
        "claim": task.claim is not None,
    }
    return [PartitionOptions(number, workers, **whole) for number in range(workers)]


def exhausts(task: Task) -> bool:
    """Whether workers go on with what they find themselves: not where levels count."""
    return task.claim is None and not task.options.shortest and task.options.limits.depth is None


def _asked(task: Task, stop: Callable[[], str | None]) -> Assignment:
    options = task.options
    return Assignment(
        shortest=not exhausts(task),
        all_errors=options.all_errors,
        most_states=options.limits.states,
        stop=stop,
        report=options.report,
        claim=task.claim is not None,
    )
