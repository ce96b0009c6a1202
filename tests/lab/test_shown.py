"""Instances as text, drawings and Promela models."""

from __future__ import annotations

import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import whorl
from lab.instances import figure_1, figure_3, open_question
from whorl.lab.definitions import reduced_product
from whorl.lab.describe import describe
from whorl.lab.draw import draw
from whorl.lab.instance import FiniteProgram, Instance
from whorl.lab.promela import decompose, promela
from whorl.lab.schemes import SCHEMES

SVG = "{http://www.w3.org/2000/svg}"


def text(instance: Instance, name: str) -> str:
    scheme = SCHEMES[name]
    return "\n".join(describe(instance, scheme, reduced_product(instance, scheme.selection)))


def test_description() -> None:
    lines = text(figure_1(), "v0").splitlines()
    assert "  A      {}     A  B" in lines
    assert "  A  {a,b}  {a}*" in lines
    assert "full product: 4 states, accepting lasso A0 B1 (B1)*" in lines
    assert lines[-1] == "C3: holds in every depth-first search"
    assert "C3: holds in some depth-first search" in text(figure_3(), "v1")
    assert "C3: holds in every depth-first search" in text(open_question(), "v1")


@pytest.mark.parametrize(
    ("instance", "name"), [(figure_1(), "v0"), (figure_3(), "v1"), (open_question(), "v1")]
)
def test_drawing(instance: Instance, name: str) -> None:
    scheme = SCHEMES[name]
    reduced = reduced_product(instance, scheme.selection)
    drawing = ET.fromstring(draw(instance, scheme, reduced))
    texts = [element.text for element in drawing.iter(f"{SVG}text")]
    assert {"program", "automaton", "A", "B", "A0"} <= set(texts)
    paths = [element.get("class") for element in drawing.iter(f"{SVG}path")]
    assert "edge lost lasso" in paths  # the lasso leaves the reduced product somewhere


def test_processes() -> None:
    components = decompose(figure_1().program)
    assert components is not None
    assert [c.operations for c in components] == [(0,), (1,)]
    assert [c.local for c in components] == [(0, 0), (0, 1)]
    # b and g are one process: each enables the other
    components = decompose(open_question().program)
    assert components is not None
    assert [c.operations for c in components] == [(0,), (1, 2)]
    # one operation after another is one process
    assert decompose(FiniteProgram((0, 0, 0), ((1, None), (None, 2), (None, None)))) is None


@pytest.mark.parametrize("instance", [figure_1(), figure_3(), open_question()])
def test_the_model_has_the_lasso(instance: Instance) -> None:
    model = promela(instance)
    assert model is not None
    assert whorl.check(model, engine="reference").verdict == "violated"


@pytest.mark.spin
def test_spin_is_wrong_with_reduction(tmp_path: Path) -> None:
    """Figure 2 of the paper, written by us from the instance."""
    model = promela(figure_1())
    assert model is not None
    (tmp_path / "figure.pml").write_text(model)

    def errors(*options: str) -> str:
        commands = (
            ["spin", "-a", "figure.pml"],
            ["cc", "-w", *options, "-o", "pan", "pan.c"],
            ["./pan", "-a"],
        )
        for command in commands:
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    assert "errors: 1" in errors("-DNOREDUCE")
    assert "errors: 0" in errors()
