"""The audit of one search of a check, in the words of a report: `--audit`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from whorl.audit.full import TooLarge
from whorl.audit.judge import MOST_STATES, Configuration, Judge, watching
from whorl.native.compiler import find_compiler
from whorl.native.threads import MOST_THREADS, obstacle
from whorl.property.claim import Claim
from whorl.reduction.schemes import has_own_search, looks_at_stack
from whorl.search.limits import Limits
from whorl.task import Task


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit says; `problem`, if any, is what the search lost or made up."""

    words: str
    problem: str | None = None


def audit(task: Task, engine: str) -> Audit:
    """Whether a search for safety, or for a run that the claim accepts, has lost anything."""
    claim, options, native = task.claim, task.options, task.native
    if task.program.embedded is not None:
        return Audit("not done: what the C of a model does is not known to it")
    if claim is not None and looks_at_stack(task.plan.scheme):
        return _conditions(task, claim)
    if claim is not None and has_own_search(task.plan.reduction, for_runs=True):
        return Audit(f"not done: what '{task.plan.scheme}' takes depends on the way of its search")
    watched = watching((), ()) if claim is None else _watched(claim)
    compiler = find_compiler(native.cached) if engine == "native" else None
    judge = Judge(task.program, watched, compiler)
    how = Configuration(
        engine,
        task.plan.reduction,
        safety=claim is None,
        merge=native.merge and not options.fair,
        drop_dead=native.resets,
        store="auto" if native.store in ("hash-compact", "bitstate") else native.store,
        shortest=options.shortest and claim is None,
        stutters=claim is not None and task.may_merge,
        threads=_threads(task, engine),
    )
    try:
        judged = judge.judge(how)
    except TooLarge:
        return Audit(
            f"not done: the model has more than {MOST_STATES:,} states, or too many traces"
        )
    counted = f"{judged.stored:,} states stored, of {judged.full:,}"
    if how.threads > 1:
        counted = f"on {how.threads} threads that begin at once, {counted}"
    if judged.problem is not None:
        return Audit(f"{counted}; WRONG: {judged.problem}", judged.problem)
    return Audit(f"{counted}; nothing is lost: {_kept(claim, how)}")


def _threads(task: Task, engine: str) -> int:
    """How many threads are audited: as many as were asked for. A model that is small enough has one
    by itself."""
    several = engine == "native" and obstacle(task) is None
    return min(task.native.threads or 1, MOST_THREADS) if several else 1


def _watched(claim: Claim) -> Claim:
    names = claim.automaton.propositions
    return watching(claim.atoms, names, accepts=claim.program_accepts)


def _kept(claim: Claim | None, how: Configuration) -> str:
    if claim is None:
        return "every failing step, end state and executed statement is there"
    sort = "the stutter traces" if how.stutters else "the traces"
    seen = [*claim.automaton.propositions, *(["accept labels"] if claim.program_accepts else [])]
    over = f" over {', '.join(seen)}" if seen else ""
    return f"{sort}{over} are those of the full graph"


def _conditions(task: Task, claim: Claim) -> Audit:
    """Of a scheme that looks at the stack: what it selects depends on the automaton, too, so that
    its conditions are checked, from their definitions, for this claim.
    """
    from whorl.reduction.audit import ProgramTooLarge
    from whorl.reduction.audited import audit as audited
    from whorl.reduction.audited import conditions

    options = replace(task.options, report=None, limits=Limits())
    try:
        report = audited(task.semantics, claim, task.plan, options)
    except ProgramTooLarge:
        return Audit(f"not done: the model has more than {MOST_STATES:,} states")
    sets = f"{report.states:,} ample sets, {report.proper:,} of them proper"
    if report.passed:
        return Audit(f"{sets}; {conditions(claim, task.plan)} hold")
    problems = "; ".join(report.problems)
    return Audit(f"{sets}; WRONG: {problems}", problems)
