"""Which searches the GPU engine can do, and by which reduction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.claim_search import goes_by_stack
from whorl.native.gpu.text import ELIMINATION
from whorl.reduction.schemes import Reduction, use_of
from whorl.task import Task

ORDER_FREE = Reduction("two-phase", cache="selective")  # for `auto`: docs/decisions/0081


def fitted(tasks: Iterable[Task], audited: bool = False) -> tuple[Task, ...]:
    """The tasks as the GPU engine does them; WhorlError where it cannot do one of them."""
    if audited:
        raise _error("--audit looks at what other engines store", "leave out --engine gpu")
    return tuple(map(fit, tasks))


def fit(task: Task) -> Task:
    """The same of one task."""
    if task.program.embedded is not None:
        raise _error(
            "--engine gpu cannot run a model with embedded C, which is for the processor",
            "leave out --engine gpu",
        )
    if task.claim is not None:
        task = _fit_claim(task)
    reduction = task.plan.reduction
    if reduction.scheme == "none" or not _by_order(reduction, for_runs=task.claim is not None):
        return _plain(task)
    if isinstance(task.reduction, Reduction) and task.reduction.scheme == "auto":
        return _plain(replace(task, reduction=ORDER_FREE))
    raise _error(
        f"the reduction '{reduction.scheme}' depends on the order of the search, and on a GPU there"
        " is none",
        "--por two-phase and --por static do not; nor does what is taken without --por",
    )


def _fit_claim(task: Task) -> Task:
    """The same for a search for runs that a claim accepts, which is by elimination."""
    asked = task.options.algorithm
    if asked not in ("auto", ELIMINATION):
        raise _error(
            f"the search '{asked}' goes by a stack, and on a GPU there is none",
            f"leave out --algorithm, or take --algorithm {ELIMINATION}",
        )
    if task.options.fair:
        raise _error(
            "--engine gpu knows no fairness as yet", "leave out --fair, or leave out --engine gpu"
        )
    return replace(task, options=replace(task.options, algorithm=ELIMINATION))


def _plain(task: Task) -> Task:
    """The task, unless its claim is to be read otherwise than it is."""
    if task.read_as is not None and task.read_as.normal_form is not None:
        raise _error(
            f"the reduction '{task.plan.scheme}' reads a formula in SI normal form, which"
            " --engine gpu does not",
            "--por two-phase and --por static do not; nor does what is taken without --por",
        )
    return task


def _by_order(reduction: Reduction, *, for_runs: bool) -> bool:
    """Whether it asks what has been found before, or what is on the stack."""
    proviso = use_of(reduction, for_runs=for_runs)[1].proviso
    return proviso or goes_by_stack(reduction, for_runs=for_runs)


def _error(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))
