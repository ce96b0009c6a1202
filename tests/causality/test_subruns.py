"""Which steps of a counterexample are needed: by hand, and by trying every part of the run."""

from __future__ import annotations

import pytest

import whorl
from support.explanations import FORMULAS, Found, looping, straight
from whorl.causality import subruns
from whorl.causality.explain import explain
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.search.exploration import Options
from whorl.trace.replay import replay


def check_needed(found: Found) -> int:
    """Compares the explanation with all parts of the run; how many units are not needed."""
    said = found.trace.explanation
    assert said is not None
    assert not said.undecided
    dispensable = found.dispensable()
    expected = {
        number
        for unit in range(len(found.units))
        if unit not in dispensable
        for number in found.numbers(unit)
    }
    assert set(said.needed) == expected
    return len(dispensable)


@pytest.mark.parametrize("end_states", [False, True])
def test_every_part_of_a_run_that_ends(end_states: bool) -> None:
    looked_at = left_out = 0
    for seed in range(80):
        found = Found.of(straight(seed), end_states=end_states)
        if found is not None and len(found.units) <= 9:
            looked_at += 1
            left_out += check_needed(found)
    assert looked_at > 20
    assert left_out > 20


@pytest.mark.parametrize("fair", [False, True])
def test_every_part_of_a_lasso(fair: bool) -> None:
    looked_at = left_out = 0
    for seed in range(60):
        formula = FORMULAS[seed % len(FORMULAS)]
        found = Found.of(looping(seed), formula, fair=fair)
        if found is not None and len(found.stem) <= 4 and len(found.around) <= 3:
            looked_at += 1
            left_out += check_needed(found)
    assert looked_at > 15
    assert left_out > 5


def needed(text: str, **options: object) -> list[str]:
    """The statements of the steps that are needed."""
    trace = whorl.check(text, explain=True, engine="reference", por="none", **options).trace  # type: ignore[arg-type]
    assert trace is not None
    assert trace.explanation is not None
    return [trace.steps[number - 1].text for number in trace.explanation.needed]


def test_a_step_of_another_process_that_nothing_waits_for() -> None:
    text = "byte x; active proctype A() { x = 1; assert(x == 2) } active proctype B() { x = 3 }"
    assert needed(text, shorten=False, end_states=False) == ["x = 1", "assert(x == 2)"]


def test_an_atomic_sequence_is_needed_as_a_whole() -> None:
    text = "byte x, y; active proctype A() { atomic { y = 1; x = 1 }; assert(!x) }"
    assert needed(text) == ["y = 1", "x = 1", "assert(!x)"]


def test_a_round_that_could_be_left_out() -> None:
    """Either round would do, so neither is needed; the guard is taken in both."""
    text = "byte x; active proctype A() { do :: x < 2 -> x++ :: x > 0 -> break od; assert(false) }"
    trace = whorl.check(text, explain=True, engine="reference", por="none", shorten=False).trace
    assert trace is not None
    assert trace.explanation is not None
    assert [step.text for step in trace.steps].count("x++") == 2
    assert needed(text, shorten=False) == ["x > 0", "assert(false)"]


def test_what_is_only_tried_is_right_where_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit that is hit, steps are undecided, and what is not needed is not needed."""
    looked_at = 0
    for seed in range(80):
        monkeypatch.undo()
        whole = Found.of(straight(seed), end_states=False)
        monkeypatch.setattr(subruns, "MOST_POINTS", 0)
        tried = Found.of(straight(seed), end_states=False)
        if whole is None or tried is None:
            continue
        looked_at += 1
        exact, said = whole.trace.explanation, tried.trace.explanation
        assert exact is not None
        assert said is not None
        assert not said.needed
        assert set(exact.needed) <= set(said.undecided)
    assert looked_at > 10


def needed_of(text: str, pids: tuple[int, ...]) -> tuple[int, ...]:
    """What is needed of a run in which these processes move, each by its first step."""
    semantics = Semantics(whorl.load(text).program)
    state, choices = semantics.initial(), []
    for pid in pids:
        step = semantics.steps_by(state, pid)[0]
        choices.append(Choice.of(step))
        assert step.pid == pid
        assert step.state is not None
        state = step.state
    trace = replay(semantics.program, "assertion", tuple(choices))
    said = explain(semantics, trace, None, Options())
    assert said.undecided == ()
    return said.needed


def test_a_run_that_could_have_ended_sooner() -> None:
    """Without C, the assertion fails when it is first reached: nothing after that is needed."""
    text = """
    byte x;
    active proctype A() { do :: assert(x == 0) od }
    active proctype B() { x = 1; x = 1 }
    active proctype C() { x = 0 }
    """
    assert needed_of(text, (1, 2, 0, 1, 0)) == (1,)


def test_another_assertion_with_the_same_text_is_another_violation() -> None:
    """Without C, that of A fails; but it is that of E which the run shows."""
    text = """
    byte x;
    active proctype A() { assert(x == 0) }
    active proctype B() { x = 1 }
    active proctype C() { x = 0 }
    active proctype D() { x = 1 }
    active proctype E() { assert(x == 0) }
    """
    assert needed_of(text, (1, 2, 0, 3, 4)) == (5,)


def test_a_step_is_not_taken_twice_in_place_of_another() -> None:
    """Both rounds of B are needed: either of them counts once."""
    text = """
    byte x;
    active proctype A() { assert(x < 2) }
    active proctype B() { do :: x++ od }
    """
    assert needed_of(text, (1, 1, 0)) == (1, 2, 3)


def test_a_claim_does_not_look_into_an_atomic_sequence() -> None:
    text = "byte x; active proctype A() { atomic { x = 1; x = 0 }; x = 1 }"
    assert needed(text, ltl="[] (x == 0)") == ["x = 1", "x = 0", "x = 1"]


def test_a_claim_looks_where_an_atomic_sequence_blocks() -> None:
    text = """
    byte x, y, z;
    active proctype A() { atomic { x = 1; (y == 1); x = 2 } }
    active proctype C() { z = 1 }
    """
    trace = whorl.check(
        text, ltl="[] (x != 1)", explain=True, engine="reference", por="none", shorten=False
    ).trace
    assert trace is not None
    assert [step.text for step in trace.steps][-1] == "x = 1"
    assert len(trace.steps) > 1
    assert needed(text, ltl="[] (x != 1)", shorten=False) == ["x = 1"]
