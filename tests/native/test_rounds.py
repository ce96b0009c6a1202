"""Atomic sequences that may go round for ever, and where the native engine looks for that."""

from __future__ import annotations

import shutil

import pytest

import whorl
from whorl.api import load
from whorl.native.merge import Merging
from whorl.native.rounds import rounds
from whorl.native.usage import usage

needs_cc = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

# The loop goes round in two steps, and every time it may be left.
ROUND = """
byte y;
active proctype P() {
    bit x;
    y = 1;
    atomic {
        y = 2;
        do
        :: x = 1 - x
        :: x -> y = 3; break
        od;
        y = 4
    }
    y = 5
}
active proctype Q() { y > 0 -> y = 9 }
"""
# Nothing in the atomic sequence comes back to it, though the process does.
STRAIGHT = """
byte y;
active proctype P() {
    do
    :: atomic { y < 3 -> y++; if :: y++ :: skip fi }
    :: y >= 3 -> y = 0
    od
}
active proctype Q() { y == 2 -> y = 1 }
"""
# A jump goes back to a statement inside: the round is not a loop of the text.
JUMP = """
byte y;
active proctype P() {
    byte x;
    atomic {
        y = 1;
again:  x = (x + 1) % 4;
        if
        :: goto again
        :: x == 3 -> y = 2
        fi
    }
}
"""
# Each receive passes control on: the round goes through both processes.
PASSED_ON = """
chan there = [0] of { bit }, back = [0] of { bit };
byte y;
active proctype P() {
    bit x;
    atomic {
        do
        :: there ! 1; back ? x
        :: y < 2 -> y++
        :: break
        od
    }
}
active proctype Q() {
    bit x;
    atomic {
        do
        :: there ? x; back ! 1
        od
    }
}
"""


def looked_after(text: str, *, merge: bool = False) -> set[str]:
    """The texts of the transitions after which there may have been a round."""
    program = load(text).program
    found = rounds(program, Merging(program, usage(program), merge))
    return {t.text for p in program.processes for t in p.transitions() if t.number in found}


def test_only_what_leads_to_a_round_is_looked_after() -> None:
    assert looked_after(STRAIGHT) == set()
    found = looked_after(ROUND)
    assert any("1-x" in text.replace(" ", "") for text in found), found
    assert not any("y = 4" in text or "y = 5" in text for text in found), found
    assert len(looked_after(JUMP)) > 0
    program = load(PASSED_ON).program
    numbers = {t.number for p in program.processes for t in p.transitions()}
    assert rounds(program, Merging(program, usage(program), False)) == numbers


@needs_cc
@pytest.mark.parametrize("store", ["exact", "tree"])
@pytest.mark.parametrize("text", [ROUND, STRAIGHT, JUMP, PASSED_ON])
def test_rounds_end_where_those_of_the_reference_do(text: str, store: str) -> None:
    model = load(text)

    def seen(**how: object) -> tuple[int, int]:
        result = whorl.check(model, por="none", all_errors=True, end_states=False, **how)  # type: ignore[arg-type]
        assert result.statistics.complete
        return result.statistics.states, result.statistics.transitions

    expected = seen(engine="reference")
    assert seen(engine="native", merge=False, store=store) == expected


@needs_cc
@pytest.mark.parametrize("text", [ROUND, STRAIGHT, JUMP, PASSED_ON])
@pytest.mark.parametrize("merge", [True, False])
def test_a_search_with_rounds_comes_to_an_end(text: str, merge: bool) -> None:
    result = whorl.check(load(text), merge=merge, timeout=30, engine="native", end_states=False)
    assert result.statistics.complete
