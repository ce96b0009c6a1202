"""`whorl.swarm`: many bitstate searches that differ, for models too large for any exact one.

It looks for violations of safety, and never says that a model holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Never

from whorl import deadline
from whorl.api import (
    GivenModel,
    Model,
    allow,
    goes_again,
    nothing_checked,
    tasks_of,
)
from whorl.cores import cores
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.engines import NO_COMPILER, Searched, reference_semantics
from whorl.findings import Findings
from whorl.given import valid_options
from whorl.native.compiler import CompilerError, find_compiler
from whorl.native.swarm.engine import SwarmOptions, safe_from, swarm_native
from whorl.native.swarm.hunt import SATURATED, Hunted
from whorl.native.verifier import VerifierError
from whorl.options import BY_NAME, SWARM_BY_NAME, SWARM_KEYWORDS
from whorl.program.program import Program
from whorl.search.limits import Progress
from whorl.selection import WantedSearches
from whorl.spelling import in_python, refuse_keyword, speak_python
from whorl.task import Task
from whorl.verdict import FoundBy, Result, Swarm


def swarm(
    model: Model | str | Path,
    *,
    defines: Mapping[str, str | int] | None = None,
    include_dirs: str | Path | Sequence[str | Path] = (),
    allow_embedded_c: bool = False,
    no_cache: bool = False,
    workers: int | None = None,
    seed: int = 1,
    only: int | None = None,
    bits: int | None = None,
    searches: int | None = None,
    memory: int | str | None = None,
    assertions: bool = True,
    end_states: bool = True,
    max_depth: int | None = None,
    timeout: float | None = None,
    shorten: bool = True,
    explain: bool = False,
    report: Callable[[Progress], None] | None = None,
    por: str = "auto",
    merge: bool = True,
    **unknown: Never,
) -> Result:
    """Looks for a violation of safety by many bitstate searches that differ.

    Their orders, hash functions, sizes and depths are those of a list that `seed` gives. They go on
    until one finds a violation, a limit is reached, or new ones see nothing new. The verdict is
    "violated" or "inconclusive", never "holds"; `Result.swarm` says what was done and seen.

    Each keyword is the option of `whorl swarm` with that name. Raises what `whorl.check` raises.
    """
    values = locals()
    for name in unknown:
        raise refuse_keyword(name, "whorl.swarm", SWARM_KEYWORDS)
    try:
        asked = valid_options({name: values[name] for name in SWARM_KEYWORDS}, SWARM_BY_NAME)
        result = run(GivenModel(model, (), (), defines, include_dirs).model, asked)
    except WhorlError as error:
        speak_python(error)
        raise
    notes, advice = (tuple(map(in_python, said)) for said in (result.notes, result.advice))
    return replace(result, notes=notes, advice=advice, swarm=_as_call(result.swarm))


def _as_call(swarm: Swarm | None) -> Swarm | None:
    """The same with the call of Python that repeats the search which found something."""
    if swarm is None or swarm.found_by is None:
        return swarm
    seed, number, bits = swarm.found_by.repeat.split()[1::2]
    call = f"whorl.swarm(model, seed={seed}, only={number}, bits={bits})"
    return replace(swarm, found_by=replace(swarm.found_by, repeat=call))


def run(load_model: Callable[[], Model], asked: SimpleNamespace) -> Result:
    """A swarm with options of `given.valid_options`. What it says spells them as flags."""
    with deadline.within(asked.timeout):
        try:
            model = load_model()
            if asked.allow_embedded_c:
                model = allow(model, cached=not asked.no_cache)
            semantics = reference_semantics(model.program)
            (task,) = tasks_of(semantics, WantedSearches(True, ()), _as_of_check(asked))
            options = SwarmOptions(
                asked.workers or cores(), asked.seed, asked.searches, asked.only, asked.bits
            )
            with goes_again(task):
                searched, hunted = _search(task, options)
        except deadline.TimeUp as up:
            return nothing_checked(str(up))
        findings = Findings(model.program, asked.shorten, asked.explain)
        findings.notes += _not_looked_at(model.program)
        try:
            with goes_again(task):
                findings.add(task, searched)
        except deadline.TimeUp as up:
            findings.skip(task, str(up))
        swarm = _figures(hunted, options)
        return replace(findings.result(), swarm=swarm, advice=_advice(hunted))


def _search(task: Task, options: SwarmOptions) -> tuple[Searched, Hunted]:
    compiler = find_compiler(task.native.cached)
    if compiler is None:
        raise _no_swarm(NO_COMPILER)
    try:
        exploration, hunted = swarm_native(task, compiler, options)
    except (CompilerError, VerifierError) as error:
        blamed = safe_from(error, task)
        if blamed is not None:
            raise blamed from None
        if isinstance(error, VerifierError):
            raise
        raise _no_swarm(str(error)) from None
    return Searched(exploration, "native"), hunted


def _no_swarm(why: str) -> WhorlError:
    return WhorlError(Diagnostic("error", f"the native engine cannot run this: {why}"))


def _as_of_check(asked: SimpleNamespace) -> SimpleNamespace:
    """The options of a check for safety, as far as a swarm does not decide on them itself."""
    others = {option.name: option.default for option in BY_NAME.values()}
    return SimpleNamespace(**{**others, **vars(asked), "store": "bitstate", "bits": None})


def _figures(hunted: Hunted, options: SwarmOptions) -> Swarm:
    found = None
    if hunted.found is not None:
        search = hunted.found[0]
        repeat = f"--seed {options.seed} --only {search.number} --bits {search.bits}"
        found = FoundBy(search.number, search.settings, repeat)
    seen = hunted.seen
    assert hunted.stopped is not None
    return Swarm(
        options.seed,
        options.workers if options.only is None else 1,
        hunted.done,
        hunted.cut,
        hunted.stopped,
        hunted.cpu_seconds,
        seen.states,
        seen.error,
        seen.coverage_at_most,
        hunted.new_lately,
        found,
    )


def _not_looked_at(program: Program) -> list[str]:
    """What a check would look at besides."""
    labelled = any(process.accept_locations for process in program.processes)
    if not (program.formulas or program.never or labelled):
        return []
    return [
        "a swarm looks for violations of safety alone: the claims of this model were not searched"
        " for, as a search for cycles has to keep its states"
    ]


def _advice(hunted: Hunted) -> tuple[str, ...]:
    if hunted.stopped == SATURATED:
        return ("whorl check  an exact search, which can tell that a property holds",)
    return ()
