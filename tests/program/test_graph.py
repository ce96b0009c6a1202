"""The graph of a process: where each transition leads, and which locations have special labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from whorl.api import load
from whorl.program.program import DStep, ProcessType, Terminate, Transition

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pml"))


def process(body: str, declared: str = "byte x, y;") -> ProcessType:
    return load(f"{declared} init {{ {body} }}").program.processes[0]


def edges(graph: ProcessType) -> set[tuple[int, str, int]]:
    """Its transitions that can be reached, with locations numbered in the order of a search."""
    numbers = {graph.start: 0}
    waiting = [graph.start]
    found = set()
    while waiting:
        for transition in graph.locations[waiting.pop(0)]:
            if isinstance(transition.action, Terminate):
                continue
            if transition.target not in numbers:
                numbers[transition.target] = len(numbers)
                waiting.append(transition.target)
            found.add((numbers[transition.source], transition.text, numbers[transition.target]))
    return found


GRAPHS = {
    "x = 1; x = 2": {(0, "x = 1", 1), (1, "x = 2", 2)},
    "if :: x = 1 :: x = 2; x = 3 fi; y = 1": {
        (0, "x = 1", 1), (0, "x = 2", 2), (2, "x = 3", 1), (1, "y = 1", 3),
    },
    "do :: x = 1 :: x = 2; break od; y = 1": {
        (0, "x = 1", 0), (0, "x = 2", 1), (1, "y = 1", 2),
    },
    "do :: x = 1; if :: y = 1 :: y = 2; break fi od": {
        (0, "x = 1", 1), (1, "y = 1", 0), (1, "y = 2", 2),
    },
    "L: x = 1; if :: x == 1 -> goto L :: x == 2 fi": {
        (0, "x = 1", 1), (1, "x == 1", 0), (1, "x == 2", 2),
    },
    "goto L; x = 1; L: x = 2": {(0, "x = 2", 1)},
    "{ x = 1; x = 2 }; { x = 3 }": {(0, "x = 1", 1), (1, "x = 2", 2), (2, "x = 3", 3)},
    "{ x = 1; x = 2 } unless { y == 1; y = 2 }": {
        (0, "y == 1", 1), (0, "x = 1", 2), (1, "y = 2", 3), (2, "y == 1", 1), (2, "x = 2", 3),
    },
    "atomic { x = 1; x = 2 }": {(0, "x = 1", 1), (1, "x = 2", 2)},
    "d_step { x = 1; x = 2 }; y = 1": {(0, "d_step { x = 1; x = 2 }", 1), (1, "y = 1", 2)},
    "for (x : 1 .. 3) { y = x }": {
        (0, "x = 1", 1), (1, "x <= 3", 2), (1, "else", 3), (2, "y = x", 4), (4, "x++", 1),
    },
    "select (x : 1 .. 2)": {(0, "x = 1", 1), (0, "x = 2", 1)},
    "if :: false -> x = 1 :: y = 1 fi": {(0, "y = 1", 1)},
    "if :: else -> x = 1 :: y == 1 fi": {(0, "y == 1", 1), (0, "else", 2), (2, "x = 1", 1)},
    "skip; byte z = 3; x = z": {(0, "skip", 1), (1, "z = 3", 2), (2, "x = z", 3)},
}  # fmt: skip


@pytest.mark.parametrize("body", GRAPHS)
def test_graphs(body: str) -> None:
    assert edges(process(body)) == GRAPHS[body]


def test_else_is_tried_last_wherever_it_stands() -> None:
    graph = process("if :: else -> x = 1 :: y == 1 :: y == 2 fi")
    texts = [transition.text for transition in graph.locations[graph.start]]
    assert texts == ["y == 1", "y == 2", "else"]


def test_escapes_are_tried_first_the_outer_before_the_inner() -> None:
    graph = process("{ { x = 1 } unless { y == 1 } } unless { y == 2 }")
    here = graph.locations[graph.start]
    assert [transition.text for transition in here] == ["y == 2", "y == 1", "x = 1"]
    assert len({transition.escape for transition in here}) == 3
    assert here[-1].escape == 0


@pytest.mark.parametrize(
    ("body", "atomic"),
    [
        ("x = 1; x = 2", [False, False]),
        ("atomic { x = 1; x = 2 }", [True, False]),
        ("atomic { x = 1; x = 2 }; x = 3", [True, False, False]),
        ("atomic { x = 1; atomic { x = 2; x = 3 }; x = 4 }", [True, True, True, False]),
        ("atomic { x = 1; d_step { x = 2; x = 3 }; x = 4 }", [True, True, False]),
        ("atomic { x = 1; goto L }; L: x = 2", [True, False, False]),
    ],
)
def test_where_control_is_kept(body: str, atomic: list[bool]) -> None:
    graph = process(body)
    kept: list[bool] = []
    at = graph.start
    while not isinstance((step := graph.locations[at][0]).action, Terminate):
        kept.append(step.atomic)
        at = step.target
    assert kept == atomic


@pytest.mark.parametrize(
    ("body", "kind", "texts"),
    [
        ("x = 1; end: x = 2", "end", {"x = 2", "-end-"}),
        ("x = 1; x = 2", "end", {"-end-"}),
        ("end_1: x = 1; endless: x = 2", "end", {"x = 1", "x = 2", "-end-"}),
        ("x = 1; accept: x = 2", "accept", {"x = 2"}),
        ("accept_all: do :: x = 1 od", "accept", {"x = 1"}),
        ("x = 1; progress: x = 2; progress_2: x = 3", "progress", {"x = 2", "x = 3"}),
        ("in_progress: x = 1", "progress", set()),
    ],
)
def test_special_labels(body: str, kind: str, texts: set[str]) -> None:
    graph = process(body)
    marked: frozenset[int] = getattr(graph, f"{kind}_locations")
    found = {graph.locations[at][0].text for at in marked if graph.locations.get(at)}
    assert found == texts


def inner(transition: Transition) -> list[Transition]:
    if not isinstance(transition.action, DStep):
        return []
    return [each for here in transition.action.locations.values() for each in here]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_every_graph_is(path: Path) -> None:
    """A transition leads to a location, no two are taken for each other, and each end is one."""
    program = load(path).program
    numbers: dict[int, str] = {}
    for graph in program.processes:
        assert graph.start in graph.locations
        found = list(graph.transitions())
        assert len({transition.way for transition in found}) == len(found)
        for source, here in graph.locations.items():
            assert all(transition.source == source for transition in here)
            assert all(transition.target in graph.locations for transition in here)
        (end,) = graph.locations[graph.final]
        assert isinstance(end.action, Terminate)
        assert graph.final in graph.end_locations
        # A number is that of one statement of the program.
        for transition in [*found, *(each for one in found for each in inner(one))]:
            assert numbers.setdefault(transition.number, transition.text) == transition.text
