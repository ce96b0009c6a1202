"""`whorl check` with formulas and claims: what it says, and what it says of mistakes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

COUNTER = """
byte x;
active proctype p() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
"""


def test_what_holds_is_told_with_its_formula(whorl: Run, write: Run) -> None:
    model = write(COUNTER)
    found = whorl("check", model, "--ltl", "[]<> (x == 3)", "--ltl", "[] (x <= 3)", "--fair")
    assert "✓ formula    every fair run satisfies []<> (x == 3)" in found.out
    assert "✓ formula_2  every fair run satisfies [] (x <= 3)" in found.out


def test_figures_of_several_searches_are_summed(whorl: Run, write: Run) -> None:
    model = write(COUNTER)
    one = whorl("check", model, "--ltl", "[] (x <= 3)")
    two = whorl("check", model, "--ltl", "[] (x <= 3)", "--safety")
    assert "searches" not in one.out
    assert " transitions in 2 searches, depth " in two.out


def test_files_are_of_the_first_counterexample(whorl: Run, write: Run, tmp_path: Path) -> None:
    words = ("check", write(COUNTER), "--ltl", "[] (x != 2)", "--trail", tmp_path / "t")
    assert "of 2)" not in whorl(*words).out
    assert (
        f"trail: {tmp_path / 't'} (counterexample 1 of 2)"
        in whorl(*words, "--ltl", "[] (x != 1)").out
    )


@pytest.mark.parametrize("option", ["--fair", "--infinite-runs", "--algorithm=scc"])
def test_options_about_infinite_runs_say_so_where_there_are_none(
    whorl: Run, write: Run, option: str
) -> None:
    found = whorl("check", write(COUNTER), option)
    assert found.status == 0
    assert "has no bearing on safety" in found.out
    assert "no bearing" not in whorl("check", write(COUNTER), option, "--ltl", "<> (x == 1)").out


def test_non_progress_without_a_progress_label(whorl: Run, write: Run) -> None:
    found = whorl("check", write(COUNTER), "--non-progress")
    assert found.status == 1
    assert "note: the model has no progress label" in found.out
    labelled = COUNTER.replace("x = 0", "progress: x = 0")
    assert "progress label" not in whorl("check", write(labelled), "--non-progress").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ltl", ""], "a formula is expected here"),
        (["--ltl", "<> (x = 3)"], "hint: to compare, write '=='"),
        (["--ltl", "<> x = 3"], "hint: to compare, write '=='"),
        (
            ["--ltl", "[] (x <= 3)", "--store", "bitstate"],
            "--store bitstate keeps no states, and the search for cycles of --ltl needs them",
        ),
        (["--ltl", "[] (x <= 3)", "--emit-c", "c"], "--emit-c leaves the C of a search for safety"),
        (["--non-progress", "--emit-c", "c"], "--non-progress is none"),
    ],
)
def test_mistakes(whorl: Run, write: Run, words: list[str], said: str) -> None:
    found = whorl("check", write(COUNTER), *words)
    assert found.status == 2
    assert said in found.err
