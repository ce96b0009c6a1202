"""Which variables are assigned, by an assignment or a receive, and with any index."""

from __future__ import annotations

import pytest

from whorl.api import load
from whorl.program.assigned import assigned_slots
from whorl.program.parts import process_parts, program_parts
from whorl.program.program import Region

DECLARED = """typedef T { byte f; short g[2] } byte x, y, a[3]; T t[2];
chan c = [1] of { byte, byte }; """


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("skip", set()),
        ("x = y", {"x"}),
        ("x == y", set()),
        ("a[1] = x", {"a[1]"}),
        ("a[x] = 1", {"a[0]", "a[1]", "a[2]"}),
        ("t[1].f = 1", {"t[1].f"}),
        ("c?x, 3", {"x"}),
        ("c?<_, y>", {"y"}),
        ("c?eval(x), _", set()),
        ("c!x, y", set()),
        ("d_step { x = 1; if :: y == 1 -> y = 2 :: else fi }", {"x", "y"}),
        ("for (x : 1 .. 2) { skip }", {"x"}),
        ("select (y : 1 .. 2)", {"y"}),
        ("if :: x = 1 :: a[0] = 2 fi", {"x", "a[0]"}),
    ],
)
def test_assigned_globals(statement: str, names: set[str]) -> None:
    program = load(f"{DECLARED} init {{ {statement} }}").program
    slots = [name for variable in program.variables for name, _ in variable.parts]
    assert {slots[n] for n in assigned_slots(program_parts(program), Region.GLOBAL)} == names


def test_every_slot_that_an_index_may_reach() -> None:
    program = load(f"{DECLARED} init {{ t[x].g[y] = 1 }}").program
    slots = [name for variable in program.variables for name, _ in variable.parts]
    found = {slots[n] for n in assigned_slots(program_parts(program), Region.GLOBAL)}
    assert found >= {"t[0].g[0]", "t[0].g[1]", "t[1].g[0]", "t[1].g[1]"}
    assert not found & {"x", "y", "a[0]", "c"}


def test_local_variables_are_apart() -> None:
    program = load(f"{DECLARED} init {{ byte l, m; l = m; x = l }}").program
    assert assigned_slots(process_parts(program.processes[0]), Region.LOCAL) == {0}
