"""Elimination on a GPU, for which the processor stands in: small graphs, against the definition."""

from __future__ import annotations

import shutil
from functools import partial
from itertools import islice

import pytest

from support.gpu import COMPILER
from support.gpu_graphs import compare, kernels
from support.graph_searches import GIVEN, LABELS, with_claims
from support.small_graphs import ANYTHING, Claim, Small, accepts, every, every_and_drawn
from whorl.native.gpu.device import DeviceFailed

# Wrong lines in runtime/gpu/elimination.h and nodes.h.
PLANTED = {
    "an edge counted twice": (
        "{ whorl_reach_on(w, WHORL_ONE_EDGE); }",
        "{ whorl_reach_on(w, 2 * WHORL_ONE_EDGE); }",
    ),
    "the first edge not counted": (
        "colour - WHORL_LEFT + WHORL_REACHED + edge;",
        "colour - WHORL_LEFT + WHORL_REACHED;",
    ),
    "an edge taken away twice": (
        "whorl_add_colour(&w->colours[to], 0u - WHORL_ONE_EDGE);",
        "whorl_add_colour(&w->colours[to], 0u - 2 * WHORL_ONE_EDGE);",
    ),
    "what is taken away takes nothing with it": (
        "w->colours[to] = WHORL_OUT;",
        "continue;",
    ),
    "edges between components are taken away, which were not counted": (
        "if (!whorl_edge_counts(place, e.place) || !whorl_locate(",
        "if (!whorl_locate(",
    ),
    "every node accepts": (
        "if (!whorl_each_node(w, &index) || w->colours[index] != WHORL_LEFT) return;\n"
        "  if (!whorl_accepts(w, index)) return;",
        "if (!whorl_each_node(w, &index) || w->colours[index] != WHORL_LEFT) return;",
    ),
    "places are one": (
        "if (WHORL_PLACED) differ |= words[WHORL_WORDS] ^ place;",
        "",
    ),
    "only the first start is tried": (
        "return whorl_rehash(whorl_fold(hash ^ WHORL_HASH_D, place + WHORL_HASH_B)) >> w->bit & 1;",
        "return index > 0;",
    ),
    "a run that ends is none": (
        "if (WHORL_INFINITE_RUNS || e->next_way == n->ways) return false;",
        "return false;",
    ),
}

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")


@pytest.fixture(autouse=True)
def compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHORL_CC", COMPILER)


def labelled(step: int) -> list[tuple[Small, Claim]]:
    """One in so many of the graphs of three nodes, and some larger ones."""
    drawn = every_and_drawn(1, 100, 7, "GPU")
    return [(graph, ANYTHING) for graph in [*islice(every(3), 0, None, step), *drawn]]


def test_labels() -> None:
    compare(kernels(LABELS), labelled(99), accepts)


def test_claims() -> None:
    compare(kernels(GIVEN, loops=2, collide=True), with_claims(150, 6, 1, "GPU"), accepts)


def test_claims_of_infinite_runs() -> None:
    wanted = partial(accepts, infinite_runs=True)
    made = kernels(GIVEN, infinite_runs=True)
    compare(made, with_claims(100, 6, 1, "GPU, infinite runs"), wanted)


def mistaken(mistake: str) -> None:
    line, wrong = PLANTED[mistake]

    def edit(text: str) -> str:
        assert text.count(line) == 1
        return text.replace(line, wrong)

    made = kernels(GIVEN, edit=edit, collide=True)
    with pytest.raises((AssertionError, DeviceFailed)):
        compare(made, with_claims(1500, 9, 1, "planted"), accepts)


@pytest.mark.parametrize("mistake", sorted(PLANTED)[:2])
def test_a_planted_mistake_is_noticed(mistake: str) -> None:
    mistaken(mistake)


@pytest.mark.slow
@pytest.mark.parametrize("mistake", sorted(PLANTED)[2:])
def test_every_planted_mistake_is_noticed(mistake: str) -> None:
    mistaken(mistake)


@pytest.mark.slow
@pytest.mark.parametrize("loops", [1, 3])
def test_many_claims(loops: int) -> None:
    compare(kernels(GIVEN, loops=loops), with_claims(10_000, 9, 1, f"GPU, many {loops}"), accepts)


@pytest.mark.slow
def test_all_graphs_of_three_nodes() -> None:
    compare(kernels(LABELS), labelled(1), accepts)
