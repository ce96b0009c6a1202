"""Which searches run on several threads, and what their verifiers are compiled from."""

from __future__ import annotations

from whorl.native.claim_search import recursive_search
from whorl.native.compiler import THREADED
from whorl.reduction.schemes import use_of
from whorl.task import Task

MOST_THREADS = 256  # WHORL_MOST_THREADS


def obstacle(task: Task) -> str | None:
    """Why a search runs on one thread, however many are asked for; None if it need not."""
    if task.claim is not None:
        return "a search for cycles goes by one stack"
    reduction = task.plan.reduction
    if recursive_search(reduction) is not None:
        return f"the search of '{reduction.scheme}' goes by one stack"
    if task.program.embedded is not None:
        return "the C of the model may keep data of its own"
    if task.native.store not in ("auto", "tree"):
        return f"--store {task.native.store} is for one thread"
    return None


def note(task: Task, engine: str, used: int) -> str | None:
    """What to say of a search where several threads were asked for, and so many were used."""
    if task.native.threads == 1:
        return None
    if used > 1:
        reduction = task.plan.reduction.scheme
        if reduction == "none" or not use_of(reduction, for_runs=False)[1].proviso:
            return None
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


def threaded(text: str) -> str:
    """The text of a verifier, for several threads."""
    return THREADED + text
