"""Formulas and claims over more propositions than a truth table takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import whorl
from whorl import WhorlError

MANY = range(30)
MODEL = "byte x; active proctype P() { do :: x < 40 -> x++ :: else -> x = 0 od }\n"
SOME = " || ".join(f"x == {n}" for n in MANY)  # the values that x has, but for the last ten
ALL = " && ".join(f"x != {n}" for n in MANY)


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        (f"[] ({SOME})", "violated"),
        (f"[] <> ({SOME})", "holds"),
        (f"[] (({ALL}) <-> !({SOME}))", "holds"),
        (f"[] (({ALL}) -> <> (x == 0 && !(x == 1)))", "holds"),
        (f"({SOME}) U ({ALL} -> false)", "holds"),
    ],
)
def test_what_is_not_temporal_is_one_proposition(formula: str, verdict: str, engine: str) -> None:
    result = whorl.check(MODEL, ltl=formula, engine=engine)
    assert result.verdict == verdict


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_claim_keeps_its_conditions_whole(engine: str) -> None:
    seen = f"never {{ do :: ({SOME}) :: !({SOME}) && ({ALL}) -> break od }}"
    assert whorl.check(MODEL + seen, engine=engine).verdict == "violated"
    unseen = f"never {{ do :: ({SOME} || x >= 30) :: else -> break od }}"
    assert whorl.check(MODEL + unseen, engine=engine).verdict == "holds"


def test_an_automaton_keeps_its_propositions_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.hoa"
    file.write_text(
        f'HOA: v1\nStates: 1\nStart: 0\nAP: 2 "{SOME}" "{ALL}"\nacc-name: Buchi\n'
        "Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0 & 1] 0\n--END--\n"
    )
    assert whorl.check(MODEL, hoa=file).verdict == "holds"


def test_too_many_are_refused_only_where_they_are_looked_at() -> None:
    temporal = " && ".join(f"<> (x == {n})" for n in range(21))
    model = f"{MODEL} ltl p {{ {temporal} }}"
    with pytest.raises(WhorlError, match="the formula has 21 propositions; at most 20"):
        whorl.check(model)
    assert whorl.check(model, safety=True).verdict == "holds"
    guards = " ".join(f":: x == {n}" for n in range(21))
    model = f"{MODEL} never {{ do {guards} od }}"
    with pytest.raises(WhorlError, match="this claim looks at 21 propositions; at most 20"):
        whorl.check(model)
    assert whorl.check(model, safety=True).verdict == "holds"
