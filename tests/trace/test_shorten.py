"""Counterexamples without what has nothing to do with them."""

from __future__ import annotations

import pytest

import whorl
from whorl.program.noted import CHANNEL, COUNT, GLOBAL, PROCESS, read_by, written
from whorl.program.semantics import Semantics

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


def parts_read(text: str, who: int) -> set[tuple[str, int]]:
    """What the first step of process `who` reads."""
    semantics = Semantics(whorl.load(text).program)
    state = semantics.initial()
    step = next(step for step in semantics.steps(state) if step.pid == who)
    return read_by(semantics, state, step) - {(PROCESS, who)}


@pytest.mark.parametrize(
    ("statement", "read"),
    [
        ("x = 1", set()),
        ("x++", {(GLOBAL, 0)}),
        ("a[x] = 1", {(GLOBAL, 0)}),
        ("x = a[1]", {(GLOBAL, 2)}),
        ("if :: x == 0 -> skip :: y == 0 -> skip fi", {(GLOBAL, 0)}),
        ("if :: x == 1 -> skip :: else fi", {(GLOBAL, 0)}),
        ("c!y", {(GLOBAL, 3), (GLOBAL, 4), (CHANNEL, 0), (CHANNEL, COUNT)}),
        ("r!y", {(GLOBAL, 3), (GLOBAL, 5), (CHANNEL, 1), (CHANNEL, COUNT), (PROCESS, 1)}),
        ("run Q()", {(PROCESS, COUNT)}),
    ],
)
def test_what_a_step_looks_at(statement: str, read: set[tuple[str, int]]) -> None:
    text = f"""
    byte x; byte a[2]; byte y; chan c = [1] of {{ byte }}; chan r = [0] of {{ byte }};
    proctype Q() {{ skip }}
    active proctype P() {{ {statement} }}
    active proctype R() {{ r?_ }}
    """
    assert parts_read(text, 0) == read


def test_what_a_step_changes() -> None:
    semantics = Semantics(whorl.load("byte x, y; active proctype P() { y = 1 }").program)
    state = semantics.initial()
    (step,) = semantics.steps(state)
    assert step.state is not None
    assert written(state, step.state) == {(GLOBAL, 1), (PROCESS, 0)}
