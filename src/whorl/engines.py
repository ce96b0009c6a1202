"""The two engines, and which one runs a search."""

from __future__ import annotations

from whorl import deadline
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.compiler import CompilerError, find_compiler
from whorl.native.embedded.embedding import refuse_embedded
from whorl.native.engine import NativeOptions, explore_job
from whorl.native.series import Series
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.program.state import Fault
from whorl.property.claim import Claim
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.schemes import facts_of, prepared, reduced
from whorl.search.exploration import Exploration, Options
from whorl.searches import Searches, native_job

ENGINES = ("auto", "native", "reference")  # auto: native where it can run the model

SEARCH_GRACE = 1.0  # seconds for a search to end by itself, with its figures


def search(
    program: Program,
    claim: Claim | None,
    engine: str,
    options: Options,
    native: NativeOptions,
    planned: Plan = NONE,
    searches: Searches | None = None,
) -> tuple[Exploration, str, tuple[str, ...]]:
    """Looks for what is wrong with a program, or for a run that `claim` accepts.

    What the search found, by which engine, and why not by the one that was expected. It may be one
    of several `searches`, which have much in common.
    """
    if engine == "reference":
        return _reference(program, claim, options, planned), "reference", ()
    reference_semantics(program)  # refuses what cannot start
    compiler = find_compiler(native.cached)
    if compiler is None:
        reason = "there is no C compiler (install one, or pip install whorl[zig])"
    else:
        if searches is None:
            series, job = Series(program), native_job(claim, planned, options, native)
        else:
            series, job = searches.series, searches.job(claim)
        try:
            found = explore_job(options, native, compiler, job, series)
            return found, "native", ()
        except CompilerError as error:
            reason = str(error)
    if engine == "native" or native.store not in ("auto", "exact"):
        raise WhorlError(Diagnostic("error", f"the native engine cannot run this: {reason}"))
    said = f"the reference engine ran, which is slow: {reason}"
    return _reference(program, claim, options, planned), "reference", (said,)


def _reference(
    program: Program, claim: Claim | None, options: Options, planned: Plan
) -> Exploration:
    # Loaded where they are needed, as that takes time.
    from whorl.reduction.safety import selector
    from whorl.search.acceptance import find_violation
    from whorl.search.safety import explore

    semantics = reference_semantics(program)
    # It looks at the clock itself; but not while it waits for the C of a model.
    with deadline.phase("searching", grace=SEARCH_GRACE if program.embedded is None else 0.0):
        if claim is None:
            return explore(semantics, options, selector(semantics, planned.reduction))
        if planned.scheme == "none":
            return find_violation(semantics, claim, options)
        facts = facts_of(claim, options.fair)
        claim = prepared(claim, planned.scheme)
        return find_violation(
            semantics, claim, options, lambda product: reduced(product, planned.reduction, facts)
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
