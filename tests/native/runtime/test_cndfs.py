"""The search for cycles by several threads on small graphs, against the definition.

All threads begin at once, with tiny tables, and give way at random.
"""

from __future__ import annotations

import json
import os
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support.graph_searches import GIVEN, LABELS, answers, compare, text, with_claims
from support.runtime import Build, builder
from support.small_graphs import ANYTHING, NOBODY, Claim, Small, accepts, every, every_and_drawn

COUNTS = (1, 2, 3, 8)
THREADS = [
    "-Wno-unused",
    "-pthread",
    "-DWHORL_THREADS=1",
    "-DWHORL_ONLY=WHORL_TREE",
    "-DWHORL_ALGORITHM=WHORL_CNDFS",
]
TOGETHER = ["-DWHORL_SURVEY_AT=1", "-DWHORL_JOIN_FROM=0", "-DWHORL_STRESS=3"]
TINY = ["-DWHORL_INDEX_SMALL=64", "-DWHORL_LEASE=3", "-DWHORL_RECENT=4", "-DWHORL_MET_LOG=2"]
WATCHED = ["-g", "-fsanitize=thread", "-DBATCH=4"]
LINE = "63 / " + ", ".join(f"{n} {n + 1} 0" for n in range(63))  # and it stays in the last one


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return builder(tmp_path_factory.mktemp("cndfs"))


def verifier(build: Build, claim: int, *options: str, fair: bool = False) -> Path:
    """Of many graphs."""
    named = [f"-DCLAIM={claim}", f"-DWHORL_FAIR={int(fair)}"]
    return build("graphs.c", "-O1", *THREADS, *TOGETHER, *TINY, *named, *options)


by_count = pytest.mark.parametrize("count", COUNTS)


@by_count
def test_labels(build: Build, count: int) -> None:
    """One in seven of all the graphs, with each number of threads others."""
    graphs = every_and_drawn(3, 200, 7, f"labels {count}")[COUNTS.index(count) :: 7]
    compare(verifier(build, LABELS), [(g, ANYTHING) for g in graphs], accepts, threads=count)


@by_count
def test_claims(build: Build, count: int) -> None:
    graphs = with_claims(500, 6, 1, f"claims {count}")
    compare(verifier(build, GIVEN), graphs, accepts, threads=count)


@by_count
def test_claims_with_fairness(build: Build, count: int) -> None:
    graphs = with_claims(200, 5, 3, f"fair claims {count}")
    wanted = partial(accepts, fair=True)
    compare(verifier(build, GIVEN, fair=True), graphs, wanted, threads=count)


# --- what only some orders of threads can miss ---------------------------------------------------


def graph(good: set[int], *edges: tuple[int, int]) -> Small:
    return Small(1 + max(map(max, edges)), frozenset(good), tuple((*e, 0, NOBODY) for e in edges))


def test_two_threads_do_not_leave_a_cycle_to_each_other(build: Build) -> None:
    """Each may come to one of its nodes first."""
    always = Claim((((), (0,)), *[((), ())] * 3), frozenset({0}))  # good for ever
    ring = graph({0, 1, 2}, (0, 1), (0, 2), (1, 2), (2, 1))
    for count in (2, 8):
        found = answers(verifier(build, GIVEN), [str(ring) + text(always)] * 60, count)
        assert None not in found


def test_what_is_red_hides_no_cycle(build: Build) -> None:
    """One thread is behind node 2, which is good, when another one begins at 6, which is good, too:
    what is red to that one is all of the cycle that the first one has to find."""
    behind = graph({2, 6}, (0, 1), (0, 6), (1, 2), (2, 3), (3, 4), (4, 5), (5, 1), (6, 5))
    for count in (2, 8):
        found = answers(verifier(build, LABELS), [str(behind)] * 300, count)
        assert None not in found


def test_nothing_that_is_given_away_is_lost(build: Build) -> None:
    """Somebody searches each node that follows the first one."""
    some_day = Claim((((0,), (0, 1)), ((), (1,)), *[((), ())] * 2), frozenset({1}))
    edges = [(0, n) for n in range(1, 30)] + [(n, n) for n in range(1, 30)]
    fans = [str(graph({n}, *edges)) + text(some_day) for n in range(1, 30)]
    for count in (2, 8):
        assert None not in answers(verifier(build, GIVEN), fans * 3, count)


def test_no_thread_reads_what_another_one_writes(build: Build) -> None:
    compare(verifier(build, GIVEN, *WATCHED), with_claims(72, 6, 1, "watched"), accepts, threads=3)


# --- limits --------------------------------------------------------------------------------------


def search(program: Path, graph: str, *options: str) -> tuple[dict[str, Any], Any]:
    """The figures of a search, and what it found."""
    result = subprocess.run(
        [program, *options],
        env={**os.environ, "GRAPH": graph},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    *lines, done = map(json.loads, result.stdout.splitlines())
    return done, lines[0] if lines else None


@pytest.mark.parametrize("claim", [0, 1, 2])  # labels, a mixed and a weak component
def test_limits(build: Build, claim: int) -> None:
    program = build("graph.c", "-O1", *THREADS, *TOGETHER, f"-DCLAIM={claim}")
    threads = ("--threads", "3")
    done, found = search(program, LINE, *threads)
    assert (done["stopped"], done["threads"], found["loop"]) == ("violation", 3, 63)
    assert [choice[1] for choice in found["choices"]] == list(range(63))
    nothing = LINE.replace("63 /", "/")
    done, found = search(program, nothing, *threads)
    assert (done["stopped"], found, done["truncated"]) == (None, None, False)
    assert (done["states"], done["transitions"]) == (64, 65)
    done, found = search(program, nothing, *threads, "--max-states", "10")
    assert (done["stopped"], done["states"], found) == ("states", 10, None)
    done, found = search(program, nothing, *threads, "--max-depth", "20")
    assert (done["stopped"], done["truncated"], done["depth"]) == (None, True, 20)
    done, found = search(program, nothing, *threads, "--memory", "1000")
    assert (done["stopped"], done["states"]) == ("memory", 0)


# --- more of the same ----------------------------------------------------------------------------


@pytest.mark.slow
@by_count
def test_every_graph_of_three_nodes(build: Build, count: int) -> None:
    graphs = [(graph, ANYTHING) for graph in every(3)]
    compare(verifier(build, LABELS), graphs, accepts, threads=count)


@pytest.mark.slow
@by_count
def test_labels_with_fairness(build: Build, count: int) -> None:
    graphs = [(g, ANYTHING) for g in every_and_drawn(2, 600, 5, f"fair {count}", processes=3)]
    wanted = partial(accepts, fair=True)
    compare(verifier(build, LABELS, fair=True), graphs, wanted, threads=count)


@pytest.mark.slow
@by_count
@pytest.mark.parametrize("fair", [False, True])
def test_many_claims(build: Build, fair: bool, count: int) -> None:
    graphs = with_claims(6_000, 9, 3 if fair else 1, f"many {fair} {count}")
    compare(verifier(build, GIVEN, fair=fair), graphs, partial(accepts, fair=fair), threads=count)


@pytest.mark.slow
@by_count
def test_graphs_of_four_nodes(build: Build, count: int) -> None:
    graphs = [(g, ANYTHING) for i, g in enumerate(every(4)) if i % 60 == COUNTS.index(count)]
    compare(verifier(build, LABELS), graphs, accepts, threads=count)
