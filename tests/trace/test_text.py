"""A trace as text: values of messages, folds, arrays, when an expression is true."""

from __future__ import annotations

import re

import pytest

import whorl
from whorl.cli.where import expression
from whorl.diagnostics import WhorlError
from whorl.program.semantics import Semantics
from whorl.report import Detail, counterexample_lines
from whorl.trace.fold import folded
from whorl.trace.grouped import in_lines
from whorl.trace.style import PLAIN
from whorl.trace.text import trace_lines
from whorl.trace.trace import Change, Trace
from whorl.trace.where import truth_changes
from whorl.trace.whole import whole_states


def trace_of(text: str) -> Trace:
    trace = whorl.check(text, shorten=False).trace
    assert trace is not None
    return trace


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("net[k]!hello, k, k + 2", "net[1]!hello,1,3"),
        ("net[k]!hello(k, 7)", "net[1]!hello,1,7"),
        ("net[k]!!hello, 0, 1", "net[1]!!hello,0,1"),
        ("net[!k]!hello, 0, 1", "net[0]!hello,0,1"),
        ("mine!hello, 0, 1", "net[1]!hello,0,1"),
        ("filled?m, k, k", "filled?hello,4,5"),
        ("filled??hello, k, k", "filled??hello,4,5"),
        ("filled?<m, k, k>", "filled?<m, k, k>"),
        ("k = 4", "k = 4"),
    ],
)
def test_messages_are_shown_with_their_values(statement: str, shown: str) -> None:
    text = f"""mtype = {{ hello }}; chan net[2] = [2] of {{ mtype, byte, byte }};
    chan filled = [1] of {{ mtype, byte, byte }};
    init {{ byte k = 1; mtype m; chan mine; mine = net[1]; filled!hello, 4, 5;
    {statement}; assert(false) }}"""
    assert trace_of(text).steps[-2].said == shown


def test_arrays_are_one_line() -> None:
    values = [
        *(Change(f"a[{n}]", str(n), None) for n in range(3)),
        *(Change(f"s[{n}].f[{m}]", str(n + m), None) for n in range(2) for m in range(2)),
        Change("one[0]", "1", None),
        Change("late[1]", "1", None),
        Change("q[0]", "empty", None),
        Change("q[1]", "[1]", None),
        Change("x", "1", None),
    ]
    assert list(in_lines(values)) == [
        ("a", "[0, 1, 2]"),
        ("s[0].f", "[0, 1]"),
        ("s[1].f", "[1, 2]"),
        ("one[0]", "1"),
        ("late[1]", "1"),
        ("q[0]", "empty"),
        ("q[1]", "[1]"),
        ("x", "1"),
    ]


FOLDS = """
byte x, y;
inline twice(v) { v++; v++ }
active proctype P() {
  x = 1;
  atomic { x = 2; y = 1; x = 3 };
  twice(x);
  twice(y);
  assert(x == 0)
}
"""


def test_folds() -> None:
    trace = trace_of(FOLDS)
    rows = folded(trace.steps, None)
    assert [(step.number, last, step.text) for step, last in rows] == [
        (1, 1, "x = 1"),
        (2, 4, "atomic: x = 2 (3 steps)"),
        (5, 6, "twice (2 steps)"),
        (7, 8, "twice (2 steps)"),
        (9, 9, "assert(x == 0)"),
    ]
    assert [str(change) for change in rows[1][0].changes] == ["x = 3", "y = 1"]
    assert rows[2][0].line == 7  # where it is called
    lines = list(trace_lines(trace, fold=True))
    assert len(lines) == 6
    assert "✗" in lines[-1]


def test_other_processes_end_a_fold_of_an_inline() -> None:
    text = """byte x; inline twice() { x++; x++ }
    active [2] proctype P() { twice(); assert(x < 3) }"""
    for step, last in folded(trace_of(text).steps, None):
        assert step.text == "twice (2 steps)" or last == step.number


