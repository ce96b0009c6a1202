"""The entry point of the searches for cycles: what it reports, its options and its limits."""

from __future__ import annotations

import dataclasses

import pytest

import whorl
from support.cycles import algorithms, claim_of, search
from whorl.diagnostics import WhorlError
from whorl.engines import reference_semantics
from whorl.property.labels import acceptance, non_progress
from whorl.search.acceptance import find_violation
from whorl.search.exploration import Options
from whorl.search.limits import Limits, Progress
from whorl.trace.replay import ReplayError, replay
from whorl.trace.trace import Trace

TOGGLE = """
bit x, y;
active proctype P() { do :: x = 1; x = 0 od }
active proctype Q() { do :: atomic { y = 1; y = 0 } od }
never { do :: x == 1 -> break :: true od; accept: do :: x == 1 od }
"""
STOPS = """
byte x; active proctype P() { x = 1; x = 2 }
never { do :: x == 2 -> break :: true od; accept: do :: x == 2 od }
"""


@pytest.mark.parametrize("algorithm", algorithms(False, False))
def test_a_lasso(algorithm: str) -> None:
    found, (trace,) = search(TOGGLE, algorithm=algorithm)
    (violation,) = found.violations
    assert violation.kind == trace.kind == "never claim"
    assert violation.loop is not None
    assert trace.cycle == violation.loop + 1
    assert trace.propositions == ("x == 1",)
    assert [step.pid for step in trace.steps[violation.loop :]].count(0) == 0
    assert trace.truth(violation.loop) == {"x == 1": True}
    assert trace.truth(violation.loop + 1) is None  # in the middle of the atomic sequence


def test_the_shortest_lasso() -> None:
    _, (trace,) = search(TOGGLE, algorithm="scc")
    assert len(trace.steps) == 3
    assert trace.cycle == 2
    assert trace.letters == (0, 1, None, 1)


def test_a_run_that_stops_is_extended() -> None:
    _, (trace,) = search(STOPS)
    assert trace.cycle == len(trace.steps) + 1


def test_unless_only_infinite_runs_count() -> None:
    for algorithm in algorithms(False, False):
        assert not search(STOPS, infinite_runs=True, algorithm=algorithm)[0].violations
        assert search(TOGGLE, infinite_runs=True, algorithm=algorithm)[0].violations


def test_an_end_of_the_claim_is_no_violation_of_infinite_runs_that_cannot_be() -> None:
    model = (
        "byte x; active proctype P() { x = 1; x = 2 } never { do :: x == 1 -> break :: true od }"
    )
    found, (trace,) = search(model)
    assert found.violations[0].loop is None
    assert trace.letters == (0, 1)
    assert not search(model, infinite_runs=True)[0].violations


def test_fairness_makes_the_other_process_move() -> None:
    assert not search(TOGGLE, fair=True)[0].violations


def test_assertions_that_fail_on_the_way_are_no_violations_of_a_claim() -> None:
    model = (
        "byte x; active proctype P() { x = 1; assert(x == 0); accept: do :: x < 9 -> x = 1 - x od }"
    )
    program = whorl.load(model).program
    semantics = reference_semantics(program)
    first = find_violation(semantics, acceptance(), Options())
    assert [v.kind for v in first.violations] == ["acceptance"]
    assert {kind for kind, _ in first.met} == {"assertion"}
    without = find_violation(semantics, acceptance(), Options(assertions=False))
    assert [v.kind for v in without.violations] == ["acceptance"]
    assert not without.met


def test_fig5_is_for_non_progress_alone() -> None:
    semantics = reference_semantics(whorl.load("init { skip }").program)
    with pytest.raises(WhorlError, match="nothing else"):
        find_violation(semantics, acceptance(), Options(algorithm="fig5"))
    with pytest.raises(WhorlError, match="no fairness"):
        find_violation(semantics, non_progress(), Options(algorithm="fig5", fair=True))
    with pytest.raises(WhorlError, match="unknown search 'fig7'"):
        find_violation(semantics, acceptance(), Options(algorithm="fig7"))


def test_fig5_needs_half_the_nodes_of_fig6() -> None:
    model = "byte x; active proctype P() { do :: x < 100 -> x++ :: else -> progress: x = 0 od }"
    five, _ = search(model, non_progress_cycles=True, algorithm="fig5")
    six, _ = search(model, non_progress_cycles=True, algorithm="fig4")
    assert not five.violations
    assert not six.violations
    assert six.progress.states > 1.9 * five.progress.states


# --- limits --------------------------------------------------------------------------------------

COUNTER = "int x; active proctype P() { do :: x < 5000 -> x++ od } never { do :: true od }"


