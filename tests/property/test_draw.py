"""Pictures of automata: complete, well-formed, and with labels that can be read."""

from __future__ import annotations

import math
import re
import shutil
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings

from support.automata import automata, buchis
from whorl.property.automaton import Automaton, Buchi, Edge
from whorl.property.draw import draw
from whorl.property.layout import RADIUS
from whorl.property.never import read_never
from whorl.property.normal_form import si_normal_form
from whorl.property.siegel import b1, b2, b3, b4
from whorl.svg import CHAR, FONT

SVG = "{http://www.w3.org/2000/svg}"
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")

RING = Buchi(
    ("p", "x > 1"), 0, tuple((Edge(n % 15 + 1, (n + 1) % 12),) for n in range(12)), frozenset([3])
)  # fmt: skip
RESPONSE = read_never(
    """never { T0_init: do :: (!p || q) -> goto accept_S1 :: (1) -> goto T0_S2 od;
    accept_S1: do :: (!p || q) -> goto T0_init :: (1) -> goto T0_S2 od;
    accept_S2: do :: q -> goto T0_init :: (1) -> goto T0_S2 od;
    T0_S2: do :: q -> goto accept_S1 :: (1) -> goto T0_S2 :: q -> goto accept_S2 od }"""
)
SOME = [b1(), b2(), b3(), b4(), si_normal_form(b1()), si_normal_form(b2()), RING, RESPONSE]


def boxes(picture: ET.Element, kind: str) -> list[tuple[float, float, float, float]]:
    found = []
    for element in picture.iter(f"{SVG}text"):
        if element.attrib.get("class") == kind:
            x, y = float(element.attrib["x"]), float(element.attrib["y"])
            half = len(element.text or "") * CHAR / 2
            found.append((x - half, y - FONT * 0.8, x + half, y + FONT * 0.2))
    return found


def circles(picture: ET.Element) -> list[tuple[float, float]]:
    """The middles of the states."""
    return [
        (float(c.attrib["cx"]), float(c.attrib["cy"]))
        for c in picture.iter(f"{SVG}circle")
        if c.attrib["class"] != "ring"
    ]


@pytest.mark.parametrize("graphviz", [pytest.param(True, marks=needs_dot), False])
@pytest.mark.parametrize("buchi", SOME)
def test_labels_lie_on_no_label_and_no_state(buchi: Buchi, graphviz: bool) -> None:
    picture = ET.fromstring(draw(buchi, graphviz=graphviz))
    labels = boxes(picture, "label")
    for n, (left, top, right, bottom) in enumerate(labels):
        for other in labels[:n]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (labels[n], other)
        for x, y in circles(picture):
            nearest = (min(max(x, left), right), min(max(y, top), bottom))
            assert math.dist((x, y), nearest) >= RADIUS - 2
        assert left >= 0
        assert top >= 0
        assert right <= float(picture.attrib["width"])
        assert bottom <= float(picture.attrib["height"])


@pytest.mark.parametrize("graphviz", [pytest.param(True, marks=needs_dot), False])
@settings(max_examples=25)
@given(buchi=buchis(largest=6))
def test_every_state_and_edge_is_there(buchi: Buchi, graphviz: bool) -> None:
    picture = ET.fromstring(draw(buchi, "a < b", graphviz=graphviz))
    assert len(circles(picture)) == len(buchi.states)
    rings = [c for c in picture.iter(f"{SVG}circle") if c.attrib["class"] == "ring"]
    assert len(rings) == len(buchi.accepting)
    paths = [p for p in picture.iter(f"{SVG}path") if p.attrib["class"] == "edge"]
    assert len(paths) == buchi.edge_count + 1  # the arrow to the initial state
    middles = circles(picture)
    for path in paths:  # each ends at the border of a state
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", path.attrib["d"])]
        ends = [math.dist((numbers[-2], numbers[-1]), middle) for middle in middles]
        assert min(abs(end - RADIUS) for end in ends) < 3


@settings(max_examples=25)
@given(automata())
def test_acceptance_sets_are_written_on_edges(automaton: Automaton) -> None:
    picture = ET.fromstring(draw(automaton, graphviz=False))
    shown = "".join(e.text or "" for e in picture.iter(f"{SVG}title"))
    for out in automaton.edges:
        for edge in out:
            sets = [n for n in range(automaton.sets) if edge.marks >> n & 1]
            assert not sets or "{" + ",".join(map(str, sets)) + "}" in shown


def test_long_labels_are_shortened_and_kept_as_tooltips() -> None:
    names = tuple(f"a_long_name_{n}" for n in range(6))
    parity = sum(1 << a for a in range(64) if a.bit_count() % 2)
    picture = ET.fromstring(draw(Buchi(names, 0, ((Edge(parity, 0),),), frozenset([0]))))
    assert len(boxes(picture, "label")) == 4
    assert any(len(e.text or "") > 1000 for e in picture.iter(f"{SVG}title"))


def test_a_hundred_states_are_drawn_too() -> None:
    edges = tuple((Edge(1, (n + 1) % 100), Edge(2, n * 7 % 100)) for n in range(100))
    big = Buchi(("p",), 0, edges, frozenset([0]))
    assert len(circles(ET.fromstring(draw(big, graphviz=False)))) == 100
