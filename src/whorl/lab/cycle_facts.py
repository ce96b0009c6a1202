"""What the searches for cycles on several threads rest on: every graph, every interleaving.

Each search is explored on all graphs of so many nodes, or, if it is wrong on purpose, until one
of them goes wrong.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from whorl.lab.cycle_threads import FALSE, MISSED, STUCK, CycleRules, CycleThreads
from whorl.lab.small_graphs import SmallGraph, small_graphs

_WEAK, _CNDFS = CycleRules(weak=True), CycleRules()


@dataclass(frozen=True, slots=True)
class CycleSearch:
    """A search, what it is in words, and what goes wrong with it."""

    title: str
    rules: CycleRules
    wrong: str | None = None


CYCLE_SEARCHES: Mapping[str, CycleSearch] = {
    "weak": CycleSearch("cyan alone, components are weak", _WEAK),
    "weak-cyan-first": CycleSearch("the same, cyan is asked for before blue",
                                   replace(_WEAK, cyan_first=True)),
    "cndfs": CycleSearch("CNDFS", _CNDFS),
    "cndfs-early": CycleSearch("CNDFS, the first search reports cycles, too",
                               replace(_CNDFS, early=True)),
    "cndfs-blue-last": CycleSearch("CNDFS, a node is blue after the second search",
                                   replace(_CNDFS, blue_last=True)),
    "cndfs-early-blue-last": CycleSearch("both of these",
                                         replace(_CNDFS, early=True, blue_last=True)),
}  # fmt: skip

# Wrong on purpose: exploring must find out.
WRONG_CYCLE_SEARCHES: Mapping[str, CycleSearch] = {
    "weak-shared-cyan": CycleSearch("a node is cyan for all threads",
                                    replace(_WEAK, shared_cyan=True), FALSE),
    "weak-blue-on-entry": CycleSearch("a node is blue when it is entered",
                                      replace(_WEAK, blue_on_entry=True), MISSED),
    "weak-cyan-first-blue-on-entry": CycleSearch(
        "the same, cyan is asked for before blue",
        replace(_WEAK, cyan_first=True, blue_on_entry=True), MISSED),
    "weak-one-will-do": CycleSearch("the first thread to finish ends the search",
                                    replace(_WEAK, one_will_do=True), MISSED),
    "cndfs-shared-cyan": CycleSearch("a node is cyan for all threads",
                                     replace(_CNDFS, shared_cyan=True), FALSE),
    "cndfs-one-will-do": CycleSearch("the first thread to finish ends the search",
                                     replace(_CNDFS, one_will_do=True), MISSED),
    "cndfs-no-waiting": CycleSearch("nobody waits for accepting nodes to be red",
                                    replace(_CNDFS, no_waiting=True), MISSED),
    "cndfs-waits-for-itself": CycleSearch("the accepting node waits for itself, too",
                                          replace(_CNDFS, waits_for_itself=True), STUCK),
    "cndfs-red-on-entry": CycleSearch("a node is red before the second search is done",
                                      replace(_CNDFS, red_on_entry=True), MISSED),
}  # fmt: skip

# 0 -> 1, 2; 1 -> 3; 2 -> 3; 3 -> 1, 2, 4; 4 -> 4. Two threads come to 3 by 1 and by 2, and make the
# other one blue from there. A third one then has nothing left to do, and nobody has been in 4.
THREE_THREADS = SmallGraph((0b00110, 0b01000, 0b01000, 0b10110, 0b10000), 0b10000)


@dataclass(frozen=True, slots=True)
class CycleOutcome:
    """What came of a search on graphs of one size."""

    name: str
    search: CycleSearch
    nodes: int
    threads: int
    graphs: int
    moments: int
    found: str | None
    graph: SmallGraph | None
    seconds: float


def explored(name: str, nodes: int, threads: int, graphs: Iterable[SmallGraph]) -> CycleOutcome:
    """A search on graphs, up to the first that goes wrong."""
    search = {**CYCLE_SEARCHES, **WRONG_CYCLE_SEARCHES}[name]
    start = time.process_time()
    count = moments = 0
    found, wrong = None, None
    for graph in graphs:
        if search.rules.weak and not graph.is_weak:
            continue
        outcome = CycleThreads(graph, search.rules, threads).explore()
        count += 1
        moments += outcome.moments
        if outcome.wrong is not None:
            found, wrong = outcome.wrong, graph
            break
    seconds = time.process_time() - start
    return CycleOutcome(name, search, nodes, threads, count, moments, found, wrong, seconds)


def right(small: bool = False) -> Iterator[CycleOutcome]:
    """What must not go wrong; with `small`, within bounds that take seconds."""
    for name in CYCLE_SEARCHES:
        weak = name.startswith("weak")
        sizes = [(2, 2), (2, 3)]
        sizes += [(3, 2)] if weak or not small else []
        sizes += [(3, 3)] if not small and name == "weak" else []
        for nodes, threads in sizes:
            yield explored(name, nodes, threads, small_graphs(nodes))


def smallest(name: str) -> CycleOutcome:
    """A search that is wrong, with the fewest nodes and threads with which it is."""
    if name == "weak-one-will-do":
        return explored(name, 5, 3, [THREE_THREADS])
    for nodes in (1, 2, 3):
        outcome = explored(name, nodes, 2, small_graphs(nodes))
        if outcome.found is not None:
            break
    return outcome


def wrong() -> Iterator[CycleOutcome]:
    """What must go wrong."""
    yield from map(smallest, WRONG_CYCLE_SEARCHES)
