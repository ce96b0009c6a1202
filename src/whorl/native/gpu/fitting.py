"""Which searches the GPU engine can do, and by which reduction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.claim_search import goes_by_stack
from whorl.reduction.schemes import Reduction, use_of
from whorl.task import Task

ORDER_FREE = Reduction("two-phase", cache="selective")  # for `auto`: docs/decisions/0081


def fitted(tasks: Iterable[Task], audited: bool = False) -> tuple[Task, ...]:
    """The tasks as the GPU engine does them; WhorlError where it cannot do one of them."""
    if audited:
        raise _error("--audit looks at what other engines store", "leave out --engine gpu")
    return tuple(map(_fitted, tasks))


def _fitted(task: Task) -> Task:
    if task.claim is not None:
        raise _error(
            f"--engine gpu looks for violations of safety alone as yet, and {task.name} is none",
            "check safety alone (--safety), or leave out --engine gpu",
        )
    if task.program.embedded is not None:
        raise _error(
            "--engine gpu cannot run a model with embedded C, which is for the processor",
            "leave out --engine gpu",
        )
    reduction = task.plan.reduction
    if reduction.scheme == "none" or not _by_order(reduction):
        return task
    if isinstance(task.reduction, Reduction) and task.reduction.scheme == "auto":
        return replace(task, reduction=ORDER_FREE)
    raise _error(
        f"the reduction '{reduction.scheme}' depends on the order of the search, and on a GPU there"
        " is none",
        "--por two-phase and --por static do not; nor does what is taken without --por",
    )


def _by_order(reduction: Reduction) -> bool:
    """Whether it asks what has been found before, or what is on the stack."""
    proviso = use_of(reduction, for_runs=False)[1].proviso
    return proviso or goes_by_stack(reduction, for_runs=False)


def _error(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))
