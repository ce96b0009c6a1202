"""LTL formulas as text: both spellings, Promela atoms, macros, and what is wrong with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whorl
from whorl.diagnostics import WhorlError
from whorl.language.formula import SPIN, Formula, Op, atom, text
from whorl.property.parse import parse_formula

P, Q, R = atom("p"), atom("q"), atom("r")


def op(operator: Op, *args: Formula) -> Formula:
    return Formula(operator, args)


SAME = {
    "[] <> p": op(Op.GLOBALLY, op(Op.FINALLY, P)),
    "GFp": op(Op.GLOBALLY, op(Op.FINALLY, P)),
    "always eventually p": op(Op.GLOBALLY, op(Op.FINALLY, P)),
    "p U q && r": op(Op.AND, op(Op.UNTIL, P, Q), R),
    "p U q & r": op(Op.AND, op(Op.UNTIL, P, Q), R),
    "p || q && r": op(Op.OR, P, op(Op.AND, Q, R)),
    "[] p U q": op(Op.UNTIL, op(Op.GLOBALLY, P), Q),
    "X p -> !q V r": op(Op.IMPLIES, op(Op.NEXT, P), op(Op.RELEASE, ~Q, R)),
    "p R q": op(Op.RELEASE, P, Q),
    "p release q": op(Op.RELEASE, P, Q),
    "p W q <-> p M q": op(Op.IFF, op(Op.WEAK, P, Q), op(Op.STRONG, P, Q)),
    "p weakuntil q equivalent p": op(Op.IFF, op(Op.WEAK, P, Q), P),
    "p stronguntil (q implies r)": op(Op.UNTIL, P, op(Op.IMPLIES, Q, R)),
    "(x + 1) * 2 == 4 U q": op(Op.UNTIL, atom("(x + 1) * 2 == 4"), Q),
    "<> (x > 0)": op(Op.FINALLY, atom("x > 0")),
    "(p -> x : y) U q": op(Op.UNTIL, atom("(p -> x : y)"), Q),
    "F P[1]@cs": op(Op.FINALLY, atom("P[1]@cs")),
    "X == 3 U F": op(Op.UNTIL, atom("X == 3"), atom("F")),
    'G "any text"': op(Op.GLOBALLY, atom("any text")),
    "p\n&& q": op(Op.AND, P, Q),
    "F1": op(Op.FINALLY, Formula(Op.TRUE)),
}


@pytest.mark.parametrize("written", SAME)
def test_what_a_formula_means(written: str) -> None:
    assert parse_formula(written) == SAME[written]


WRONG = {
    "[] x > 0": (6, "'>' cannot be applied to a temporal formula"),
    "p U": (4, "the formula ends where more is expected"),
    "": (1, "the formula ends where more is expected"),
    "p -> q -> r": (8, "this can be read in two ways"),
    "p U q U r": (7, "this can be read in two ways"),
    "(p U q": (7, "')' expected to close the '(' of column 1"),
    "p)": (2, "this ')' closes nothing"),
    "p q": (3, "an operator or the end of the formula expected, but found 'q'"),
    "p = q": (3, "'=' assigns"),
    "U p": (1, "a formula expected before 'U'"),
    "-[]p": (1, "'-' cannot be applied to a temporal formula"),
    "p & 0x12": (5, "'0x12' is no number"),
    "!" * 1000 + "p": (121, "this is nested too deeply: more than 120 levels"),
}


@pytest.mark.parametrize("written", WRONG)
def test_what_is_wrong(written: str) -> None:
    with pytest.raises(WhorlError) as caught:
        parse_formula(written)
    first = caught.value.diagnostics[0]
    assert first.span is not None
    assert (first.span.column, first.message) == WRONG[written]


NAMES = st.sampled_from(["p", "q", "x > 1", "Flag", "P@cs", "a[0]", "len(c) == 2"])
FORMULAS = st.recursive(
    NAMES.map(atom) | st.sampled_from([Formula(Op.TRUE), Formula(Op.FALSE)]),
    lambda inner: st.one_of(
        st.builds(
            lambda o, a: op(o, a),
            st.sampled_from([Op.NOT, Op.NEXT, Op.GLOBALLY, Op.FINALLY]),
            inner,
        ),
        st.builds(
            lambda o, a, b: op(o, a, b),
            st.sampled_from(
                [Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.RELEASE, Op.WEAK, Op.STRONG]
            ),
            inner,
            inner,
        ),
    ),
    max_leaves=8,
)


@given(FORMULAS)
def test_a_formula_survives_being_written_and_read(formula: Formula) -> None:
    for written in (text(formula), text(formula, SPIN)):
        assert _no_split(parse_formula(written)) == _no_split(formula)


def _no_split(formula: Formula) -> Formula:
    """`Flag` by itself is read as F lag, as other tools do."""
    if formula.op is Op.ATOM and formula.name == "Flag":
        return op(Op.FINALLY, atom("lag"))
    return Formula(formula.op, tuple(map(_no_split, formula.args)), formula.name)


# --- in a model ----------------------------------------------------------------------------------

MODEL = """
#define p x > 0
#define q (y && x < 3)
#define less(n) x < n
int x, Flag, R; bool y; int a[3]
active proctype P() { cs: x = 1 }
"""


def formula_of(written: str) -> Formula:
    return whorl.load(MODEL, ltl=written).program.formulas[0].formula


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("[] p", op(Op.GLOBALLY, P)),
        ("GFp -> FGq", op(Op.IMPLIES, SAME["GFp"], op(Op.FINALLY, op(Op.GLOBALLY, Q)))),
        ("p && !p", op(Op.AND, P, ~P)),
        ("<>(less(2) && less(3))", op(Op.FINALLY, atom("x < 2") & atom("x < 3"))),
        ("F Flag", op(Op.FINALLY, atom("Flag"))),
        ("<>R -> (!x U R)", op(Op.IMPLIES, op(Op.FINALLY, atom("R")),
                               op(Op.UNTIL, ~atom("x"), atom("R")))),
        ("x & 1 U y", op(Op.UNTIL, atom("x & 1"), atom("y"))),
        ("y & X y", op(Op.AND, atom("y"), op(Op.NEXT, atom("y")))),
    ],
)  # fmt: skip
def test_a_formula_beside_a_model(written: str, meant: Formula) -> None:
    assert formula_of(written) == meant


def test_atoms_are_those_of_the_propositions() -> None:
    found = whorl.load(MODEL, ltl="y && (x == 2 U a[1] == 0)").program.formulas[0]
    assert len(found.atoms) == len(found.formula.propositions) == 3
    assert found.formula.propositions[0] == "y"
    assert str(found.atoms[0]).startswith("Load")


def test_chains_are_read_as_spin_reads_them_with_a_warning() -> None:
    model = whorl.load(MODEL, ltl="p -> q -> p")
    assert model.program.formulas[0].formula == op(Op.IMPLIES, op(Op.IMPLIES, P, Q), P)
    (warning,) = model.warnings
    assert "as Spin does it" in warning.message


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("[] zz", "unknown variable 'zz'"),
        ("GFlag", "unknown variable 'GFlag'"),  # nothing is called lag
        ("p } active proctype Q() { skip", "a formula has no '}'"),
        ("[] run P()", "'run' cannot be used in a formula"),
        ("<> P@nowhere", "proctype 'P' has no label 'nowhere'"),
        ("_pid == 1", "'_pid' means nothing in a formula"),
    ],
)
def test_what_is_wrong_beside_a_model(written: str, message: str) -> None:
    with pytest.raises(WhorlError, match="<formula>:1:"):
        whorl.load(MODEL, ltl=written)
    with pytest.raises(WhorlError) as caught:
        whorl.load(MODEL, ltl=written)
    assert message in caught.value.diagnostics[0].message
