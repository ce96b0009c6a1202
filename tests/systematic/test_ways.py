"""Stubborn sets do not fall into the inconsistent labelling problem.

Every program of its shape (`ways`) under every scheme that takes stubborn sets, for a claim that
looks at x: what is stored has the stutter traces of the full graph, so every formula without X
about x has its verdict there. Also the sets themselves: they satisfy D1' and D2 of [NVW20].
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import whorl
from systematic.campaign import Report, campaign
from systematic.small import SmallProgram
from systematic.ways import every, fast
from whorl.api import load
from whorl.audit.judge import Configuration
from whorl.engines import reference_semantics
from whorl.program.atomic import Run, runs
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, Situation, begins, participants
from whorl.reduction.schemes import SCHEMES, Reduction
from whorl.reduction.stubborn import stubborn_sets

PARTS = 6

needs_compiler = pytest.mark.skipif(
    shutil.which("cc") is None and shutil.which("tcc") is None, reason="needs a C compiler"
)


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path))


# --- stutter traces ------------------------------------------------------------------------------


def configurations(engine: str) -> Iterator[Configuration]:
    """Every scheme that takes stubborn sets for a formula."""
    for scheme in SCHEMES.values():
        if scheme.rule is not None and scheme.formulas is not None:
            for cache_ in scheme.caches:
                yield Configuration(engine, Reduction(scheme.name, cache_, rule=Rule.STUBBORN))


def holds(report: Report) -> None:
    told = [f"{f.program} | {f.configuration}\n{f.problem}\n{f.text}" for f in report.findings]
    assert not told, "\n".join(told[:3])
    assert report.refused == report.too_large == 0


@needs_compiler
@pytest.mark.parametrize("part", range(PARTS))
def test_no_trace_is_lost(part: int) -> None:
    """`two-phase-ample` and `static` for every program, the others in turn."""
    hows = list(configurations("native"))
    always = [how for how in hows if how.reduction.cache == "all"][:2]
    programs = list(fast())[part::PARTS]
    report = campaign(programs, always, hows, 4, part)
    holds(report)
    assert report.programs == len(programs)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("part", range(PARTS))
def test_no_trace_is_lost_in_any_order(part: int) -> None:
    holds(campaign(list(every())[part::PARTS], list(configurations("native"))))


def test_no_trace_is_lost_by_the_reference_engine() -> None:
    holds(campaign(list(fast())[7::60], list(configurations("reference"))))


@pytest.mark.slow
def test_no_trace_is_lost_by_the_reference_engine_in_any_order() -> None:
    holds(campaign(list(fast()), list(configurations("reference"))))


# --- verdicts ------------------------------------------------------------------------------------

# Some of their automata have to guess, and all look at what comes between visible steps.
FORMULAS = (
    "[] (x != 1)",
    "[] <> (x == 1)",
    "!(<> (x == 1) && <> [] (x != 1))",
    "[] (x == 1 -> <> (x != 1 && <> (x == 1)))",
    "(x != 1) U (x == 1 U (x != 1 U (x == 1)))",
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_verdicts_are_those_of_the_full_search(formula: str) -> None:
    """With formulas, where the product is searched, and with the audit."""
    verdicts = set()
    for program in list(fast())[3::50]:
        full = whorl.check(program.text, ltl=formula, por="none", engine="reference")
        for por in ("two-phase-ample", "static", "si"):
            reduced = whorl.check(
                program.text, ltl=formula, por=por, candidates="stubborn", engine="reference",
                audit=por == "static",
            )  # fmt: skip
            assert reduced.verdict == full.verdict, program.text
            assert all("nothing is lost" in n for n in reduced.notes if n.startswith("audit"))
        verdicts.add(full.verdict)
    assert len(verdicts) == 2


# --- the conditions ------------------------------------------------------------------------------


@cache
def situations(text: str) -> tuple[Situation, ...]:
    """All states of a program."""
    semantics = reference_semantics(load(text).program)
    analysis = Analysis(semantics)
    first = semantics.initial()
    met, waiting = {first}, [first]
    for state in waiting:  # grows meanwhile
        for run in runs(semantics, state):
            if run.state is not None and run.state not in met:
                met.add(run.state)
                waiting.append(run.state)
    return tuple(Situation(analysis, state) for state in waiting)


def taken(by_state: dict[State, tuple[Run, ...]], state: State, way: tuple[int, ...]) -> set[State]:
    """Where an action leads, which is a first step, whatever comes of it."""
    return {run.state for run in by_state[state] if begins(run) == way and run.state is not None}


def violation(by_state: dict[State, tuple[Run, ...]], start: State, chosen: Ample) -> str | None:
    """Why a set does not satisfy D1' and D2 with all its actions taken for invisible."""

    def inside(run: Run) -> bool:
        return any(pid in chosen.processes for pid, _ in participants(run))

    enabled = {begins(run) for run in by_state[start] if inside(run)}
    outside = [start]
    for state in outside:  # grows meanwhile
        if {begins(run) for run in by_state[state] if inside(run)} != enabled:
            return "an action is not enabled all the way"
        for run in by_state[state]:
            if inside(run) or run.state is None:
                continue
            if run.state not in outside:
                outside.append(run.state)
            for way in enabled:
                beside = taken(by_state, state, way)
                ends = {t for other in beside for t in taken(by_state, other, begins(run))}
                if not taken(by_state, run.state, way) <= ends:
                    return f"{way} does not commute with {begins(run)}"
    return None


def checked(programs: list[SmallProgram]) -> tuple[int, int]:
    """How many stubborn sets there were, and in how many an action has several ways."""
    sets = several = 0
    for program in programs:
        met = situations(program.text)
        by_state = {situation.state: situation.runs for situation in met}
        for situation in met:
            for chosen in stubborn_sets(situation, lambda run: True):
                assert violation(by_state, situation.state, chosen) is None, program.text
                sets += 1
                several += len({begins(run) for run in chosen.runs}) < len(chosen.runs)
    return sets, several


def test_sets_satisfy_the_stronger_condition() -> None:
    sets, several = checked(list(fast())[::8])
    assert sets > 500
    assert several > 50


@pytest.mark.slow
def test_sets_satisfy_the_stronger_condition_in_any_order() -> None:
    checked(list(every()))
