"""Counterexamples without what has nothing to do with them."""

from __future__ import annotations

import pytest

import whorl

BUSY = """
byte x, y; chan c = [1] of { byte };
proctype W(byte k) { do :: c!k :: c?_ od }
active proctype A() { x = 1; (y == 2); assert(x != 1) }
active proctype B() { y = 1; y = 2 }
active proctype N() { byte j; do :: j++ od }
init { run W(1); run W(2) }
"""

COUNTS = " active proctype N() { byte j; do :: j++ od }"


def movers(trace: whorl.Trace, first: int = 0) -> set[str]:
    return {step.process for step in trace.steps[first:]}


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("por", ["none", "auto"])
def test_processes_that_do_not_matter_are_left_out(engine: str, por: str) -> None:
    found = whorl.check(BUSY, engine=engine, por=por, end_states=False).traces[0]
    assert movers(found) == {"A", "B"}
    assert len(found.steps) == 5


def test_the_run_as_it_was_found() -> None:
    as_found = whorl.check(
        BUSY, engine="reference", por="none", end_states=False, shorten=False
    ).traces[0]
    assert len(as_found.steps) > 5


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_lasso_in_which_only_those_move_who_have_to(engine: str) -> None:
    text = "bool p; active proctype A() { p = 1; do :: skip od }" + COUNTS
    found = whorl.check(text, ltl="<>[] !p", engine=engine).traces[0]
    assert found.cycle is not None
    assert found.steps[0].process == "A"
    assert len(movers(found, found.cycle - 1)) == 1


def test_what_lies_between_two_equal_states_is_left_out() -> None:
    text = """
    byte x;
    active proctype A() { do :: x = 1; x = 0 :: break od; assert(false) }
    """
    found = whorl.check(text, engine="reference", por="none").traces[0]
    assert [step.text for step in found.steps] == ["assert(false)"] or len(found.steps) == 2


def test_a_failing_step_that_leads_back_is_kept() -> None:
    """The state behind the assertion is one that the run has passed."""
    text = "byte x; active proctype A() { do :: x = 1; x = 0; assert(x) od }"
    found = whorl.check(text).traces[0]
    assert [step.text for step in found.steps] == ["x = 1", "x = 0", "assert(x)"]


def test_who_is_started_before_keeps_its_number() -> None:
    text = """
    byte x;
    proctype Idle() { skip }
    proctype Bad() { assert(_pid == 0) }
    init { run Idle(); run Idle(); run Bad() }
    """
    found = whorl.check(text, end_states=False).traces[0]
    assert found.steps[-1].process == "Bad"
    assert sum(step.text.startswith("run") for step in found.steps) == 3


def test_fairness_asks_for_moves_of_others() -> None:
    text = "bool p; active proctype A() { do :: p = !p od }" + COUNTS
    found = whorl.check(text, ltl="<>[] p", fair=True).traces[0]
    assert found.cycle is not None
    assert movers(found, found.cycle - 1) == {"A", "N"}
