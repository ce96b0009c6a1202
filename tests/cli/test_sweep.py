"""Sweeps: a line for each value, and no larger ones after a limit."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

SCHEMA = json.loads(files("whorl.cli").joinpath("result.schema.json").read_text())
GROWS = """\
#ifndef M
#define M 2
#endif
byte a[8];
active [N] proctype p() {
    do :: a[_pid] < M -> a[_pid]++ :: else -> break od;
    assert(a[_pid] != LIMIT)
}
"""
FULL = ("--engine", "reference", "--por", "none", "-D", "LIMIT=99")


def rows(out: str) -> list[list[str]]:
    """The table, without its head, as words."""
    lines = out.splitlines()
    table = lines[1 : next((i for i, line in enumerate(lines) if line.startswith("not")), -1)]
    return [line.split() for line in table if line]


def test_the_table(whorl: Any, write: Any) -> None:
    model = write(GROWS)
    found = whorl("check", model, *FULL, "-D", "N=1..3")
    assert found.status == 0
    assert found.out.splitlines()[0].split() == [
        *("N", "verdict", "states", "transitions", "time", "memory", "growth")
    ]
    table = rows(found.out)
    assert [row[:2] for row in table] == [["1", "holds"], ["2", "holds"], ["3", "holds"]]
    states = []
    for number, row in enumerate(table, 1):
        alone = whorl("check", model, *FULL, "-D", f"N={number}", "--json").data
        states.append(alone["statistics"]["states"])
        assert row[2] == f"{states[-1]:,}"
        assert row[3] == f"{alone['statistics']['transitions']:,}"
    assert table[1][-1] == f"×{states[1] / states[0]:.2f}"
    assert not table[0][-1].startswith("×")
    assert found.last == "3 checks: 3 hold"


def test_a_limit_stops_what_is_larger(whorl: Any, write: Any) -> None:
    words = ("-D", "N=1..4", "--sweep", "M=1,3", "--max-states", "60")
    found = whorl("check", write(GROWS), *FULL, *words)
    assert found.status == 3
    assert [row[:3] for row in rows(found.out)] == [
        ["1", "1", "holds"],
        ["1", "3", "holds"],
        ["2", "1", "holds"],
        ["2", "3", "inconclusive"],
        ["3", "1", "inconclusive"],
    ]
    growths = [row[-1].startswith("×") for row in rows(found.out)]
    assert growths == [False, True, False, False, False]  # two values differ, or it is not complete
    assert "not checked: N=3, M=3; N=4, M=3 (a limit was reached at N=2, M=3)" in found.out
    assert "not checked: N=4, M=1 (a limit was reached at N=3, M=1)" in found.out
    assert found.last == "8 checks: 3 hold, 2 inconclusive, 3 not checked"


def test_the_first_counterexample_alone(whorl: Any, write: Any, tmp_path: Any) -> None:
    trail = tmp_path / "t.json"
    words = ("--engine", "reference", "-D", "LIMIT=2", "-D", "N=1..2", "--sweep", "M=1,2,3")
    found = whorl("check", write(GROWS), *words, "--trail", trail)
    assert found.status == 1
    lines = found.out.splitlines()
    assert [line.split()[2] for line in lines[1:7]] == ["holds", "violated", "holds"] * 2
    assert lines[2].endswith("  assertions")
    assert found.out.count("Counterexample") == 1
    assert "With N=1, M=2:" in lines
    assert json.loads(trail.read_text())["defines"] == {"LIMIT": "2", "N": "1", "M": "2"}
    assert "Counterexample" not in whorl("check", write(GROWS), *words, "-q").out


def test_json_has_a_line_for_each_point(whorl: Any, write: Any) -> None:
    found = whorl("check", write(GROWS), *FULL, "-D", "N=2..5", "--max-states", "60", "--json")
    data = [json.loads(line) for line in found.out.splitlines()]
    for each in data:
        jsonschema.validate(each, SCHEMA)
    assert [each["defines"]["N"] for each in data] == ["2", "3", "4", "5"]
    assert [each.get("verdict") for each in data] == ["holds", "inconclusive", None, None]
    assert data[2]["skipped"] == "a limit was reached at N=3"


def test_errors_are_said_once_and_go_on(whorl: Any, write: Any) -> None:
    model = write("#if N == 2\nbyte x\nx y z\n#endif\nactive [N] proctype p() { skip }")
    found = whorl("check", model, "--engine", "reference", "-D", "N=1..3", "-D", "UNUSED")
    assert found.status == 2
    assert [row[1] for row in rows(found.out)] == ["holds", "error", "holds"]
    assert found.err.count("never mentions 'UNUSED'") == 1
    always = whorl("check", write("init { x = N }"), "-D", "N=1..3")
    assert always.err.count("unknown variable") == 1
    assert always.last == "3 checks: 3 with errors"


def test_standard_input_is_read_once() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "whorl", "check", "-", *FULL, "-D", "N=1..2"],
        input=GROWS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[-1] == "2 checks: 2 hold"


@pytest.mark.parametrize("value", ["R=1 .. 3", "R= 1..3"])
def test_a_value_with_blanks_is_no_sweep(whorl: Any, write: Any, value: str) -> None:
    model = write("init { byte i; for (i : R) { skip } }")
    found = whorl("check", model, "--engine", "reference", "-q", "-D", value)
    assert found.status == 0
    assert found.out.count("\n") == 1
