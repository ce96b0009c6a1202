"""Diagrams as SVG: complete, well-formed, and nothing lies on a text or a vertex."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.drawn import apart, legend, read, size, within
from whorl.pictures.diagram import Appearance, Arc, Diagram, Vertex
from whorl.pictures.draw import draw

NAMES = st.lists(st.text("abc <&", min_size=1, max_size=9), max_size=3).map(tuple)


@st.composite
def diagrams(draw_from: st.DrawFn) -> Diagram:
    count = draw_from(st.integers(1, 9))
    ends = st.integers(0, count - 1)
    vertices = [Vertex(draw_from(NAMES)) for _ in range(count)]
    arcs = [
        Arc(draw_from(ends), draw_from(ends), draw_from(NAMES))
        for _ in range(draw_from(st.integers(0, 18)))
    ]
    return Diagram("a < b", draw_from(ends), vertices, arcs, deep=draw_from(st.booleans()))


@settings(max_examples=60)
@given(diagrams())
def test_every_part_is_drawn_and_nothing_overlaps(diagram: Diagram) -> None:
    text = draw("<title>", [diagram])
    (drawn,) = read(text)
    assert drawn.caption == "a < b"
    assert len(drawn.vertices) == len(diagram.vertices)
    assert [arc.ends for arc in drawn.arcs] == [(a.source, a.target) for a in diagram.arcs]
    lines = [line for vertex in diagram.vertices for line in vertex.text]
    assert [t for t, _ in drawn.texts] == lines + [x for a in diagram.arcs for x in a.text]
    boxes = [vertex.box for vertex in drawn.vertices]
    labels = [box for _, box in drawn.texts[len(lines) :]]
    for one, other in combinations([*boxes, *labels], 2):
        assert apart(one, other)
    width, height = size(text)
    assert all(within(box, (0, 0, width, height)) for box in [*boxes, *labels])


@settings(max_examples=60)
@given(diagrams())
def test_arcs_lead_from_their_source_to_their_target(diagram: Diagram) -> None:
    (drawn,) = read(draw("", [diagram]))
    for arc in drawn.arcs:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", arc.path)]
        begin = numbers[0], numbers[1]
        source, target = (drawn.vertices[end].box for end in arc.ends)
        assert _on_border(begin, source)
        # The last coordinate is where it ends; a vertical line names only that.
        assert min(abs(numbers[-1] - y) for y in (target[1], target[3])) < 0.2 or (
            arc.ends[0] == arc.ends[1] and target[1] <= numbers[-1] <= target[3]
        )


def _on_border(point: tuple[float, float], box: tuple[float, float, float, float]) -> bool:
    x, y = point
    inside = box[0] - 0.2 <= x <= box[2] + 0.2 and box[1] - 0.2 <= y <= box[3] + 0.2
    return inside and min(abs(x - box[2]), abs(y - box[1]), abs(y - box[3])) < 0.2


@settings(max_examples=40)
@given(diagrams())
def test_no_edge_crosses_a_vertex_or_a_label(diagram: Diagram) -> None:
    """Within a row an edge goes straight down: at no x that belongs to another part of the row."""
    (drawn,) = read(draw("", [diagram]))
    lines = sum(len(vertex.text) for vertex in diagram.vertices)
    labels = [box for _, box in drawn.texts[lines:]]
    for arc in drawn.arcs:
        if arc.ends[0] == arc.ends[1]:
            continue
        others = [v.box for n, v in enumerate(drawn.vertices) if n not in arc.ends]
        for x, low, high in _verticals(arc.path):
            for left, top, right, bottom in [*others, *labels]:
                if low < bottom - 1 and high > top + 1:
                    assert not left < x < right, (arc, (left, top, right, bottom))


def _verticals(path: str) -> list[tuple[float, float, float]]:
    found, x, y = [], 0.0, 0.0
    for kind, rest in re.findall(r"([MVC])([^MVC]*)", path):
        numbers = [float(number) for number in rest.split()]
        if kind == "V":
            found.append((x, min(y, numbers[0]), max(y, numbers[0])))
            y = numbers[0]
        else:
            x, y = numbers[-2:]
    return found


def test_a_chain_is_straight() -> None:
    vertices = [Vertex((str(n),)) for n in range(6)]
    arcs = [Arc(n, n + 1, ("step",)) for n in range(5)]
    (drawn,) = read(draw("", [Diagram("", 0, vertices, arcs)]))
    assert len({vertex.box[0] for vertex in drawn.vertices}) == 1
    assert all(a.box[1] < b.box[1] for a, b in pairwise(drawn.vertices))


def test_wide_vertices_stand_side_by_side() -> None:
    vertices = [Vertex(("x" * 40,)) for _ in range(8)]
    arcs = [Arc(0, n, ("y" * 30,)) for n in range(1, 8)]
    arcs += [Arc(n, 7, ("z" * 30,)) for n in range(1, 7)]
    (drawn,) = read(draw("", [Diagram("", 0, vertices, arcs)]))
    boxes = [vertex.box for vertex in drawn.vertices]
    labels = [box for words, box in drawn.texts if "x" not in words]
    assert all(apart(one, other) for one, other in combinations([*boxes, *labels], 2))


def test_a_long_edge_is_straight_between_its_ends() -> None:
    vertices = [Vertex((str(n) * (30 if n == 2 else 1),)) for n in range(6)]
    arcs = [*(Arc(n, n + 1, ("step" * n,)) for n in range(5)), Arc(0, 5), Arc(5, 1)]
    (drawn,) = read(draw("", [Diagram("", 0, vertices, arcs)]))
    for arc in drawn.arcs[-2:]:
        assert arc.path.count("C") <= 2


def test_the_label_of_an_edge_is_where_it_begins() -> None:
    vertices = [Vertex((str(n),)) for n in range(5)]
    arcs = [Arc(n, n + 1, ("step",)) for n in range(4)]
    arcs += [Arc(4, n, (f"back to {n}",)) for n in range(3)]
    arcs += [Arc(0, 4, ("on",))]
    (drawn,) = read(draw("", [Diagram("", 0, vertices, arcs, deep=True)]))
    boxes = [vertex.box for vertex in drawn.vertices]
    for words, label in drawn.texts:
        if words.startswith("back"):
            assert boxes[3][3] < label[1] < label[3] < boxes[4][1]
        if words == "on":
            assert boxes[0][3] < label[1] < label[3] < boxes[1][1]
    labels = [box for _, box in drawn.texts[len(vertices) :]]
    assert all(apart(one, other) for one, other in combinations(labels, 2))


def test_a_loop_of_control_goes_back_up_and_the_rest_down() -> None:
    vertices = [Vertex((str(n),)) for n in range(4)]
    arcs = [Arc(0, 1), Arc(1, 2), Arc(2, 0), Arc(0, 3)]
    (drawn,) = read(draw("", [Diagram("", 0, vertices, arcs, deep=True)]))
    y = [vertex.box[1] for vertex in drawn.vertices]
    assert y[0] < y[1] < y[2]
    assert y[0] < y[3]


def test_an_arc_joins_below_the_longer_of_two_branches() -> None:
    """By distance the join would stand above the end of the long branch."""
    vertices = [Vertex((str(n),)) for n in range(6)]
    arcs = [Arc(0, 1), Arc(1, 2), Arc(2, 3), Arc(3, 5), Arc(0, 4), Arc(4, 5)]
    (drawn,) = read(draw("", [Diagram("", 0, vertices, arcs, deep=True)]))
    assert drawn.vertices[5].box[1] > drawn.vertices[3].box[1]


def test_a_diagram_in_a_frame_has_the_places_of_the_frame() -> None:
    vertices = [Vertex((str(n),)) for n in range(4)]
    frame = Diagram("frame", 0, vertices, [Arc(0, 1), Arc(1, 2), Arc(0, 3)])
    part = Diagram("part", 0, vertices[:3], [Arc(0, 1)], frame=frame)
    first, second = read(draw("", [part, frame]))
    assert [v.box for v in first.vertices] == [v.box for v in second.vertices][:3]
    assert [arc.path for arc in first.arcs] == [second.arcs[0].path]


def test_the_legend_has_what_occurs() -> None:
    legend_of = {
        Appearance.END: "valid end",
        Appearance.WRONG: "violation",
        Appearance.ATOMIC: "atomic",
    }
    looks = [frozenset({Appearance.END}), frozenset[Appearance]()]
    vertices = [Vertex(("x",), looks=look) for look in looks]
    arcs = [Arc(0, 1, looks=frozenset({Appearance.ATOMIC}))]
    text = draw("", [Diagram("", 0, vertices, arcs, legend_of)])
    assert legend(text) == ["valid end", "atomic"]


def test_wide_diagrams_go_below_each_other() -> None:
    wide = Diagram("", 0, [Vertex(("x" * 200,))], [])
    assert size(draw("", [wide, wide]))[0] == size(draw("", [wide]))[0]
    narrow = Diagram("", 0, [Vertex(("x",))], [])
    assert size(draw("", [narrow, narrow]))[1] == size(draw("", [narrow]))[1]


@pytest.mark.parametrize("text", ["<script>", "a\x00b", "\ud800", "]]>"])
def test_any_text_is_well_formed(text: str) -> None:
    diagram = Diagram(text, 0, [Vertex((text,), text)], [Arc(0, 0, (text,), text)])
    (drawn,) = read(draw(text, [diagram]))
    assert len(drawn.texts) == 2
