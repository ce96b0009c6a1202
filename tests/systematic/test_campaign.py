"""The fast campaign: every ordered pair of statement forms, judged by the oracle.

Each program runs in the default configuration, for runs and for safety, and in turn in the others
of both engines. What a configuration stores must have the stutter traces, failures and end states
of the full graph.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from support.compilers import QUICK
from systematic.campaign import MEMBERS, Report, campaign, judge_of
from systematic.configurations import chosen, configurations, default
from systematic.programs import fast, sample
from systematic.small import SmallProgram
from systematic.trios import fast_trios
from systematic.unions import units
from whorl.audit.full import AuditedGraph
from whorl.audit.judge import Configuration
from whorl.program.choice import Choice
from whorl.program.state import State
from whorl.reduction.candidates import Rule
from whorl.reduction.schemes import Reduction

PARTS = 24
TURNS = 9  # of the configurations that are not the default a unit gets one in so many

needs_compiler = pytest.mark.skipif(
    shutil.which("cc") is None and shutil.which("tcc") is None, reason="needs a C compiler"
)


def holds(report: Report) -> None:
    told = [f"{f.program} | {f.configuration}\n{f.problem}\n{f.text}" for f in report.findings]
    assert not told, "\n".join(told[:3])


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Thousands of verifiers, each used once, are not worth keeping."""
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path))


@needs_compiler
@pytest.mark.parametrize("part", range(PARTS))
def test_every_pair(part: int) -> None:
    report = campaign(fast()[part::PARTS], default(), configurations(), TURNS, part)
    holds(report)
    assert report.programs >= len(fast()) // PARTS
    assert report.too_large == 0


def no_state_sleeps(programs: Iterable[SmallProgram]) -> None:
    """Sleep sets by themselves leave no state out, and both engines take the same steps."""
    plain = Configuration("native", safety=True, store="exact", merge=False, drop_dead=False)
    how = replace(plain, reduction=Reduction("sleep"))
    for unit in units(programs, MEMBERS):
        judge = judge_of(unit, QUICK)
        ours, theirs = judge.stored(how), judge.stored(replace(how, engine="reference"))
        assert _steps(ours) == _steps(theirs), unit.text
        assert set(ours.walked) == set(judge.full.states), unit.text


def _steps(graph: AuditedGraph) -> dict[State, list[list[Choice]]]:
    """What was taken in each state, whenever it was visited, in one order."""
    return {
        state: sorted(([Choice.of(step) for step in run] for run in taken), key=str)
        for state, taken in graph.walked.items()
    }


@needs_compiler
def test_no_state_sleeps() -> None:
    no_state_sleeps(fast()[:: 4 * PARTS])


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_state_of_every_pair_sleeps(part: int) -> None:
    no_state_sleeps(fast()[part::PARTS])


@needs_compiler
def test_every_trio_with_stubborn_sets() -> None:
    """What waits for what is all that they are about, and a unit gets few of them in turn."""
    stubborn = [how for how in configurations() if how.reduction.rule is Rule.STUBBORN]
    native = [how for how in stubborn if how.engine == "native"]
    assert len(native) >= 4
    holds(campaign((trio.program() for trio in fast_trios()), native))


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_sample_in_every_configuration(part: int) -> None:
    holds(campaign(sample(200, seed=part), configurations()))


def test_some_configurations_by_name() -> None:
    """What a change may have touched is compared alone: what has a reduction, for the analysis."""
    every = tuple(dict.fromkeys((*default(), *configurations())))
    assert chosen(every) == every
    reduced = chosen(every, but=["none"])
    assert set(every) - set(reduced) == {h for h in every if h.reduction.scheme == "none"}
    assert set(chosen(every, ["native pv", "reference pv"])) == {
        how for how in every if how.reduction.scheme == "pv"
    }
    assert chosen(every, ["native"], ["native"]) == ()
