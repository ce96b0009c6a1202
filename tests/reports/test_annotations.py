"""Annotations: each violation and each diagnostic at the line where a reader looks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.outcomes import ASSERTION, DEADLOCK, ENDLESS, FORMULA, WRONG, outcome_of
from whorl.diagnostics import Source, Span
from whorl.reports.annotations import Annotation, FilePlace, annotations_of
from whorl.reports.outcome import ModelOutcome

NEVER = "byte x;\nactive proctype p() { x = 1 }\n\nnever {\n  do :: x == 1 -> break :: else od\n}\n"
SPINS = "byte i;\nactive proctype p() {\n  do\n  :: i = 1;\n     i = 0\n  od\n}\n"


def found(folder: Path, text: str, **more: Any) -> list[Annotation]:
    return list(annotations_of([outcome_of(folder, text, **more)]))


def place(said: Annotation) -> tuple[str, int, str]:
    assert said.place is not None
    return said.rule, said.place.line, Path(said.place.file).name


def test_an_assertion_lies_at_its_line_and_the_calls_are_related(tmp_path: Path) -> None:
    (said,) = found(tmp_path, ASSERTION)
    assert place(said) == ("assertion", 4, "m.pml")
    assert said.level == "error"
    assert "assertion violated: (x<2): after" in said.message
    assert [(near.line, text) for near, text in said.related] == [(6, "calls step")]


def test_a_deadlock_lies_where_the_processes_wait(tmp_path: Path) -> None:
    (said,) = found(tmp_path, DEADLOCK)
    assert place(said) == ("end-state", 2, "m.pml")
    assert [(near.line, text) for near, text in said.related] == [(3, "receiver:1 waits here: c!3")]


def test_a_formula_lies_at_its_block_and_the_cycle_is_related(tmp_path: Path) -> None:
    always, again = found(tmp_path, FORMULA)
    assert place(always) == ("ltl", 8, "m.pml")
    assert place(again) == ("ltl", 9, "m.pml")
    assert "(always)" in always.message
    assert "that repeats from step" in again.message
    ((near, text),) = again.related
    assert again.trace is not None
    assert again.trace.cycle is not None
    assert near.line == again.trace.steps[again.trace.cycle - 1].line
    assert "begins the cycle" in text


def test_claims_without_a_text_lie_where_the_cycle_begins(tmp_path: Path) -> None:
    (said,) = found(tmp_path, SPINS, non_progress=True)
    assert said.trace is not None
    assert said.trace.cycle is not None
    begin, *_, end = said.trace.steps[said.trace.cycle - 1 :]
    assert {begin.line, end.line} == {4, 5}
    assert place(said) == ("non-progress", begin.line, "m.pml")
    (never,) = found(tmp_path, NEVER, claim="never")
    assert place(never) == ("never-claim", 4, "m.pml")


def test_a_formula_of_the_command_line_lies_where_its_run_ends(tmp_path: Path) -> None:
    (said,) = found(tmp_path, "byte x;\ninit {\n  x = 1;\n  x = 2 }", ltl="[] (x < 2)")
    assert place(said) == ("ltl", 4, "m.pml")


def test_diagnostics_have_their_columns(tmp_path: Path) -> None:
    first, second = found(tmp_path, WRONG)
    assert first.place == FilePlace(str(tmp_path / "m.pml"), 1, 8, 1, 13)
    assert place(second) == ("model-error", 2, "m.pml")
    (warning,) = found(tmp_path, "init { byte y; y = 300 }")
    assert (warning.rule, warning.level) == ("model-warning", "warning")


def test_what_is_not_decided_is_a_warning_but_not_after_a_violation(tmp_path: Path) -> None:
    (said,) = found(tmp_path, ENDLESS, max_states=10)
    assert (*place(said), said.level) == ("inconclusive", 1, "m.pml", "warning")
    assert "the limit of 10 states was reached" in said.message


def test_places_end_after_the_last_character() -> None:
    source = Source("m.pml", "ab\ncd\n")
    assert FilePlace.of(Span(source, 1, 5)) == FilePlace("m.pml", 1, 2, 2, 3)
    assert FilePlace.of(Span(source, 1, 3)) == FilePlace("m.pml", 1, 2, 1, 4)
    assert FilePlace.of(Span(source, 3, 3)) == FilePlace("m.pml", 2, 1, 2, 1)


def test_values_of_macros_are_told() -> None:
    for defines, told in (({}, "x"), ({"N": "2", "M": "3"}, "x (with N=2, M=3)")):
        said = Annotation("ltl", "error", "x", ModelOutcome("m.pml", defines, 1))
        assert said.with_values == told
