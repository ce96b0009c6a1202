"""How diagnostics look, and what spans know of their place."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.diagnostics import (
    MANY,
    Diagnostic,
    Reporter,
    Source,
    Span,
    WhorlError,
    in_source_order,
    nearest,
    suggest,
)


def span_of(source: Source, text: str, via: Span | None = None) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text), via)


MODEL = Source("model.pml", "int count;\n\n  x = cuont + 1\n\ty = 2;\r\nlast")


def test_a_message_shows_the_line_a_caret_and_the_hint() -> None:
    diagnostic = Diagnostic(
        "error", "unknown variable 'cuont'", span_of(MODEL, "cuont"), "did you mean 'count'?"
    )
    assert diagnostic.render().splitlines() == [
        "model.pml:3:7: error: unknown variable 'cuont'",
        "    3 |   x = cuont + 1",
        "      |       ^^^^^",
        "      hint: did you mean 'count'?",
    ]


def test_a_message_without_a_place() -> None:
    assert Diagnostic("warning", "no claim", hint="add one").render().splitlines() == [
        "warning: no claim",
        "      hint: add one",
    ]


def test_tabs_keep_the_carets_aligned() -> None:
    lines = Diagnostic("error", "m", span_of(MODEL, "2")).render().splitlines()
    assert lines[1:] == ["    4 | \ty = 2;", "      | \t    ^"]


def test_wide_characters_keep_the_carets_aligned() -> None:
    source = Source("m", "/* 漢字 */ x 漢")
    assert Diagnostic("error", "m", span_of(source, "x")).render().splitlines()[2] == (
        "      |            ^"
    )
    assert Diagnostic("error", "m", span_of(source, " 漢")).render().endswith(" ^^^")


def test_a_span_over_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    lines = Diagnostic("error", "m", span_of(MODEL, "cuont + 1\n\ty")).render().splitlines()
    assert lines[1:] == ["    3 |   x = cuont + 1", "      |       ^^^^^^^^^"]


@pytest.mark.parametrize("offset", [0, 10, 11, len(MODEL.text)])
def test_an_empty_span_gets_one_caret(offset: int) -> None:
    assert Diagnostic("error", "m", Span(MODEL, offset, offset)).render().count("^") == 1


def test_control_characters_do_not_reach_the_terminal() -> None:
    source = Source("m", "x \x1b[31m y")
    assert "\x1b" not in Diagnostic("error", "m", span_of(source, "y")).render()


def test_each_expansion_is_named_from_the_inside_out() -> None:
    source = Source("m.pml", "inline f() { x++ }\ninline g() { f() }\ninit { g() }")
    outer = Span(source, source.text.rindex("g()"), len(source.text) - 2)
    inner = Span(source, source.text.index("f() }"), source.text.index("f() }") + 3, outer)
    assert Diagnostic("error", "m", span_of(source, "x", inner)).render().splitlines()[3:] == [
        "      in the expansion of 'f', used at m.pml:2:14",
        "      in the expansion of 'g', used at m.pml:3:8",
    ]


def test_colors() -> None:
    error = Diagnostic("error", "m", span_of(MODEL, "cuont")).render(color=True)
    assert "\x1b[1;31merror:\x1b[0m" in error
    assert "\x1b[36m^^^^^\x1b[0m" in error
    assert "\x1b[33mwarning:\x1b[0m" in Diagnostic("warning", "m").render(color=True)


def test_until_joins_what_belongs_together() -> None:
    count, x = span_of(MODEL, "count"), span_of(MODEL, "x")
    assert count.until(x) == x.until(count) == Span(MODEL, count.start, x.end)
    assert count.until(span_of(Source("other", "x"), "x")) is count
    assert count.until(span_of(MODEL, "x", via=x)) is count


def test_lines_of_a_source() -> None:
    assert [MODEL.line_at(line) for line in range(7)] == [
        "",
        "int count;",
        "",
        "  x = cuont + 1",
        "\ty = 2;",
        "last",
        "",
    ]


@given(st.text(alphabet="ab\n\r\t"), st.data())
def test_line_and_column_agree_with_counting(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    span = Span(Source("s", text), offset, offset)
    before = text[:offset]
    assert span.line == before.count("\n") + 1
    assert span.column == len(before) - (before.rfind("\n") + 1) + 1


def test_a_reporter_collects_and_then_raises_all() -> None:
    reporter = Reporter()
    reporter.raise_if_errors()
    reporter.warning(None, "odd")
    reporter.error(span_of(MODEL, "x"), "first")
    reporter.error(None, "second")
    reporter.error(span_of(MODEL, "x"), "first")
    with pytest.raises(WhorlError) as raised:
        reporter.raise_if_errors()
    assert [diagnostic.message for diagnostic in raised.value.diagnostics] == ["first", "second"]
    assert [diagnostic.message for diagnostic in reporter.warnings] == ["odd"]
    assert str(raised.value) == raised.value.render()
    assert str(raised.value).endswith("\nerror: second")


def test_an_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(WhorlError.at(span_of(MODEL, "x"), "m", "h")))
    assert str(error) == str(WhorlError.at(span_of(MODEL, "x"), "m", "h"))


def test_suggest() -> None:
    assert suggest("cuont", ["count", "other"]) == "did you mean 'count'?"
    assert suggest("Count", ["count"]) == "did you mean 'count'?"
    assert suggest("zzz", ["count"]) is None
    assert suggest("x", []) is None


def test_neighbours_that_changed_places_are_nearest() -> None:
    assert nearest("pnig", ["pong", "ping"]) == "ping"
    assert nearest("cuont", ["count", "court"]) == "count"
    assert nearest("xyz", ["count"]) is None


def test_errors_come_in_the_order_of_the_source() -> None:
    text = Source("m.pml", "inline f() { x }\na f() b\n")
    use = Span(text, 19, 22)
    inside = Span(text, 13, 14, via=use)
    found = [
        Diagnostic("error", "b", Span(text, 23, 24)),
        Diagnostic("error", "no place"),
        Diagnostic("error", "x", inside),
        Diagnostic("error", "a", Span(text, 17, 18)),
    ]
    assert [d.message for d in in_source_order(found)] == ["a", "x", "b", "no place"]


def test_the_same_mistake_in_an_inline_is_said_once() -> None:
    text = Source("m.pml", "inline f() { x }\nf() f()\n")
    reporter = Reporter()
    for start in (17, 21):
        reporter.error(Span(text, 13, 14, via=Span(text, start, start + 3)), "unknown")
    assert len(reporter.errors) == 1


def test_errors_can_be_taken_back_and_given_again() -> None:
    reporter = Reporter()
    reporter.error(None, "one")
    reporter.error(None, "two")
    reporter.take_back(1)
    assert [d.message for d in reporter.errors] == ["one"]
    reporter.error(None, "two")
    assert [d.message for d in reporter.errors] == ["one", "two"]


def test_beyond_many_errors_only_their_number_is_said() -> None:
    reporter = Reporter()
    for number in range(MANY + 3):
        reporter.error(None, f"error {number}")
    with pytest.raises(WhorlError) as caught:
        reporter.raise_if_errors()
    assert len(caught.value.diagnostics) == MANY + 1
    assert caught.value.diagnostics[-1].message == "3 more errors not shown"


def test_of_a_long_line_only_what_is_around_the_place_is_shown() -> None:
    text = Source("m.pml", f"{'a' * 200}X{'b' * 200}")
    lines = Diagnostic("error", "here", Span(text, 200, 201)).render().splitlines()
    assert len(lines[1]) < 160
    assert lines[1][lines[2].index("^")] == "X"
    lines = Diagnostic("error", "all", Span(text, 0, 401)).render().splitlines()
    assert lines[2].count("^") == lines[1].count("a")
