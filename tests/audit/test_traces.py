"""The oracle itself: compared with a plain enumeration of traces, on every small graph."""

from __future__ import annotations

import random
from itertools import product

import pytest

from whorl.audit.traces import DIVERGES, TraceGraph, Undecided, difference

DEPTH = 7  # labels in a trace that is looked at

Traces = set[tuple[tuple[object, ...], str | None]]


def graph(
    labels: str, edges: dict[int, set[int]], stops: dict[int, str] | None = None
) -> TraceGraph:
    made = TraceGraph()
    for label in labels:
        made.add(label)
    for node, targets in edges.items():
        made.edges[node] |= targets
    for node, stop in (stops or {}).items():
        made.stops[node].add(stop)
    return made


def may_stay(made: TraceGraph, node: int) -> bool:
    """Whether a run may stay under one label for as many steps as there are nodes: for ever."""
    here = {node}
    for _ in made.labels:
        here = {t for n in here for t in made.edges[n] if made.labels[t] == made.labels[n]}
    return bool(here)


def traces(made: TraceGraph, stutters: bool) -> Traces:
    """Every prefix of a trace of at most DEPTH labels, and how runs end behind it."""
    start: tuple[int, tuple[object, ...]] = (0, (made.labels[0],))
    met, waiting = {start}, [start]
    found: Traces = set()
    while waiting:
        node, trace = waiting.pop()
        found.add((trace, None))
        found |= {(trace, stop) for stop in made.stops[node]}
        if stutters and may_stay(made, node):
            found.add((trace, DIVERGES))
        for target in made.edges[node]:
            repeats = stutters and made.labels[target] == made.labels[node]
            after = trace if repeats else (*trace, made.labels[target])
            if len(after) <= DEPTH and (target, after) not in met:
                met.add((target, after))
                waiting.append((target, after))
    return found


def agrees(first: TraceGraph, second: TraceGraph, stutters: bool) -> None:
    found = difference(first, second, stutters=stutters)
    mine, others = traces(first, stutters), traces(second, stutters)
    if found is None:
        assert mine == others
        return
    assert len(found.labels) <= DEPTH, "a shortest difference of such graphs is short"
    told = (found.labels, found.ends)
    assert (told in mine, told in others) == (found.only_first, not found.only_first)
    shorter = {t for t in mine ^ others if len(t[0]) < len(found.labels) and t[1] is not None}
    assert not shorter, "it is a shortest one"


def small_graphs() -> list[TraceGraph]:
    """Every graph of two nodes, with two labels and two ways to stop."""
    made = []
    for labels in ("aa", "ab"):
        for edges in product((set[int](), {0}, {1}, {0, 1}), repeat=2):
            for stops in ({}, {0: "end"}, {1: "end"}, {1: "fault"}):
                made.append(graph(labels, dict(enumerate(edges)), stops))
    return made


@pytest.mark.parametrize("stutters", [True, False])
def test_every_pair_of_graphs_with_two_nodes(stutters: bool) -> None:
    graphs = small_graphs()
    for first, second in product(graphs, graphs):
        agrees(first, second, stutters)


def random_graph(dice: random.Random, nodes: int) -> TraceGraph:
    labels = "a" + "".join(dice.choice("ab") for _ in range(nodes - 1))
    edges = {n: {t for t in range(nodes) if dice.random() < 0.35} for n in range(nodes)}
    stops = {n: dice.choice(("end", "fault")) for n in range(nodes) if dice.random() < 0.2}
    return graph(labels, edges, stops)


def without_an_edge(dice: random.Random, made: TraceGraph) -> TraceGraph:
    """The graph without one of its edges: often the traces are the same, often not."""
    copy = graph("", {})
    copy.labels, copy.stops = made.labels, made.stops
    copy.edges = [set(targets) for targets in made.edges]
    node = dice.randrange(len(made))
    if copy.edges[node]:
        copy.edges[node].remove(dice.choice(sorted(copy.edges[node])))
    return copy


@pytest.mark.parametrize("nodes", [3, 4, 5])
def test_graphs_that_differ_in_an_edge(nodes: int) -> None:
    dice = random.Random(nodes)
    answers = set()
    for _ in range(400):
        first = random_graph(dice, nodes)
        second = without_an_edge(dice, first)
        found = difference(first, second)
        answers.add(found is None)
        if found is None or len(found.labels) <= DEPTH:
            agrees(first, second, stutters=True)
    assert answers == {True, False}


def test_a_run_that_goes_on_for_ever_is_not_one_that_stops() -> None:
    stays = graph("ab", {0: {1}, 1: {1}})
    stops = graph("ab", {0: {1}}, {1: "end"})
    found = difference(stays, stops)
    assert found is not None
    assert (found.labels, found.ends) == (("a", "b"), DIVERGES)


def test_too_many_pairs_are_not_decided() -> None:
    chain = graph("abab", {0: {1}, 1: {2}, 2: {3}}, {3: "end"})
    with pytest.raises(Undecided):
        difference(chain, chain, most=2)
