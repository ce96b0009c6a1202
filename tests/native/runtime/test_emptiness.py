"""The searches for cycles of the C runtime, on graphs, and against the definition."""

from __future__ import annotations

import json
import os
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.runtime import SANITIZERS, Build, builder
from whorl.property.components import components

GRAPHS = 25  # for each way of compiling
PROCESSES = range(3)
# What CLAIM says of good nodes: they come again and again, by a label or by the claim; from some
# point on there is nothing else (which is also what fig5 looks for, without a claim).
AGAIN, AGAIN_BY_CLAIM, NOTHING_ELSE = range(3)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return builder(tmp_path_factory.mktemp("emptiness"))


def compiled(build: Build, algorithm: str, claim: int, *options: str, language: str = "c") -> Path:
    claim = AGAIN if algorithm == "fig5" else claim
    named = [f"-DWHORL_ALGORITHM=WHORL_{algorithm.upper()}", f"-DCLAIM={claim}"]
    return build("graph.c", *SANITIZERS, "-Wno-unused", *named, *options, language=language)


@dataclass(frozen=True)
class Graph:
    good: frozenset[int]
    edges: tuple[tuple[int, int, int], ...]  # from, to, process

    def __str__(self) -> str:
        edges = ", ".join(f"{a} {b} {p}" for a, b, p in self.edges)
        return f"{' '.join(map(str, sorted(self.good)))} /{edges}"

    @property
    def nodes(self) -> set[int]:
        return {0, *(e[0] for e in self.edges), *(e[1] for e in self.edges)}

    def closed(self, infinite_runs: bool) -> list[tuple[int, int, frozenset[int]]]:
        """Edges with the processes that they are fair to; a node that ends a run has a loop."""
        result = []
        for node in self.nodes:
            able = {p for a, _, p in self.edges if a == node}
            blocked = frozenset(PROCESSES) - able
            result += [(a, b, blocked | {p}) for a, b, p in self.edges if a == node]
            if not able and not infinite_runs:
                result.append((node, node, blocked))
        return result

    def has_cycle(self, *, always: bool, fair: bool, infinite_runs: bool) -> bool:
        """Whether a run can go on for ever with good nodes again and again, or with no others."""
        edges = self.closed(infinite_runs)
        reached = {n for c in components([0], lambda n: [b for a, b, _ in edges if a == n])
                   for n in c}  # fmt: skip
        edges = [e for e in edges if e[0] in reached]
        if always:
            edges = [e for e in edges if e[0] in self.good and e[1] in self.good]
        for component in components(reached, lambda n: [b for a, b, _ in edges if a == n]):
            inner = [e for e in edges if e[0] in component and e[1] in component]
            marks = {p for *_, marks in inner for p in marks}
            is_fair = not fair or marks >= set(PROCESSES)
            if is_fair and self.good & {e[0] for e in inner}:
                return True
        return False

    def follow(self, choices: list[list[int]], loop: int, *, always: bool, fair: bool) -> bool:
        """Whether the choices are a run of the graph, and what comes again is as it should be."""
        path = [0]
        for pid, number, *_ in choices:
            start, end, process = self.edges[number]
            if (start, process) != (path[-1], pid):
                return False
            path.append(end)
        if path[loop] != path[-1]:
            return False
        able = {n: {p for a, _, p in self.edges if a == n} for n in self.nodes}
        if loop == len(choices) and able[path[-1]]:
            return False
        cycle = path[loop:]
        moved = {pid for pid, *_ in choices[loop:]}
        waits = set(PROCESSES).intersection(*(able[n] for n in cycle)) - moved
        if fair and waits:
            return False
        return all(n in self.good for n in cycle) if always else bool(self.good & set(cycle))


def random_graph(dice: random.Random) -> Graph:
    nodes = dice.randint(1, 12)
    edges = {
        (dice.randrange(nodes), dice.randrange(nodes), dice.choice(PROCESSES))
        for _ in range(dice.randint(0, 2 * nodes))
    }
    good = frozenset(n for n in range(nodes) if dice.random() < dice.choice((0.2, 0.7)))
    return Graph(good, tuple(sorted(edges)))


