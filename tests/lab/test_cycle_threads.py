"""Searches for accepting cycles on several threads: every interleaving on every small graph."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet

import whorl
from support import spin
from support.cycle_threads import cycle_model
from whorl.lab.cycle_facts import (
    CYCLE_SEARCHES,
    THREE_THREADS,
    WRONG_CYCLE_SEARCHES,
    CycleOutcome,
    right,
    smallest,
    wrong,
)
from whorl.lab.cycle_threads import MISSED, CycleRules, CycleThreads
from whorl.lab.small_graphs import SmallGraph, small_graphs

SEARCHES = {**CYCLE_SEARCHES, **WRONG_CYCLE_SEARCHES}


def as_expected(outcome: CycleOutcome) -> bool:
    return outcome.found == outcome.search.wrong


def test_nothing_goes_wrong() -> None:
    outcomes = list(right(small=True))
    assert all(map(as_expected, outcomes))
    assert {outcome.name for outcome in outcomes} == CYCLE_SEARCHES.keys()
    assert {o.graphs for o in outcomes if o.name == "cndfs"} == {32}
    assert {o.graphs for o in outcomes if o.name == "weak"} == {24, 472}


def test_what_is_wrong_on_purpose_is_found() -> None:
    outcomes = list(wrong())
    assert all(map(as_expected, outcomes))
    assert {outcome.name for outcome in outcomes} == WRONG_CYCLE_SEARCHES.keys()


@pytest.mark.slow
def test_nothing_goes_wrong_within_the_bounds_of_the_page() -> None:
    assert all(map(as_expected, right()))


def test_one_of_two_threads_may_end_the_search_and_one_of_three_may_not() -> None:
    rules = CycleRules(weak=True, one_will_do=True)
    assert CycleThreads(THREE_THREADS, rules, 2).explore().wrong is None
    assert CycleThreads(THREE_THREADS, rules, 3).explore().wrong == MISSED
    assert CycleThreads(THREE_THREADS, CycleRules(weak=True), 3).explore().wrong is None


def test_one_thread_is_the_search_that_everybody_knows() -> None:
    """Alone, a thread needs nobody to wait for it."""
    rules = [SEARCHES[name].rules for name in ("weak", "cndfs", "cndfs-no-waiting")]
    for graph in small_graphs(3):
        for one in rules:
            if graph.is_weak or not one.weak:
                assert CycleThreads(graph, one, 1).explore().wrong is None


# --- as a model ----------------------------------------------------------------------------------


def whorl_finds(graphs: list[SmallGraph], rules: CycleRules, threads: int) -> bool:
    result = whorl.check(cycle_model(graphs, rules, threads))
    assert result.verdict in ("holds", "violated")
    return result.verdict == "violated"


def spin_finds(graphs: list[SmallGraph], rules: CycleRules, threads: int) -> bool:
    model = cycle_model(graphs, rules, threads)
    result = spin.full_search(model, reduce=True, collapse=True, timeout=1200)
    assert result.complete
    return result.errors > 0


def of(rules: CycleRules, nodes: int) -> list[SmallGraph]:
    return [graph for graph in small_graphs(nodes) if graph.is_weak or not rules.weak]


def some(names: Iterable[str], *quick: str) -> list[ParameterSet]:
    """Those that are not quick are slow: each takes a compilation or two."""
    return [pytest.param(n, marks=() if n in quick else pytest.mark.slow) for n in names]


@pytest.mark.parametrize("name", some(CYCLE_SEARCHES, "weak", "cndfs"))
def test_the_model_agrees_that_nothing_goes_wrong(name: str) -> None:
    rules = SEARCHES[name].rules
    assert not whorl_finds(of(rules, 2), rules, 2)


@pytest.mark.slow
@pytest.mark.spin
@pytest.mark.parametrize("name", CYCLE_SEARCHES)
def test_the_model_agrees_on_three_nodes(name: str) -> None:
    rules = SEARCHES[name].rules
    assert not whorl_finds(of(rules, 2), rules, 3)
    assert not whorl_finds(of(rules, 3), rules, 2)
    assert not spin_finds(of(rules, 3), rules, 2)


MODELS = [name for name in WRONG_CYCLE_SEARCHES if "shared-cyan" not in name]


@pytest.mark.spin
@pytest.mark.parametrize(
    "name", some(MODELS, "weak-blue-on-entry", "cndfs-one-will-do", "cndfs-no-waiting")
)
def test_the_model_agrees_on_what_is_wrong(name: str) -> None:
    rules, outcome = SEARCHES[name].rules, smallest(name)
    assert outcome.graph is not None
    assert whorl_finds([outcome.graph], rules, outcome.threads)
    assert spin_finds([outcome.graph], rules, outcome.threads)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_model_agrees_on_what_does_not_go_wrong(name: str) -> None:
    """All graphs of three nodes that explored searches take for right."""
    rules = SEARCHES[name].rules
    fine = [g for g in of(rules, 3) if CycleThreads(g, rules, 2).explore().wrong is None]
    assert not whorl_finds(fine, rules, 2)
