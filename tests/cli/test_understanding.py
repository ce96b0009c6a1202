"""`whorl check --coverage`, `--vacuity` and `--witness`: what is printed and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

Run = Callable[..., Any]
SCHEMA = json.loads(files("whorl.cli").joinpath("result.schema.json").read_text())
MODEL = """bit p, q; init { p = 1; q = 1; p = 0; if :: p -> skip :: else fi; do :: q = 1 - q od }
ltl answered { [] (p -> <> q) }"""


def test_json_fits_the_schema(whorl: Run, write: Run) -> None:
    model = write(MODEL)
    data = whorl("check", "--json", "--vacuity", "--witness", "--coverage", "-", model).data
    jsonschema.validate(data, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert data["verdict"] == "holds"
    assert [found["verdict"] for found in data["vacuity"]] == ["vacuous"]
    assert data["vacuity"][0]["parts"][0]["condition"]
    assert [trace["kind"] for trace in data["witnesses"]] == ["witness"]
    assert [s["text"] for s in data["coverage"]["statements"] if not s["executed"]] == ["p", "skip"]
    assert data["sources"]


def test_report(whorl: Run, write: Run) -> None:
    found = whorl("check", "--vacuity", "--witness", write(MODEL))
    assert found.status == 0
    assert "\nWitness: a run on which answered holds and p comes true (" in found.out
    note = "answered does not need its condition: p does not matter: []<>q holds, too"
    assert f"note: {note}" in found.out


@pytest.mark.parametrize("name", ["out.txt", "out.html"])
def test_coverage_is_written_whole_or_not_at_all(
    whorl: Run, write: Run, tmp_path: Path, name: str
) -> None:
    model, path = write(MODEL), tmp_path / name
    found = whorl("check", "--safety", "--coverage", path, model)
    assert f"coverage: {path}" in found.out
    assert path.read_text().startswith("<!doctype html>") == name.endswith(".html")
    assert "option never taken: p" in path.read_text()
    found = whorl("check", "--coverage", tmp_path / "no" / name, model)
    assert found.status == 2
    assert "there is no such folder" in found.err


@pytest.mark.parametrize("options", [("--coverage",), ("--witness", "--trail")])
def test_a_full_disk_takes_nothing_from_a_violation_alone(
    whorl: Run, write: Run, options: tuple[str, ...]
) -> None:
    found = whorl("check", *options, "/dev/full", write(MODEL))
    assert found.status == 2
    assert ": holds" in found.out
    assert "cannot write '/dev/full'" in found.err
    found = whorl("check", *options, "/dev/full", write("init { assert(false) }"))
    assert found.status == 1
    assert "cannot write '/dev/full'" in found.err


def test_files_of_a_witness(whorl: Run, write: Run, tmp_path: Path) -> None:
    model, trail, page = write(MODEL), tmp_path / "t.json", tmp_path / "p.html"
    found = whorl("check", "--witness", "--trail", trail, "--html", page, model)
    assert f"trail: {trail} (witness)" in found.out
    assert "a run on which answered holds" in page.read_text()
    again = whorl("simulate", "--trail", trail, model)
    assert again.status == 0
    assert "the trail ends here" in again.out
    chart = tmp_path / "c.svg"
    assert whorl("check", "--witness", "--chart", chart, model).status == 0
    assert "<svg" in chart.read_text()


def test_a_counterexample_comes_before_a_witness(whorl: Run, write: Run, tmp_path: Path) -> None:
    trail = tmp_path / "t.json"
    model = write(f"{MODEL}\nltl wrong {{ [] !p }}")
    found = whorl("check", "--witness", "--trail", trail, model)
    assert found.status == 1
    assert json.loads(trail.read_text())["property"] == "wrong"
    assert "Witness: a run on which answered holds" in found.out
