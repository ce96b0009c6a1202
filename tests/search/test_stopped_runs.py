"""A fault ends the run of a claim where it lies, and an assertion that fails does not.

The oracle is the definition, as another model: a step that faults is written as one that stops all
processes by their `provided` clause. Such a run has come to its end, and stays there for ever.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest

import whorl

BOTH = ["reference"] + (["native"] if shutil.which("cc") else [])

DECLARED = """
byte x, y, z; byte a[2]; byte i = 2; byte zero; bit stopped;
chan gone; chan c = [0] of { byte }; chan b = [1] of { byte };
"""
MODEL = DECLARED + "%s\n%s\n"

# What faults, by kind; each stands alone, as a statement that can be executed.
FAULTS = {
    "index": "a[i] = 1",
    "division": "z = 1 / zero",
    "channel": "gone!1",
    "guard": "(a[i] == 1)",
    "d_step": "d_step { z = 1; a[i] = 1 }",
}
STOP = "stopped = 1"

# The process that faults: at once, later, in the middle of something, after a choice.
FAULTY = {
    "at once": "active proctype A() { %s; x = 1 }",
    "after a step": "active proctype A() { x = 1; %s; x = 2 }",
    "first in atomic": "active proctype A() { atomic { %s; x = 1 }; x = 2 }",
    "inside atomic": "active proctype A() { atomic { x = 1; z = 1; %s; x = 2 }; x = 3 }",
    "or not": "active proctype A() { if :: %s; x = 2 :: skip fi; x = 1 }",
    "in a loop": "active proctype A() { do :: x = 1; x = 0 :: z = 1; %s; x = 2 od }",
    "behind a guard": "active proctype A() { y == 1; %s; x = 1 }",
    "after a handshake": "active proctype A() { c?_; %s; x = 1 }",
    "after a receive": "active proctype A() { atomic { b?_; x = 1; %s }; x = 2 }",
}
# The others: they show something or not, end or not, answer or not.
OTHERS = {
    "nobody": "",
    "shows": "active proctype B() { y = 1 }",
    "hides": "active proctype B() { byte n; n = 1; z = 2; n = 3; y = 1 }",
    "goes round": "active proctype B() { byte n; do :: n = 1 - n; y = 1 - y od }",
    "goes round by itself": "active proctype B() { byte n; do :: n = 1 - n od }",
    "waits": "active proctype B() { x == 1; y = 1; x == 2; y = 2 }",
    "sends": "active proctype B() { z = 1; c!1; y = 1 }",
    "sends far": "active proctype B() { byte n; n = 1; b!1; n = 2; y = 1 }",
    "accepts": "active proctype B() { byte n; n = 1; accept: y = 1; progress: y = 0; y == 7 }",
}
FORMULAS = ["<>(x==1)", "[](x==0)", "[]<>(y==1)", "<>[](x==0 && y==0)", "<>(y==1)"]


def written(faulty: str, other: str, fault: str | None) -> str:
    """The model with a fault; without one, the model that stops there by itself."""
    text = MODEL % (FAULTY[faulty] % (STOP if fault is None else FAULTS[fault]), OTHERS[other])
    if fault is None:
        text = text.replace("() {", "() provided (!stopped) {")
    return text


def verdict(model: whorl.Model | str, **options: Any) -> str:
    return whorl.check(model, **options).verdict


SCHEMES = ("none", "auto", "static", "two-phase", "v1", "si", "v0")

# --- the reference engine: everything -------------------------------------------------------------


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("faulty", FAULTY)
def test_a_fault_is_a_stop(faulty: str, other: str) -> None:
    stops = whorl.load(written(faulty, other, None))
    for turn, formula in enumerate(FORMULAS):
        wanted = verdict(stops, ltl=formula, engine="reference", por="none")
        for place, fault in enumerate(FAULTS):
            model = whorl.load(written(faulty, other, fault))
            schemes = SCHEMES if place == turn else SCHEMES[place + turn :][:1]
            for por in schemes:
                found = verdict(model, ltl=formula, engine="reference", por=por)
                unsure = por in ("v0", "v1") and found == "inconclusive"
                assert unsure or found == wanted, (fault, formula, por)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("faulty", FAULTY)
def test_fair_and_infinite_runs(faulty: str, other: str) -> None:
    stops = whorl.load(written(faulty, other, None))
    model = whorl.load(written(faulty, other, "index"))
    for formula in FORMULAS:
        for how in (
            {"fair": True},
            {"infinite_runs": True},
            {"infinite_runs": True, "fair": True},
        ):
            expected = verdict(stops, ltl=formula, engine="reference", por="none", **how)
            for por in ("none", "auto"):
                found = verdict(model, ltl=formula, engine="reference", por=por, **how)
                assert found == expected, (formula, how, por)


@pytest.mark.parametrize("what", ["acceptance", "non_progress"])
@pytest.mark.parametrize("faulty", FAULTY)
def test_labels_of_a_run_that_stops(faulty: str, what: str) -> None:
    stops = whorl.load(written(faulty, "accepts", None))
    model = whorl.load(written(faulty, "accepts", "index"))
    for algorithm in ("fig2", "fig4", "colours", "scc", "owcty"):
        ways: list[dict[str, Any]] = [{}, {"fair": True}, {"infinite_runs": True}]
        for how in ways:
            options: dict[str, Any] = {what: True, "algorithm": algorithm, **how}
            found = verdict(model, engine="reference", **options)
            assert found == verdict(stops, engine="reference", **options), options


def test_what_the_oracle_says_is_not_always_the_same() -> None:
    """Else the tests above could not fail."""
    for formula in FORMULAS:
        found = {
            verdict(written(faulty, other, None), ltl=formula, engine="reference")
            for faulty in FAULTY
            for other in OTHERS
        }
        assert found == {"holds", "violated"}, formula


# --- both engines ---------------------------------------------------------------------------------

NATIVE = pytest.mark.skipif("native" not in BOTH, reason="this machine has no cc")
COMBINATIONS = [(faulty, other) for faulty in FAULTY for other in OTHERS]


@NATIVE
@pytest.mark.parametrize(("faulty", "other"), COMBINATIONS)
def test_the_native_engine_agrees(faulty: str, other: str) -> None:
    """Every combination, each with another fault, formula, scheme and algorithm."""
    turn = COMBINATIONS.index((faulty, other))
    fault = list(FAULTS)[turn % len(FAULTS)]
    model = whorl.load(written(faulty, other, fault))
    formula = FORMULAS[turn // 3 % len(FORMULAS)]
    por = SCHEMES[turn % len(SCHEMES)]
    algorithm = ("colours", "scc", "fig2", "fig4")[turn % 4]
    wanted = verdict(model, ltl=formula, engine="reference", por="none")
    for options in ({"por": por, "algorithm": algorithm}, {}):
        found = verdict(model, ltl=formula, engine="native", **options)
        unsure = por in ("v0", "v1") and found == "inconclusive"
        assert unsure or found == wanted, (formula, options)


@NATIVE
@pytest.mark.parametrize("algorithm", ["fig2", "fig4", "colours", "scc", "owcty"])
@pytest.mark.parametrize("faulty", ["at once", "inside atomic", "in a loop"])
def test_algorithms(faulty: str, algorithm: str) -> None:
    model = whorl.load(written(faulty, "goes round by itself", "index"))
    ways: list[dict[str, Any]] = [{}, {"fair": True}, {"infinite_runs": True}, {"merge": False}]
    for how in ways:
        wanted = verdict(model, ltl="<>(x==1)", engine="reference", por="none", **how)
        options: dict[str, Any] = {"ltl": "<>(x==1)", "algorithm": algorithm, **how}
        assert verdict(model, engine="native", **options) == wanted, options


@NATIVE
@pytest.mark.parametrize("what", ["acceptance", "non_progress"])
@pytest.mark.parametrize("faulty", ["at once", "inside atomic", "in a loop"])
def test_labels(faulty: str, what: str) -> None:
    model = whorl.load(written(faulty, "accepts", "index"))
    for algorithm in ("fig2", "colours", "scc", "owcty"):
        how: dict[str, Any] = {what: True, "algorithm": algorithm}
        wanted = verdict(model, engine="reference", por="none", **how)
        assert verdict(model, engine="native", **how) == wanted, algorithm


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("por", SCHEMES)
def test_a_fault_does_not_hide_what_others_show(por: str, engine: str) -> None:
    """Taken first, and alone, it would: it is in no proper ample set."""
    for faulty in ("at once", "first in atomic", "inside atomic"):
        model = written(faulty, "shows", "index").replace("x = 1; z = 1", "z = 1; z = 2")
        assert verdict(model, ltl="[](y==0)", engine=engine, por=por) == "violated", faulty


# --- what is said ---------------------------------------------------------------------------------

FAILS = "byte x; active proctype A() { x = 1; assert(x == 0); x = 2 }"
INSIDE = written("inside atomic", "nobody", "index")


@pytest.mark.parametrize("por", ["auto", "none"])
@pytest.mark.parametrize("engine", BOTH)
def test_an_assertion_that_fails_is_a_step_like_any_other(engine: str, por: str) -> None:
    held = whorl.check(FAILS, ltl="<>(x==2)", engine=engine, por=por)
    assert held.verdict == "holds"
    assert held.exit_code == 0
    (note,) = held.notes
    assert note.startswith("an assertion of this model fails (assert(x == 0), line 1)")
    assert "safety=True" in note
    assert whorl.check(FAILS, ltl="[](x<2)", engine=engine, por=por).verdict == "violated"
    assert not whorl.check(FAILS, ltl="<>(x==2)", engine=engine, assertions=False).notes


@pytest.mark.parametrize("engine", BOTH)
def test_nothing_is_noted_where_safety_is_checked_beside_it(engine: str) -> None:
    found = whorl.check(FAILS, ltl="<>(x==2)", safety=True, engine=engine)
    assert found.verdict == "violated"
    assert not found.notes


@pytest.mark.parametrize("engine", BOTH)
def test_the_counterexample_ends_with_the_fault(engine: str) -> None:
    found = whorl.check(INSIDE, ltl="<>(x==2)", engine=engine)
    assert found.trace is not None
    assert found.trace.steps[-1].text == "a[i] = 1"
    assert found.trace.cycle == len(found.trace.steps) + 1
    assert found.trace.fault is not None
    assert found.trace.fault.startswith("array bounds: index 2")
    assert found.trace.letters[-1] is not None  # the claim looks where the run has stopped
    assert "the run ends in a fault" in str(found.trace)
    (note,) = found.notes
    assert note.startswith("a run of this model ends in a fault (array bounds: a[i] = 1")


@pytest.mark.parametrize("engine", BOTH)
def test_the_run_stops_in_the_middle_of_an_atomic_sequence(engine: str) -> None:
    assert verdict(INSIDE, ltl="<>[](x==1)", engine=engine) == "holds"
    assert verdict(INSIDE, ltl="[](x<2)", engine=engine) == "holds"
    assert verdict(INSIDE, ltl="[](x==0)", engine=engine) == "violated"


@pytest.mark.parametrize("engine", BOTH)
def test_a_never_claim_that_ends(engine: str) -> None:
    model = INSIDE + "never { do :: x == 1 -> break :: true od }"
    found = whorl.check(model, claim="never", engine=engine)
    assert found.verdict == "violated"
    assert found.trace is not None
    assert found.trace.fault is not None
