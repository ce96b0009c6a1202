"""Variables of one name in a process: each step shows what it changed, and nothing else."""

from __future__ import annotations

import pytest

import whorl
from whorl.trace.as_json import trace_data
from whorl.trace.chart import chart
from whorl.trace.text import final_lines
from whorl.trace.trace import Trace


def counterexample(text: str) -> Trace:
    trace = whorl.check(text, engine="reference", por="none").trace
    assert trace is not None
    return trace


def changed(trace: Trace) -> list[list[str]]:
    return [list(map(str, step.changes)) for step in trace.steps]


INLINE = """byte g;
inline add(k) {
  byte t;
  t = g + k;
  g = t
}
active proctype p() { add(1); add(2); assert(false) }
"""
BLOCKS = """byte g;
active proctype p() {
  g = 1;
  { byte x; x = 1 };
  { byte x; x = 1; x = 0 };
  assert(false)
}
"""
HIDES = """active proctype p() {
  byte y = 7;
  { byte y; y = 3; assert(false) }
}
"""
ONE_LINE = "active proctype p() { byte y = 7; { byte y[2]; y[1] = 3; assert(false) } }"
D_STEP = """active proctype p() {
  d_step {
    { byte j; j = 1 };
    { byte j; j = 2 }
  }
  assert(false)
}
"""


@pytest.mark.parametrize(
    ("text", "changes", "end"),
    [
        (INLINE, [[], ["p:0.t = 1"], ["g = 1"], [], ["p:0.t = 3"], ["g = 3"], []], ["g = 3"]),
        (BLOCKS, [["g = 1"], [], ["p:0.x = 1"], [], ["p:0.x = 1"], ["p:0.x = 0"], []], ["g = 1"]),
        (HIDES, [[], ["p:0.y@3 = 3"], []], ["p:0.y@2 = 7", "p:0.y@3 = 3"]),
        (
            ONE_LINE,
            [[], ["p:0.y@1:42[1] = 3"], []],
            ["p:0.y@1:28 = 7", "p:0.y@1:42[0] = 0", "p:0.y@1:42[1] = 3"],
        ),
        (D_STEP, [["p:0.j@3 = 1", "p:0.j@4 = 2"], []], []),
    ],
)
def test_a_step_shows_what_it_changed(text: str, changes: list[list[str]], end: list[str]) -> None:
    trace = counterexample(text)
    assert changed(trace) == changes
    assert list(map(str, trace.values)) == end
    told = trace_data(trace)["steps"]
    names = [[f"{c['process']}.{c['name']}" for c in step["changes"]] for step in told]
    assert sum(map(len, names)) == sum(map(len, changes))
    drawn = chart(trace)
    for each in (change for step in changes for change in step):
        assert each in drawn


def test_variables_of_one_inline_used_in_one_line() -> None:
    text = (
        "inline a() { { byte t; t = 1 } }\nactive proctype p() { d_step { a(); a() }; assert(0) }"
    )
    assert changed(counterexample(text))[0] == ["p:0.t@2:32 = 1", "p:0.t@2:37 = 1"]


def test_the_end_has_the_local_variables_and_the_assertion() -> None:
    trace = counterexample("byte g; active proctype p() { byte k; k = 3; g++; assert(g < 1) }")
    assert list(final_lines(trace.final, trace.values)) == [
        "  p:0  at line 1: assert(g < 1)",
        "       k = 3",
        "  g = 1",
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("active proctype p() {\n  assert(false);\n  skip\n}", "at line 2: assert(false)"),
        ("active proctype p() {\n  skip;\n  assert(false)\n}", "at line 3: assert(false)"),
        ("active proctype p() {\n  d_step { skip; assert(false) }\n}", "at line 2: d_step"),
        ("active proctype p() { byte x;\n  x = 1;\n  x = 1/(x-1)\n}", "at line 3: x = 1 / (x"),
    ],
)
def test_the_process_that_failed_is_where_it_failed(text: str, where: str) -> None:
    (position,) = counterexample(text).final
    assert position.where.startswith(where)
