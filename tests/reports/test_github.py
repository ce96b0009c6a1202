"""Annotations of GitHub Actions: one command a line, escaped so that none ends early."""

from __future__ import annotations

import re
from pathlib import Path

from support.outcomes import ASSERTION, FORMULA, WRONG, outcome_of
from whorl.diagnostics import Diagnostic
from whorl.reports.github import MOST_LINES, github
from whorl.reports.outcome import ModelOutcome

COMMAND = re.compile(r"::(error|warning) ((?:\w+=[^,:]*,?)+)::(.*)")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command as GitHub's runner reads it."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    undo = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
    pairs = dict(pair.split("=", 1) for pair in match[2].split(","))

    def plain(text: str) -> str:
        for code, letter in undo:
            text = text.replace(code, letter)
        return text

    return match[1], {name: plain(value) for name, value in pairs.items()}, plain(match[3])


def test_a_violation_is_an_error_at_its_line(tmp_path: Path) -> None:
    (line,) = github([outcome_of(tmp_path, ASSERTION, "a, b: c%.pml")], tmp_path)
    level, values, message = parsed(line)
    assert level == "error"
    assert values == {
        "file": "a, b: c%.pml",
        "line": "4",
        "title": "whorl: An assertion fails",
    }
    assert message.startswith("assertion violated: (x<2): after 4 steps\n")
    assert "assert(x < 2)" in message


def test_diagnostics_have_hint_and_column(tmp_path: Path) -> None:
    first, second = map(parsed, github([outcome_of(tmp_path, WRONG)], tmp_path))
    assert (first[1]["line"], first[1]["col"]) == ("1", "8")
    assert second[1]["line"] == "2"


def test_what_has_no_place_names_the_model() -> None:
    outcome = ModelOutcome("m.pml", {}, 2, errors=(Diagnostic("error", "cannot read\n::x"),))
    (line,) = github([outcome], Path.cwd())
    assert "\n" not in line
    assert parsed(line)[2] == "m.pml: cannot read\n::x"
    assert "file" not in parsed(line)[1]


def test_a_long_run_is_shown_in_part(tmp_path: Path) -> None:
    text = "int x; init { do :: x < 150 -> x++ :: else -> break od; assert(false) }"
    (line,) = github([outcome_of(tmp_path, text, shorten=False)], tmp_path)
    lines = parsed(line)[2].splitlines()
    assert len(lines) <= MOST_LINES + 3
    assert lines[-1] == "(the log has the rest)"


def test_each_violation_is_one_line(tmp_path: Path) -> None:
    assert len(list(github([outcome_of(tmp_path, FORMULA)], tmp_path))) == 2
