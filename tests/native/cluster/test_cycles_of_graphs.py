"""The search for cycles by several workers, on every small graph and many others, against the definition."""

from __future__ import annotations

from functools import partial

import pytest

from support.graph_searches import GIVEN, LABELS, with_claims
from support.runtime import Build, builder
from support.small_graphs import ANYTHING, accepts, every_and_drawn
from support.worker_graphs import compare, graph_library


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return builder(tmp_path_factory.mktemp("graphs"))


def test_labels(build: Build) -> None:
    graphs = [(graph, ANYTHING) for graph in every_and_drawn(3, 200, 7, "cluster")]
    compare(graph_library(build, LABELS), graphs, accepts)


def test_labels_with_fairness(build: Build) -> None:
    graphs = [(graph, ANYTHING) for graph in every_and_drawn(2, 200, 5, "cluster", processes=3)]
    compare(graph_library(build, LABELS, fair=True), graphs, partial(accepts, fair=True))


def test_claims(build: Build) -> None:
    compare(graph_library(build, GIVEN), with_claims(500, 6, 1, "cluster"), accepts)


def test_claims_of_infinite_runs(build: Build) -> None:
    library = graph_library(build, GIVEN, WHORL_INFINITE_RUNS=1)
    wanted = partial(accepts, infinite_runs=True)
    compare(library, with_claims(300, 6, 1, "cluster, infinite runs"), wanted)


def test_claims_with_fairness(build: Build) -> None:
    library = graph_library(build, GIVEN, fair=True)
    compare(library, with_claims(300, 5, 3, "cluster"), partial(accepts, fair=True))