@pytest.mark.parametrize("algorithm", algorithms(False, False))
def test_limits(algorithm: str) -> None:
    found, _ = search(COUNTER, algorithm=algorithm, max_states=100)
    assert found.stopped == "the limit of 100 states was reached"
    assert found.progress.states == 100
    semantics = reference_semantics(whorl.load(COUNTER).program)
    claim = claim_of(semantics.program)
    found = find_violation(
        semantics, claim, Options(algorithm=algorithm, limits=Limits(depth=50, seconds=600))
    )
    assert found.truncated
    assert found.stopped is None
    assert found.progress.depth == 50


def test_progress_and_interruption() -> None:
    seen: list[int] = []

    def report(progress: Progress) -> None:
        seen.append(progress.states)
        if len(seen) == 3:
            raise KeyboardInterrupt

    semantics = reference_semantics(whorl.load(COUNTER).program)
    found = find_violation(semantics, claim_of(semantics.program), Options(report=report))
    assert found.stopped == "it was interrupted"
    assert seen == [256, 512, 768]


# --- replay --------------------------------------------------------------------------------------


def lasso(model: str) -> tuple[whorl.Model, Trace, int]:
    found, (trace,) = search(model, algorithm="scc")
    loop = found.violations[0].loop
    assert loop is not None
    return whorl.load(model), trace, loop


def test_replay_refuses_what_is_not_accepted() -> None:
    model, trace, loop = lasso(TOGGLE)
    claim = claim_of(model.program)
    assert replay(model.program, trace.kind, trace.choices, claim, loop) == trace

    def refuses(why: str, loop: int | None, choices: int = 3, fair: bool = False) -> None:
        with pytest.raises(ReplayError, match=why):
            replay(model.program, trace.kind, trace.choices[:choices], claim, loop, fair)

    refuses("does not come back", 0)
    refuses("within an atomic sequence", 2)
    refuses("does not stay", 3)
    refuses("does not come to an end", None)
    refuses("process 0 could always move", 1, fair=True)
    refuses("does not come back", 1, choices=2)


def test_replay_refuses_a_word_that_the_automaton_refuses() -> None:
    model, trace, loop = lasso(TOGGLE)
    claim = dataclasses.replace(
        claim_of(model.program), automaton=claim_of(whorl.load(OTHER).program).automaton
    )
    with pytest.raises(ReplayError, match="does not accept"):
        replay(model.program, trace.kind, trace.choices, claim, loop)


OTHER = TOGGLE.replace("accept: do :: x == 1 od", "accept: do :: !(x == 1) od")


def test_replay_refuses_a_formula_that_holds() -> None:
    from whorl.language.formula import Formula, Op, atom

    model, trace, loop = lasso(TOGGLE)
    false = Formula(Op.GLOBALLY, (Formula(Op.FINALLY, (Formula(Op.NOT, (atom("x == 1"),)),)),))
    claim = dataclasses.replace(claim_of(model.program), formula=false)
    assert replay(model.program, trace.kind, trace.choices, claim, loop).letters == trace.letters
    claim = dataclasses.replace(claim, formula=Formula(Op.NOT, (false,)))
    with pytest.raises(ReplayError, match="the formula holds"):
        replay(model.program, trace.kind, trace.choices, claim, loop)


def test_replay_of_a_run_that_stops() -> None:
    model, trace, loop = lasso(STOPS)
    claim = claim_of(model.program)
    assert loop == len(trace.choices)
    with pytest.raises(ReplayError, match="does not stay"):
        replay(model.program, trace.kind, trace.choices[:1], claim, 1)


def test_a_claim_that_ends_only_after_the_run_has_stopped() -> None:
    model = "byte x; active proctype P() { x = 1 } never { x == 0; x == 1; x == 1; x == 1; x == 1 }"
    found, (trace,) = search(model)
    assert found.violations[0].loop is None
    assert [step.text for step in trace.steps] == ["x = 1", "-end-"]
    claim = claim_of(whorl.load(model).program)
    with pytest.raises(ReplayError, match="does not come to an end"):
        replay(whorl.load(model).program, trace.kind, trace.choices[:1], claim)


def test_np_is_false_while_the_run_stutters() -> None:
    model = whorl.load("byte x; active proctype P() { x = 1; x == 2 }")
    found, _ = search("byte x; active proctype P() { accept: x = 1; x == 2 }")
    assert not found.violations
    claim = non_progress()
    steps = find_violation(
        reference_semantics(model.program),
        dataclasses.replace(acceptance(), automaton=claim.automaton, atoms=claim.atoms),
        Options(),
    )
    assert not steps.violations
