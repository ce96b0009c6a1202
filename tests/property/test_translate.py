"""The translation against the semantics, against itself on the negation, and against Spin."""

from __future__ import annotations

import subprocess
from itertools import product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from support.automata import PROPOSITIONS, formulas, words
from support.formula_sets import SETS, Size, entries, frozen
from whorl.language.formula import FALSE, SPIN, TRUE, Formula, Op, atom, text
from whorl.property.automaton import Automaton, Buchi, Edge, full, generalised
from whorl.property.implication import Facts
from whorl.property.intersection import have_common_word
from whorl.property.never import read_never
from whorl.property.operations import over
from whorl.property.parse import parse_formula
from whorl.property.tableau import tableau
from whorl.property.translate import translate, translate_generalised
from whorl.property.words import Word, accepts, holds

FOUR = st.lists(words(longest=3), min_size=4, max_size=4)


def check(formula: Formula, some: list[Word], names: tuple[str, ...] = PROPOSITIONS) -> None:
    """That the automata of a formula and of its negation are right on the words, and disjoint."""
    automaton, negation = translate(formula, names), translate(~formula, names)
    assert not have_common_word(generalised(automaton), generalised(negation))
    for word in some:
        expected = holds(formula, word)
        assert accepts(automaton, word) == expected
        assert accepts(negation, word) != expected
        assert accepts(translate_generalised(formula, names), word) == expected


@given(formulas(), FOUR)
@example(parse_formula("G(p -> F q)"), [])
def test_random_formulas(formula: Formula, some: list[Word]) -> None:
    check(formula, some)


P, Q = atom("p"), atom("q")
BY_THEMSELVES = [
    *(Formula(op, (P,)) for op in (Op.NEXT, Op.FINALLY, Op.GLOBALLY)),
    *(Formula(op, (P, Q)) for op in (Op.UNTIL, Op.WEAK, Op.RELEASE, Op.STRONG)),
    Formula(Op.GLOBALLY, (Formula(Op.FINALLY, (P,)),)),
    Formula(Op.FINALLY, (Formula(Op.GLOBALLY, (P,)),)),
]


@pytest.mark.parametrize("formula", BY_THEMSELVES, ids=str)
def test_each_operator_on_all_short_words(formula: Formula) -> None:
    """Rewriting leaves few operators for the tableau, which has to be right for all of them."""
    plain, small = tableau(formula, Facts(PROPOSITIONS)), translate(formula, PROPOSITIONS)
    for before, round_ in product(range(3), (1, 2)):
        for prefix in product(range(4), repeat=before):
            for cycle in product(range(4), repeat=round_):
                word = Word(PROPOSITIONS, prefix, cycle)
                expected = holds(formula, word)
                assert accepts(plain, word) == accepts(small, word) == expected, str(word)


@pytest.mark.slow
@given(
    formulas(("p", "q", "r"), leaves=16),
    st.lists(words(("p", "q", "r")), min_size=12, max_size=12),
)
def test_large_random_formulas(formula: Formula, some: list[Word]) -> None:
    check(formula, some, ("p", "q", "r"))


# --- the published formulas ----------------------------------------------------------------------


@pytest.mark.parametrize("of", ["dac", "eh", "sb"])
def test_published_formulas(of: str) -> None:
    """Sizes as frozen, so that we notice; and the automata of f and of !f have no common word."""
    expected = frozen(of)
    of_negations = frozen("!" + of)
    negations = {entry.number: entry for entry in entries("!" + of)}
    for entry in entries(of):
        automaton = translate(entry.formula)
        assert (entry.number, size(automaton)) == (entry.number, expected.pop(entry.number))
        negation = translate(~entry.formula)
        assert not have_common_word(generalised(automaton), generalised(negation))
        if negations.pop(entry.number, None):
            assert (entry.number, size(negation)) == (
                entry.number,
                of_negations.pop(entry.number),
            )
    assert not expected
    assert not negations
    assert not of_negations


def size(automaton: Buchi) -> Size:
    return Size(len(automaton.states), automaton.edge_count, automaton.is_deterministic)


