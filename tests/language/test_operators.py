"""How tightly operators bind: as in C, and all of them from the left."""

from __future__ import annotations

import pytest

from whorl.api import load
from whorl.language.arithmetic import BINARY
from whorl.language.operators import LEVEL, LEVELS
from whorl.program.program import BinaryOp, Guard

# From the loosest to the tightest (ISO C, 6.5).
C_LEVELS = ["||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"]


def test_the_levels_of_c() -> None:
    assert [frozenset(level.split()) for level in C_LEVELS] == list(LEVELS)


def test_every_operator_has_one() -> None:
    assert set(LEVEL) == set(BINARY)
    assert sum(map(len, LEVELS)) == len(LEVEL)


@pytest.mark.parametrize("first", sorted(LEVEL))
def test_two_in_a_row(first: str) -> None:
    """In `x FIRST y SECOND z` the one that binds tighter is inside, or else the first one."""
    pairs = sorted(LEVEL)
    options = " ".join(f":: x {first} y {second} z" for second in pairs)
    process = load(f"byte x, y, z; init {{ if {options} fi }}").program.processes[0]
    found = [
        t.action.condition for t in process.locations[process.start] if isinstance(t.action, Guard)
    ]
    assert len(found) == len(pairs)
    for second, expression in zip(pairs, found, strict=True):
        assert isinstance(expression, BinaryOp)
        rank = {operator: level for level, row in enumerate(C_LEVELS) for operator in row.split()}
        outer, inner = (
            (first, expression.right) if rank[second] > rank[first] else (second, expression.left)
        )
        assert expression.operator == outer, second
        assert isinstance(inner, BinaryOp), second
