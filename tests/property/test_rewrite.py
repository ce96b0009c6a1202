"""Rewriting and what it rests on, against the semantics on words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.automata import PROPOSITIONS, formulas, words
from whorl.language.formula import Formula, Op
from whorl.property.implication import Facts
from whorl.property.parse import parse_formula
from whorl.property.rewrite import Rewriter
from whorl.property.words import Word, holds

NAMES = ("p", "q", "r")
MANY = 4  # words an example


def rewritten(formula: Formula, names: tuple[str, ...] = PROPOSITIONS) -> Formula:
    return Rewriter(Facts(names)).rewrite(formula)


def suffix(word: Word, start: int) -> Word:
    """The word without its first letters; `start` is a position in its letters."""
    if start <= len(word.prefix):
        return Word(word.propositions, word.prefix[start:], word.cycle)
    turn = start - len(word.prefix)
    return Word(word.propositions, (), word.cycle[turn:] + word.cycle[:turn])


@given(formulas(leaves=10), st.lists(words(), min_size=MANY, max_size=MANY))
def test_the_language_stays(formula: Formula, some: list[Word]) -> None:
    rewriter = Rewriter(Facts(PROPOSITIONS))
    same, negation = rewriter.rewrite(formula), rewriter.rewrite(formula, negated=True)
    for word in some:
        assert holds(same, word) == holds(formula, word)
        assert holds(negation, word) != holds(formula, word)


@given(formulas(leaves=10))
def test_the_result_is_in_negation_normal_form(formula: Formula) -> None:
    for part in rewritten(formula).subformulas():
        assert part.op not in (Op.IMPLIES, Op.IFF)
        assert part.op is not Op.NOT or part.args[0].op is Op.ATOM


@given(formulas(leaves=5), formulas(leaves=5), st.lists(words(longest=3), min_size=9, max_size=9))
def test_implication_is_sound(f: Formula, g: Formula, some: list[Word]) -> None:
    facts = Facts(PROPOSITIONS)
    f, g = Rewriter(facts).rewrite(f), Rewriter(facts).rewrite(g)
    if facts.implies(f, g):
        for word in some:
            assert holds(g, word) or not holds(f, word)


@given(formulas(leaves=6), words())
def test_eventual_and_universal_formulas_are_such(formula: Formula, word: Word) -> None:
    facts = Facts(PROPOSITIONS)
    formula = Rewriter(facts).rewrite(formula)
    now = holds(formula, word)
    for start in range(len(word.letters)):
        later = holds(formula, suffix(word, start))
        assert now or not later or not facts.eventual(formula)
        assert later or not now or not facts.universal(formula)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("p U (q U r)", "p U (q U r)"),
        ("F(p U q)", "F q"),
        ("G F X p", "G F p"),
        ("G(p & X F q)", "G p & G F q"),
        ("F(p | G q)", "F p | F G q"),
        ("G(p | G F q)", "G F q | G p"),
        ("G F(p & F q)", "G F q & G F p"),
        ("!p W (!p & q)", "q R !p"),
        ("p U (q | G p)", "p W q"),
        ("(p | q) U q", "p U q"),
        ("p R (p | q)", "q W p"),
        ("F q & (p W q)", "p U q"),
        ("G p & (p U q)", "G p & F q"),
        ("(p U r) & (q U r)", "(p & q) U r"),
        ("X p U X q", "X(p U q)"),
        ("p & X G p", "G p"),
        ("G p & F !p", "false"),
        ("p <-> p", "true"),
    ],
)
def test_rules(formula: str, expected: str) -> None:
    assert str(rewritten(parse_formula(formula), NAMES)) == expected
