"""Each table can be made, on a model that takes no time; what it says is what both tools did."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import expert, growth, machine, pan, reduction, report, two_phase, two_phase_plot
from benchmarks.__main__ import TABLES
from benchmarks.pan import Limits
from benchmarks.report import DOCS
from benchmarks.two_phase_runs import Figures, Row
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
    if name == "threads":  # which compiles for itself, for machines without whorl
        return
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
    states = {point.way: point.states for point in growth.read(kept).points}
    assert set(states) == set(growth.WAYS)
    assert states["whorl, full"] == states["Spin, full"] > states["whorl"] > 0
    assert f"{states['Spin']:,}" in table


def at(size: int, states: int, cpu: float) -> growth.Point:
    return growth.Point("m", size, "whorl", states, "holds", cpu, 1)


def test_what_grows_as_a_power_is_expected_to_go_on() -> None:
    """Eight times the states from 2 to 4 is the third power: from 4 to 8 it is eight times more."""
    assert growth.expected([at(2, 10, 0.1), at(4, 80, 1.5)], 8) == pytest.approx(12)
    assert growth.expected([at(2, 10, 0.1)], 8) == 0  # one size says nothing


def test_a_way_ends_where_it_meets_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """whorl at its time limit, Spin at one of memory; full ones expect too much, and do not try."""
    cost = {2: 1.0, 3: 8.0}

    def search(family: growth.Family, size: int, way: str, _: Limits) -> growth.Point | growth.End:
        if size == 4 and not way.endswith("full"):
            return growth.End("m", size, way, pan.TIME if way == "whorl" else pan.MEMORY)
        cpu = cost[size] * (3 if way.endswith("full") else 1)
        states = int(cpu) if way.endswith("full") else 5
        return growth.Point("m", size, way, states, "holds", cpu, 1)

    monkeypatch.setattr(growth, "_whorl", search)
    monkeypatch.setattr(growth, "_spin", search)
    family = growth.Family("m", ROOT, "N", (2, 3, 4, 5))
    found = list(growth.searches(family, Limits(seconds=10)))
    ends = {f.way: (f.size, f.why) for f in found if isinstance(f, growth.End)}
    full = (4, growth.EXPECTED)
    assert ends == {
        "whorl": (4, pan.TIME),
        "Spin": (4, pan.MEMORY),
        "whorl, full": full,
        "Spin, full": full,
    }
    assert len(found) == 8 + 4
    kept = [growth.Point("m", 2, "whorl", 7, "holds", 0.1, 1)]
    assert next(growth.searches(family, Limits(seconds=10), kept)) is kept[0]  # not again


def machine_at(load: float) -> machine.Machine:
    return machine.Machine("", 2, 1, "", "", "", "", "", 1.0, 1.0, load)


def test_it_is_said_that_others_worked() -> None:
    assert "load 14" in report.machine(machine_at(13.8))
    assert "load" not in report.machine(machine_at(0.7)).replace("A load from", "")


def test_results_that_are_added_stand_in_order() -> None:
    """A later size after an earlier one; the newer result of a search in place of the older."""
    first, second = growth.FAMILIES[0].name, growth.FAMILIES[1].name
    a, b, c, d = (
        growth.Point(name, size, "whorl", states, "holds", 0.1, 1)
        for name, size, states in ((second, 2, 1), (first, 3, 1), (first, 2, 1), (first, 3, 2))
    )
    results = growth.Growth(machine_at(0), Limits()).having(a).having(b).having(c).having(d)
    assert results.found == (c, d, a)


def test_a_search_ends_at_its_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path))
    family = next(f for f in growth.FAMILIES if f.name == "directory_cache")
    found = growth._whorl(family, 5, "whorl, full", Limits(seconds=60, memory_mb=20))
    assert found == growth.End(family.name, 5, "whorl, full", pan.MEMORY)


def test_a_search_ends_at_its_cpu_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is that of the verifier; this process has its own again afterwards."""
    monkeypatch.setenv("WHORL_CACHE", str(tmp_path))
    before = resource.getrlimit(resource.RLIMIT_CPU)
    family = next(f for f in growth.FAMILIES if f.name == "directory_cache")
    found = growth._whorl(family, 6, "whorl, full", Limits(seconds=1, memory_mb=3_000))
    assert found == growth.End(family.name, 6, "whorl, full", pan.TIME)
    assert resource.getrlimit(resource.RLIMIT_CPU) == before


