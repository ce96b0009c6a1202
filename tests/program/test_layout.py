"""Where variables are kept: one slot a value, in the order of the text."""

from __future__ import annotations

import pytest

from whorl.api import load
from whorl.program.program import VariableInfo

TYPES = "typedef I { byte p; short q[2] } typedef O { I i[2]; bit r } "


def slots(variables: tuple[VariableInfo, ...]) -> list[str]:
    return [name for variable in variables for name, _ in variable.parts]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("byte x", ["x"]),
        ("byte x, y; int z", ["x", "y", "z"]),
        ("byte a[3]; bit b", ["a[0]", "a[1]", "a[2]", "b"]),
        ("byte a[1]", ["a[0]"]),
        ("I t", ["t.p", "t.q[0]", "t.q[1]"]),
        ("I t[2]", ["t[0].p", "t[0].q[0]", "t[0].q[1]", "t[1].p", "t[1].q[0]", "t[1].q[1]"]),
        (
            "O o; byte x",
            [
                *("o.i[0].p", "o.i[0].q[0]", "o.i[0].q[1]"),
                *("o.i[1].p", "o.i[1].q[0]", "o.i[1].q[1]"),
                *("o.r", "x"),
            ],
        ),
        ("chan c[2] = [1] of { byte }; mtype m", ["c[0]", "c[1]", "m"]),
    ],
)
def test_slots(declared: str, expected: list[str]) -> None:
    program = load(f"{TYPES}{declared}; init {{ skip }}").program
    assert slots(program.variables) == expected
    assert len(program.slots) == len(expected)
    inside = load(f"{TYPES}init {{ {declared}; skip }}").program.processes[0]
    assert slots(inside.variables) == expected
    assert len(inside.slots) == len(expected)


def test_offsets_follow_one_another() -> None:
    program = load(TYPES + "byte x; O o[2]; short s; init { skip }").program
    places = [(variable.name, variable.offset, variable.size) for variable in program.variables]
    assert places == [("x", 0, 1), ("o", 1, 14), ("s", 15, 1)]
    assert [kind.name for kind in program.slots[1:8]] == [
        "byte", "short", "short", "byte", "short", "short", "bit",
    ]  # fmt: skip


def test_parameters_come_first() -> None:
    program = load("proctype P(byte a; short b) { byte c; skip } init { run P(1, 2) }").program
    assert slots(program.processes[0].variables) == ["a", "b", "c"]
    assert program.processes[0].parameters == 2


def test_variables_of_one_name_in_blocks_have_slots_of_their_own() -> None:
    program = load("init { { byte x = 1; skip }; { short x = 2; skip } }").program
    (init,) = program.processes
    assert [(v.name, v.offset) for v in init.variables] == [("x", 0), ("x", 1)]
    assert [kind.name for kind in init.slots] == ["byte", "short"]
