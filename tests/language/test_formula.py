"""LTL formulas as values: their text, their parts, and what is asked of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.language.formula import FALSE, LETTERS, SPIN, TRUE, Formula, Op, atom, text
from whorl.property.parse import parse_formula

P, Q, R = map(atom, "pqr")


def unary(op: Op, operand: Formula) -> Formula:
    return Formula(op, (operand,))


@pytest.mark.parametrize(
    ("formula", "letters", "spin"),
    [
        (TRUE, "true", "true"),
        (FALSE, "false", "false"),
        (P, "p", "p"),
        (atom("x > 3"), "(x > 3)", "(x > 3)"),
        (~P, "!p", "!p"),
        (~~P, "!!p", "!!p"),
        (P & Q, "p & q", "p && q"),
        (P | (Q & R), "p | (q & r)", "p || (q && r)"),
        (~(P & Q), "!(p & q)", "!(p && q)"),
        (unary(Op.GLOBALLY, P), "G p", "[]p"),
        (unary(Op.FINALLY, unary(Op.GLOBALLY, P)), "F G p", "<>[]p"),
        (unary(Op.FINALLY, ~P), "F!p", "<>!p"),
        (unary(Op.NEXT, P), "X p", "X p"),
        (Formula(Op.UNTIL, (P, Q)), "p U q", "p U q"),
        (Formula(Op.RELEASE, (P, Q)), "p R q", "p V q"),
        (Formula(Op.UNTIL, (P, Formula(Op.UNTIL, (Q, R)))), "p U (q U r)", "p U (q U r)"),
        (Formula(Op.IMPLIES, (unary(Op.GLOBALLY, P), Q)), "G p -> q", "[]p -> q"),
        (Formula(Op.AND, (P, Q, R)), "p & q & r", "p && q && r"),
    ],
)
def test_text(formula: Formula, letters: str, spin: str) -> None:
    assert str(formula) == text(formula, LETTERS) == letters
    assert text(formula, SPIN) == spin


LEAVES = st.sampled_from([TRUE, FALSE, P, Q, R])
UNARY_OPS = [Op.NOT, Op.NEXT, Op.FINALLY, Op.GLOBALLY]
BINARY_OPS = [
    Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.RELEASE, Op.WEAK, Op.STRONG,
]  # fmt: skip
formulas = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(lambda op, a: Formula(op, (a,)), st.sampled_from(UNARY_OPS), inner)
        | st.builds(lambda op, a, b: Formula(op, (a, b)), st.sampled_from(BINARY_OPS), inner, inner)
    ),
    max_leaves=8,
)


@given(formulas)
def test_a_text_is_read_as_the_formula_that_it_is_of(formula: Formula) -> None:
    assert parse_formula(text(formula)) == formula
    assert parse_formula(text(formula, SPIN)) == formula


def test_equal_formulas_are_one_key() -> None:
    again = Formula(Op.UNTIL, (atom("p"), atom("q")))
    assert {Formula(Op.UNTIL, (P, Q)): 1}[again] == 1
    assert Formula(Op.UNTIL, (Q, P)) != again


def test_parts() -> None:
    formula = Formula(Op.UNTIL, (P, unary(Op.NEXT, P & Q)))
    assert [part.op for part in formula.subformulas()] == [
        Op.UNTIL, Op.ATOM, Op.NEXT, Op.AND, Op.ATOM, Op.ATOM,
    ]  # fmt: skip
    assert formula.propositions == ("p", "q")
    assert formula.height == 3
    assert P.height == 0
    assert formula.has_next
    assert not Formula(Op.UNTIL, (P, Q)).has_next


def test_which_operators_are_temporal() -> None:
    assert {op for op in Op if op.is_temporal} == {
        Op.NEXT, Op.FINALLY, Op.GLOBALLY, Op.UNTIL, Op.RELEASE, Op.WEAK, Op.STRONG,
    }  # fmt: skip
