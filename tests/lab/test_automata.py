"""Classes of automata: listed, and looked for by the solver."""

from __future__ import annotations

from random import Random

import pytest

from whorl.lab.automata import deterministic, listed, normal_forms
from whorl.lab.encoding import Encoding, Size
from whorl.lab.instance import Instance
from whorl.lab.invariance import AcceptedAlike
from whorl.lab.schemes import SCHEMES
from whorl.lab.search import Bounds, search, search_automaton
from whorl.lab.solver import Solver
from whorl.property.normal_form import is_si_normal_form
from whorl.property.stutter import all_states_stutter_invariant, is_stutter_invariant
from whorl.property.words import Word, accepts


def test_normal_forms_are_in_normal_form_and_all_there() -> None:
    forms = normal_forms(4, 3, 6)
    assert len(forms) == 34
    assert all(is_si_normal_form(form.automaton) for form in forms)
    # Among all automata with three states each has a twin, whose initial state is accepting.
    by_hand = listed(3, is_si_normal_form, most_targets=1)
    few = [f for f in normal_forms(3, 2, 18) if len(f.automaton.states) == 3]
    assert {f.transitions for f in by_hand} <= {f.transitions for f in few}
    assert len(by_hand) == len([f for f in few if f.automaton.is_deterministic]) * 2


def test_deterministic_automata() -> None:
    found = deterministic(2)
    assert all(c.automaton.is_deterministic for c in found)
    assert all(is_stutter_invariant(c.automaton) for c in found)
    assert len(found) == 26


@pytest.mark.parametrize(("scheme", "expected"), [("v0", True), ("v1", False), ("state", False)])
def test_an_automaton_that_is_looked_for_is_among_those_listed(scheme: str, expected: bool) -> None:
    every = [c for n in (1, 2) for c in listed(n, all_states_stutter_invariant)]
    bounds = Bounds(2, 2)
    assert isinstance(search(SCHEMES[scheme], every, bounds), Instance) is expected
    looked_for = [search_automaton(SCHEMES[scheme], n, bounds, every_state=True) for n in (1, 2)]
    assert any(isinstance(answer, Instance) for answer in looked_for) is expected


def test_the_acceptance_of_words_in_clauses() -> None:
    """What the clauses say of a word is what the automaton does with it, from every state."""
    random = Random(7)
    encoding = Encoding(SCHEMES["v1"].rules(), Size(1, 1, 3, 2), None, (0, 1))
    alike = AcceptedAlike(encoding, range(3))
    before = len(encoding.clauses.clauses)

    def letters(least: int, most: int) -> tuple[int, ...]:
        return tuple(random.randrange(2) for _ in range(random.randint(least, most)))

    words = {Word(("p",), letters(0, 3), letters(1, 4)) for _ in range(10)}
    accepted = {word: alike.accepted(word) for word in words}
    triples = [encoding.delta(s, a, z) for s in range(3) for a in range(2) for z in range(3)]
    free = triples + [encoding.accepting(s) for s in range(3)]
    seen = set()
    with Solver(encoding.clauses.clauses[before:]) as solver:
        for _ in range(60):
            model = solver.solve([v if random.random() < 0.35 else -v for v in free])
            assert model is not None
            automaton = encoding.automaton_of(model)
            for word in words:
                for s in range(3):
                    seen.add(accepts(automaton, word, s))
                    assert accepts(automaton, word, s) == (accepted[word][s] in model)
    assert seen == {True, False}


@pytest.mark.parametrize("scheme", ["v0", "v1"])
def test_clauses_that_many_automata_share(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [c for n in (1, 2) for c in listed(n, all_states_stutter_invariant)]
    bounds = Bounds(2, 2)
    monkeypatch.setattr("whorl.lab.search.MANY", 1)
    shared = search(SCHEMES[scheme], every, bounds)
    monkeypatch.setattr("whorl.lab.search.MANY", 10_000)
    apart = search(SCHEMES[scheme], every, bounds)
    assert isinstance(shared, Instance) is isinstance(apart, Instance) is (scheme == "v0")
    if isinstance(shared, Instance) and isinstance(apart, Instance):
        assert shared.automaton == apart.automaton
