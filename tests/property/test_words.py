"""Ultimately periodic words: what holds of them, by definitions written out another way."""

from __future__ import annotations

from itertools import chain, pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from support.automata import PROPOSITIONS, automata, buchis, formulas, words
from whorl.language.formula import FALSE, TRUE, Formula, Op, atom
from whorl.property.automaton import Automaton, Buchi, Edge, generalised, literal
from whorl.property.words import Word, accepts, holds, stutter_equivalent

P, Q = atom("p"), atom("q")


def letter_at(word: Word, position: int) -> int:
    if position < len(word.prefix):
        return word.prefix[position]
    return word.cycle[(position - len(word.prefix)) % len(word.cycle)]


def holds_by_definition(formula: Formula, word: Word, i: int = 0) -> bool:
    """The semantics with its quantifiers over positions, as far as the word has new ones."""
    args = formula.args
    last = max(i, len(word.prefix)) + len(word.cycle)

    def at(n: int, position: int) -> bool:
        return holds_by_definition(args[n], word, position)

    def until(left: int, right: int) -> bool:
        return any(at(right, k) and all(at(left, j) for j in range(i, k)) for k in range(i, last))

    match formula.op:
        case Op.TRUE:
            return True
        case Op.FALSE:
            return False
        case Op.ATOM:
            return bool(letter_at(word, i) >> word.propositions.index(formula.name) & 1)
        case Op.NOT:
            return not at(0, i)
        case Op.AND:
            return at(0, i) and at(1, i)
        case Op.OR:
            return at(0, i) or at(1, i)
        case Op.IMPLIES:
            return not at(0, i) or at(1, i)
        case Op.IFF:
            return at(0, i) == at(1, i)
        case Op.NEXT:
            return at(0, i + 1)
        case Op.FINALLY:
            return any(at(0, k) for k in range(i, last))
        case Op.GLOBALLY:
            return all(at(0, k) for k in range(i, last))
        case Op.UNTIL:
            return until(0, 1)
        case Op.WEAK:
            return until(0, 1) or all(at(0, k) for k in range(i, last))
        case Op.STRONG:  # q holds up to and with the first p
            return any(at(0, k) and all(at(1, j) for j in range(i, k + 1)) for k in range(i, last))
        case Op.RELEASE:
            return all(at(1, k) or any(at(0, j) for j in range(i, k)) for k in range(i, last))


@given(formulas(leaves=5), words(longest=3))
def test_a_formula_holds_as_its_definition_says(formula: Formula, word: Word) -> None:
    assert holds(formula, word) == holds_by_definition(formula, word)


@given(formulas(), words())
def test_what_is_the_same_word_satisfies_the_same(formula: Formula, word: Word) -> None:
    assert holds(formula, word) == holds(formula, word.shortest())
    longer = Word(word.propositions, word.prefix + word.cycle, word.cycle * 2)
    assert holds(formula, word) == holds(formula, longer)
    assert holds(~formula, word) != holds(formula, word)


def test_some_formulas_on_some_words() -> None:
    word = Word(PROPOSITIONS, (0b01, 0b01), (0b10,))  # p p (q)
    assert holds(Formula(Op.UNTIL, (P, Q)), word)
    assert holds(Formula(Op.NEXT, (P,)), word)
    assert not holds(Formula(Op.NEXT, (Formula(Op.NEXT, (P,)),)), word)
    assert holds(Formula(Op.FINALLY, (Formula(Op.GLOBALLY, (Q,)),)), word)
    assert not holds(Formula(Op.RELEASE, (P, Q)), word)
    assert holds(Formula(Op.WEAK, (TRUE, FALSE)), word)
    assert not holds(Formula(Op.STRONG, (Q, P)), word)


def test_each_operator_at_every_place_of_a_cycle() -> None:
    """Always, some time or next: so that not only a word's first position is asked."""
    unary = [Formula(op, (P,)) for op in (Op.FINALLY, Op.GLOBALLY)]
    binary = [Formula(op, (P, Q)) for op in (Op.UNTIL, Op.WEAK, Op.RELEASE, Op.STRONG)]
    for cycle in chain.from_iterable(product(range(4), repeat=n) for n in (1, 2, 3)):
        word = Word(PROPOSITIONS, (0b01,), cycle)
        for inner, outer in product(unary + binary, (Op.GLOBALLY, Op.FINALLY, Op.NEXT)):
            formula = Formula(outer, (inner,))
            assert holds(formula, word) == holds_by_definition(formula, word)


