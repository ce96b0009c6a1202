"""Atomic sequences that go round for ever: infinite runs, which properties must see.

Both engines, with and without reduction. What each formula must say is written beside the model.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest

import whorl

BOTH = ["reference"] + (["native"] if shutil.which("cc") else [])
SCHEMES = ("none", "auto", "static", "two-phase", "v1", "si")

# Waits in a loop with control in its hands, so that nobody can ever set the flag.
SPINS = """
bit flag, done; byte x;
active proctype P() { atomic { do :: flag -> break :: else -> skip od }; done = 1 }
active proctype Q() { flag = 1; x = 1 }
"""
# Goes round by a jump, or leaves.
JUMPS = """
bit done; byte x;
active proctype P() {
    byte n;
    atomic { n = 1;
again:  if :: n = 1 - n; goto again :: n == 1 -> skip fi };
    done = 1
}
active proctype Q() { x = 1; x = 2 }
"""
# Control goes round by handshakes.
PASSES = """
chan there = [0] of { bit }, back = [0] of { bit };
bit done; byte x;
active proctype P() { atomic { do :: there!1; back?_ :: x == 1 -> break od }; done = 1 }
active proctype Q() { atomic { do :: there?_; back!1 od } }
active proctype R() { x = 1 }
"""
# What the others see changes before control is never given back.
SHOWS = """
bit done; byte x;
active proctype P() { atomic { x = 1; do :: skip od }; done = 1 }
active proctype Q() { x = 2; x = 3 }
"""
# A counter makes the round end.
ENDS = """
bit done; byte x;
active proctype P() { byte n; atomic { do :: n < 3 -> n++ :: else -> break od }; done = 1 }
active proctype Q() { x = 1 }
"""
# A fault ends it.
FAULTS = """
bit done; byte x; byte a[2];
active proctype P() { byte n; atomic { do :: a[n] = 1; n++ od }; done = 1 }
active proctype Q() { x = 1 }
"""
# Formulas, and whether each holds.
CASES: dict[str, tuple[str, dict[str, bool]]] = {
    "spins": (SPINS, {"<> done": False, "[] !done": False, "<> (x == 1)": False,
                      "[] (done -> flag)": True, "<> flag": False}),
    "jumps": (JUMPS, {"<> done": False, "[] !done": False, "<> (x == 2)": False,
                      "[] (x < 3)": True}),
    "passes": (PASSES, {"<> done": False, "[] !done": False, "<> (x == 1)": False,
                        "[] (done -> x == 1)": True}),
    "shows": (SHOWS, {"[] !done": True, "<> (x == 1)": True, "<> (x == 3)": False,
                      "[] (x == 1 -> [] (x == 1))": True, "<> (x > 0)": True,
                      "<> [] (x > 0)": True}),
    "ends": (ENDS, {"<> done": True, "<> (x == 1)": True, "[] !done": False}),
    "faults": (FAULTS, {"<> done": False, "[] !done": True, "<> (x == 1)": False}),
}  # fmt: skip
WHAT = [(name, formula) for name, (_, formulas) in CASES.items() for formula in formulas]
ENDLESS = "an atomic sequence of this model can go round for ever"


def verdict(model: str, **options: Any) -> str:
    return whorl.check(model, **options).verdict


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize(("name", "formula"), WHAT)
def test_formulas(name: str, formula: str, engine: str) -> None:
    model, formulas = CASES[name]
    wanted = "holds" if formulas[formula] else "violated"
    ways: list[dict[str, Any]] = [{"por": por} for por in SCHEMES]
    ways += [{"algorithm": algorithm} for algorithm in ("fig2", "fig4", "scc", "owcty")]
    ways.append({"merge": False})
    if engine == "native":  # each takes a compiler's time: the default, and two in turn
        turn = WHAT.index((name, formula))
        ways = [{}, ways[2 * turn % len(ways)], ways[(2 * turn + 1) % len(ways)]]
    for how in ways:
        found = verdict(model, ltl=formula, engine=engine, **how)
        unsure = how.get("por") == "v1" and found == "inconclusive"
        assert unsure or found == wanted, how


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("name", CASES)
def test_cycles_without_progress(name: str, engine: str) -> None:
    model, _ = CASES[name]
    wanted = "holds" if name in ("ends", "faults") else "violated"
    for algorithm in ("fig2", "fig4", "fig5", "colours", "scc", "owcty"):
        if engine == "native" and algorithm == "fig4" and name != "spins":
            continue
        found = verdict(model, non_progress=True, engine=engine, algorithm=algorithm)
        assert found == wanted, algorithm


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("name", CASES)
def test_infinite_runs_and_fair_ones(name: str, engine: str) -> None:
    """Nobody else can move while control is kept, so that such a round is fair."""
    model, formulas = CASES[name]
    for how in ({"infinite_runs": True}, {"fair": True}):
        for formula in list(formulas)[:2]:
            wanted = verdict(model, ltl=formula, engine="reference", por="none", **how)
            assert verdict(model, ltl=formula, engine=engine, **how) == wanted, (formula, how)
    if name in ("spins", "jumps", "passes"):
        assert verdict(model, ltl="<> done", engine=engine, fair=True) == "violated"
        assert verdict(model, ltl="<> done", engine=engine, infinite_runs=True) == "violated"


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("name", CASES)
def test_the_note_stays(name: str, engine: str) -> None:
    model, _ = CASES[name]
    notes = whorl.check(model, ltl="[] (x < 9)", engine=engine).notes
    assert (ENDLESS in notes) == (name not in ("ends", "faults"))


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("por", ["none", "auto", "static", "two-phase", "persistent"])
@pytest.mark.parametrize("cache", ["all", "selective"])
def test_an_endless_sequence_hides_nothing_from_safety(por: str, cache: str, engine: str) -> None:
    """Its run is in no ample set: what others do instead would never be seen."""
    if cache == "selective" and por == "none":
        return
    for body in ("do :: n = 1 - n od", "n = 1; do :: skip od", "x = 1; do :: n = 1 - n od"):
        model = f"""
        byte x, y;
        active proctype P() {{ byte n; atomic {{ {body} }} }}
        active proctype Q() {{ byte m; m = 1; y = 1; assert(y == 0) }}
        """
        found = verdict(model, safety=True, engine=engine, por=por, cache=cache)
        assert found == "violated", body


@pytest.mark.parametrize("engine", BOTH)
def test_the_counterexample_goes_round_inside(engine: str) -> None:
    found = whorl.check(SPINS, ltl="<> done", engine=engine)
    trace = found.trace
    assert trace is not None
    assert trace.cycle is not None
    assert trace.cycle <= len(trace.steps)
    assert {step.process for step in trace.steps[trace.cycle - 1 :]} == {"P"}
    assert not [step for step in trace.steps if step.failures]


def test_the_audit_agrees() -> None:
    for model, _ in CASES.values():
        for por in ("static", "two-phase", "two-phase-ample"):
            found = whorl.check(model, ltl="[] (x < 9)", por=por, audit=True, engine="reference")
            assert not [note for note in found.notes if "WRONG" in note], found.notes


@pytest.mark.skipif("native" not in BOTH, reason="this machine has no cc")
@pytest.mark.parametrize("store", ["exact", "tree"])
@pytest.mark.parametrize("name", CASES)
def test_both_engines_have_the_same_states(name: str, store: str) -> None:
    model, _ = CASES[name]

    def states(**how: Any) -> tuple[int, int]:
        found = whorl.check(model, por="none", **how).statistics
        assert found.complete or how.get("safety")
        return found.states, found.transitions

    for how in ({"ltl": "[] (x < 9)"}, {"safety": True, "end_states": False, "all_errors": True}):
        wanted = states(engine="reference", **how)
        assert states(engine="native", merge=False, store=store, **how) == wanted, how
