"""Which properties a check looks at: those asked for or, if none were, all of the model's."""

from __future__ import annotations

import pytest

from whorl.api import load
from whorl.diagnostics import WhorlError
from whorl.property.labels import acceptance
from whorl.selection import Wanted, select

BODY = "byte x; active proctype P() { do :: x = 1 - x od }"
CLAIMS = (
    BODY
    + """ ltl a { [] (x < 2) } ltl b { <> (x == 1) }
never n { do :: x == 2 -> break :: else od }"""
)
LABELLED = "byte x; active proctype P() { accept: do :: x = 1 - x od } ltl a { [] (x < 2) }"


@pytest.mark.parametrize(
    ("model", "wanted", "safety", "claims"),
    [
        (BODY, Wanted(), True, []),
        (CLAIMS, Wanted(), True, ["a", "b", "n"]),
        (LABELLED, Wanted(), True, ["a", "acceptance cycles"]),
        (CLAIMS, Wanted(safety=True), True, []),
        (CLAIMS, Wanted(claims=("b",)), False, ["b"]),
        (CLAIMS, Wanted(claims=("n", "a")), False, ["a", "n"]),
        (CLAIMS, Wanted(claims=("b",), safety=True), True, ["b"]),
        (LABELLED, Wanted(acceptance=True), False, ["acceptance cycles"]),
        (LABELLED, Wanted(claims=("a",), acceptance=True), False, ["a", "acceptance cycles"]),
        (BODY, Wanted(non_progress=True), False, ["non-progress cycles"]),
        (CLAIMS, Wanted(automata=(acceptance(),)), False, ["acceptance cycles"]),
    ],
)
def test_what_is_selected(model: str, wanted: Wanted, safety: bool, claims: list[str]) -> None:
    found = select(load(model).program, wanted)
    assert found.safety == safety
    assert [claim.name for claim in found.claims] == claims


@pytest.mark.parametrize(
    ("model", "wanted", "said"),
    [
        (CLAIMS, Wanted(claims=("c",)), "the model has no claim 'c'"),
        (BODY, Wanted(claims=("c",)), "it has no ltl block and no never claim"),
        (BODY, Wanted(acceptance=True), "the model has no accept label"),
    ],
)
def test_what_is_not_there(model: str, wanted: Wanted, said: str) -> None:
    with pytest.raises(WhorlError) as caught:
        select(load(model).program, wanted)
    assert said in str(caught.value)


def test_notes() -> None:
    program = load(BODY).program
    safety = select(program, Wanted())
    assert list(safety.notes(program, about_runs=False)) == []
    assert "no bearing on safety" in next(safety.notes(program, about_runs=True))
    cycles = select(program, Wanted(non_progress=True))
    assert "no progress label" in next(cycles.notes(program, about_runs=True))
    assert list(select(load(CLAIMS).program, Wanted()).notes(program, about_runs=True)) == []