def test_other_limits() -> None:
    """What ended may go on; what took more than there is now has ended."""
    few, much = (growth.Point("m", n, "whorl", n, "holds", n, 1) for n in (2, 30))
    found = (few, much, growth.End("m", 40, "whorl", pan.TIME))
    results = growth.Growth(machine_at(0), Limits(seconds=30), found)
    assert results.within(Limits(seconds=30)) == results
    assert results.within(Limits(seconds=60)).found == (few, much)
    ended = growth.End("m", 30, "whorl", pan.TIME)
    assert results.within(Limits(seconds=20)).found == (few, ended)


def test_the_page_of_growth_shows_the_results() -> None:
    results = growth.read(growth.RESULTS)
    growth.agree(results.points)
    text = (DOCS / growth.PAGE).read_text(encoding="utf-8")
    assert text == "\n\n".join(growth.page(results)) + "\n"
    shown = (DOCS / "img" / growth.PICTURE).read_text(encoding="utf-8")
    assert shown == growth.picture(results.points)


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


@pytest.mark.spin
def test_two_phase(tmp_path: Path) -> None:
    """B5 is as published, in the search and in the table; what is added stands beside it."""
    kept = tmp_path / "two_phase.json"
    table = made(tmp_path, "two_phase", "--only", "B5", "--repeat", "1", "--json", str(kept))
    _, (row,) = two_phase.read(kept)
    states = {name: figures.states for name, figures in row.ways.items()}
    assert set(states) == set(two_phase.NAMES) == set(row.small)
    assert states["Spin"] == states["dfs_po"] == 243
    assert [states["pv, all"], states["pv, selective"]] == [11, 1]
    assert two_phase.in_shape(row, two_phase.SHAPES["as it is printed"])
    published, ours = "243 11 1", "243 243 11 1 2 11 1 1"  # 2: list has s1 or s2, and then s0
    cells = r" \| +".join(f"{published} {ours}".split())
    assert re.search(rf"^\| B5 +\| +{cells} \|$", table, re.MULTILINE)
    assert row.ways["pv, selective"].listed == 2
    assert row.ways["two-phase, selective"].listed is None


def test_reduction_is_kept(tmp_path: Path) -> None:
    """What two runs found of a task is one row: beside Spin, and scheme by scheme."""
    kept = tmp_path / "reduction.json"
    last = list(reduction.tasks())[-1]
    key = (last.case.label, last.checked)
    measured = reduction.Measured(*key, 90, 30, 60, 1, 0.3, 0.1, 0.2, "holds", "holds")
    first = reduction.Row(measured, *key, {})
    second = reduction.Row(None, *key, {"v1": (40, None), "si": (50, 0.25)})
    results = reduction.Results(machine_at(0), []).with_row(first).with_row(second)
    results.save(kept)
    assert reduction.read(kept) == results
    assert list(results.rows) == [reduction.Row(measured, *key, second.schemes)]
    page = reduction.page(results)
    assert re.search(r"\| +90 \| +30 \| +60 \| 0.50 \|", page)
    assert re.search(r"\| +unsound \| +40 \| +50 \(0.25\) \|", page)
    assert "Not measured, and so in no mean: entangled" in page


def test_the_page_of_reduction_shows_the_results() -> None:
    results = reduction.read(reduction.RESULTS)
    text = (DOCS / reduction.PAGE).read_text(encoding="utf-8")
    assert text == reduction.page(results)
    assert results.measured or reduction.OLDER.read_text(encoding="utf-8").rstrip() in text


