"""Which searches run on several threads, and what their verifiers are compiled from."""

from __future__ import annotations

from dataclasses import replace

from whorl.cores import cores
from whorl.native.claim_search import goes_by_stack
from whorl.native.compiler import THREADED, Compiler
from whorl.native.job import Job
from whorl.reduction.schemes import use_of
from whorl.task import Task

MOST_THREADS = 256  # WHORL_MOST_THREADS
ALGORITHM = "cndfs"  # of searches for cycles
WORTH_FOR_CYCLES = 4  # cores: it costs half as much again as the search for one thread


def obstacle(task: Task) -> str | None:
    """Why a search runs on one thread, however many are asked for; None if it need not."""
    reduction, runs = task.plan.reduction, task.claim is not None
    if goes_by_stack(reduction, for_runs=runs):
        return f"the reduction {use_of(reduction, for_runs=runs)[0]} goes by one stack"
    if runs and task.options.algorithm != "auto":
        return f"--algorithm {task.options.algorithm} is for one thread"
    if task.program.embedded is not None:
        return "the C of the model may keep data of its own"
    if runs and task.native.store == "exact":
        return "for cycles --store exact is for one thread"
    return None


def varies(task: Task) -> str | None:
    """What several threads do otherwise than one, in numbers; None if they store what one does."""
    if task.claim is not None:
        if not task.options.fair:
            return None
        return (
            "several threads are fair by copies of the states: there are more than one thread has"
        )
    if _goes_by_who_comes_first(task):
        return (
            "on several threads the reduction depends on who comes first: the number of states may"
            " be another next time, the verdict is not"
        )
    if task.native.store == "bitstate":
        return (
            "two threads may both find a state new with --store bitstate: the number of states"
            " may be another next time"
        )
    return None


def _goes_by_who_comes_first(task: Task) -> bool:
    """Of two threads that come to a state the one that finds it new may reduce more."""
    reduction = task.plan.reduction
    return reduction.scheme != "none" and use_of(reduction, for_runs=False)[1].proviso


def note(task: Task, engine: str, used: int) -> str | None:
    """What to say of a search on so many threads, or where several were asked for."""
    if used > 1:
        return varies(task)
    if task.native.threads in (None, 1):
        return None
    if engine == "gpu":
        return f"--threads {task.native.threads}: those of the GPU did {task.name}"
    why = "the reference engine has one" if engine == "reference" else obstacle(task)
    if why is None:
        return None
    return f"--threads {task.native.threads}: one thread did {task.name}: {why}"


def threads_of(task: Task, compiler: Compiler) -> int:
    """How many threads a search may have: as many as were asked for, or as are worth it."""
    if obstacle(task) is not None:
        return 1
    wanted = task.native.threads
    return min(_by_default(task, compiler) if wanted is None else wanted, MOST_THREADS)


def _by_default(task: Task, compiler: Compiler) -> int:
    """One for each core, where several store about what one does.

    Where all verifiers are compiled in one way, as those are that are measured, several have to be
    asked for.
    """
    if compiler.has_level or _stores_more(task) or task.options.limits.depth is not None:
        return 1
    there = cores()
    return 1 if task.claim is not None and there < WORTH_FOR_CYCLES else there


def _stores_more(task: Task) -> bool:
    """Whether several threads store what one does not need to."""
    if task.claim is not None:
        return task.options.fair
    unmarked = task.native.store == "exact" and not task.options.shortest  # see anchored.h
    return task.native.store == "bitstate" or (unmarked and _goes_by_who_comes_first(task))


def threaded_job(job: Job) -> Job:
    """What a verifier for several threads is generated for."""
    if job.search is None:
        return job
    return replace(job, search=replace(job.search, algorithm=ALGORITHM), store="tree")


def threaded(text: str) -> str:
    """The text of a verifier, for several threads."""
    return THREADED + text
