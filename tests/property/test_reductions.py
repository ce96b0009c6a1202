"""The steps that make automata smaller, one by one, on random automata: the language stays."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.automata import automata, buchis, words
from whorl.property.automaton import Automaton, Buchi, Edge, full, generalised, literal
from whorl.property.complement import complement
from whorl.property.degeneralise import degeneralise, orders
from whorl.property.effort import TooMuchWork, Work
from whorl.property.implication import Facts
from whorl.property.intersection import have_common_word
from whorl.property.merging import merge_generalised, merge_states
from whorl.property.obligations import minimal_obligation
from whorl.property.operations import accepted_word, product
from whorl.property.parse import parse_formula
from whorl.property.postprocess import (
    accepting_states,
    candidates,
    reduce_generalised,
    reduce_states,
    renumbered,
)
from whorl.property.pruning import prune
from whorl.property.simulation import reduce_direct, reduce_reverse, simulation
from whorl.property.tableau import tableau
from whorl.property.words import Word, accepts

SOME = st.lists(words(), min_size=6, max_size=6)
P, TRUE = literal(0, 1), full(1)


@given(automata(largest=6), SOME)
def test_pruning(automaton: Automaton, some: list[Word]) -> None:
    pruned = prune(automaton)
    assert len(pruned.states) <= len(automaton.states)
    assert pruned.sets <= max(1, automaton.sets)
    for word in some:
        assert accepts(pruned, word) == accepts(automaton, word)


@given(automata(largest=5), SOME)
def test_simulations(automaton: Automaton, some: list[Word]) -> None:
    smaller = [reduce_direct(automaton), reduce_reverse(automaton), reduce_generalised(automaton)]
    for word in some:
        expected = accepts(automaton, word)
        assert [accepts(one, word) for one in smaller] == [expected] * 3


@given(automata(largest=4), words())
def test_what_simulates_accepts_more(automaton: Automaton, word: Word) -> None:
    relation = simulation(automaton)
    for p in automaton.states:
        for q in automaton.states:
            if relation[p] >> q & 1:
                assert accepts(automaton, word, q) or not accepts(automaton, word, p)


@given(buchis(largest=5), SOME)
def test_simulations_with_accepting_states(automaton: Buchi, some: list[Word]) -> None:
    marked = generalised(automaton)
    smaller = [
        accepting_states(reduce_direct(marked)),
        accepting_states(reduce_reverse(marked, by_states=True)),
        reduce_states(automaton),
        renumbered(automaton),
    ]
    for word in some:
        expected = accepts(automaton, word)
        assert [accepts(one, word) for one in smaller] == [expected] * 4


@given(automata(largest=4), st.data(), st.booleans(), SOME)
def test_degeneralisation(
    automaton: Automaton, data: st.DataObject, eager: bool, some: list[Word]
) -> None:
    order = data.draw(st.sampled_from(orders(automaton.sets, most=24)))
    found = [degeneralise(automaton, order, eager), *candidates(automaton)]
    for word in some:
        expected = accepts(automaton, word)
        assert [accepts(one, word) for one in found] == [expected] * len(found)


@given(automata(largest=4), automata(largest=4))
def test_a_common_word(one: Automaton, other: Automaton) -> None:
    assert have_common_word(one, other) == (accepted_word(product(one, other)) is not None)


@settings(max_examples=50)
@given(buchis(propositions=("p",), largest=3, most=2), words(("p",)))
def test_merging_and_obligations(automaton: Buchi, word: Word) -> None:
    negation = generalised(complement(automaton))
    marked = generalised(automaton)
    work = Work(20_000)
    found: list[Buchi | Automaton] = [
        merge_states(automaton, negation, work),
        merge_generalised(marked, negation, work),
    ]
    minimal = minimal_obligation(marked, negation)
    if minimal is not None:
        assert minimal.is_deterministic
        found.append(minimal)
    for one in found:
        assert not have_common_word(generalised(one) if isinstance(one, Buchi) else one, negation)
        assert accepts(one, word) == accepts(automaton, word)


def test_pruning_drops_a_set_that_every_cycle_is_in() -> None:
    out = (Edge(P, 0, 0b11), Edge(TRUE & ~P, 0, 0b01))
    assert prune(Automaton(("p",), 0, (out,), 2)).sets == 1


def test_nothing_is_left_of_an_automaton_without_words() -> None:
    pruned = prune(Automaton(("p",), 0, ((Edge(TRUE, 1),), (Edge(P, 1),)), 1))
    assert pruned.edges == ((),)


def test_merging_finds_what_simulation_does_not() -> None:
    # GF p with a state for each of two ways to wait; neither simulates the other
    waiting = (Edge(P, 0), Edge(TRUE & ~P, 2))
    edges = ((Edge(TRUE, 1), Edge(TRUE, 2)), waiting, (Edge(P, 0), Edge(TRUE & ~P, 1)))
    automaton = Buchi(("p",), 0, edges, frozenset({0}))
    negation = Automaton(
        ("p",), 0, ((Edge(TRUE, 0), Edge(TRUE & ~P, 1)), (Edge(TRUE & ~P, 1, 1),)), 1
    )
    assert len(merge_states(automaton, negation, Work(10_000)).states) == 2


def test_work_runs_out() -> None:
    loop = Automaton(("p",), 0, ((Edge(TRUE, 0),),), 0)
    work = Work(3)
    assert have_common_word(loop, loop, work)
    with pytest.raises(TooMuchWork):
        have_common_word(loop, loop, work)


def test_a_tableau_may_be_too_much_work() -> None:
    formula = parse_formula("(p U q) & (q U r) & (r U p)")
    with pytest.raises(TooMuchWork):
        tableau(formula, Facts(formula.propositions), Work(20))