def test_the_page_of_two_phase_shows_the_results() -> None:
    on, rows = two_phase.read(two_phase.RESULTS)
    assert [row.name for row in rows] == list(two_phase.PROTOCOLS)
    text = (DOCS / two_phase.PAGE).read_text(encoding="utf-8")
    assert text == "\n\n".join(two_phase.page(rows, on)) + "\n"
    assert (DOCS / "img" / two_phase.PICTURE).read_text(encoding="utf-8") == two_phase.picture(rows)


def test_rows_of_other_days_are_said() -> None:
    on, rows = two_phase.read(two_phase.RESULTS)
    older = replace(rows[0], date="2026-01-02")
    said = "\n".join(two_phase.page([older, *rows[1:]], on))
    assert " Of earlier runs: B5 (2026-01-02)." in said
    assert "Of earlier runs" not in "\n".join(two_phase.page(rows, on))


def test_rows_out_of_shape_are_said() -> None:
    def row(name: str, *states: int | None) -> Row:
        names = two_phase.SHAPES["as it is printed"]
        ways = {n: Figures(s, 0.1, 1_000_000) for n, s in zip(names, states, strict=True)}
        ours = {n: ways[m] for n, m in zip(two_phase.SHAPES["as ours is"], names, strict=True)}
        default = {"default": ways[names[0]], "dfs_po": ways[names[0]]}
        return Row(name, name, 1, {**default, **ways, **ours}, ways)

    def shaped(name: str, *states: int | None) -> bool:
        return two_phase.in_shape(row(name, *states), two_phase.SHAPES["as it is printed"])

    assert shaped("Mig", 30, 20, 10)
    assert not shaped("Mig", 20, 20, 10)
    assert not shaped("Mig", 20, 30, 10)
    assert not shaped("Mig", None, 20, 10)
    assert shaped("W5", 63, 243, 243)
    assert not shaped("W5", 63, 243, 200)
    assert shaped("Pftp", 20, 30, 10)
    assert "2 of 3 rows; not in Inv" in two_phase.shape(
        [row("Mig", 3, 2, 1), row("Inv", 2, 3, 1), row("W5", 1, 2, 2)]
    )


def test_a_row_replaces_an_older_one() -> None:
    old, new = (Row(name, "", n, {}, {}) for name, n in (("SC3", 1), ("SC3", 2)))
    first = Row("B5", "", 1, {}, {})
    assert two_phase.merge([old], first) == [first, old]
    assert two_phase.merge([first, old], new) == [first, new]


def test_the_picture_has_a_mark_a_figure() -> None:
    line = two_phase_plot.Line("B5", [243, 11, 1], [243, 11, None, 1])
    text = two_phase_plot.draw("title", ("a", "b", "c", "d"), [line])
    assert text.count("<circle") == 4 + 3 + 3
    assert text.count("fill='white' stroke") == 3


@pytest.mark.spin
def test_a_search_of_pan_that_memory_cut_off_is_inconclusive(tmp_path: Path) -> None:
    case = two_phase.PROTOCOLS["SC3"].case
    recipe, limits = pan.Recipe("", ("-O0", "-DNOCLAIM")), pan.Limits(memory_mb=5)
    verifier = pan.compiled(case.text(), recipe, tmp_path / "pan", limits)
    found = pan.search(verifier, recipe, 1_000, case.depth, limits)
    assert (found.states, found.verdict, found.cut) == (None, "inconclusive", pan.MEMORY)


def test_a_search_of_pan_that_is_cut_off_is_not_tried_on_a_deeper_stack(tmp_path: Path) -> None:
    """It had said that its stack is too small, and went on until its time was over."""
    verifier, times = tmp_path / "pan", tmp_path / "times"
    said = "error: max search depth too small (increase -m)"
    verifier.write_text(f"#!/bin/sh\necho x >> {times}\necho '{said}'\nkill -XCPU $$\n")
    verifier.chmod(0o755)
    found = pan.search(verifier, pan.Recipe("", ()), 1_000, 1_000)
    assert (found.states, found.verdict, found.cut) == (None, "inconclusive", pan.TIME)
    assert times.read_text() == "x\n"