@pytest.mark.parametrize("of", SETS)
def test_no_published_formula_has_more_states_than_spot_gives_it(of: str) -> None:
    ours = frozen(of)
    assert [e.number for e in entries(of) if ours[e.number].states > e.spot] == []


PUBLISHED = [entry.formula for of in ("dac", "eh", "sb") for entry in entries(of)]


@settings(max_examples=60)
@given(st.data())
def test_words_of_published_formulas(data: st.DataObject) -> None:
    formula = data.draw(st.sampled_from(PUBLISHED))
    assume(len(formula.propositions) <= 4)
    automaton = translate(formula)
    for word in data.draw(st.lists(words(formula.propositions), min_size=12, max_size=12)):
        assert accepts(automaton, word) == holds(formula, word)


# --- details -------------------------------------------------------------------------------------


def test_true_and_false() -> None:
    assert translate(TRUE) == Buchi((), 0, ((Edge(1, 0),),), frozenset({0}))
    assert translate(FALSE) == Buchi((), 0, ((),), frozenset())


def test_more_propositions_than_the_formula_has() -> None:
    automaton = translate(parse_formula("F p"), ("q", "p", "r"))
    assert automaton.propositions == ("q", "p", "r")
    assert {edge.label for out in automaton.edges for edge in out} <= {0xCC, 0x33, full(3)}


def test_twenty_propositions() -> None:
    names = [atom(f"p{n}") for n in range(19)]
    some = names[0]
    for name in names[1:]:
        some = some | name
    assert len(translate(~some & parse_formula("F x")).states) == 3


def test_one_formula_has_one_automaton() -> None:
    formula = parse_formula("G(p -> F(q & X F r)) | G F !p")
    assert translate(formula) == translate(formula)


@pytest.mark.parametrize(
    ("formula", "states"),
    [("G p", 1), ("p U q", 2), ("F p -> (q U p)", 3), ("G(p -> G q)", 2), ("X X p", 4)],
)
def test_obligations_are_deterministic(formula: str, states: int) -> None:
    automaton = translate(parse_formula(formula))
    assert (automaton.is_deterministic, len(automaton.states)) == (True, states)


# --- Spin ----------------------------------------------------------------------------------------


def without_w_and_m(formula: Formula) -> Formula:
    """The formula with operators that `spin -f` knows."""
    args = tuple(without_w_and_m(part) for part in formula.args)
    match formula.op:
        case Op.WEAK:
            return Formula(Op.RELEASE, (args[1], args[0] | args[1]))
        case Op.STRONG:
            return Formula(Op.UNTIL, (args[1], args[0] & args[1]))
    return Formula(formula.op, args, formula.name)


def claim_of_spin(formula: Formula, names: tuple[str, ...]) -> Automaton:
    """What `spin -f` makes of a formula."""
    command = ["spin", "-f", text(without_w_and_m(formula), SPIN)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return over(generalised(read_never(result.stdout)), names)


def agree(formula: Formula, names: tuple[str, ...]) -> None:
    """As ltlcross does it: no automaton of f has a word with one of !f in common."""
    ours, theirs = generalised(translate(formula, names)), claim_of_spin(formula, names)
    ours_not, theirs_not = generalised(translate(~formula, names)), claim_of_spin(~formula, names)
    assert not have_common_word(ours, theirs_not)
    assert not have_common_word(theirs, ours_not)


@pytest.mark.spin
@pytest.mark.parametrize(
    "formula",
    [
        "[] (p -> <> q)", "[] <> p -> [] <> q", "<> [] p", "p U (q U p)", "!(p U q) || [] q",
        "p V q", "p W q", "<> p && <> !p", "([] p) U q", "<> p <-> <> q", "[] (p -> (q U !p))",
    ],
)  # fmt: skip
def test_spin_agrees(formula: str) -> None:
    parsed = parse_formula(formula)
    agree(parsed, parsed.propositions)


@pytest.mark.slow
@pytest.mark.spin
@settings(max_examples=300)
@given(formulas(has_next=False, leaves=4))
def test_spin_agrees_on_random_formulas(formula: Formula) -> None:
    try:
        agree(formula, PROPOSITIONS)
    except subprocess.TimeoutExpired:
        assume(False)
