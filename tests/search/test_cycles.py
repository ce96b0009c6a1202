"""The searches for cycles, on explicit graphs: against a naive oracle, and the papers' examples."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.graphs import Explicit, Reduced, has_cycle, is_lasso, reachable, watch
from whorl.search import colours, nested_fig2, nested_fig4, non_progress, owcty, scc
from whorl.search.exploration import Options
from whorl.search.graph import Graph, Lasso, Selection
from whorl.search.limits import Limits
from whorl.search.watch import Stop, Watch

Edges = dict[object, list[object]]
Find = Callable[[Graph[object], Watch], Lasso[object] | None]

SEARCHES: dict[str, Find] = {
    "fig2": nested_fig2.find,
    "fig4": nested_fig4.find,
    "colours": colours.find,
    "scc": scc.find,
    "owcty": owcty.find,
}
by_search = pytest.mark.parametrize("find", SEARCHES.values(), ids=list(SEARCHES))


@st.composite
def graphs(draw: st.DrawFn) -> Explicit:
    size = draw(st.integers(1, 9))
    node = st.integers(0, size - 1)
    edges: Edges = {n: draw(st.lists(node, max_size=3)) for n in range(size)}
    roots = draw(st.lists(node, min_size=1, max_size=2))
    return Explicit(edges, roots, draw(st.frozensets(node, max_size=3)))


# --- random graphs -------------------------------------------------------------------------------


@by_search
@given(graphs())
def test_agrees_with_the_oracle(find: Find, graph: Explicit) -> None:
    lasso = find(graph, watch())
    assert (lasso is not None) == has_cycle(graph, [graph.is_accepting])
    if lasso is not None:
        assert is_lasso(graph, lasso)
        assert any(map(graph.is_accepting, lasso.cycle))


@given(graphs())
def test_non_progress_agrees_with_the_oracle(graph: Explicit) -> None:
    progress = graph.is_accepting
    without_progress = {s: [t for t in out if not progress(t)] for s, out in graph.edges.items()}
    lasso = non_progress.find(graph, watch(), progress)
    everywhere = Explicit(without_progress, [n for n in reached(graph) if not progress(n)])
    assert (lasso is not None) == has_cycle(everywhere, [])
    if lasso is not None:
        assert is_lasso(graph, lasso)
        assert lasso.cycle
        assert not any(map(graph.is_accepting, lasso.cycle))


def reached(graph: Explicit) -> set[object]:
    return reachable(graph, graph.initial())


@pytest.mark.parametrize("search", [scc, owcty])
@given(graphs(), st.lists(st.frozensets(st.integers(0, 8)), max_size=3))
def test_generalised_acceptance(
    search: ModuleType, graph: Explicit, sets: list[frozenset[int]]
) -> None:
    def marks(node: object) -> int:
        return sum(1 << n for n, members in enumerate(sets) if node in members)

    lasso = search.find(graph, watch(), marks, len(sets))
    assert (lasso is not None) == has_cycle(graph, [members.__contains__ for members in sets])
    if lasso is not None:
        assert is_lasso(graph, lasso)
        assert all(any(node in members for node in lasso.cycle) for members in sets)


@by_search
@given(graphs(), st.frozensets(st.integers(0, 8), max_size=2))
def test_errors_are_reported(find: Find, graph: Explicit, errors: frozenset[int]) -> None:
    graph.accepting, graph.errors = (), errors
    lasso = find(graph, watch())
    assert (lasso is not None) == bool(reached(graph) & errors)
    if lasso is not None:
        assert is_lasso(graph, lasso)
        assert lasso.cycle == ()
        assert lasso.prefix[-1] in errors


@by_search
def test_a_long_chain_needs_no_recursion(find: Find) -> None:
    length = 20_000
    edges: Edges = {n: [n + 1] for n in range(length)}
    edges[length] = [length // 2]
    lasso = find(Explicit(edges, accepting=[length - 1]), watch())
    assert lasso is not None
    assert (len(lasso.prefix), len(lasso.cycle)) == (length // 2, length // 2 + 1)
    edges[length] = []
    assert find(Explicit(edges, accepting=range(length)), watch()) is None


@by_search
def test_limits(find: Find) -> None:
    edges: Edges = {n: [n + 1] for n in range(100)}
    with pytest.raises(Stop, match="limit of 10 states"):
        find(Explicit(edges), Watch(Options(limits=Limits(states=10))))
    shallow = Watch(Options(limits=Limits(depth=10)))
    assert find(Explicit(edges), shallow) is None
    assert shallow.result.truncated
    assert (shallow.result.progress.states, shallow.result.progress.depth) == (11, 10)


def test_scc_gives_short_lassos() -> None:
    """The long way round is found first; there is a short one."""
    edges: Edges = {n: [n + 1] for n in range(8)}
    edges |= {0: [1, 5], 6: [7, 5], 8: [1]}
    graph = Explicit(edges, accepting=[5])
    assert scc.find(graph, watch()) == Lasso((0,), (5, 6))
    found = nested_fig4.find(graph, watch())
    assert found is not None
    assert len(found.nodes) > 3


# --- Holzmann, Peled and Yannakakis --------------------------------------------------------------

# Figure 3. The first search selects s2 and s3 at s1. In the second, which comes from s2 by e2 and
# e3, s3 is on the stack: the selection is refused, and s4 selected in its place.
FIGURE_3 = Reduced(
    edges={"s0": ["s1"], "s1": ["s2", "s3", "s4"], "s2": ["s3"], "s3": ["s1"], "s4": []},
    roots=["s0"],
    accepting=["s2"],
    choices={"s1": [["s2", "s3"], ["s4"]]},
)

# Section 5.2. The first search comes to x, and from there to y: y may not lead back to x, so it
# leads to w. The second search begins at the accepting b and comes to y first: now y may lead to x,
# and x may not lead back to y, so that the way by w to r is not seen.
SECTION_5_2 = Reduced(
    edges={
        "r": ["x", "b"], "x": ["y", "z"], "y": ["x", "w"], "w": ["r"], "b": ["y"], "z": [],
    },
    roots=["r"],
    accepting=["b"],
    choices={"x": [["y"], ["z"]], "y": [["x"], ["w"]]},
)  # fmt: skip


def unreduced(graph: Reduced) -> Explicit:
    return Explicit(graph.edges, graph.roots, graph.accepting)


@by_search
@pytest.mark.parametrize("graph", [FIGURE_3, SECTION_5_2], ids=["figure 3", "section 5.2"])
def test_the_cycle_is_there_without_reduction(find: Find, graph: Reduced) -> None:
    assert find(unreduced(graph), watch()) is not None


def test_figure_3() -> None:
    assert nested_fig2.find(FIGURE_3, watch()) is None
    assert nested_fig4.find(FIGURE_3, watch()) == Lasso(("s0",), ("s1", "s2", "s3"))


def test_section_5_2() -> None:
    assert nested_fig2.find(SECTION_5_2, watch()) is None
    assert nested_fig4.find(SECTION_5_2, watch()) is None


@pytest.mark.parametrize("find", [nested_fig2.find, nested_fig4.find], ids=["fig2", "fig4"])
@pytest.mark.parametrize("graph", [FIGURE_3, SECTION_5_2], ids=["figure 3", "section 5.2"])
def test_keeping_the_selection_is_the_remedy(find: Find, graph: Reduced) -> None:
    """And then the cycle is one of the graph that the first search selected."""
    kept = Selection(graph)
    lasso = find(kept, watch())
    assert lasso is not None
    assert is_lasso(kept, lasso)


def test_fig4_stops_sooner_than_fig2() -> None:
    """The second search of Figure 4 ends on the first stack; that of Figure 2 goes to the seed."""
    length = 50
    edges: Edges = {n: [n + 1] for n in range(length)}
    edges[length] = [0]
    costs = []
    for find in (nested_fig2.find, nested_fig4.find):
        counted = watch()
        assert find(Explicit(edges, accepting=[length]), counted) is not None
        costs.append(counted.result.progress.transitions)
    assert costs == [1 + (length + 1) + (length + 1), 1 + (length + 1) + 1]
