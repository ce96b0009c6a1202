"""SI normal form: the paper's automata, its lemmas on random automata, the lazy form, and the one
of a search.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.automata import buchis, words
from support.formula_sets import SETS, entries
from whorl.property.automaton import Buchi, Edge, full, literal
from whorl.property.complement import difference
from whorl.property.components import components
from whorl.property.letters import tells_apart
from whorl.property.normal_form import (
    LazyNormalForm,
    NormalForm,
    NormalState,
    is_si_normal_form,
    normal_form,
    si_normal_form,
    why_not_si_normal_form,
)
from whorl.property.operations import useful
from whorl.property.siegel import ANY, NOT_P, P, b1, b2, b3, b4
from whorl.property.stutter import is_stutter_invariant
from whorl.property.translate import translate
from whorl.property.words import Word, accepts, holds


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
def test_the_normal_forms_of_the_papers_automata(make: Callable[[], Buchi]) -> None:
    made = si_normal_form(make())
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


@given(buchis(largest=4), st.lists(words(), min_size=8, max_size=8))
def test_theorem_2(buchi: Buchi, tried: list[Word]) -> None:
    """In the form; and it agrees with the original on stutter-free words (Lemmas 5 and 6), where
    letters that the original does not tell apart are one.
    """
    made, same = si_normal_form(buchi), normal_form(buchi).same
    assert why_not_si_normal_form(made) is None
    for word in tried:
        one = [next(a for a in range(4) if same(a, letter)) for letter in word.letters]
        cut = len(word.prefix)
        alike = Word(word.propositions, tuple(one[:cut]), tuple(one[cut:]))
        assert accepts(made, word) == accepts(buchi, alike.stutter_free())


@given(buchis(("p",), largest=3))
def test_a_stutter_invariant_language_is_kept(buchi: Buchi) -> None:
    made = si_normal_form(buchi)
    assert (difference(made, buchi) is None) == is_stutter_invariant(buchi)


@given(buchis(largest=4))
def test_the_size_is_as_the_theorem_says(buchi: Buchi) -> None:
    states, letters, accepting = len(buchi.states), 4, len(buchi.accepting)
    most = 1 + states * letters + accepting * letters + letters
    made = si_normal_form(buchi)
    assert len(made.states) <= most
    assert useful(made) == made


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
    half = literal(19, 20)
    buchi = Buchi(names, 0, ((Edge(half, 0), Edge(full(20) & ~half, 0)),), frozenset([0]))
    lazy = LazyNormalForm(buchi)
    letter = 0b1011
    targets = list(lazy.successors(lazy.initial, letter))
    assert len(targets) == 2
    assert all(map(lazy.is_accepting, targets))


def test_letters_are_those_that_the_automaton_tells_apart() -> None:
    """B4 over `p == 0 && q == 0`: no more states and edges than over one proposition."""
    both = literal(0, 2) & literal(1, 2)
    meaning = {P: both, NOT_P: full(2) & ~both, ANY: full(2)}

    def over_two(buchi: Buchi) -> Buchi:
        edges = (tuple(Edge(meaning[e.label], e.target) for e in out) for out in buchi.edges)
        return Buchi(("p == 0", "q == 0"), buchi.initial, tuple(edges), buchi.accepting)

    for make in (b1, b2, b3, b4):
        assert why_not_si_normal_form(over_two(make())) == why_not_si_normal_form(make())
        assert si_normal_form(over_two(make())) == over_two(si_normal_form(make()))


@given(buchis(largest=4))
def test_told_apart_by_more_labels_than_are_kept(buchi: Buchi) -> None:
    """Where the labels are too many, all letters are told apart."""
    labels = tells_apart(buchi)
    if labels:
        assert tells_apart(buchi, most=0) == tuple(literal(i, 2) for i in range(2))
    for letter, other in product(range(4), repeat=2):
        same = all(label >> letter & 1 == label >> other & 1 for label in labels)
        assert normal_form(buchi).same(letter, other) == same


# --- as a search walks it ------------------------------------------------------------------------


def reads(form: NormalForm, word: Word) -> bool:
    """Whether a search accepts a word: the letters of a program that has one run."""

    def successors(node: tuple[int, int]) -> Iterator[tuple[int, int]]:
        state, place = node
        following = place + 1 if place + 1 < len(word.letters) else len(word.prefix)
        same = form.same(word.letters[place], word.letters[following])
        for target in form.successors(state, word.letters[place]):
            after = form.entered(target, same)
            if after is not None:
                yield after, following

    return any(
        any(form.is_accepting(state) for state, _ in component)
        and any(target in component for node in component for target in successors(node))
        for component in components([(form.initial, 0)], successors)
    )


@given(buchis(largest=4))
def test_a_search_needs_to_know_only_whether_a_letter_is_the_one_before(buchi: Buchi) -> None:
    """What is left without the letters is bisimilar: step by step, whatever is read next."""
    lazy, form = LazyNormalForm(buchi), normal_form(buchi)
    met, waiting = {lazy.initial}, [lazy.initial]
    while waiting:
        state = waiting.pop()
        for letter in range(4):
            following = set(lazy.successors(state, letter))
            known = form.met_as(state, letter)
            if known is None:
                assert not following
                continue
            assert form.is_accepting(known) == lazy.is_accepting(state)
            targets = list(form.successors(known, letter))
            for then in range(4):
                entered = {form.entered(target, form.same(then, letter)) for target in targets}
                assert entered == {form.met_as(target, then) for target in following}
            waiting += following - met
            met |= following


@given(buchis(largest=4), words())
def test_a_search_reads_what_the_normal_form_accepts(buchi: Buchi, word: Word) -> None:
    assert reads(normal_form(buchi), word) == accepts(si_normal_form(buchi), word)


@pytest.mark.parametrize("of", SETS)
def test_a_search_reads_what_the_published_formulas_say(of: str) -> None:
    dice = random.Random(1)
    for entry in entries(of):
        formula = entry.formula
        if formula.has_next:
            continue
        buchi = translate(formula)
        form = normal_form(buchi)
        assert form.size <= 4 * len(buchi.states) + 4
        for _ in range(20):
            letters = [dice.randrange(1 << len(buchi.propositions)) for _ in range(3)]
            chosen = [dice.choice(letters) for _ in range(dice.randint(1, 8))]
            cut = dice.randrange(len(chosen))
            word = Word(buchi.propositions, tuple(chosen[:cut]), tuple(chosen[cut:]))
            assert reads(form, word) == holds(formula, word), (entry, word)


def test_a_search_takes_twenty_propositions() -> None:
    names = tuple(f"p{i}" for i in range(20))
    anything = full(20)
    edges = (
        *((Edge(literal(i, 20), (i + 1) % 21), Edge(anything, i)) for i in range(20)),
        (Edge(anything, 0),),
    )
    buchi = Buchi(names, 0, edges, frozenset([20]))  # each of them again and again
    form = normal_form(buchi)
    everything = (1 << 20) - 1
    assert reads(form, Word(names, (0, 0), (everything,)))
    assert reads(form, Word(names, (), tuple(1 << i for i in range(20))))
    assert not reads(form, Word(names, (everything,), tuple(1 << i for i in range(19))))


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