def test_a_fold_ends_where_the_cycle_begins() -> None:
    text = """bool b; inline round() { b = 1; do :: b = 0; b = 1 od }
    active proctype P() { round() } ltl p { <> [] b }"""
    trace = trace_of(text)
    assert trace.cycle is not None
    assert trace.cycle > 1
    rows = folded(trace.steps, trace.cycle)
    assert any(step.number == trace.cycle for step, _ in rows)
    assert sum("again and again" in line for line in trace_lines(trace, fold=True)) == 1


def test_truth_inside_a_fold_is_told_at_its_end() -> None:
    text = """byte x; inline up() { x = 1; x = 2; x = 3 }
    active proctype P() { up() } ltl p { <> (x == 9) && <> (x > 1) }"""
    trace = trace_of(text)
    lines = [line.strip() for line in trace_lines(trace, fold=True)]
    at = next(n for n, line in enumerate(lines) if "up (3 steps)" in line)
    assert "x>1" in lines[at + 1].replace(" ", "")


def test_whole_states_lead_to_the_end() -> None:
    for text in (FOLDS, "init { byte x; { byte y; y = 1; x = y }; assert(x == 0) }"):
        trace = trace_of(text)
        states = list(whole_states(trace))
        assert len(states) == len(trace.steps) + 1
        assert states[-1].positions == trace.final
        assert set(states[-1].values) == set(trace.values)


def step_shown(text: str, step: int) -> str:
    lines = counterexample_lines(trace_of(text), 1, 1, PLAIN, Detail(step=step))
    return "\n".join(lines)


def test_the_state_after_a_step() -> None:
    said = step_shown(FOLDS, 3)
    assert "After step 3:" in said
    assert said.endswith("x = 2, y = 1")
    assert "There is no step 10: it has 9 steps." in step_shown(FOLDS, 10)


def asked(text: str, wanted: str) -> list[tuple[int, bool | str]]:
    model = whorl.load(text)
    trace = whorl.check(model, shorten=False).trace
    assert trace is not None
    found = truth_changes(Semantics(model.program), expression(model, wanted), trace.choices)
    return [(c.after, c.value if c.fault is None else c.fault) for c in found]


@pytest.mark.parametrize(
    ("wanted", "changes"),
    [
        ("x > 1", [(0, False), (2, True)]),
        ("x == 1 || y == 3", [(0, False), (1, True), (2, False), (8, True)]),
        ("!(x == 2)", [(0, True), (2, False), (4, True)]),
        ("true", [(0, True)]),
        ("P[0]:x == 1 -> false", None),
        ("10 / (x - 1) > 4 ", [(0, False), (1, "the divisor is 0"), (2, True), (5, False)]),
    ],
)
def test_when_an_expression_is_true(
    wanted: str, changes: list[tuple[int, bool | str]] | None
) -> None:
    if changes is None:
        with pytest.raises(WhorlError):
            asked(FOLDS, wanted)
        return
    found = asked(FOLDS, wanted)
    assert [(a, v if isinstance(v, bool) else re.sub(r":.*", "", v)) for a, v in found] == changes


def test_remote_references() -> None:
    text = """byte x; active proctype P() { byte mine; x = 1; L: mine = 3; assert(false) }"""
    assert asked(text, "P[0]@L") == [(0, False), (1, True), (2, False)]
    assert asked(text, "P:mine == 3") == [(0, False), (2, True)]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("x >", "the formula ends where more is expected"),
        ("[] (x > 0)", "is a temporal operator"),
        ("z > 0", "z"),
        ("P@G", "it names the label of a goto"),
        ("_last == 0", "do not have _last"),
    ],
)
def test_what_is_no_expression(wanted: str, said: str) -> None:
    model = whorl.load("byte x; active proctype P() { x = 1; G: goto M; M: x = 2 }")
    with pytest.raises(WhorlError) as error:
        expression(model, wanted)
    assert said in str(error.value)
    assert "^" in error.value.diagnostics[0].render(False)
