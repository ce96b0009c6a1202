"""The text of a step is that of its statement, in one spelling."""

from __future__ import annotations

import pytest

from whorl.api import load

DECLARED = """mtype = { red, blue }; typedef T { byte f[2]; short g } T t; byte x, y, a[3]; mtype m;
chan c = [2] of { byte, byte }; chan d[2] = [0] of { byte };
proctype P(byte b) { byte own; L: skip } """

# Each is its own text.
STATEMENTS = [
    "skip", "x = 1", "x++", "x--", "a[x + 1] = y * 2", "t.f[1] = t.g", "m = red",
    "x == 1", "!x", "-x > 3", "~x & 7", "x + y * 2 - 3", "(x + y) * 2", "x - (y - 1)", "x - y - 1",
    "x << 2 >> 1", "x && y || m == blue", "x && (y || x)", "(x | y) == 3",
    "(x -> y : 2)", "x = (x == 1 -> y : (y -> 2 : 3))",
    "c!1, x", "c!!1, x", "c?x, y", "c??x, y", "c?<x, y>", "c??<x, 3>", "c?red, eval(x + 1)",
    "c?_, 3", "d[1]!x", "d[x]?y", "c?[1, x]", "c??[_, 2]",
    "len(c) == 1", "empty(c)", "nempty(c)", "full(c)", "nfull(c)",
    "run P(3)", "run P(3) priority 7", "x = run P(y)",
    "timeout", "_nr_pr == 1", "x = _pid", "x = _last",
    "enabled(1)", "pc_value(1) == 2", "get_priority(1) > 2", "set_priority(1, 2)",
    "P[1]@L", "P@L", "P[x]:own == 1", "P:own == 1",
    "assert(x == 1)", 'printf("a %d\\n", x)', "printm(m)",
]  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_is_shown_as_it_is_written(statement: str) -> None:
    program = load(f"{DECLARED} init {{ {statement} }}").program
    (init,) = [process for process in program.processes if process.title == "init"]
    assert [transition.text for transition in init.transitions()] == [statement, "-end-"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("c!1(x)", "c!1, x"),
        ("c ? x ( y )", "c?x, y"),
        ("((x)) == (1)", "x == 1"),
        ("(x * y) + 1", "x * y + 1"),
        ("x = (y+1)", "x = y + 1"),
        ("d_step { x = 1; x = 2 }", "d_step { x = 1; x = 2 }"),
        ("d_step { x = 1; x = 2; x = 3; x = 4 }", "d_step { x = 1; x = 2; x = 3; ... }"),
        ("d_step { x = 1; if :: x -> x = 2 fi }", "d_step { x = 1; if ... fi }"),
        ("d_step { do :: x < 9 -> x++ :: else -> break od }", "d_step { do ... od }"),
    ],
)
def test_one_spelling(written: str, shown: str) -> None:
    program = load(f"{DECLARED} init {{ {written} }}").program
    (init,) = [process for process in program.processes if process.title == "init"]
    assert [transition.text for transition in init.transitions()] == [shown, "-end-"]
