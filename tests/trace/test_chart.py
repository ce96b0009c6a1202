"""The sequence chart: well-formed, complete, and without overlapping text."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

import whorl
from whorl.svg import CHAR
from whorl.trace.chart import MOST_ROWS, chart
from whorl.trace.fold import folded_to_messages
from whorl.trace.trace import Trace

EXAMPLES = Path(__file__).parents[2] / "examples"
SVG = "{http://www.w3.org/2000/svg}"
HANDSHAKE = """
chan link = [0] of { byte };
chan queue = [2] of { byte };
active proctype a() { byte x; link!1; queue!5; queue!6 }
active proctype b() { byte y; link?y; queue?y; queue?y; assert(y == 5) }
"""


def trace_of(model: str | Path, **options: bool) -> Trace:
    trace = whorl.check(model, **options).trace  # type: ignore[arg-type]
    assert trace is not None
    return trace


def texts(picture: ET.Element) -> list[tuple[float, float, float, str]]:
    """The baseline, left end, right end and words of every text."""
    found = []
    for element in picture.iter(f"{SVG}text"):
        words = element.text or ""
        x, y, width = float(element.attrib["x"]), float(element.attrib["y"]), len(words) * CHAR
        shift = {"middle": width / 2, "end": width}.get(element.attrib.get("text-anchor", ""), 0)
        found.append((y, x - shift, x - shift + width, words))
    return found


@pytest.mark.parametrize("name", ["peterson_broken", "philosophers", "lost_update"])
def test_no_text_overlaps_another(name: str) -> None:
    picture = ET.fromstring(chart(trace_of(EXAMPLES / f"{name}.pml")))
    rows = sorted(texts(picture))
    for (y1, _, right, first), (y2, left, _, second) in pairwise(rows):
        assert y2 - y1 >= 12 or right <= left, (first, second)
    width = float(picture.attrib["width"])
    assert all(left >= 0 and right <= width for _, left, right, _ in rows)


def test_every_step_and_process_is_there() -> None:
    trace = trace_of(HANDSHAKE)
    words = [text for *_, text in texts(ET.fromstring(chart(trace)))]
    for step in trace.steps:
        assert step.said in words
        assert str(step.number) in words
    assert {"a:0", "b:1"} <= set(words)


def test_an_arrow_for_each_message() -> None:
    picture = ET.fromstring(chart(trace_of(HANDSHAKE)))
    arrows = [p for p in picture.iter(f"{SVG}path") if p.attrib.get("class") == "arrow"]
    titles = [title.text for arrow in arrows for title in arrow.iter(f"{SVG}title")]
    assert titles == ["link [1]", "queue [5]", "queue [6]"]


def test_the_violated_step_is_marked() -> None:
    picture = ET.fromstring(chart(trace_of(HANDSHAKE)))
    wrong = [r for r in picture.iter(f"{SVG}rect") if r.attrib.get("class") == "wrong"]
    assert [title.text for box in wrong for title in box] == ["assert(y == 5)"]


def test_blocked_processes_are_marked() -> None:
    picture = ET.fromstring(chart(trace_of(EXAMPLES / "philosophers.pml")))
    wrong = [r for r in picture.iter(f"{SVG}rect") if r.attrib.get("class") == "wrong"]
    assert [title.text for box in wrong for title in box] == ["fork[right]?_"] * 4


def test_text_is_escaped() -> None:
    trace = trace_of('init { byte x; x < 1 && 2 > x; printf("<b>&\\n"); assert(x > 1 && x < 2) }')
    words = " ".join(text for *_, text in texts(ET.fromstring(chart(trace))))
    assert "x < 1 && 2 > x" in words
    assert 'prints "<b>&"' in words


def test_a_very_long_run_is_cut() -> None:
    trace = trace_of("int x; init { do :: x < 900 -> x++ :: else -> break od; assert(false) }")
    assert len(trace.steps) > MOST_ROWS
    words = [text for *_, text in texts(ET.fromstring(chart(trace)))]
    assert any("steps left out" in text for text in words)
    assert "assert(false)" in words


def test_a_cycle_is_framed_and_its_propositions_told() -> None:
    trace = dataclasses.replace(
        trace_of(HANDSHAKE), cycle=2, propositions=("p", "x > 1"), letters=(0, 3)
    )
    drawing = chart(trace)
    assert 'class="cycle"' in drawing
    assert "back to the state after step 1" in drawing
    assert "!p &amp; !(x &gt; 1)" in drawing
    assert ">p &amp; (x &gt; 1)<" in drawing
    assert 'class="cycle"' not in chart(dataclasses.replace(trace, cycle=None))
    stays = chart(dataclasses.replace(trace, cycle=len(trace.steps) + 1))
    assert "the program stays as it is for ever" in stays


def test_messages_have_their_values() -> None:
    words = [text for *_, text in texts(ET.fromstring(chart(trace_of(HANDSHAKE))))]
    assert "link!1" in words
    assert "link?1" in words


def test_global_variables_come_first() -> None:
    trace = trace_of("byte g; active proctype a() { byte x; d_step { x = 1; g = 2 }; assert(!x) }")
    words = [text for *_, text in texts(ET.fromstring(chart(trace)))]
    assert "g = 2, a:0.x = 1" in words


ATOMIC = """
chan link = [0] of { byte }, queue = [2] of { byte };
active proctype a() {
    byte k;
    atomic { k = 1; k = 2; link!7; k = 3 };
    atomic { k = 4; queue!8; k = 5; queue!9; k = 6 }
}
active proctype b() {
    byte got, last;
    atomic { link?got -> got++; last = got };
    queue?last;
    atomic { last++; last++; assert(last < 10) }
}
"""


def test_a_folded_chart_has_a_row_for_each_message_and_failure() -> None:
    trace = trace_of(ATOMIC)
    shown = folded_to_messages(trace.steps, None)
    assert [(step.said, last) for step, last in shown] == [
        ("link!7", 5),
        ("k = 3", 6),
        ("queue!8", 9),
        ("queue!9", 11),
        ("queue?8", 12),
        ("atomic: last++ (2 steps)", 14),
        ("assert(last < 10)", 15),
    ]
    rows = [text for *_, text in texts(ET.fromstring(chart(trace, fold=True)))]
    assert "b:1.got = 8, b:1.last = 8" in ", ".join(rows)
    assert [row for row in rows if row.isdigit()] == ["3", "6", "8", "10", "12", "13", "15"]
    assert "15 steps" in rows


def test_a_folded_chart_keeps_its_arrows() -> None:
    picture = ET.fromstring(chart(trace_of(ATOMIC), fold=True))
    arrows = [p for p in picture.iter(f"{SVG}path") if p.attrib.get("class") == "arrow"]
    titles = [title.text for arrow in arrows for title in arrow.iter(f"{SVG}title")]
    assert titles == ["link [7]", "queue [8]"]


def test_a_fold_of_messages_ends_where_the_cycle_begins() -> None:
    trace = trace_of(ATOMIC)
    lasts = [last for _, last in folded_to_messages(trace.steps, 9)]
    assert 8 in lasts
