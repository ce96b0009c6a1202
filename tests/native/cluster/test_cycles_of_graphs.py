"""Several workers look for cycles in every small graph and many others: against the definition."""

from __future__ import annotations

import shutil
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from support.graph_searches import GIVEN, LABELS, with_claims
from support.runtime import RUNTIME, Build, builder
from support.small_graphs import ANYTHING, Claim, Small, accepts, every, every_and_drawn
from support.worker_graphs import compare, graph_library
from whorl.native.verifier import VerifierError

# Wrong lines in the C of a worker: file, line, what is there instead.
PLANTED = {
    "an edge counted twice": (
        "elimination.h",
        "colour + edges * WHORL_ONE_EDGE);",
        "colour + 2 * edges * WHORL_ONE_EDGE);",
    ),
    "edges of one record counted once": (
        "elimination.h",
        "whorl_reach_node(&c->lists, node, edges);",
        "whorl_reach_node(&c->lists, node, 1);",
    ),
    "a missing decrement": (
        "elimination.h",
        "colour -= edges * WHORL_ONE_EDGE;",
        "colour -= (edges - 1) * WHORL_ONE_EDGE;",
    ),
    "an edge that is not sent, since one like it was": (
        "post.h",
        "if (!counts) return;",
        "return;",
    ),
    "a cache that outlives its phase": (
        "claims.h",
        "whorl_post_forget(c->post);",
        "",
    ),
    "a wrong owner": (
        "outbox.h",
        "whorl_high(hash, o->count);",
        "((whorl_high(hash, o->count) + (o->number == 1 && hash % 3 == 0)) % o->count);",
    ),
    "all components of the claim are one": (
        "elimination.h",
        "if (!explores && !whorl_edge_counts(node, edge->node)) continue;",
        "if (c->phase == WHORL_REACH && !whorl_edge_counts(node, edge->node)) continue;",
    ),
    "only the first start is tried": (
        "around.h",
        "return whorl_hash_node(&record) >> bit & 1;",
        "return at > 0;",
    ),
}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return builder(tmp_path_factory.mktemp("graphs"))


def labelled(step: int) -> list[tuple[Small, Claim]]:
    """One in so many of the graphs of three nodes, and some larger ones."""
    drawn = every_and_drawn(1, 100, 7, "cluster")
    return [(graph, ANYTHING) for graph in [*islice(every(3), 0, None, step), *drawn]]


def test_labels(build: Build) -> None:
    compare(graph_library(build, LABELS), labelled(9), accepts)


def test_labels_with_fairness(build: Build) -> None:
    graphs = [(graph, ANYTHING) for graph in every_and_drawn(1, 200, 5, "cluster", processes=3)]
    compare(graph_library(build, LABELS, fair=True), graphs, partial(accepts, fair=True))


def test_claims(build: Build) -> None:
    compare(graph_library(build, GIVEN), with_claims(300, 6, 1, "cluster"), accepts)


def test_claims_of_infinite_runs(build: Build) -> None:
    library = graph_library(build, GIVEN, WHORL_INFINITE_RUNS=1)
    wanted = partial(accepts, infinite_runs=True)
    compare(library, with_claims(200, 6, 1, "cluster, infinite runs"), wanted)


def test_claims_with_fairness(build: Build) -> None:
    library = graph_library(build, GIVEN, fair=True)
    compare(library, with_claims(200, 5, 3, "cluster"), partial(accepts, fair=True))


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_planted_mistake_is_noticed(mistake: str, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    shutil.copytree(RUNTIME, runtime)
    name, line, wrong = PLANTED[mistake]
    path = runtime / "cluster" / name
    text = path.read_text()
    assert text.count(line) == 1
    path.write_text(text.replace(line, wrong))
    library = graph_library(builder(tmp_path), GIVEN, "-iquote", str(runtime))
    with pytest.raises((AssertionError, VerifierError)):
        compare(library, with_claims(1000, 9, 1, "planted"), accepts, (2, 3))


@pytest.mark.slow
@pytest.mark.parametrize("fair", [False, True])
def test_many_claims(build: Build, fair: bool) -> None:
    graphs = with_claims(20_000, 9, 3 if fair else 1, f"cluster, many {fair}")
    compare(graph_library(build, GIVEN, fair=fair), graphs, partial(accepts, fair=fair))


@pytest.mark.slow
def test_all_graphs_of_three_nodes(build: Build) -> None:
    compare(graph_library(build, LABELS), labelled(1), accepts)