def accepts_by_definition(automaton: Buchi, word: Word) -> bool:
    """Sets of states: after the prefix, then whole turns of the cycle with or without a visit."""

    def step(pairs: set[tuple[int, bool]], letter: int) -> set[tuple[int, bool]]:
        return {
            (t, seen or t in automaton.accepting)
            for s, seen in pairs
            for t in automaton.successors(s, letter)
        }

    def turn(pairs: set[tuple[int, bool]]) -> set[tuple[int, bool]]:
        for letter in word.cycle:
            pairs = step(pairs, letter)
        return pairs

    now = {(automaton.initial, False)}
    for letter in word.prefix:
        now = step(now, letter)
    starts = {s for s, _ in now}
    for _ in automaton.states:
        starts |= {t for t, _ in turn({(s, False) for s in starts})}
    for start in starts:
        pairs = {(start, False)}
        for _ in range(2 * len(automaton.states)):
            pairs = turn(pairs)
            if (start, True) in pairs:
                return True
    return False


@given(buchis(), words())
def test_an_automaton_accepts_as_its_definition_says(automaton: Buchi, word: Word) -> None:
    assert accepts(automaton, word) == accepts_by_definition(automaton, word)
    assert accepts(generalised(automaton), word) == accepts(automaton, word)


@given(automata(), words())
def test_each_acceptance_set_must_be_met(automaton: Automaton, word: Word) -> None:
    each = [
        Automaton(
            automaton.propositions,
            automaton.initial,
            tuple(
                tuple(Edge(e.label, e.target, e.marks >> n & 1) for e in out)
                for out in automaton.edges
            ),
            sets=1,
        )
        for n in range(automaton.sets)
    ]
    if accepts(automaton, word):
        assert all(accepts(one, word) for one in each)
    if len(each) == 1:
        assert accepts(each[0], word) == accepts(automaton, word)


def test_two_sets_may_be_met_on_two_edges_but_not_in_two_components() -> None:
    p = literal(0, 1)
    both = Automaton(("p",), 0, ((Edge(p, 0, 1), Edge(p, 0, 2)),), sets=2)
    word = Word(("p",), (), (1,))
    assert accepts(both, word)
    apart = Automaton(("p",), 0, ((Edge(p, 0, 1), Edge(p, 1)), (Edge(p, 1, 2),)), sets=2)
    assert not accepts(apart, word)
    assert not accepts(both, Word(("p",), (), (0,)))


def test_propositions_are_found_by_name() -> None:
    q_always = Buchi(("q",), 0, ((Edge(literal(0, 1), 0),),), frozenset([0]))
    assert accepts(q_always, Word(("p", "q"), (0b10,), (0b11,)))
    assert not accepts(q_always, Word(("q", "p"), (0b10,), (0b11,)))


@given(words(), st.lists(st.integers(1, 3), min_size=8, max_size=8))
def test_words_with_repeated_letters_are_stutter_equivalent(word: Word, times: list[int]) -> None:
    def repeated(letters: tuple[int, ...], counts: list[int]) -> tuple[int, ...]:
        return tuple(a for a, n in zip(letters, counts, strict=False) for _ in range(n))

    prefix, cycle = repeated(word.prefix, times), repeated(word.cycle, times[4:])
    other = Word(word.propositions, prefix, cycle)
    assert stutter_equivalent(word, other)
    flat = word.stutter_free()
    if len(flat.cycle) > 1:
        sequence = flat.prefix + flat.cycle * 2
        assert all(a != b for a, b in pairwise(sequence))
    else:
        sequence = flat.prefix + flat.cycle
        assert all(a != b for a, b in pairwise(sequence))


@given(words(longest=3), words(longest=3))
def test_stutter_equivalence_by_looking_at_the_letters(one: Word, other: Word) -> None:
    def changes(word: Word) -> list[int]:
        letters = [letter_at(word, i) for i in range(60)]
        kept = [letters[0]] + [b for a, b in pairwise(letters) if a != b]
        return kept[:15]

    assert stutter_equivalent(one, other) == (changes(one) == changes(other))


def test_the_text_of_a_word() -> None:
    assert str(Word(("p", "x > 1"), (0b01,), (0b10, 0b00))) == (
        "p & !(x > 1); cycle{!p & (x > 1); !p & !(x > 1)}"
    )
    assert str(Word((), (), (0,))) == "cycle{true}"
