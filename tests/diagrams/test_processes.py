"""Pictures of process automata: their locations, statements, labels and atomic sequences."""

from __future__ import annotations

from pathlib import Path

import pytest

import whorl
from support.drawn import legend, read
from whorl.diagrams.processes import reachable
from whorl.pictures.diagram import Appearance
from whorl.program.program import Terminate

EXAMPLES = Path(__file__).parents[2] / "examples"
MODEL = """chan c = [1] of { byte };
byte x;
active proctype worker() {
  byte i;
end_idle:
  do
  :: atomic { c?i; x = i; x++ }
  :: x > 3 -> break
  od;
accept_here:
  x = 0;
progress_made:
  x = 1
}
init { { x = 1; x = 2 } unless { x == 7 } }
"""


@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_every_location_and_transition_is_drawn(model: Path) -> None:
    program = whorl.load(model).program
    picture = whorl.graph(model)
    drawn = read(picture.svg)
    assert [diagram.caption for diagram in drawn] == [p.title for p in program.processes]
    for process, diagram, about in zip(program.processes, drawn, picture.diagrams, strict=True):
        locations = reachable(process)
        assert len(diagram.vertices) == len(locations)
        number = {location: n for n, location in enumerate(locations)}
        transitions = [t for at in locations for t in process.locations.get(at, ())]
        moving = [t for t in transitions if not isinstance(t.action, Terminate)]
        ends = {(number[t.source], number[t.target]) for t in moving}
        assert {arc.ends for arc in diagram.arcs} == ends
        for t in moving:
            said = f":{t.span.line}: {t.text or 'goto'}"
            assert any(
                said in arc.about
                for arc in about.arcs
                if (arc.source, arc.target) == (number[t.source], number[t.target])
            )


def test_labels_ends_and_atomic_sequences_are_marked() -> None:
    picture = whorl.graph(MODEL, process="worker")
    (diagram,) = picture.diagrams
    by_text = {vertex.text: vertex.looks for vertex in diagram.vertices}
    assert by_text["line 6", "end_idle"] == {Appearance.END}
    assert by_text["line 11", "accept_here"] == {Appearance.ACCEPTING}
    assert by_text["line 13", "progress_made"] == {Appearance.PROGRESS}
    assert by_text[("end",)] == {Appearance.END}
    assert sum(looks == {Appearance.INSIDE} for looks in by_text.values()) == 1  # two at line 7
    assert sum(vertex.looks == {Appearance.INSIDE} for vertex in diagram.vertices) == 2
    atomic = [arc.text for arc in diagram.arcs if Appearance.ATOMIC in arc.looks]
    assert sorted(atomic) == [("c?i",), ("x = i",)]  # after the last one control is free
    assert legend(picture.svg) == [
        "valid end",
        "accept label",
        "progress label",
        "control is kept here",
        "atomic: keeps control",
    ]


def test_control_is_kept_only_where_every_way_keeps_it() -> None:
    text = """byte x;
    active proctype p() {
      if :: x = 1; goto mid :: else fi;
      atomic { x = 2; mid: x = 3; x = 4 }
    }"""
    (diagram,) = whorl.graph(text).diagrams
    (mid,) = [vertex for vertex in diagram.vertices if "mid" in vertex.text]
    assert Appearance.INSIDE not in mid.looks
    assert any(Appearance.INSIDE in vertex.looks for vertex in diagram.vertices)


def test_the_way_out_of_an_unless_is_told() -> None:
    (diagram,) = whorl.graph(MODEL, process="init").diagrams
    assert any("unless: x == 7" in arc.text for arc in diagram.arcs)


def test_options_of_one_loop_are_one_arrow() -> None:
    (diagram,) = whorl.graph("byte x; active proctype p() { do :: x++ :: x-- od }").diagrams
    (arc,) = diagram.arcs
    assert arc.text == ("x++", "x--")
    assert arc.about.count("\n") == 1


def test_a_trace_assertion_is_drawn_too() -> None:
    model = "chan c = [1] of { byte }; trace { do :: c!1 od } active proctype p() { c!1 }"
    assert [diagram.caption for diagram in whorl.graph(model).diagrams] == ["p", "trace"]
    assert len(whorl.graph(model, process="p").diagrams) == 1
