"""Where a run stops the claim looks at its last state for ever, and may see there what it did not
see when it came: `np_` is false, and propositions are needed that were not.

What it finds out only then has to be replayed like everything else, however the run has stopped.
"""

from __future__ import annotations

import pytest

import whorl

# How a run stops, with x == 1; and what stands before.
STOPS = {
    "invalid end": "x = 1; x == 2",
    "valid end": "x = 1; end: x == 2",
    "end of the process": "x = 1",
    "blocked in an atomic sequence": "atomic { x = 1; x == 2 }",
    "fault": "x = 1; a[i] = 1",
    "fault in an atomic sequence": "atomic { x = 1; a[i] = 1 }",
    "fault as the first step of one": "x = 1; atomic { a[i] = 1; x = 2 }",
    "behind progress": "progress: x = 1; x == 2",
    "fault behind progress": "progress: x = 1; a[i] = 1",
}
MODEL = "byte x; byte a[2]; byte i = 2; active proctype P() { %s }"
# Formulas with what becomes of them where every run stops.
FORMULAS = {
    "[] np_": "violated",
    "<> !np_": "holds",
    "[] (x == 1 -> np_)": "violated",
    "np_ W (x == 5)": "violated",
    "np_ U (x == 5)": "violated",
    "[] <> np_": "violated",
    "<> [] !np_": "holds",
    "X X X X np_": "violated",
    "X X X X !np_": "holds",
    # no value where the run has stopped, and nowhere else
    "[] ((np_ -> 1 : 1 / (x - x)) == 1)": "violated",
    "<> ((np_ -> 0 : 1 / (x - x)) == 1)": "violated",
    # no value anywhere, but needed only then
    "X X X X (1 / (x - x) == 1)": "violated",
    "[] (x == 7 -> 1 / (x - x) == 1)": "violated",  # all of a letter is needed at once
}


@pytest.mark.parametrize("fair", [False, True], ids=["", "fair"])
@pytest.mark.parametrize("stops", sorted(STOPS))
def test_what_is_seen_where_a_run_has_stopped(stops: str, fair: bool) -> None:
    model = MODEL % STOPS[stops]
    if "progress" in stops:
        formulas = [f for f in FORMULAS if "np_" not in f or "X X" in f or "<>" in f]
    else:
        formulas = list(FORMULAS)
    wanted = [FORMULAS[formula] for formula in formulas]
    for engine, por in (("auto", "auto"), ("reference", "none")):
        found = whorl.check(model, ltl=formulas, fair=fair, all_errors=True, engine=engine, por=por)
        assert [p.verdict for p in found.properties] == wanted


def test_a_proposition_has_no_value_where_the_claim_needs_it() -> None:
    """Not in any state before, though it has none there either."""
    for engine in ("auto", "reference"):
        found = whorl.check(MODEL % STOPS["fault"], ltl="X X (1 / (x - x) == 1)", engine=engine)
        assert found.trace is not None
        assert found.trace.kind == "division by zero"
        assert len(found.trace.steps) == 2
        assert found.trace.fault is not None


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_proposition_has_no_value_before_phase_1_is_over(engine: str) -> None:
    """A reduced search reads the state after the end of A, a replay also the one before."""
    text = "bit a[2]; byte i; active proctype A() { i = 1; i = 2 }"
    found = whorl.check(text, ltl="[] (a[i] == 0)", engine=engine)
    assert found.trace is not None
    assert found.trace.kind == "array bounds"
    assert found.trace.steps[1].text == "i = 2"
