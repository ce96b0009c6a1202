"""Product, emptiness, complement and inclusion, judged by words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.automata import automata, buchis, words
from whorl.diagnostics import WhorlError
from whorl.property.automaton import Automaton, Buchi, Edge, full
from whorl.property.complement import complement, difference, of_any, only_in_first
from whorl.property.operations import accepted_word, is_weak, over, product, useful
from whorl.property.siegel import b1, b2, b3, b4
from whorl.property.words import Word, accepts


@given(automata(), buchis(), words())
def test_a_product_accepts_what_both_do(one: Automaton, other: Buchi, word: Word) -> None:
    assert accepts(product(one, other), word) == (accepts(one, word) and accepts(other, word))


@given(buchis(("p",)), buchis(("q", "p")), words())
def test_a_product_joins_propositions_by_name(one: Buchi, other: Buchi, word: Word) -> None:
    assert accepts(product(one, other), word) == (accepts(one, word) and accepts(other, word))


@given(automata(), words())
def test_more_propositions_change_nothing(automaton: Automaton, word: Word) -> None:
    wider = over(automaton, ("q", "r", "p"))
    longer = Word(
        ("p", "q", "r"), tuple(a | 4 for a in word.prefix), tuple(a | 4 for a in word.cycle)
    )
    assert accepts(wider, longer) == accepts(automaton, word)


@given(automata(largest=6), st.lists(words(), max_size=20))
def test_a_witness_of_nonemptiness_is_accepted(automaton: Automaton, tried: list[Word]) -> None:
    word = accepted_word(automaton)
    if word is None:
        assert not any(accepts(automaton, each) for each in tried)
    else:
        assert accepts(automaton, word)


@given(buchis(largest=4), st.lists(words(), min_size=10, max_size=10))
def test_a_complement_accepts_the_other_words(buchi: Buchi, tried: list[Word]) -> None:
    other = complement(buchi)
    for word in tried:
        assert accepts(buchi, word) != accepts(other, word)
    assert accepted_word(product(buchi, other)) is None


@given(buchis(largest=4), st.lists(words(), min_size=10, max_size=10))
def test_slices_work_for_weak_automata_too(buchi: Buchi, tried: list[Word]) -> None:
    other = of_any(buchi, 20_000)
    for word in tried:
        assert accepts(buchi, word) != accepts(other, word)


@pytest.mark.slow
@settings(max_examples=3000)
@given(buchis(largest=6, most=4), st.lists(words(longest=6), min_size=10, max_size=10))
def test_complements_of_larger_automata(buchi: Buchi, tried: list[Word]) -> None:
    try:
        other = complement(buchi)
    except WhorlError:
        return
    for word in tried:
        assert accepts(buchi, word) != accepts(other, word)
    assert accepted_word(product(buchi, other)) is None


@given(buchis(largest=3), st.lists(words(), min_size=10, max_size=10))
def test_a_complement_of_a_complement_is_the_language(buchi: Buchi, tried: list[Word]) -> None:
    again = complement(complement(buchi))
    for word in tried:
        assert accepts(again, word) == accepts(buchi, word)


@given(buchis(largest=5), words())
def test_useless_states_do_not_matter(buchi: Buchi, word: Word) -> None:
    trimmed = useful(buchi)
    assert accepts(trimmed, word) == accepts(buchi, word)
    for state in trimmed.states:
        if state != trimmed.initial:
            inner = Buchi(trimmed.propositions, state, trimmed.edges, trimmed.accepting)
            assert accepted_word(inner) is not None


@given(buchis(largest=3), buchis(largest=3), words())
def test_inclusion_gives_a_word_where_it_fails(one: Buchi, other: Buchi, word: Word) -> None:
    found = only_in_first(one, other)
    if found is None:
        assert not accepts(one, word) or accepts(other, word)
    else:
        assert accepts(one, found)
        assert not accepts(other, found)


def test_the_automata_of_the_paper() -> None:
    assert difference(b1(), b2()) is None
    assert difference(b3(), b4()) is None
    word = difference(b1(), b3())
    assert word is not None
    assert accepts(b1(), word) != accepts(b3(), word)
    assert all(map(is_weak, (b1(), b2(), b3(), b4())))


def test_the_complement_of_a_weak_automaton_is_deterministic() -> None:
    infinitely_often_p = complement(b3())
    assert infinitely_often_p.is_deterministic
    assert not is_weak(infinitely_often_p)
    assert len(infinitely_often_p.states) <= 3


def test_weak_or_not() -> None:
    p, not_p = 0b10, 0b01
    again = Buchi(("p",), 0, ((Edge(not_p, 0), Edge(p, 1)), (Edge(p, 1), Edge(not_p, 0))),
                  frozenset([1]))  # fmt: skip
    assert not is_weak(again)
    assert is_weak(Buchi(("p",), 0, ((Edge(full(1), 1),), (Edge(p, 1),)), frozenset([0, 1])))


def test_the_limit_is_said() -> None:
    with pytest.raises(WhorlError, match="more than 2 states"):
        complement(b2(), limit=2)
