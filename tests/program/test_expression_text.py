"""Expressions of a program as text: the names of propositions."""

from __future__ import annotations

import pytest

from whorl.api import load
from whorl.program.expression_text import expression_text
from whorl.program.program import Guard

DECLARED = """mtype = { one, two }; mtype : colour = { red, green }; mtype m; mtype : colour k;
byte x, y, a[3]; chan c = [1] of { byte, byte }; typedef T { byte f } T t;
proctype P() { byte own; L: skip } """

# Each is its own text.
EXPRESSIONS = [
    "x", "x == 1", "!x", "!(x == 1)", "-x + 1", "~x", "x + y * 2", "(x + y) * 2", "x - (y - 1)",
    "x - y - 1", "x && y || a[1]", "x && (y || a[x])", "x << 1 == 2", "(x | 1) == 3",
    "t.f == a[x + 1]", "(x -> 1 : y) == 2", "len(c) == 1", "c?[1, _]", "c??[eval(x), 2]",
    "m == two", "two != m", "k == green", "m == 7", "P[1]@L", "P[x]:own == 1", "P:own == 1",
    "enabled(1)", "pc_value(1) == 3", "_nr_pr == 2", "timeout", "run P()",
]  # fmt: skip


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(text: str) -> None:
    program = load(f"{DECLARED} init {{ {text} }}").program
    init = program.processes[-1]
    (condition,) = [t.action for t in init.transitions() if isinstance(t.action, Guard)]
    # What a poll compares with has no eval around it.
    expected = text.replace("eval(x)", "x")
    assert expression_text(condition.condition, program) == expected
