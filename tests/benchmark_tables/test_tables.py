"""Each table can be made, on a model that takes no time; what it says is what both tools did."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import expert, growth
from benchmarks.__main__ import TABLES
from support.compilers import GIVEN, QUICK, as_text

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


def test_nothing_is_changed_by_an_import() -> None:
    """One that named a compiler had all tests compiled by it, slowly and without assertions."""
    modules = [f"benchmarks.{path.stem}" for path in (ROOT / "benchmarks").glob("[a-z]*.py")]
    code = "import os; before = dict(os.environ)\n"
    code += "".join(f"import {name}\n" for name in modules)
    code += "assert dict(os.environ) == before"
    path = f"{ROOT}:{ROOT / 'tests'}"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_table_is_measured_with_optimised_verifiers(name: str) -> None:
    text = (ROOT / "benchmarks" / f"{name}.py").read_text(encoding="utf-8")
    assert text.endswith('if __name__ == "__main__":\n    run_as_command(main)\n')


@pytest.mark.skipif(GIVEN is not None, reason="the user names a compiler")
def test_tests_compile_with_assertions() -> None:
    if shutil.which(QUICK.command[0]) is not None:
        assert os.environ["WHORL_CC"] == as_text(QUICK)
        assert "-UNDEBUG" in os.environ["WHORL_CC"]


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
