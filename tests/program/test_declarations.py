"""Declarations after the first statement."""

from __future__ import annotations

import pytest

import whorl

LIST = """
byte n;
active proctype P() {
  do
  :: n < 2 -> byte a[3] = { 1, 2 }; assert(a[0] == 1 && a[2] == 2); a[2] = 7; n++
  :: d_step { n == 2; bit b[2] = { 1, 0 }; n = n + b[0] + b[1] }
  :: atomic { n == 3; { short c[1] = { -5 }; n = c[0] + 9 } }
  :: else -> break
  od;
  assert(n == 4)
}
active proctype Q() { n = n }
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_list_of_values_is_assigned_when_it_is_reached(engine: str) -> None:
    result = whorl.check(LIST, engine=engine)
    assert result.verdict == "holds"


def test_a_list_of_values_is_shown_as_it_is_written() -> None:
    model = whorl.load("mtype = { red }; init { skip; int a[3] = { 1, -2 }; mtype m[1] = { red } }")
    texts = {t.text for t in model.program.processes[0].transitions()}
    assert {"a = { 1, -2 }", "m = { red }"} <= texts
