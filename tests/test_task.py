"""A task finds out once what its stages ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import whorl
from whorl.api import load
from whorl.program.semantics import Semantics
from whorl.promela.ltl import LtlParser
from whorl.property import from_never, normal_form, stutter, translate
from whorl.property.claim import Claim
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.schemes import Reduction
from whorl.search.exploration import Options
from whorl.task import NativeOptions, Task

NEVER = """
    byte x;
    active proctype P() { do :: x < 3 -> x++ :: else -> x = 0 od }
    active proctype Q() { do :: skip od }
    never { accept: do :: x != 3 od; }
"""
FORMULA = "byte x; active proctype P() { x = 1; x = 2 } active proctype Q() { x = 3 }"


class Count:
    """How often a function is called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.calls = 0

    def __call__(self, *given: Any, **named: Any) -> Any:
        self.calls += 1
        return self.function(*given, **named)


def counted(patch: pytest.MonkeyPatch, where: object, name: str) -> Count:
    count = Count(getattr(where, name))
    patch.setattr(where, name, count)
    return count


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Every reference semantics that is made, by whether it is verbose."""
    made: list[bool] = []
    make = Semantics.__init__

    def noted(self: Semantics, program: Any, verbose: bool = False) -> None:
        made.append(verbose)
        make(self, program, verbose)

    monkeypatch.setattr(Semantics, "__init__", noted)
    return made


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_check_builds_the_semantics_once(engine: str, built: list[bool]) -> None:
    assert whorl.check(FORMULA, ltl="[] (x < 4)", safety=True, engine=engine).verdict == "holds"
    assert built == [False]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_replay_has_a_semantics_of_its_own(engine: str, built: list[bool]) -> None:
    assert whorl.check(FORMULA, ltl="[] (x < 3)", engine=engine).verdict == "violated"
    assert built == [False, True]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("por", ["auto", "none", "v1"])
def test_stutter_invariance_is_decided_once(
    engine: str, por: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided = counted(monkeypatch, stutter, "is_stutter_invariant")
    whorl.check(NEVER, claim="never", engine=engine, por=por)
    assert decided.calls == (0 if (engine, por) == ("reference", "none") else 1)


def test_a_formula_is_read_and_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    make = LtlParser.__init__

    def noted(self: LtlParser, *given: Any, **named: Any) -> None:
        read.append(self)
        make(self, *given, **named)

    monkeypatch.setattr(LtlParser, "__init__", noted)
    made = counted(monkeypatch, translate, "translate")
    whorl.check(FORMULA, ltl="<> (x == 2)")
    assert (len(read), made.calls) == (1, 1)


def never() -> tuple[Semantics, Claim]:
    program = load(NEVER).program
    return Semantics(program), from_never.from_never(program, program.never[0])


def test_a_plan_is_made_of_what_was_asked() -> None:
    semantics, claim = never()
    assert Task(semantics, claim, reduction=Reduction("auto")).plan.scheme == "two-phase-ample"
    fair = Task(semantics, claim, Options(fair=True), reduction=Reduction("auto"))
    assert fair.plan.scheme == "none"
    assert "fairness" in (fair.plan.why_none or "")
    shortest = Task(semantics, None, Options(shortest=True), reduction=Reduction("auto"))
    assert shortest.plan.scheme == "none"


def test_a_plan_that_is_given_is_carried_out() -> None:
    semantics, claim = never()
    given = Plan(Reduction("v1"))
    assert Task(semantics, claim, reduction=given).plan is given
    assert Task(semantics, claim).plan is NONE


def test_whether_steps_may_be_merged() -> None:
    semantics, claim = never()
    assert Task(semantics, claim).may_merge
    assert Task(semantics, claim, reduction=Reduction("auto")).may_merge
    assert not Task(semantics, claim, stutter_invariant=False).may_merge
    assert not Task(semantics).may_merge, "safety has no claim; the native engine decides by itself"


def test_the_claim_is_read_in_si_normal_form_where_the_scheme_wants_it() -> None:
    semantics, claim = never()
    assert Task(semantics, claim, reduction=Reduction("v1")).read_as is claim
    normal = Task(semantics, claim, reduction=Reduction("si")).read_as
    assert not normal_form.is_si_normal_form(claim.automaton)
    assert normal is not None
    assert normal.normal_form is not None


def test_a_claim_that_accepts_nothing_is_read_as_it_is() -> None:
    semantics, claim = never()
    watches = replace(claim, automaton=replace(claim.automaton, accepting=frozenset()))
    assert Task(semantics, watches, reduction=Reduction("si")).read_as is watches


def test_the_name_of_a_task_is_that_of_its_property() -> None:
    semantics, claim = never()
    assert Task(semantics).name == "safety"
    assert Task(semantics, claim).name == claim.name


def test_dead_variables_follow_merging_unless_told() -> None:
    assert NativeOptions().resets
    assert not NativeOptions(merge=False).resets
    assert NativeOptions(merge=False, drop_dead=True).resets
