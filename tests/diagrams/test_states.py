"""Pictures of state spaces: as many states and steps as a search counts, and the rest dashed."""

from __future__ import annotations

from pathlib import Path

import pytest

import whorl
from support.drawn import DrawnDiagram, legend, read
from support.siegel import FIGURE_2, PROCESSES
from support.spin import full_search
from whorl.diagrams.space import product_space, program_space
from whorl.program.semantics import Semantics
from whorl.search.exploration import Options
from whorl.search.product import Product
from whorl.search.watch import Watch
from whorl.selection import Wanted, select

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = ["traffic_light", "peterson", "lost_update", "philosophers", "river_crossing", "spin_lock"]
REDUCED = ["static", "two-phase-ample", "two-phase", "persistent", "pv", "dfs_po", "sleep"]
DEADLOCK = "byte x; active proctype a() { x = 1; x == 2; end_a: x == 3 }"
FAULT = """byte x; byte b[2];
active proctype a() { do :: x < 3 -> b[x] = 1; x++ :: atomic { x == 1; assert(false); x = 5 } od }
"""
LOCAL = """byte x, y, z;
active proctype a() { byte i; i = 1; i = 2; x = i }
active proctype b() { byte i; i = 1; i = 2; y = i }
"""


def checked(model: str | Path, **options: object) -> whorl.Statistics:
    """The figures of a search to the end that merges nothing."""
    result = whorl.check(model, all_errors=True, merge=False, **options)  # type: ignore[arg-type]
    assert result.statistics.complete
    return result.statistics


@pytest.mark.parametrize("name", SMALL)
def test_the_full_space_is_what_a_search_counts(name: str) -> None:
    model = EXAMPLES / f"{name}.pml"
    figures = checked(model, safety=True, por="none")
    picture = whorl.graph(model, states=True)
    (drawn,) = read(picture.svg)
    assert len(drawn.vertices) == figures.states
    assert drawn.caption.startswith(
        f"{figures.states} states, {figures.transitions - 1} transitions"
    )
    assert {end for arc in drawn.arcs for end in arc.ends} <= set(range(figures.states))


@pytest.mark.spin
@pytest.mark.parametrize("name", ["traffic_light", "lost_update"])
def test_spin_counts_the_same(name: str) -> None:
    of_spin = full_search(EXAMPLES / f"{name}.pml")
    (drawn,) = read(whorl.graph(EXAMPLES / f"{name}.pml", states=True).svg)
    assert drawn.caption == f"{of_spin.states} states, {of_spin.transitions - 1} transitions"
    assert len(drawn.vertices) == of_spin.states


@pytest.mark.parametrize("scheme", REDUCED)
@pytest.mark.parametrize("name", [*SMALL, "local"])
def test_what_is_not_dashed_is_what_a_search_stored(name: str, scheme: str) -> None:
    model = LOCAL if name == "local" else EXAMPLES / f"{name}.pml"
    figures = checked(model, safety=True, por=scheme)
    full, reduced = read(whorl.graph(model, por=scheme).svg)
    stored = [v for v in reduced.vertices if not v.classes & {"left-out", "passed"}]
    assert len(stored) == figures.states
    assert not any(part.classes & {"left-out"} for part in [*full.vertices, *full.arcs])
    assert [v.box for v in full.vertices] == [v.box for v in reduced.vertices]
    assert [arc.ends for arc in full.arcs] == [arc.ends for arc in reduced.arcs]
    check_dashes(reduced)


def check_dashes(reduced: DrawnDiagram) -> None:
    """From what is left out nothing leads on, and to it only what is dashed."""
    gone = {n for n, vertex in enumerate(reduced.vertices) if "left-out" in vertex.classes}
    reached = {0}
    for arc in reduced.arcs:
        dashed = "left-out" in arc.classes
        assert dashed or not gone & set(arc.ends)
        reached |= set() if dashed else {arc.ends[1]}
    assert reached == set(range(len(reduced.vertices))) - gone
    part = {n for n, vertex in enumerate(reduced.vertices) if "part" in vertex.classes}
    whole = set(range(len(reduced.vertices))) - part - gone
    passed = {n for n, vertex in enumerate(reduced.vertices) if "passed" in vertex.classes}
    dashed_from = {arc.ends[0] for arc in reduced.arcs if "left-out" in arc.classes}
    assert part <= dashed_from
    assert not dashed_from & (whole - passed)


def test_something_is_left_out_and_something_is_passed() -> None:
    _, reduced = read(whorl.graph(LOCAL, por="two-phase-ample").svg)
    kinds = [vertex.classes for vertex in reduced.vertices]
    assert sum("left-out" in k for k in kinds) > 10
    assert any("passed" in k for k in kinds)
    _, by_state = read(whorl.graph(LOCAL, por="static").svg)
    assert not any("passed" in vertex.classes for vertex in by_state.vertices)
    assert any("part" in vertex.classes for vertex in by_state.vertices)


def test_without_a_compiler_the_reference_engine_says_what_it_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = EXAMPLES / "philosophers.pml"
    with_compiler = whorl.graph(model, por="static").svg
    monkeypatch.setattr("whorl.graphs.find_compiler", lambda *_: None)
    assert whorl.graph(model, por="static").svg == with_compiler


