"""The two engines, and which one does a task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from whorl import deadline
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native import threads
from whorl.native.claim_search import BeyondNative
from whorl.native.compiler import Compiler, CompilerError, find_compiler
from whorl.native.embedded.embedding import refuse_embedded
from whorl.native.engine import explore_native
from whorl.native.series import Series
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.program.state import Fault
from whorl.search.exploration import Exploration
from whorl.task import Task

ENGINES = ("auto", "native", "gpu", "reference")  # auto: native where it can run the model

NO_COMPILER = "there is no C compiler (install one, or pip install whorl[zig])"
SEARCH_GRACE = 1.0  # seconds for a search to end by itself, with its figures


class Searched(NamedTuple):
    """What a search found, by which engine, and why not by the one that was expected."""

    exploration: Exploration
    engine: str
    notes: tuple[str, ...] = ()


def search(task: Task, engine: str, series: Series | None = None) -> Searched:
    """Looks for what is wrong with a program, or for a run that the claim accepts.

    It may be one of a `series` of searches, which have much in common.
    """
    if engine == "gpu":
        from whorl.native.gpu.engine import explore_gpu  # few have one

        return _said(task, explore_gpu(task), "gpu")
    if engine == "reference":
        return _said(task, _reference(task), "reference")
    compiler = find_compiler(task.native.cached)
    if task.native.cluster is not None:
        return _by_workers(task, compiler)
    if compiler is None:
        reason = NO_COMPILER
    else:
        try:
            return _said(task, explore_native(task, compiler, series), "native")
        except (BeyondNative, CompilerError) as error:
            reason = str(error)
    if engine == "native" or task.native.store not in ("auto", "exact"):
        raise WhorlError(Diagnostic("error", f"the native engine cannot run this: {reason}"))
    said = f"the reference engine ran, which is slow: {reason}"
    return _said(task, _reference(task), "reference", said)


def _by_workers(task: Task, compiler: Compiler | None) -> Searched:
    """The same by workers of a cluster: there is no other engine for what they cannot do."""
    from whorl.native.cluster.clustered import explore_clustered  # few ask for it

    if compiler is None:
        raise WhorlError(Diagnostic("error", f"no cluster can do this search: {NO_COMPILER}"))
    try:
        found = explore_clustered(task, compiler)
        return Searched(found, "native", tuple(_of_cluster(found)))
    except (BeyondNative, CompilerError) as error:
        raise WhorlError(Diagnostic("error", f"no cluster can do this search: {error}")) from None


def _of_cluster(found: Exploration) -> Iterator[str]:
    """What else there is to say of a search by workers."""
    cluster = found.cluster
    if cluster is None:
        return
    if cluster.losses:
        times = f" ({len(cluster.losses)} times)" if len(cluster.losses) > 1 else ""
        yield f"{cluster.losses[0]}{times}: the search went on from its last checkpoint"
    if cluster.not_kept is not None:
        yield f"nothing more was kept: {cluster.not_kept}"


@contextmanager
def cluster_of(tasks: Sequence[Task]) -> Iterator[None]:
    """Within it the cluster of several searches is there for all of them."""
    asked = tasks[0].native.cluster if len(tasks) > 1 else None
    if asked is None:
        yield
        return
    from whorl.native.cluster.ray_driver import connected

    with connected(asked.address, asked.workers):
        yield


def _said(task: Task, found: Exploration, engine: str, *said: str) -> Searched:
    """What was found, with what there is to say of the threads."""
    about = threads.note(task, engine, found.threads)
    return Searched(found, engine, said if about is None else (*said, about))


def _reference(task: Task) -> Exploration:
    # Loaded where they are needed, as that takes time.
    from whorl.reduction.safety import selector
    from whorl.reduction.schemes import reduced
    from whorl.search.acceptance import find_violation
    from whorl.search.safety import explore

    semantics, options, reduction = task.semantics, task.options, task.plan.reduction
    claim = task.read_as
    # It looks at the clock itself; but not while it waits for the C of a model.
    with deadline.phase("searching", grace=SEARCH_GRACE if semantics.foreign is None else 0.0):
        if claim is None:
            return explore(semantics, options, selector(semantics, reduction))
        return find_violation(
            semantics, claim, options, lambda product: reduced(product, reduction)
        )


def reference_semantics(program: Program, verbose: bool = False) -> Semantics:
    """The reference semantics of a program.

    WhorlError if it has embedded C that nobody allowed, or if it cannot start.
    """
    refuse_embedded(program)
    semantics = Semantics(program, verbose)
    try:
        semantics.initial()
    except Fault as fault:
        raise WhorlError.at(fault.span, f"the model cannot start: {fault.message}") from None
    return semantics
