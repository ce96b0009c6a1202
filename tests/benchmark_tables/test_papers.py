"""The tables of papers, on small sizes: what has to be the same in both engines and in Spin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import whorl
from benchmarks import expert, growth, hpy, siegel
from benchmarks.hpy import BY_AUTOMATON, HOLD, NON_PROGRESS, Model
from benchmarks.report import DOCS
from benchmarks.siegel import B4, ENCODINGS, ROWS, Encoding

ROOT = Path(__file__).parents[2]
SMALL = [model for model in HOLD if model.case.name == "diskhead"]


def measured(table: str, tmp_path: Path, *options: str) -> list[Any]:
    """What `python -m benchmarks TABLE --quick` keeps."""
    file = tmp_path / "found.json"
    command = [sys.executable, "-m", "benchmarks", table, "--quick", "--repeat", "1"]
    environment = {**os.environ, "PYTHONPATH": "src"}
    ran = subprocess.run(
        [*command, "--json", str(file), *options],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stderr
    found: list[Any] = json.loads(file.read_text())["measured"]
    return found


@pytest.mark.spin
def test_siegel(tmp_path: Path) -> None:
    """With local steps alone both store the same, with and without reduction."""
    rows = {row["row"]: row for row in measured("siegel", tmp_path, "--only", "peterson")}
    assert set(rows) == {row.label for row in ROWS}
    both = {name: row for name, row in rows.items() if row["spin"]}
    assert {name for name, row in rows.items() if row["published"]} == set(both)
    assert len(both) == 3
    for row in both.values():
        assert row["spin"]["states"] == row["whorl"]["states"]
    states = {name: row["whorl"]["states"] for name, row in rows.items()}
    assert min(states, key=states.__getitem__) == "B3, the default"
    assert max(states, key=states.__getitem__) == "B3, none"
    assert states["B3, v1"] < states["B3, si"] < states["B4, v1"]


@pytest.mark.spin
def test_hpy(tmp_path: Path) -> None:
    rows = measured("hpy", tmp_path)
    (progress,) = (row for row in rows if "whorl" in row)
    five, four = progress["whorl"]["fig5"], progress["whorl"]["fig4"]
    assert five["states"] < four["states"] == progress["spin"]["full"]["states"]
    assert four["states"] <= 2 * five["states"]
    (violated,) = (r for r in rows if "fig2" in r and r["fig2"]["verdict"] == "violated")
    assert violated["fig4"]["transitions"] < violated["fig2"]["transitions"]
    assert violated["fig4"]["lasso"] <= violated["fig2"]["lasso"]
    kept = {r["search"]: r["found"] for r in rows if r.get("model") == "forgetful"}
    verdicts = {s: {k: f["verdict"] for k, f in found.items()} for s, found in kept.items()}
    assert verdicts == {
        "v1, fig2": {"nothing": "nothing found", "bit": "violated", "number": "violated"},
        "v1, fig4": dict.fromkeys(("nothing", "bit", "number"), "violated"),
    }


def test_the_page_of_siegel_shows_the_results() -> None:
    on, repeat, rows = siegel.read(siegel.RESULTS)
    assert on is not None
    assert len(rows) == len(ENCODINGS) * len(ROWS)
    text = (DOCS / siegel.PAGE).read_text(encoding="utf-8")
    assert text == siegel.page(rows, on, repeat)
    assert (DOCS / "img" / siegel.PICTURE).read_text(encoding="utf-8") == siegel.picture(rows)


def test_the_page_of_hpy_shows_the_results() -> None:
    on, repeat, found = hpy.read(hpy.RESULTS)
    assert on is not None
    assert (DOCS / hpy.PAGE).read_text(encoding="utf-8") == hpy.page(found, on, repeat)
    shown = (DOCS / "img" / hpy.PICTURE).read_text(encoding="utf-8")
    assert shown == hpy.picture(found.progress)


def test_the_page_beside_an_expert_shows_the_results() -> None:
    on, rows = expert.read(expert.RESULTS)
    text = (DOCS / expert.PAGE).read_text(encoding="utf-8")
    assert text == "\n\n".join(expert.page(rows, on)) + "\n"
    assert (DOCS / "img" / expert.PICTURE).read_text(encoding="utf-8") == expert.picture(rows)


def test_the_page_of_growth_shows_the_results() -> None:
    grown = growth.read(growth.RESULTS)
    text = (DOCS / growth.PAGE).read_text(encoding="utf-8")
    assert text == "\n\n".join(growth.page(grown)) + "\n"
    assert (DOCS / "img" / growth.PICTURE).read_text() == growth.picture(grown.points)


@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda e: e.name)
def test_p_says_that_process_0_is_enabled(encoding: Encoding) -> None:
    claim = "never { do :: P != enabled(0) -> break :: else od }"
    result = whorl.check(encoding.text(3) + claim, claim="never", por="none")
    assert result.verdict == "holds"
    claim = claim.replace("enabled(0)", "enabled(1)")
    assert whorl.check(encoding.text(3) + claim, claim="never").verdict == "violated"


@pytest.mark.parametrize("row", ROWS[:-1], ids=lambda row: row.label)
def test_both_engines_store_the_same(row: Any) -> None:
    text = ENCODINGS[0].text(3) + row.automaton
    native, reference = (
        whorl.check(text, claim="never", engine=engine, **row.options)
        for engine in ("native", "reference")
    )
    assert native.verdict == reference.verdict
    assert native.statistics.states == reference.statistics.states


def test_b4_is_in_si_normal_form() -> None:
    text = ENCODINGS[1].text(3) + B4
    (search,) = whorl.check(text, claim="never", por="v1", max_states=100).searches
    assert "is in SI normal form" in search.reduction


@pytest.mark.parametrize("model", SMALL, ids=lambda m: m.label)
def test_both_engines_go_through_as_many_states_of_figure_5_and_6(model: Model) -> None:
    for options in ({**NON_PROGRESS, "algorithm": "fig5"}, {**BY_AUTOMATON, "por": "none"}):
        native, reference = (
            whorl.check(model.text(), engine=engine, **options)
            for engine in ("native", "reference")
        )
        assert native.verdict == reference.verdict == "holds"
        assert native.statistics.states == reference.statistics.states
