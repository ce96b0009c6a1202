"""The nearest run that passes: it is one, and no short run passes that parts later."""

from __future__ import annotations

import pytest

import whorl
from support.explanations import FORMULAS, Found, looping, straight
from whorl.causality import passing
from whorl.diagnostics import Source, Span
from whorl.language.formula import Formula, Op
from whorl.program.choice import Choice
from whorl.program.program import LtlProperty
from whorl.selection import ltl_claim
from whorl.trace.replay import confirm, follow
from whorl.trace.trace import Explanation, PassingRun

SHORT = 6  # runs of the program in what brute force tries


def explanation(text: str, **options: object) -> Explanation:
    trace = whorl.check(text, explain=True, **options).trace  # type: ignore[arg-type]
    assert trace is not None
    assert trace.explanation is not None
    return trace.explanation


def choices_of(found: Found, run: PassingRun) -> tuple[tuple[Choice, ...], int | None]:
    """The choices of a run that passes, found again from the steps as they are told."""
    semantics = found.semantics
    steps = [*found.trace.steps[: run.after], *run.steps]
    state, taken, loop = semantics.initial(), list[Choice](), None
    for step in steps:
        if step.number == run.cycle:
            loop = len(taken)
        while True:  # steps that only pass control on are not told
            options = semantics.steps(state)
            told = [
                each for each in options
                if each.pid == step.pid and each.transition.text == step.text
                and each.transition.span.line == step.line
                and (each.partner is None or each.partner[0] == step.partner_pid)
            ]  # fmt: skip
            if told:
                break
            (silent,) = [each for each in options if not each.transition.text]
            taken.append(Choice.of(silent))
            assert silent.state is not None
            state = silent.state
        taken.append(Choice.of(told[0]))
        assert told[0].state is not None
        assert not (found.claim is None and told[0].failures)
        state = told[0].state
    return tuple(taken), loop


def check_it_passes(found: Found, run: PassingRun) -> None:
    """Takes the run again: the replay says that it is fair, goes round, and violates nothing."""
    choices, loop = choices_of(found, run)
    if run.ending == "cycle":
        assert loop is not None
    else:
        loop = len(choices)
    violated = Formula(Op.FALSE)
    if found.claim is not None:
        assert found.claim.formula is not None
        violated = Formula(Op.NOT, (found.claim.formula,))
    atoms = () if found.claim is None else found.claim.atoms
    given = LtlProperty("opposite", violated, atoms, "", Span(Source("", ""), 0, 0))
    confirm(found.semantics, "ltl", choices, ltl_claim(given), loop, fair=True)
    if found.claim is None and run.ending == "stops":
        first, steps = follow(found.semantics, choices)
        last = steps[-1].state if steps else first
        assert last is not None
        assert not found.end_states or found.semantics.is_valid_end(last)


def check(found: Found) -> bool:
    """Whether there is a run that passes; it does, and no short one that parts later."""
    said = found.trace.explanation
    assert said is not None
    assert said.certain
    after = -1
    if said.passing is not None:
        check_it_passes(found, said.passing)
        shown = [max(found.numbers(n), default=0) for n in range(len(found.units))]
        after = [0, *shown].index(said.passing.after)
        assert said.passing.steps or said.passing.ending == "stops"
    failing = found.claim is None and bool(found.steps and found.steps[-1].failures)
    last = len(found.stored_states()) - (1 if failing and found.steps[-1].state is not None else 0)
    for later in range(after + 1, last):
        assert not found.passes_from(later, SHORT), f"a run passes from the state after {later}"
    return said.passing is not None


@pytest.mark.parametrize("end_states", [False, True])
def test_safety(end_states: bool) -> None:
    passed = failed = 0
    for seed in range(80):
        found = Found.of(straight(seed), end_states=end_states)
        if found is not None:
            if check(found):
                passed += 1
            else:
                failed += 1
    assert passed > 10
    assert failed > 3


@pytest.mark.parametrize("fair", [False, True])
def test_formulas(fair: bool) -> None:
    passed = failed = 0
    for seed in range(200):
        found = Found.of(looping(seed), FORMULAS[seed % len(FORMULAS)], fair=fair)
        if found is not None:
            if check(found):
                passed += 1
            else:
                failed += 1
    assert passed > 10
    assert failed > 3


def test_a_lost_update_parts_where_the_second_one_reads() -> None:
    text = """
    byte n, done;
    active [2] proctype P() { byte t; t = n; n = t + 1; done++ }
    active proctype Q() { done == 2; assert(n == 2) }
    """
    said = explanation(text)
    assert said.certain
    assert said.passing is not None
    assert said.passing.after == 1
    assert said.passing.steps[0].text == "n = t + 1"
    assert said.passing.ending == "stops"


def test_a_process_that_goes_round_does_not_put_off_what_is_inevitable() -> None:
    """A run in which A never moves again is not fair."""
    text = "active proctype A() { assert(false) } active proctype B() { do :: skip od }"
    said = explanation(text)
    assert said.certain
    assert said.passing is None


def test_a_deadlock_that_two_locks_lead_to() -> None:
    text = """
    bit a, b;
    active proctype P() { atomic { !a; a = 1 }; atomic { !b; b = 1 }; a = 0; b = 0 }
    active proctype Q() { atomic { !b; b = 1 }; atomic { !a; a = 1 }; b = 0; a = 0 }
    """
    said = explanation(text)
    assert said.certain
    assert said.passing is not None
    assert said.passing.after == 2  # one of them has its first lock
    assert said.passing.steps[0].pid == whorl.check(text, explain=True).traces[0].steps[0].pid


def test_labels() -> None:
    accept = "byte x; active proctype A() { do :: x = 1; accept: x = 0 :: break od }"
    said = explanation(accept, acceptance=True)
    assert said.passing is not None
    assert said.passing.ending == "stops"
    said = explanation("byte x; active proctype A() { do :: x = 1; accept: x = 0 od }")
    assert said.certain
    assert said.passing is None
    idle = "byte x; active proctype A() { do :: x = 1 :: x = 2; progress: x = 3 od }"
    said = explanation(idle, non_progress=True)
    assert said.passing is not None
    assert said.passing.cycle is not None
    assert "x = 3" in [step.text for step in said.passing.steps]


def test_a_never_claim_is_complemented() -> None:
    text = """
    byte x;
    active proctype A() { do :: x = 1 :: x = 2; break od }
    never { do :: (x == 2) -> break :: else od }
    """
    said = explanation(text, claim="never")
    assert said.certain
    assert said.passing is not None
    assert {step.text for step in said.passing.steps} == {"x = 1"}


def test_a_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With few states to look at, a run is followed as far as it may be, or none is found."""
    counts = """
    short n;
    active proctype A() { do :: n < 900 -> n++ od }
    active proctype B() { (n > 3); assert(n < 3) }
    """
    monkeypatch.setattr(passing, "MOST_STATES", 3)
    monkeypatch.setattr(passing, "MOST_NEAR", 3)
    monkeypatch.setattr(passing, "LONGEST", 5)
    said = explanation(counts, end_states=False)
    assert not said.certain
    said = explanation(counts, end_states=False, ltl="<> (n == 950)")
    assert not said.certain
    assert said.passing is None
