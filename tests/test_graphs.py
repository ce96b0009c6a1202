"""`whorl.graph`: pictures for Python."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import whorl

ROOT = Path(__file__).parents[1]
LIGHT = ROOT / "examples" / "traffic_light.pml"


def test_a_model_that_is_loaded_or_not(tmp_path: Path) -> None:
    model = whorl.load(LIGHT)
    assert whorl.graph(model, states=True).svg == whorl.graph(LIGHT, states=True).svg
    assert whorl.graph(model, ltl="[] pressed").automaton is not None
    assert whorl.graph(str(LIGHT), claim="safe").automaton is not None
    sized = "byte x; active proctype p() { do :: x < N -> x++ od }"
    assert "5 states" in whorl.graph(sized, defines={"N": 2}, states=True).svg
    with pytest.raises(TypeError):
        whorl.graph(model, defines={"N": 2})


def test_files(tmp_path: Path) -> None:
    picture = whorl.graph(LIGHT)
    picture.save(tmp_path / "a.svg")
    picture.save(str(tmp_path / "a.gv"))
    assert (tmp_path / "a.svg").read_text() == picture.svg
    assert (tmp_path / "a.gv").read_text() == picture.dot
    assert repr(picture) == f"Picture({str(LIGHT)!r})"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("process", 3),
        ("claim", 3),
        ("ltl", [3]),
        ("states", "yes"),
        ("por", 3),
        ("overlay", None),
        ("max_states", "150"),
        ("max_states", 1.5),
    ],
)
def test_values_of_the_wrong_type(name: str, value: object) -> None:
    arguments: dict[str, Any] = {name: value}
    with pytest.raises(TypeError, match=f"^{name} (is|has) "):
        whorl.graph(LIGHT, **arguments)


def test_a_limit_is_above_0() -> None:
    with pytest.raises(ValueError, match="max_states is 0, and must be above 0"):
        whorl.graph(LIGHT, states=True, max_states=0)


def test_errors_are_told_in_words_of_python() -> None:
    with pytest.raises(whorl.WhorlError) as refused:
        whorl.graph(LIGHT, states=True, max_states=2)
    assert (
        refused.value.diagnostics[0].hint
        == "make the model smaller (-D), or allow more: max_states N"
    )
    with pytest.raises(whorl.WhorlError, match="unknown contents"):
        whorl.graph(LIGHT, states=True, contents="all")
    with pytest.raises(whorl.WhorlError, match="unknown reduction scheme"):
        whorl.graph(LIGHT, por="statik")


def test_the_pictures_of_the_documentation_are_those_that_are_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    shown = (ROOT / "docs" / "img" / "graph-processes.svg").read_text(encoding="utf-8")
    assert shown == whorl.graph("examples/traffic_light.pml").svg
    page = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
    (model,) = re.findall(r"<!-- file: figure2.pml -->\n\n```promela\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("figure2.pml").write_text(model)
    shown = (ROOT / "docs" / "img" / "graph-reduced.svg").read_text(encoding="utf-8")
    assert shown == whorl.graph("figure2.pml", claim="never", por="v0").svg
