"""The report of a check, line by line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from whorl.report import (
    Detail,
    property_line,
    report_lines,
    statistics_line,
    unreached_lines,
    verdict_line,
)
from whorl.search.coverage import Unreached
from whorl.trace.style import ASCII, PLAIN, Style
from whorl.verdict import Property, Result, Search, Statistics, overall

FIGURES = Statistics(1200, 3400, 56, 2.0, 3 * 2**20, True)
HOLDS = Property("a", "ltl", "holds", "every run satisfies it")
VIOLATED = Property("longer", "ltl", "violated", "a run does not")
UNSURE = Property("c", "ltl", "inconclusive", "not all states were seen")


def result(*properties: Property, reduction: str = "none", states: int = 1200) -> Result:
    figures = replace(FIGURES, states=states)
    searches = (Search("safety", figures, reduction),)
    return Result(overall(properties), properties, figures, "native", "none", searches=searches)


def test_properties() -> None:
    assert property_line(HOLDS, 6, PLAIN) == "✓ a       every run satisfies it"
    assert property_line(VIOLATED, 6, PLAIN) == "✗ longer  violated: a run does not"
    assert property_line(UNSURE, 6, Style(symbols=ASCII)) == "? c       not all states were seen"


def test_statistics() -> None:
    said = "1,200 states, 3,400 transitions, depth 56; 2.00 s, 3.0 MB, 600 states/s"
    assert statistics_line(FIGURES) == said
    assert "3,400 transitions in 2 searches, depth" in statistics_line(FIGURES, 2)
    assert "B," not in statistics_line(replace(FIGURES, memory_bytes=0))  # it is not known
    one = replace(FIGURES, states=1, transitions=1, seconds=0.0)
    assert statistics_line(one).startswith("1 state, 1 transition, depth 56")


@pytest.mark.parametrize(
    ("found", "model", "line"),
    [
        (result(HOLDS), "m.pml", "✓ m.pml: holds (all 1,200 states were seen)"),
        (result(HOLDS), None, "✓ holds (all 1,200 states were seen)"),
        (result(HOLDS, states=1), None, "✓ holds (its one state was seen)"),
        (result(HOLDS, reduction="static: why"), None, "✓ holds (1,200 states after reduction)"),
        (result(HOLDS, reduction="none: why"), None, "✓ holds (all 1,200 states were seen)"),
        (result(HOLDS, VIOLATED, UNSURE), None, "✗ violated (longer)"),
        (result(HOLDS, UNSURE, UNSURE), None, "? inconclusive (not all states were seen)"),
        (result(HOLDS), "a\x1bb", "✓ a�b: holds (all 1,200 states were seen)"),
    ],
)
def test_the_last_line(found: Result, model: str | None, line: str) -> None:
    assert verdict_line(found, model, PLAIN) == line


def test_what_was_never_executed() -> None:
    missed = (Unreached("P", "dir/m.pml", 3, 5, "x = 1"), Unreached("P", "m.pml", 4, 1, "x = 2"))
    found = replace(result(HOLDS), unreached=missed)
    assert list(unreached_lines(found, PLAIN, False, "--unreached")) == [
        "never executed: 2 statements (--unreached lists them)"
    ]
    assert list(unreached_lines(found, PLAIN, True, "--unreached")) == [
        "never executed: 2 statements",
        "  P  m.pml:3:5  x = 1",
        "  P  m.pml:4:1  x = 2",
    ]
    cut = replace(found, statistics=replace(FIGURES, complete=False))
    assert list(unreached_lines(cut, PLAIN, False, "--unreached")) == []
    assert len(list(unreached_lines(cut, PLAIN, True, "--unreached"))) == 3
    assert list(unreached_lines(result(HOLDS), PLAIN, True, "--unreached")) == []


def test_notes_of_several_lines_are_set_in() -> None:
    lines = list(report_lines(replace(result(HOLDS), notes=("one\ntwo", "three")), PLAIN, Detail()))
    assert lines[-3:] == ["note: one", "      two", "note: three"]


def test_each_reduction_is_told_once() -> None:
    searches = tuple(Search(name, FIGURES, f"static: {name[0]}") for name in ("ab", "ac", "b"))
    lines = list(report_lines(replace(result(HOLDS), searches=searches), PLAIN, Detail()))
    assert [line for line in lines if line.startswith("engine")] == [
        "engine: native, reduction: static: a",
        "engine: native, reduction: static: b",
    ]
