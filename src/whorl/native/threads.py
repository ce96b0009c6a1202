"""Which searches run on several threads, and what their verifiers are compiled from."""

from __future__ import annotations

from dataclasses import replace

from whorl.native.claim_search import goes_by_stack
from whorl.native.compiler import THREADED
from whorl.native.job import Job
from whorl.reduction.schemes import use_of
from whorl.task import Task

MOST_THREADS = 256  # WHORL_MOST_THREADS
ALGORITHM = "cndfs"  # of searches for cycles


def obstacle(task: Task) -> str | None:
    """Why a search runs on one thread, however many are asked for; None if it need not."""
    reduction, runs = task.plan.reduction, task.claim is not None
    if goes_by_stack(reduction, for_runs=runs):
        return f"the reduction {use_of(reduction.scheme, for_runs=runs)[0]} goes by one stack"
    if runs and task.options.algorithm != "auto":
        return f"--algorithm {task.options.algorithm} is for one thread"
    if runs and task.options.shortest:
        return "with --shortest a search for cycles goes by one stack"
    if task.program.embedded is not None:
        return "the C of the model may keep data of its own"
    store = task.native.store
    if store == "exact":
        return "--store exact is for one thread"
    if task.options.shortest and store not in ("auto", "tree"):
        return f"--shortest with --store {store} is for one thread"
    return None


def note(task: Task, engine: str, used: int) -> str | None:
    """What to say of a search where several threads were asked for, and so many were used."""
    if task.native.threads == 1:
        return None
    if used > 1 and task.claim is not None:
        if not task.options.fair:
            return None
        return (
            "several threads are fair by copies of the states: there are more than one thread has"
        )
    if used > 1:
        reduction = task.plan.reduction.scheme
        if reduction == "none" or not use_of(reduction, for_runs=False)[1].proviso:
            if task.native.store != "bitstate":
                return None
            return (
                "two threads may both find a state new with --store bitstate: the number of states"
                " may be another next time"
            )
        return (
            "on several threads the reduction depends on who comes first: the number of states may"
            " be another next time, the verdict is not"
        )
    why = "the reference engine has one" if engine == "reference" else obstacle(task)
    if why is None:
        return None
    return f"--threads {task.native.threads}: one thread did {task.name}: {why}"


def threads_of(task: Task) -> int:
    """How many threads a search may have."""
    return 1 if obstacle(task) else min(task.native.threads, MOST_THREADS)


def threaded_job(job: Job) -> Job:
    """What a verifier for several threads is generated for."""
    if job.search is None:
        return job
    return replace(job, search=replace(job.search, algorithm=ALGORITHM), store="tree")


def threaded(text: str) -> str:
    """The text of a verifier, for several threads."""
    return THREADED + text