def search(verifier: Path, graph: Graph, *options: str) -> tuple[dict[str, Any], Any]:
    result = subprocess.run(
        [verifier, *options],
        env={**os.environ, "GRAPH": str(graph)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    *lines, done = map(json.loads, result.stdout.splitlines())
    assert done["type"] == "done"
    return done, lines[0] if lines else None


def check(verifier: Path, graph: Graph, always: bool, fair: bool, infinite_runs: bool) -> None:
    expected = graph.has_cycle(always=always, fair=fair, infinite_runs=infinite_runs)
    for store in ("exact", "tree"):
        done, found = search(verifier, graph, "--store", store)
        assert (done["stopped"] == "violation") == (found is not None) == expected, str(graph)
        if found is not None:
            assert found["site"] == -2
            follows = graph.follow(found["choices"], found["loop"], always=always, fair=fair)
            assert follows, (str(graph), found)


# The algorithm, the claim, and what else is compiled in.
WAYS = [
    ("fig2", AGAIN_BY_CLAIM, []),
    ("fig2", AGAIN, ["-DWHORL_FAIR=1"]),
    ("fig4", AGAIN_BY_CLAIM, ["-DWHORL_INFINITE_RUNS=1"]),
    ("fig4", NOTHING_ELSE, ["-DWHORL_FAIR=1"]),
    ("fig5", NOTHING_ELSE, ["-DWHORL_INFINITE_RUNS=1"]),
    ("colours", AGAIN, []),
    ("colours", AGAIN_BY_CLAIM, ["-DWHORL_WORDS=9"]),  # packed
    ("colours", NOTHING_ELSE, []),
    ("colours", AGAIN, ["-DWHORL_FAIR=1", "-DWHORL_WORDS=1"]),
    ("scc", AGAIN_BY_CLAIM, []),
    ("scc", NOTHING_ELSE, ["-DWHORL_INFINITE_RUNS=1", "-DWHORL_WORDS=9"]),
    ("scc", AGAIN, ["-DWHORL_FAIR=1"]),
    ("scc", NOTHING_ELSE, ["-DWHORL_FAIR=1"]),
    ("owcty", AGAIN, []),
    ("owcty", AGAIN_BY_CLAIM, ["-DWHORL_INFINITE_RUNS=1", "-DWHORL_WORDS=9"]),
    ("owcty", NOTHING_ELSE, ["-DWHORL_FAIR=1"]),
]


@pytest.mark.parametrize(("algorithm", "claim", "options"), WAYS)
def test_random_graphs(build: Build, algorithm: str, claim: int, options: list[str]) -> None:
    verifier = compiled(build, algorithm, claim, *options)
    dice = random.Random(algorithm + str(claim))
    for _ in range(GRAPHS):
        check(
            verifier,
            random_graph(dice),
            always=claim == NOTHING_ELSE,
            fair="-DWHORL_FAIR=1" in options,
            infinite_runs="-DWHORL_INFINITE_RUNS=1" in options,
        )


@pytest.mark.parametrize("algorithm", ["colours", "scc", "owcty"])
def test_the_same_text_is_c_plus_plus(build: Build, algorithm: str) -> None:
    verifier = compiled(build, algorithm, AGAIN, "-DWHORL_FAIR=1", language="c++")
    check(verifier, Graph(frozenset({1}), ((0, 1, 0), (1, 0, 1))), False, True, False)


def test_limits(build: Build) -> None:
    line = Graph(frozenset({63}), tuple((n, n + 1, 0) for n in range(63)))
    for algorithm, claim in (("colours", AGAIN), ("scc", NOTHING_ELSE), ("owcty", AGAIN)):
        verifier = compiled(build, algorithm, claim)
        done, found = search(verifier, line)
        assert (done["stopped"], found["loop"]) == ("violation", 63)
        done, found = search(verifier, line, "--max-states", "10")
        assert (done["stopped"], done["states"], found) == ("states", 10, None)
        done, found = search(verifier, line, "--max-depth", "20")
        assert (done["stopped"], done["truncated"], done["depth"]) == (None, True, 20)
        done, found = search(verifier, line, "--memory", "1000")
        assert (done["stopped"], done["states"]) == ("memory", 0)


def test_components_give_a_short_run(build: Build) -> None:
    """A long way and a short one lead to the cycle, and round it."""
    edges = [*((n, n + 1, 1) for n in range(20)), (20, 0, 1), (0, 21, 0), (21, 22, 0), (22, 0, 0)]
    _, found = search(compiled(build, "scc", AGAIN_BY_CLAIM), Graph(frozenset({21}), tuple(edges)))
    assert (len(found["choices"]), found["loop"]) == (3, 0)
