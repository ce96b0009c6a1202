"""SI normal form: the paper's automata, its lemmas on random automata, and the lazy form."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.automata import buchis, words
from whorl.property.automaton import Buchi, Edge, full
from whorl.property.complement import difference
from whorl.property.normal_form import (
    LazyNormalForm,
    NormalState,
    is_si_normal_form,
    si_normal_form,
    why_not_si_normal_form,
)
from whorl.property.siegel import b1, b2, b3, b4
from whorl.property.stutter import is_stutter_invariant
from whorl.property.words import Word, accepts


def triples(buchi: Buchi) -> set[tuple[int, int, int]]:
    """δ, as the paper has it."""
    return {
        (s, a, edge.target)
        for s, out in enumerate(buchi.edges)
        for edge in out
        for a in range(1 << len(buchi.propositions))
        if edge.label >> a & 1
    }


def isomorphic(one: Buchi, other: Buchi) -> bool:
    if len(one.states) != len(other.states):
        return False
    for renaming in permutations(other.states):
        if (
            renaming[one.initial] == other.initial
            and {renaming[s] for s in one.accepting} == other.accepting
            and {(renaming[s], a, renaming[t]) for s, a, t in triples(one)} == triples(other)
        ):
            return True
    return False


@st.composite
def in_normal_form(draw: st.DrawFn) -> Buchi:
    """Automata as Definition 12 has them, made without the construction of Theorem 2."""
    letters = 4
    own: list[int] = [-1]  # a_s of each state; the initial one has none
    accepting: set[int] = set()
    twins: dict[int, int] = {}  # s to s#
    for _ in range(draw(st.integers(0, 4))):
        letter = draw(st.integers(0, letters - 1))
        kind = draw(st.sampled_from(["plain", "accepting", "with twin"]))
        own.append(letter)
        if kind != "plain":
            accepting.add(len(own) - 1)
        if kind == "with twin":
            own.append(letter)
            twins[len(own) - 2] = len(own) - 1
    edges: list[list[Edge]] = [[] for _ in own]
    for s, letter in enumerate(own):
        if s in twins.values():
            continue
        for t in range(1, len(own)):
            if own[t] != letter and draw(st.booleans()):
                edges[s].append(Edge(1 << own[t], t))
        if s in twins:
            edges[s].append(Edge(1 << letter, twins[s]))
            edges[twins[s]] = list(edges[s])
        elif s > 0:
            edges[s].append(Edge(1 << letter, s))
    if draw(st.booleans()):
        accepting.add(0)
    return Buchi(("p", "q"), 0, tuple(map(tuple, edges)), frozenset(accepting))


def test_b3_becomes_b4() -> None:
    made = si_normal_form(b3())
    assert len(made.states) == 4
    assert len(triples(made)) == 9
    assert isomorphic(made, b4())


def test_which_automata_of_the_paper_are_in_the_form() -> None:
    assert is_si_normal_form(b4())
    assert why_not_si_normal_form(b1()) == "the initial state has incoming edges"
    assert why_not_si_normal_form(b2()) == (
        "state 1 is not accepting and does not loop with the letter that enters it"
    )
    assert why_not_si_normal_form(b3()) == "the initial state has incoming edges"


@pytest.mark.parametrize("make", [b1, b2, b3, b4])
@pytest.mark.parametrize("trim", [True, False])
def test_the_normal_forms_of_the_papers_automata(make: Callable[[], Buchi], trim: bool) -> None:
    made = si_normal_form(make(), trim=trim)
    assert why_not_si_normal_form(made) is None
    assert difference(made, make()) is None


@given(in_normal_form())
def test_what_is_made_to_be_in_the_form_is(buchi: Buchi) -> None:
    assert why_not_si_normal_form(buchi) is None


@given(in_normal_form())
def test_lemma_1(buchi: Buchi) -> None:
    delta = triples(buchi)
    for _, a, s2 in delta:
        for s, b, s3 in delta:
            if s != s2:
                continue
            if b != a:  # part 1: s1 -a-> s2 -b-> s3
                assert any((s2, a, t) in delta and (t, b, s3) in delta for t in buchi.states)
            else:  # part 2: s1 -a-> s2 -a-> s3 -c-> s4
                for t, c, s4 in delta:
                    if t == s3 and c != a:
                        assert (s2, c, s4) in delta
                        assert s3 not in buchi.accepting or s2 in buchi.accepting


@given(in_normal_form())
def test_proposition_1(buchi: Buchi) -> None:
    assert is_stutter_invariant(buchi)


@given(buchis(largest=4), st.booleans(), st.lists(words(), min_size=8, max_size=8))
def test_theorem_2(buchi: Buchi, trim: bool, tried: list[Word]) -> None:
    """In the form; and it agrees with the original on stutter-free words (Lemmas 5 and 6)."""
    made = si_normal_form(buchi, trim=trim)
    assert why_not_si_normal_form(made) is None
    for word in tried:
        assert accepts(made, word) == accepts(buchi, word.stutter_free())


@given(buchis(("p",), largest=3))
def test_a_stutter_invariant_language_is_kept(buchi: Buchi) -> None:
    made = si_normal_form(buchi)
    assert (difference(made, buchi) is None) == is_stutter_invariant(buchi)


@given(buchis(largest=4))
def test_the_size_is_as_the_theorem_says(buchi: Buchi) -> None:
    states, letters, accepting = len(buchi.states), 4, len(buchi.accepting)
    most = 1 + states * letters + accepting * letters + letters
    assert len(si_normal_form(buchi, trim=False).states) <= most


@given(buchis(largest=4), words())
def test_the_lazy_form_accepts_the_same(buchi: Buchi, word: Word) -> None:
    """Only the letters of the word are ever asked for."""
    lazy = LazyNormalForm(buchi)
    number: dict[NormalState, int] = {lazy.initial: 0}
    states = [lazy.initial]
    edges: list[tuple[Edge, ...]] = []
    for state in states:
        out = []
        for letter in set(word.letters):
            for target in lazy.successors(state, letter):
                if target not in number:
                    number[target] = len(number)
                    states.append(target)
                out.append(Edge(1 << letter, number[target]))
        edges.append(tuple(out))
    accepting = frozenset(number[s] for s in states if lazy.is_accepting(s))
    explicit = Buchi(buchi.propositions, 0, tuple(edges), accepting)
    assert accepts(explicit, word) == accepts(si_normal_form(buchi), word)


def test_the_lazy_form_takes_twenty_propositions() -> None:
    names = tuple(f"p{i}" for i in range(20))
    buchi = Buchi(names, 0, ((Edge(full(20), 0),),), frozenset([0]))
    lazy = LazyNormalForm(buchi)
    letter = 0b1011
    targets = list(lazy.successors(lazy.initial, letter))
    assert len(targets) == 2
    assert all(map(lazy.is_accepting, targets))


def test_each_condition_can_fail() -> None:
    p, not_p = 0b10, 0b01

    def why(edges: tuple[tuple[Edge, ...], ...], *accepting: int) -> str:
        reason = why_not_si_normal_form(Buchi(("p",), 0, edges, frozenset(accepting)))
        assert reason is not None
        return reason

    loop = (Edge(p, 1),)
    assert "different letters" in why(((Edge(p | not_p, 1),), loop))
    assert "has 0 edges" in why(((Edge(p, 1),), ()))
    assert "has 2 edges" in why(((Edge(p, 1),), (Edge(p, 1), Edge(p, 2)), (Edge(p, 2),)))
    assert "is not accepting" in why(((Edge(p, 1),), (Edge(p, 2),), (Edge(p, 2),)))
    assert "is accepting" in why(((Edge(p, 1),), (Edge(p, 2),), (Edge(p, 2),)), 1, 2)
    other = why(((Edge(p, 1),), (Edge(p, 2),), (Edge(p, 2), Edge(not_p, 3)), (Edge(not_p, 3),)), 1)
    assert "has other edges" in other
