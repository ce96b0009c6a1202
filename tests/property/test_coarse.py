"""Formulas and claims over more propositions than a truth table takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whorl
from support.automata import formulas, words
from whorl import WhorlError
from whorl.language.formula import Formula
from whorl.property.coarse import conjuncts
from whorl.property.parse import parse_formula
from whorl.property.words import Word, holds

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


# --- conjuncts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_conjuncts_are_checked_one_by_one(engine: str) -> None:
    def answered(n: int) -> str:
        return f"[] (x == {n} -> <> (x == {(n + 1) % 41}))"

    responses = " && ".join(map(answered, MANY))
    result = whorl.check(f"{MODEL} ltl p {{ {responses} }}", engine=engine)
    assert result.verdict == "holds"
    names = [found.name for found in result.properties if found.kind == "ltl"]
    assert names == [f"p ({n} of 30)" for n in range(1, 31)]
    wrong = f"{responses} && [] (x == 7 -> <> (x == 60)) && {answered(30)}"
    result = whorl.check(MODEL, ltl=wrong, engine=engine, por="none")
    assert [found.name for found in result.properties if found.verdict == "violated"] == [
        "formula (31 of 32)"
    ]
    assert result.traces[0].formula == "[]((x == 7) -> <>(x == 60))"


@pytest.mark.parametrize(
    ("formula", "parts"),
    [
        ("p & (q & G r)", "p; q; G r"),
        ("G(p & (q -> X(r & p)))", "G p; G(q -> X r); G(q -> X p)"),
        ("!(p | F(q | r))", "!p; G !q; G !r"),
        ("!(p -> !q)", "p; q"),
        ("F(p & q)", "F(p & q)"),
        ("p | (q & r)", "p | (q & r)"),
        ("(p & q) U r", "(p & q) U r"),
    ],
)
def test_what_conjuncts_there_are(formula: str, parts: str) -> None:
    found = [*conjuncts(parse_formula(formula))]
    assert found == [parse_formula(part) for part in parts.split(";")]


@given(formulas(leaves=10), st.lists(words(), min_size=4, max_size=4))
def test_conjuncts_say_the_same(formula: Formula, some: list[Word]) -> None:
    for word in some:
        assert holds(formula, word) == all(holds(part, word) for part in conjuncts(formula))


def test_too_many_are_refused_only_where_they_are_looked_at() -> None:
    temporal = " || ".join(f"<> (x == {n})" for n in range(21))
    model = f"{MODEL} ltl p {{ {temporal} }}"
    with pytest.raises(WhorlError, match="the formula has 21 propositions; at most 20") as caught:
        whorl.check(model)
    assert "write it as a conjunction, or as several ltl blocks" in str(caught.value)
    with pytest.raises(WhorlError, match="one of the 2 conjuncts has 21 propositions"):
        whorl.check(MODEL, ltl=f"<> (x == 3) && ({temporal})")
    assert whorl.check(model, safety=True).verdict == "holds"
    guards = " ".join(f":: x == {n}" for n in range(21))
    model = f"{MODEL} never {{ do {guards} od }}"
    with pytest.raises(WhorlError, match="this claim looks at 21 propositions; at most 20"):
        whorl.check(model)
    assert whorl.check(model, safety=True).verdict == "holds"
