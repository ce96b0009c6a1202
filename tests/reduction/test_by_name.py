"""`--por` in a check: which scheme runs, what the verdict rests on, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import whorl
from whorl.program.state import State
from whorl.reduction.candidates import Ample, Situation
from whorl.reduction.schemes import SCHEMES
from whorl.reduction.static import Static

# Siegel, Figure 2: Spin's reduction misses the violation.
FIGURE_2 = """
bit p = 0;
active proctype p0() { p = 1 }
active proctype p1() { bit x = 0; do :: x = 0 od }
never {
  B0: do :: !p :: !p -> break od
  accept_B1: do :: p od
}
"""
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("por", ["auto", "none", *(n for n in SCHEMES if SCHEMES[n].formulas)])
def test_what_siegel_found(por: str) -> None:
    result = whorl.check(FIGURE_2, claim="never", por=por, engine="reference")
    if por == "v0":
        assert result.verdict == "inconclusive"
        assert "no violation found (scheme v0 is unsound" in result.properties[0].why
        assert any(note.startswith("WARNING: the scheme v0 is unsound") for note in result.notes)
    else:
        assert result.verdict == "violated"


def test_the_default_says_why_it_is_sound() -> None:
    result = whorl.check(EXAMPLES / "peterson.pml", ltl="[] (inside <= 1)", engine="reference")
    assert result.verdict == "holds"
    assert result.reduction == "two-phase-ample"
    assert "sticky" in result.searches[0].reduction


NEXT = "X (inside == 1)"  # not stutter-invariant


def test_a_property_that_sees_stuttering_is_not_reduced() -> None:
    result = whorl.check(EXAMPLES / "peterson.pml", ltl=NEXT)
    assert result.reduction == "none"
    assert "not stutter-invariant" in result.searches[0].reduction
    with pytest.raises(whorl.WhorlError, match="not stutter-invariant"):
        whorl.check(EXAMPLES / "peterson.pml", ltl=NEXT, por="static")
    assert whorl.check(EXAMPLES / "peterson.pml", ltl=NEXT, por="none").verdict == "violated"


def test_fairness_is_not_reduced() -> None:
    result = whorl.check(EXAMPLES / "peterson.pml", ltl="[]<> (inside == 1)", fair=True)
    assert (result.verdict, result.reduction) == ("holds", "none")
    with pytest.raises(whorl.WhorlError, match="weak fairness"):
        whorl.check(EXAMPLES / "peterson.pml", ltl="[] true", fair=True, por="v1")


@pytest.mark.parametrize("por", ["static", "two-phase", "two-phase-ample", "persistent", "v0"])
@pytest.mark.parametrize("cache", ["all", "selective"])
@pytest.mark.parametrize("name", ["peterson_broken", "philosophers", "token_ring", "lost_update"])
def test_safety_keeps_its_verdict(name: str, por: str, cache: str) -> None:
    model = EXAMPLES / f"{name}.pml"
    if cache == "selective" and por == "v0":
        with pytest.raises(whorl.WhorlError, match="no selective caching"):
            whorl.check(model, por=por, cache=cache)
        return
    full = whorl.check(model, safety=True, por="none", engine="reference", all_errors=True)
    small = whorl.check(
        model, safety=True, por=por, cache=cache, engine="reference", all_errors=True
    )
    assert [(p.name, p.verdict) for p in small.properties] == [
        (p.name, p.verdict) for p in full.properties
    ]
    assert small.statistics.states <= full.statistics.states


@pytest.mark.parametrize("por", ["auto", "static", "two-phase", "v0", "v1", "si", "dfs_po"])
def test_the_audit_passes(por: str) -> None:
    result = whorl.check(FIGURE_2, claim="never", por=por, engine="reference", audit=True)
    (said,) = (note for note in result.notes if note.startswith("audit of never"))
    by_stack = por in ("v0", "v1", "si", "dfs_po")
    assert ("C0, C1, C2 and C3 hold" if by_stack else "nothing is lost") in said
    model = EXAMPLES / "token_ring.pml"
    result = whorl.check(model, safety=True, por=por, engine="reference", audit=True)
    assert any("nothing is lost" in note for note in result.notes)
    assert result.verdict == "holds"


@pytest.mark.parametrize("por", ["v0", "v1", "si", "dfs_po"])
def test_the_audit_does_not_look_beyond_a_step_that_fails(por: str) -> None:
    model = """
    bit p; byte z;
    active proctype A() { byte x; x = 1; x = x / z; p = 1 }
    active proctype B() { byte y; y = 1; y = 2; p = 0 }
    """
    result = whorl.check(model, ltl="<>p", por=por, audit=True)
    assert any(note.startswith("audit of formula") for note in result.notes)


def test_a_failed_audit_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    # A scheme that takes the first process alone, whatever the others do.
    def wrong(self: Static, state: State) -> Ample:
        situation = Situation(self.analysis, state)
        first = tuple(r for r in situation.runs if r.steps[0].pid == situation.runs[0].steps[0].pid)
        return Ample(first, full=len(first) == len(situation.runs))

    monkeypatch.setattr(Static, "ample", wrong)
    model = """
    byte y;
    active proctype A() { assert(y == 2) }
    active proctype B() { do :: y = 1 - y od }
    """
    result = whorl.check(model, safety=True, por="static", engine="reference", audit=True)
    assert result.verdict == "inconclusive"
    assert any("WRONG: a failing step was lost" in note for note in result.notes)


def test_candidates_and_what_is_kept_by_name() -> None:
    model = EXAMPLES / "bakery.pml"
    found = {
        rule: whorl.check(model, safety=True, por="static", candidates=rule).statistics.states
        for rule in ("component", "process", "spin", "local")
    }
    assert found["component"] <= found["process"] <= found["spin"] <= found["local"]
    for keep in ("number", "bit"):
        result = whorl.check(model, claim="exclusion", por="v1", keep=keep)
        assert result.verdict == "holds"
    with pytest.raises(whorl.WhorlError, match="unknown candidates 'all'"):
        whorl.check(model, por="v1", candidates="all")
    with pytest.raises(whorl.WhorlError, match="unknown keep 'all'"):
        whorl.check(model, por="v1", keep="all")
    with pytest.raises(whorl.WhorlError, match="does not try sets"):
        whorl.check(model, por="two-phase", candidates="spin")


@pytest.mark.parametrize("scheme", ["auto", "none", "static", "pv", "persistent"])
def test_what_does_not_look_at_the_stack_keeps_nothing(scheme: str) -> None:
    with pytest.raises(whorl.WhorlError, match=f"'{scheme}' does not look at the stack") as error:
        whorl.check(EXAMPLES / "bakery.pml", por=scheme, keep="bit")
    assert error.value.diagnostics[0].hint == "these do: v0, v1, si, dfs_po"


# tests/reduction/test_keep.py: one order of the search in which the second one loses its way.
FORGETFUL = """
bit p;
active proctype T() { do :: p=1-p :: p=0; p=1-p od }
active proctype S0() { bit x; do :: true; true; x=0 od }
active proctype S1() { bit x; do :: true; true; x=1 od }
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("algorithm", ["fig2", "fig4", "colours", "scc", "auto"])
def test_no_verdict_rests_on_a_second_search_that_was_told_nothing(
    algorithm: str, engine: str
) -> None:
    def verdict(formula: str, keep: str) -> str:
        return whorl.check(
            FORGETFUL, ltl=formula, por="v1", keep=keep, algorithm=algorithm, engine=engine
        ).verdict

    wrong, right = "<>[] !p || <>[] p", "[] (p == 0 || p == 1)"
    assert verdict(wrong, "number") == verdict(wrong, "bit") == "violated"
    assert verdict(wrong, "nothing") == ("inconclusive" if algorithm == "fig2" else "violated")
    assert verdict(right, "number") == "holds"
    assert verdict(right, "nothing") == ("holds" if algorithm == "scc" else "inconclusive")
    shortest = whorl.check(
        FORGETFUL, ltl=wrong, por="v1", keep="nothing", engine=engine, shortest=True
    )
    assert shortest.verdict == "violated"


def test_safety_has_no_second_search() -> None:
    model = EXAMPLES / "bakery.pml"
    result = whorl.check(model, safety=True, por="v1", keep="nothing", engine="reference")
    assert result.verdict == "holds"


def test_elimination_has_no_stack_to_look_at() -> None:
    with pytest.raises(whorl.WhorlError, match="'v1' looks at the stack, and the search 'owcty'"):
        whorl.check(FORGETFUL, ltl="<>[] !p", por="v1", algorithm="owcty")
    result = whorl.check(FORGETFUL, ltl="<>[] !p || <>[] p", algorithm="owcty")
    assert result.verdict == "violated"
    assert result.engine == "native"
