"""Stutter invariance: the answers, and the words that show them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.automata import buchis, formulas, words
from whorl.language.formula import Formula
from whorl.property.automaton import Buchi, Edge, full, generalised
from whorl.property.parse import parse_formula
from whorl.property.siegel import b1, b2, b3, b4
from whorl.property.stutter import (
    all_states_stutter_invariant,
    is_stutter_invariant,
    states_not_stutter_invariant,
    stutter_witness,
)
from whorl.property.translate import translate
from whorl.property.words import Word, accepts, holds, stutter_equivalent


@given(buchis(largest=4), words(), st.lists(st.integers(1, 3), min_size=8, max_size=8))
def test_a_witness_shows_it_or_repeating_letters_does_not(
    buchi: Buchi, word: Word, times: list[int]
) -> None:
    witness = stutter_witness(buchi)
    if witness is not None:
        assert accepts(buchi, witness.accepted)
        assert not accepts(buchi, witness.refused)
        assert stutter_equivalent(witness.accepted, witness.refused)
        return

    def repeated(letters: tuple[int, ...], counts: list[int]) -> tuple[int, ...]:
        return tuple(a for a, n in zip(letters, counts, strict=False) for _ in range(n))

    longer = Word(word.propositions, repeated(word.prefix, times), repeated(word.cycle, times[4:]))
    assert accepts(buchi, word) == accepts(buchi, longer)
    assert accepts(buchi, word) == accepts(buchi, word.stutter_free())


def test_the_automata_of_the_paper_are_stutter_invariant() -> None:
    for automaton in (b1(), b2(), b3(), b4()):
        assert is_stutter_invariant(automaton)
        assert is_stutter_invariant(generalised(automaton))


def test_states_of_b2_that_are_not() -> None:
    """Siegel, section 8: B2 has states whose language is not stutter-invariant."""
    assert [state for state, _ in states_not_stutter_invariant(b2())] == [1, 2]
    assert not all_states_stutter_invariant(b2())
    assert all_states_stutter_invariant(b1())
    assert all_states_stutter_invariant(b3())


def test_p_in_the_second_state() -> None:
    p = 0b10
    next_p = Buchi(("p",), 0, ((Edge(full(1), 1),), (Edge(p, 2),), (Edge(full(1), 2),)),
                   frozenset([2]))  # fmt: skip
    witness = stutter_witness(next_p)
    assert witness is not None
    assert accepts(next_p, witness.accepted)
    assert not accepts(next_p, witness.refused)


def test_p_at_every_even_position() -> None:
    """Wolper's example: no LTL formula says this; p at 0, 2, 4, ..."""
    p = 0b10
    even = Buchi(("p",), 0, ((Edge(p, 1),), (Edge(full(1), 0),)), frozenset([0, 1]))
    assert stutter_witness(even) is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p && X p", False),  # words of it stay in it as they grow, but not as they shrink
        ("p && X !p", False),  # the other way round
        ("[] (p -> X p)", True),  # once, and for ever
        ("<> (p && X p)", False),
        ("X <> p", False),
        ("<> X <> p", False),
        ("[] <> X p", True),
        ("X [] <> p", True),
        ("<> (!p && X p)", True),  # p comes up
        ("[] (p || X !p || q)", True),
    ],
)
def test_formulas_with_next(text: str, expected: bool) -> None:
    formula = parse_formula(text)
    assert is_stutter_invariant(formula) == is_stutter_invariant(~formula) == expected
    assert is_stutter_invariant(translate(formula)) == expected
    assert is_stutter_invariant(translate(~formula)) == expected


@settings(max_examples=40)
@given(formulas(leaves=4), words())
def test_formulas(formula: Formula, word: Word) -> None:
    witness = stutter_witness(formula)
    if witness is None:
        names = formula.propositions
        assert holds(formula, word.over(names)) == holds(formula, word.over(names).stutter_free())
    else:
        assert holds(formula, witness.accepted)
        assert not holds(formula, witness.refused)
        assert stutter_equivalent(witness.accepted, witness.refused)


@settings(max_examples=25)
@given(formulas(leaves=3))
def test_a_formula_and_its_automaton_agree(formula: Formula) -> None:
    automaton = translate(formula)
    assert is_stutter_invariant(formula) == is_stutter_invariant(automaton)


@settings(max_examples=25)
@given(formulas(has_next=False, leaves=4))
def test_formulas_without_next_are_stutter_invariant(formula: Formula) -> None:
    assert is_stutter_invariant(translate(formula))
