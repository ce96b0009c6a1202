"""Mutants of formulas: polarity, folding, and that a mutant is never weaker than its formula."""

from __future__ import annotations

from itertools import product

import pytest

from whorl.language.formula import FALSE, TRUE, Formula, Op, atom
from whorl.property.mutants import folded, mutant, occurrences, without_iff
from whorl.property.parse import parse_formula
from whorl.property.words import Word, holds

P, Q = atom("p"), atom("q")
UNARY = (Op.NOT, Op.NEXT, Op.FINALLY, Op.GLOBALLY)
BINARY = (Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.RELEASE, Op.WEAK, Op.STRONG)


def words(names: tuple[str, ...] = ("p", "q")) -> list[Word]:
    letters = range(1 << len(names))
    return [
        Word(names, prefix, cycle)
        for before, around in ((0, 1), (1, 1), (0, 2), (1, 2), (2, 1))
        for prefix in product(letters, repeat=before)
        for cycle in product(letters, repeat=around)
    ]


def small(leaves: tuple[Formula, ...]) -> list[Formula]:
    """Every formula of one operator, or of a unary one over a binary one."""
    one = [Formula(op, (leaf,)) for op in UNARY for leaf in leaves]
    two = [Formula(op, pair) for op in BINARY for pair in product(leaves, repeat=2)]
    return [*leaves, *one, *two, *(Formula(op, (inner,)) for op in UNARY for inner in two)]


def test_folding_keeps_the_meaning_and_leaves_no_constant_in_an_operator() -> None:
    for formula in small((P, Q, TRUE, FALSE)):
        result = folded(formula)
        assert result in (TRUE, FALSE) or not {Op.TRUE, Op.FALSE} & {
            part.op for part in result.subformulas()
        }
        for word in words():
            assert holds(formula, word) == holds(result, word), (formula, result)


def test_without_iff_means_the_same() -> None:
    for formula in small((P, Q)):
        result = without_iff(formula)
        assert all(part.op is not Op.IFF for part in result.subformulas())
        assert all(holds(formula, word) == holds(result, word) for word in words())


def test_a_mutant_implies_the_formula() -> None:
    """What polarity is there for: a mistake in it makes some mutant weaker."""
    for formula in small((P, Q)):
        plain = without_iff(formula)
        for occurrence in occurrences(plain):
            changed = mutant(plain, occurrence)
            for word in words():
                assert holds(formula, word) or not holds(changed, word), (formula, changed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("G (p -> F q)", ["false", "false", "G F q", "G !p", "G !p"]),
        ("p U q", ["false", "q", "false"]),
        ("!(p && q)", ["false", "false", "!q", "!p"]),
        ("p W q", ["false", "q", "G p"]),
        ("X p", ["false", "false"]),
    ],
)
def test_mutants_of(text: str, expected: list[str]) -> None:
    formula = parse_formula(text)
    found = [str(mutant(formula, occurrence)) for occurrence in occurrences(formula)]
    assert found == [str(parse_formula(each)) for each in expected]


def test_the_condition_of_an_implication_is_known() -> None:
    formula = parse_formula("G ((p && r) -> !(q -> s))")
    leaves = {o.formula.name: (o.positive, o.condition) for o in occurrences(formula)
              if o.formula.op is Op.ATOM}  # fmt: skip
    assert leaves == {
        "p": (False, True),
        "r": (False, True),
        "q": (True, False),
        "s": (False, False),
    }
