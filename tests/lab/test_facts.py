"""What whorl's reductions rest on, within bounds."""

from __future__ import annotations

import pytest

from whorl.lab.automata import fixed
from whorl.lab.definitions import c3
from whorl.lab.experiment import run
from whorl.lab.facts import Expectation, claims
from whorl.lab.instance import Instance
from whorl.lab.schemes import SCHEMES
from whorl.lab.search import Bounds, search_automaton
from whorl.property.operations import is_weak
from whorl.property.stutter import all_states_stutter_invariant


def name(claim: Expectation) -> str:
    return f"{claim.fact} {claim.experiment.scheme.name} {claim.experiment.automata.name}"


@pytest.mark.parametrize("claim", list(claims(small=True)), ids=name)
def test_facts_at_small_bounds(claim: Expectation) -> None:
    assert run(claim.experiment).verdict == claim.expected


@pytest.mark.slow
@pytest.mark.parametrize("claim", list(claims()), ids=name)
def test_facts(claim: Expectation) -> None:
    assert claim.expected in (None, run(claim.experiment).verdict)


def test_v1_with_every_state_stutter_invariant() -> None:
    """Siegel's open question: three states are enough, and six transitions."""
    scheme = SCHEMES["v1"].cycles("reduced")
    bounds = Bounds(2, 2, searched=True)
    found = search_automaton(scheme, 3, bounds, every_state=True, transitions=6)
    assert isinstance(found, Instance)
    assert all_states_stutter_invariant(found.automaton)
    assert not is_weak(found.automaton)
    assert fixed(found.automaton).transitions == 6
    assert c3(found, scheme.selection) is None
    assert search_automaton(scheme, 3, bounds, every_state=True, transitions=5) is None
