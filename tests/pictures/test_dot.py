"""Diagrams for Graphviz."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from whorl.pictures.diagram import Appearance, Arc, Diagram, Vertex
from whorl.pictures.dot import ARC, VERTEX, dot

ONE = Diagram(
    'say "a"',
    1,
    [Vertex((f"{n}", "\\x")) for n in range(3)],
    [Arc(0, 1, ("a", "b")), Arc(1, 2, looks=frozenset({Appearance.LEFT_OUT})), Arc(2, 2)],
)


def test_every_vertex_and_arc_is_there() -> None:
    text = dot("model", [ONE, ONE])
    assert len(re.findall(r"^    g\d_\d \[", text, re.MULTILINE)) == 6
    assert re.findall(r"g0_(\w+) -> g0_(\w+)", text) == [
        ("entry", "1"),
        ("0", "1"),
        ("1", "2"),
        ("2", "2"),
    ]
    assert text.count("dashed") == 2
    assert r'label="say \"a\""' in text
    assert r'label="0\n\\x"' in text
    assert r'label="a\nb"' in text


def test_every_look_is_known() -> None:
    assert set(Appearance) == set(VERTEX) | set(ARC)


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_graphviz_reads_it() -> None:
    ran = subprocess.run(
        ["dot", "-Tsvg"], input=dot("m", [ONE]), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
