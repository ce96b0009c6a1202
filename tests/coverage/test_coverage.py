"""The source with a mark at what was executed: as data, as text, as a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.browser import Browser
from whorl import Model, Result, check, load
from whorl.coverage.annotated import Mark, annotated, percent, shares
from whorl.coverage.page import coverage_page
from whorl.coverage.text import coverage_lines
from whorl.search.coverage import Coverage

MODEL = """byte x, y;
inline set(v, n) {
    v = n;
    assert(v == n)
}
active proctype p() {
    set(x, 1);
    if
    :: x == 1 -> y = 2
    :: x == 2 -> y = 3; y = 4
    :: else -> skip
    fi;
    do
    :: y > 0 -> y--
    :: y == 0 -> break
    :: goto out
    od;
    d_step { x = 2; if :: y == 0 -> y = 1 :: else fi };
out:
    skip
}
proctype unused() { set(y, 2) }
"""


def covered(text: str, **options: object) -> tuple[Model, Result, Coverage]:
    model = load(text, name="model.pml")
    result = check(model, safety=True, **options)  # type: ignore[arg-type]
    assert result.coverage is not None
    return model, result, result.coverage


def marks(model: Model, coverage: Coverage) -> dict[int, Mark]:
    (file,) = annotated(coverage, model.program)
    return {line.number: line.mark for line in file.lines if line.mark is not Mark.NOTHING}


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_marks(engine: str) -> None:
    model, _, coverage = covered(MODEL, engine=engine)
    assert coverage.complete
    assert marks(model, coverage) == {
        4: Mark.SOME,  # by p, but not by unused
        7: Mark.ALL,  # an argument stands where it is given
        9: Mark.ALL,
        10: Mark.NONE,
        11: Mark.NONE,
        14: Mark.ALL,
        15: Mark.ALL,
        16: Mark.ALL,
        18: Mark.UNKNOWN,
        20: Mark.ALL,
        22: Mark.NONE,
    }


def test_options_and_statements_are_counted_by_process() -> None:
    _, _, coverage = covered(MODEL)
    p, unused, every = shares(coverage)
    assert (p.name, p.options, p.taken) == ("p", 6, 4)
    assert (unused.name, unused.statements, unused.executed) == ("unused", 2, 0)
    assert every.statements == p.statements + unused.statements
    assert every.executed == p.executed
    missed = [(s.process, s.line, s.text, s.option) for s in coverage.missed]
    assert missed == [
        ("p", 10, "x == 2", True),
        ("p", 10, "y = 3", False),
        ("p", 10, "y = 4", False),
        ("p", 11, "else", True),
        ("p", 11, "skip", False),
        ("unused", 4, "assert(y == 2)", False),
        ("unused", 22, "y = 2", False),
    ]


@pytest.mark.parametrize("stops", ["y > 5", "a[y + 2] = 1", "y = 1 / y", "c!1"])
def test_what_follows_where_a_d_step_may_stop_is_not_known(stops: str) -> None:
    declared = "byte x, y, z; byte a[2]; chan c = [0] of { byte };"
    coverage = check(f"{declared} init {{ d_step {{ x++; {stops}; z++ }} }}").coverage
    assert coverage is not None
    executed = {statement.text: statement.executed for statement in coverage.statements}
    assert executed["x++"] is True
    assert executed["z++"] is None


def test_what_a_d_step_does_before_its_first_choice_is_known() -> None:
    _, _, coverage = covered(MODEL)
    inside = {s.text: s.executed for s in coverage.statements if s.line == 18}
    assert inside == {"d_step": True, "x = 2": True, "y == 0": None, "y = 1": None, "else": None}
    text = "byte x; init { if :: x -> d_step { x = 2; x = 3 } :: else fi }"
    _, _, coverage = covered(text)
    assert {s.text for s in coverage.missed} == {"x", "d_step", "x = 2", "x = 3"}


def test_those_not_executed_are_those_that_the_result_lists() -> None:
    """A d_step apart, of which the result lists the whole alone."""
    _, result, coverage = covered(MODEL)
    assert result.unreached
    listed = {(u.process, u.line, u.column, u.text) for u in result.unreached}
    assert listed == {(s.process, s.line, s.column, s.text) for s in coverage.missed}


def test_an_option_that_is_a_jump_can_be_missed() -> None:
    _, result, coverage = covered("init { end: false; do :: break :: goto x od; x: skip }")
    missed = ["false", "break", "goto x", "skip"]
    assert [s.text for s in coverage.missed] == missed
    assert [u.text for u in result.unreached] == missed
    _, _, coverage = covered("bit x; init { do :: x = 1 - x :: x -> break :: goto y od; y: skip }")
    assert coverage.missed == ()


def test_of_an_incomplete_search_nothing_is_said_to_be_impossible() -> None:
    text = "byte x, y; init { do :: x < 200 -> x++; y = x :: y == 200 -> break od }"
    model, _, coverage = covered(text, max_states=3, merge=False, por="none")
    assert not coverage.complete
    text = "\n".join(coverage_lines(coverage, model.program))
    assert "not taken so far: y == 200" in text
    assert "never" not in text
    page = coverage_page(coverage, model.program)
    assert "Not executed so far" in page
    assert "never" not in page


def test_a_search_that_stops_at_a_violation_is_incomplete() -> None:
    _, _, coverage = covered("init { assert(false); skip }")
    assert not coverage.complete


def test_a_claim_executes_statements_but_cannot_say_never() -> None:
    model = load("byte x; init { x = 1; x = 2; do :: x = 2 od }", name="m")
    result = check(model, ltl="[] (x < 2)")
    assert result.coverage is not None
    assert not result.coverage.complete
    assert any(statement.executed for statement in result.coverage.statements)


def test_text_has_carets_below_what_was_never_executed() -> None:
    model, _, coverage = covered(MODEL)
    lines = list(coverage_lines(coverage, model.program))
    at = lines.index("-   10 |     :: x == 2 -> y = 3; y = 4")
    assert lines[at + 1] == "       |        ^^^^^^ p: option never taken: x == 2"
    assert lines[at + 2] == "       |                  ^^^^^ p: statement never executed: y = 3"
    assert lines[0] == "The search was exhaustive: what was never executed never can be."


def test_included_files_have_their_own_part(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("inline twice(v) { skip; skip }\n#define UNUSED 1\n")
    (tmp_path / "consts.h").write_text("#define N 2\n")
    main = tmp_path / "main.pml"
    main.write_text('#include "part.h"\n#include "consts.h"\nbyte x;\ninit { twice(x); x = N }\n')
    model = load(main)
    result = check(model)
    assert result.coverage is not None
    files = annotated(result.coverage, model.program)
    assert [Path(file.name).name for file in files] == ["main.pml", "part.h"]
    assert files[1].lines[0].mark is Mark.ALL


def test_only_a_line_end_ends_a_line() -> None:
    """A form feed and its like end none, for the parser as for the report."""
    text = "/* \f \v \u2028 \x85 \r */\r\nbyte x;\ninit {\n  x = 1;\n  x == 2;\n  x = 3\n}"
    model, _, coverage = covered(text, end_states=False)
    assert marks(model, coverage) == {4: Mark.ALL, 5: Mark.NONE, 6: Mark.NONE}
    (file,) = annotated(coverage, model.program)
    assert [line.text for line in file.lines][1:] == text.split("\n")[1:]


def test_percentages_are_rounded_down() -> None:
    assert [percent(*pair) for pair in ((999, 1000), (3, 3), (0, 7), (0, 0))] == [
        "99 %",
        "100 %",
        "0 %",
        "–",
    ]


def test_the_page_escapes_the_source() -> None:
    text = 'byte x; /* <script>alert(1)</script> */ init { x < 1 && x > 2; printf("&<b>") }'
    model, _, coverage = covered(text, end_states=False)
    page = coverage_page(coverage, model.program)
    assert "<script>" not in page
    assert "<b>" not in page
    assert re.search(r"<mark>printf\(&quot;&amp;&lt;b&gt;&quot;\)</mark>", page)


@pytest.mark.browser
def test_the_page_fits_a_phone_and_its_links_lead_to_lines(tmp_path: Path) -> None:
    model, _, coverage = covered(MODEL)
    path = tmp_path / "page.html"
    path.write_text(coverage_page(coverage, model.program))
    links = "[...document.querySelectorAll('.missed a')]"
    with Browser() as browser:
        browser.open(path, width=400, ready="true")
        assert browser.script("document.documentElement.scrollWidth <= 400")
        assert browser.script(f"{links}.length") == 7
        assert browser.script(f"{links}.every(a => document.getElementById(a.hash.slice(1)))")
        assert browser.problems == []


def test_an_escape_is_no_option() -> None:
    _, _, coverage = covered("byte x; init { { x = 9 } unless { x == 50 -> x = 2 } }")
    assert [(s.text, s.option) for s in coverage.missed] == [("x == 50", False), ("x = 2", False)]
    assert not any(s.option for s in coverage.statements)
