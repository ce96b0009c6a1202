"""Each table can be made, on a model that takes no time; what it says is what both tools did."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import expert, growth
from benchmarks.__main__ import TABLES

ROOT = Path(__file__).parents[2]


def made(folder: Path, *words: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"WHORL_CACHE": str(folder / "cache"), "PATH": "/usr/bin:/bin"},
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_table_has_help(name: str, tmp_path: Path) -> None:
    assert name in made(tmp_path, name, "--help")


@pytest.mark.spin
def test_growth(tmp_path: Path) -> None:
    """Full searches see the same states; what is stored with a reduction is no more."""
    kept = tmp_path / "growth.json"
    table = made(
        tmp_path, "growth", "--only", "directory_cache", "--most", "2", "--json", str(kept)
    )
    points = [growth.Point(**point) for point in json.loads(kept.read_text())["points"]]
    states = {point.way: point.states for point in points}
    assert set(states) == set(growth.WAYS)
    assert states["whorl, full"] == states["Spin, full"] > states["whorl"] > 0
    assert f"{states['Spin']:,}" in table


def test_searches_that_differ_are_noticed() -> None:
    def point(way: str, states: int) -> growth.Point:
        return growth.Point("m", 2, way, states, "holds", 0.1, 1)

    growth.agree([point("whorl", 3), point("whorl, full", 5), point("Spin, full", 5)])
    with pytest.raises(SystemExit, match="differ"):
        growth.agree([point("whorl, full", 5), point("Spin, full", 6)])


@pytest.mark.spin
def test_expert(tmp_path: Path) -> None:
    kept = tmp_path / "expert.json"
    made(tmp_path, "expert", "--only", "snoopy", "--repeat", "1", "--json", str(kept))
    _, (row,) = expert.read(kept)
    assert row.comparable
    assert set(row.spin) == {recipe.name for recipe in expert.SAFETY}
    assert len({figures.states for figures in row.spin.values()}) == 1
    assert row.speedup == min(f.cpu for f in row.spin.values()) / row.whorl.cpu
