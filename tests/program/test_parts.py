"""All that something in a program is made of."""

from __future__ import annotations

from whorl.api import load
from whorl.program.parts import parts
from whorl.program.program import BinaryOp, Const, DStep, Guard, Index, Load, Place, Transition
from whorl.program.program import Store as Assignment


def of(statement: str) -> list[object]:
    program = load(f"byte x, y, a[3]; init {{ {statement} }}").program
    return list(parts(program.processes[0].locations))


def texts(statement: str) -> set[str]:
    return {part.text for part in of(statement) if isinstance(part, Place)}


def test_places() -> None:
    assert texts("x = a[y] + 1") == {"a[y]", "x", "y"}
    assert texts("a[a[x]] = y") == {"a[a[x]]", "a[x]", "x", "y"}
    assert texts("if :: x == 1 :: y == 2 fi") == {"x", "y"}


def test_what_is_within_a_d_step() -> None:
    found = of("d_step { x = 1; if :: y == 1 -> a[y] = 2 :: else fi }")
    assert sum(isinstance(part, DStep) for part in found) == 1
    assert sum(isinstance(part, Assignment) for part in found) == 2
    assert any(isinstance(part, Guard) for part in found)
    assert {part.text for part in found if isinstance(part, Transition)} >= {"x = 1", "y == 1"}


def test_each_part_once() -> None:
    found = of("x = a[y] * 2")
    counts = {
        kind: sum(type(part) is kind for part in found)
        for kind in (Assignment, BinaryOp, Load, Index, Const, Place)
    }
    assert counts == {Assignment: 1, BinaryOp: 1, Load: 2, Index: 1, Const: 1, Place: 3}


def test_what_has_no_parts() -> None:
    assert list(parts(3)) == []
    assert list(parts("x")) == []
    assert list(parts([])) == []