@pytest.mark.parametrize("scheme", ["none", "v0", "v1", "static", "dfs_po", "pv"])
@pytest.mark.parametrize("claim", ["safe", "no_walk_unasked"])
def test_products_have_what_a_search_stores(scheme: str, claim: str) -> None:
    model = EXAMPLES / "traffic_light.pml"
    figures = checked(model, claim=claim, por=scheme, engine="native")
    drawn = read(whorl.graph(model, claim=claim, por=scheme).svg)[-1]
    stored = [vertex for vertex in drawn.vertices if "left-out" not in vertex.classes]
    assert len(stored) == figures.states


def test_siegels_figure_1() -> None:
    """The product of his program and B1: four states, and what V0 loses is dashed."""
    full, reduced = read(whorl.graph(FIGURE_2, claim="never", por="v0").svg)
    assert len(full.vertices) == 4
    assert len(full.arcs) == 5
    assert sum("accepting" in vertex.classes for vertex in full.vertices) == 2
    lost = [arc for arc in reduced.arcs if "left-out" in arc.classes]
    assert len(lost) == 2  # A0 to B1, and the loop there
    assert all("on-lasso" in arc.classes for arc in lost)
    assert [n for n, v in enumerate(reduced.vertices) if "left-out" in v.classes] == [
        lost[0].ends[1]
    ]
    assert "unsound" in reduced.caption
    _, sound = read(whorl.graph(FIGURE_2, claim="never", por="two-phase-ample").svg)
    assert not any("left-out" in vertex.classes for vertex in sound.vertices)


def test_ends_and_what_fails_are_told_apart_without_colour() -> None:
    text = whorl.graph(DEADLOCK, states=True).svg
    (drawn,) = read(text)
    assert sum("wrong" in vertex.classes for vertex in drawn.vertices) == 1
    assert sum(words.startswith("✗") for words, _ in drawn.texts) == 1
    assert legend(text) == ["violation"]
    (drawn,) = read(whorl.graph(PROCESSES.replace("do :: x=0 od", "skip"), states=True).svg)
    assert sum("end" in vertex.classes for vertex in drawn.vertices) == 1
    (drawn,) = read(whorl.graph(FAULT, states=True).svg)
    failing = [arc for arc in drawn.arcs if "failing" in arc.classes]
    assert {words for words, _ in drawn.texts if words.startswith("✗ a")} == {
        "✗ assertion",
        "✗ array bounds",
    }
    assert len(failing) >= 2
    semantics = Semantics(whorl.load(FAULT).program)
    space = program_space(semantics, 100)
    faults = sum(edge.target is None for edge in space.edges)
    assert faults
    assert len(drawn.vertices) == len(space.places) + faults
    ends = [arc.ends for arc in drawn.arcs if arc.ends[1] >= len(space.places)]
    assert [source for source, _ in ends] == [e.source for e in space.edges if e.target is None]
    assert len({target for _, target in ends}) == faults
    _, reduced = read(whorl.graph(FAULT, por="static").svg)
    wrong = [vertex for vertex in reduced.vertices if "wrong" in vertex.classes]
    assert not any("left-out" in vertex.classes for vertex in wrong)


def test_the_run_that_a_claim_accepts_is_a_way_through_the_product() -> None:
    model = whorl.load(EXAMPLES / "traffic_light.pml")
    (claim,) = select(model.program, Wanted(claims=("response",))).claims
    product = Product(Semantics(model.program), claim, Watch(Options()))
    space = product_space(product, 100)
    (drawn,) = read(whorl.graph(model, claim="response", states=True).svg)
    assert len(drawn.vertices) == len(space.places)
    lasso = [arc.ends for arc in drawn.arcs if "on-lasso" in arc.classes]
    assert lasso[0][0] == 0
    assert lasso[-1][1] in space.accepting
    holds = read(whorl.graph(model, claim="safe", states=True).svg)[0]
    assert not any("on-lasso" in arc.classes for arc in holds.arcs)


def test_what_stands_in_states() -> None:
    model = EXAMPLES / "traffic_light.pml"
    numbers = whorl.graph(model, states=True, contents="number")
    assert {vertex.text for vertex in numbers.diagrams[0].vertices} == {(str(n),) for n in range(9)}
    lines = whorl.graph(model, states=True, contents="lines")
    assert lines.diagrams[0].vertices[0].text == ("0", "controller:0 24", "button:1 35")
    values = whorl.graph(model, states=True)
    assert values.diagrams[0].vertices[0].text[1:] == (
        "cars = green",
        "people = red",
        "pressed = 0",
    )
    about = values.diagrams[0].vertices[1].about
    assert "controller:0 at line 24: pressed" in about
    assert "pressed = 1" in about


def test_too_many_states_are_refused() -> None:
    with pytest.raises(whorl.WhorlError, match="more than 8 states: too many to draw"):
        whorl.graph(EXAMPLES / "traffic_light.pml", states=True, max_states=8)
    assert whorl.graph(EXAMPLES / "traffic_light.pml", states=True, max_states=9).svg


def test_a_state_in_which_a_proposition_has_no_value_is_wrong() -> None:
    text = "byte a[2]; byte i; active proctype p() { i = 5; i = 0 } ltl f { [] (a[i] == 0) }"
    (drawn,) = read(whorl.graph(text, claim="f", states=True).svg)
    assert [n for n, vertex in enumerate(drawn.vertices) if "wrong" in vertex.classes] == [1]
    assert [arc.ends for arc in drawn.arcs] == [(0, 1)]
