"""Runs verifiers of small graphs (graphs.c), and compares what they find with the definition."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.small_graphs import ANYTHING, Claim, Small, drawn, drawn_claim
from whorl.native.code.claim import _acceptance
from whorl.property.automaton import Buchi, Edge

LABELS, GIVEN = 0, 3  # what CLAIM in graph.c may be


def answers(program: Path, lines: list[str], threads: int | None = None) -> list[Any]:
    """What the verifier finds in each graph: a violation, or None.

    `threads`: how many search; None: it is a verifier for one.
    """
    options = ["--store", "exact"] if threads is None else ["--threads", str(threads)]
    result = subprocess.run(
        [program, *options],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=1000,
    )
    assert result.returncode == 0, result.stderr
    found = result.stdout.splitlines()
    assert len(found) == len(lines)
    return [json.loads(each) for each in found]


def compare(
    program: Path,
    graphs: list[tuple[Small, Claim]],
    is_violated: Callable[[Small, Claim], bool],
    threads: int | None = None,
) -> None:
    lines = [str(graph) + text(claim) for graph, claim in graphs]
    violated = 0
    for (graph, claim), line, found in zip(
        graphs, lines, answers(program, lines, threads), strict=True
    ):
        assert (found is not None) == is_violated(graph, claim), line
        if found is not None:
            violated += 1
            run = graph.lasso(found["choices"], found["loop"])
            assert run is not None, (line, found)
            assert is_violated(run, claim), (line, found)
    assert 0.05 < violated / len(graphs) < 0.95


def text(claim: Claim) -> str:
    """A claim as graph.c reads it, with what the generator says of its components."""
    if claim is ANYTHING:
        return ""
    edges = tuple(
        tuple(Edge(1 << letter, t) for letter in range(2) for t in moves[letter])
        for moves in claim.moves
    )
    automaton = Buchi(("good",), 0, edges, claim.accepting)
    numbers, kinds, accepting = _acceptance(automaton, 0)
    words: list[int] = []
    for state, moves in enumerate(claim.moves):
        words += [int(state in accepting), numbers[state], kinds[state]]
        for targets in moves:
            words += [len(targets), *targets]
    return "/" + " ".join(map(str, words))


def with_claims(count: int, most: int, processes: int, seed: str) -> list[tuple[Small, Claim]]:
    dice = random.Random(seed)
    return [(drawn(dice, most, processes), drawn_claim(dice)) for _ in range(count)]
