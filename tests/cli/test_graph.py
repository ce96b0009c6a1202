"""`whorl graph`: what is drawn, where it goes, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.drawn import read

EXAMPLES = Path(__file__).parents[2] / "examples"
LIGHT = EXAMPLES / "traffic_light.pml"
LOSSY = EXAMPLES / "alternating_bit.pml"
HOA = """HOA: v1
States: 1
Start: 0
AP: 1 "pressed"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0 {0}
[t] 0
--END--
"""
C_CODE = "byte x; active proctype p() { c_code { now.x = 1; }; x = 2 }"

Run = Callable[..., Any]


def test_process_automata_on_standard_output(whorl: Run) -> None:
    outcome = whorl("graph", LIGHT)
    assert (outcome.status, outcome.err) == (0, "")
    assert [diagram.caption for diagram in read(outcome.out)] == ["controller", "button"]
    outcome = whorl("graph", LIGHT, "--process", "button", "-o", "-")
    assert [diagram.caption for diagram in read(outcome.out)] == ["button"]


def test_a_file_by_its_ending(whorl: Run, tmp_path: Path) -> None:
    svg, dot = tmp_path / "light.svg", tmp_path / "light.dot"
    outcome = whorl("graph", LIGHT, "--states", "-o", svg)
    assert outcome.out == f"9 states, 17 transitions\npicture: {svg}\n"
    assert len(read(svg.read_text())[0].vertices) == 9
    assert whorl("graph", LIGHT, "--states", "-o", dot).status == 0
    assert dot.read_text().count(" -> ") == 17 + 1
    assert whorl("graph", LIGHT, "--format", "dot").out.startswith("digraph")
    outcome = whorl("graph", LIGHT, "-o", tmp_path / "light.png")
    assert outcome.status == 2
    assert "drawn as SVG and not as png" in outcome.err
    assert "light.svg" in outcome.err
    assert not (tmp_path / "light.png").exists()
    assert whorl("graph", LIGHT, "-o", tmp_path / "none" / "a.svg").status == 2


def test_the_automaton_of_a_property(whorl: Run, write: Run) -> None:
    one = whorl("graph", LIGHT, "--claim", "response").out
    assert one.count('class="accepting"') == 1
    assert "pressed &amp; !(people == green)" in one
    assert "response: runs that violate [] (pressed -&gt; &lt;&gt;" in one
    other = whorl("graph", LIGHT, "--ltl", "[] (pressed -> <> (people == green))").out
    assert other.count("<circle") == one.count("<circle")
    assert "<svg" in whorl("graph", LIGHT, "--hoa", write(HOA, "a.hoa")).out
    dot = whorl("graph", LIGHT, "--claim", "response", "--format", "dot").out
    assert dot.count("peripheries=2") == 1


def test_a_reduction(whorl: Run) -> None:
    outcome = whorl("graph", LIGHT, "--por", "static")
    full, reduced = read(outcome.out)
    assert "reduction: static" in outcome.err
    assert "sound" not in reduced.caption
    assert any("left-out" in arc.classes for arc in reduced.arcs)
    (alone,) = read(whorl("graph", LIGHT, "--por", "static", "--overlay").out)
    assert alone == reduced
    assert len(full.vertices) == 9
    assert len(read(whorl("graph", LIGHT, "--reduced").out)) == 2


def test_where_there_is_no_reduction_only_the_full_graph_is_drawn(whorl: Run) -> None:
    outcome = whorl("graph", LIGHT, "--reduced", "--ltl", "X pressed")
    assert len(read(outcome.out)) == 1
    assert outcome.err.startswith("no reduction: ")
    outcome = whorl("graph", LIGHT, "--por", "v1", "--ltl", "X pressed")
    assert outcome.status == 2
    assert "cannot be used" in outcome.err


def test_json(whorl: Run, tmp_path: Path) -> None:
    data = whorl("graph", LIGHT, "--por", "static", "--json").data
    full, reduced = data["diagrams"]
    assert len(full["vertices"]) == 9
    assert any("left-out" in arc["looks"] for arc in reduced["arcs"])
    assert data["svg"].startswith("<svg")
    data = whorl("graph", LIGHT, "--json", "-o", tmp_path / "a.svg").data
    assert data["file"] == str(tmp_path / "a.svg")
    assert "svg" not in data


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--process", "buton"], "did you mean 'button'?"),
        (["--process", "x"], "it has: controller, button"),
        (["--claim", "responce"], "did you mean 'response'?"),
        (["--claim", "safe", "--ltl", "[] pressed"], "one claim at a time"),
        (["--states", "--max-states", "8"], "more than 8 states: too many to draw"),
        (["--states", "--process", "button"], "--process picks process automata"),
        (["--claim", "safe", "--process", "button"], "--process picks process automata"),
        (["--overlay"], "add --por NAME"),
        (["--por", "statik"], "static"),
        (["--contents", "everything"], "values"),
        (["--max-states", "0"], "--max-states"),
        (["--ltl", "[] presed"], "pressed"),
    ],
)
def test_what_is_refused(whorl: Run, words: list[str], said: str) -> None:
    outcome = whorl("graph", LIGHT, *words)
    assert outcome.status == 2
    assert outcome.out == ""
    assert said in outcome.err
    assert "Traceback" not in outcome.err


def test_a_space_that_is_too_large_leaves_no_file(whorl: Run, tmp_path: Path) -> None:
    outcome = whorl("graph", LOSSY, "--states", "-o", tmp_path / "a.svg")
    assert outcome.status == 2
    assert "--max-states N" in outcome.err
    assert not list(tmp_path.iterdir())


def test_embedded_c_runs_only_if_it_is_allowed(whorl: Run, write: Run) -> None:
    model = write(C_CODE)
    assert whorl("graph", model).status == 0
    assert whorl("graph", model, "--states").status == 2
    allowed = whorl("graph", model, "--states", "--allow-embedded-c")
    assert len(read(allowed.out)[0].vertices) == 4
    reduced = whorl("graph", model, "--reduced", "--allow-embedded-c")
    assert "nothing is known of what embedded C touches" in reduced.err
