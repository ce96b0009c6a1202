"""Atomic sequences that may go round for ever, and where the native engine looks for that."""

from __future__ import annotations

import shutil

import pytest

import whorl
from whorl.api import load
from whorl.native.code.generate import generate
from whorl.native.passes.merge import Merging
from whorl.native.passes.rounds import rounds
from whorl.native.passes.usage import usage
from whorl.program.semantics import Semantics

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
    assert looked_after(PASSED_ON) >= {"there!1", "back!1"}


def test_handshakes_that_do_not_pass_control_round_cost_nothing() -> None:
    """A client and a server whose sequences end, and channels that do not fit."""
    served = """
    chan ask = [0] of { bit }, answer = [0] of { bit }; byte y;
    active proctype P() { bit x; do :: atomic { ask!1; answer?x } od }
    active proctype Q() { bit x; do :: atomic { ask?x; answer!1 } od }
    """
    assert looked_after(served) == set()
    apart = """
    chan a = [0] of { bit }, b = [0] of { bit };
    active proctype P() { atomic { do :: a!1 od } }
    active proctype Q() { bit x; atomic { do :: b?x od } }
    """
    assert looked_after(apart) == set()


COUNTS = {
    "do :: n < 3 -> n++ :: else -> break od": True,
    "for (n : 1 .. 4) { y = n }": True,
    "for (n : 1 .. 4) { for (m : 0 .. n) { y = m } }": False,  # a bound that is not known
    "for (n : 1 .. 4) { for (m : 0 .. 2) { y = m } }": True,
    "for (n : 1 .. 5 - 1) { y = n }": True,
    "do :: n < 255 -> n = n + 2 od": False,  # it overflows
    "do :: n < 3 -> n++ :: y == 1 -> n = 0 od": False,
    "do :: n < 3 -> n++ :: y == 1 -> skip od": False,
    "do :: n < 3 -> n++ :: n++; y = 1 od": False,  # the guard can be passed by
    "do :: n < 3 -> skip od": False,
    "do :: n < 3 -> b?n; n++ od": False,
    "do :: m < 3 -> n++ :: else -> break od": False,
    "do :: n < 3 -> run R(); n = 0 od": True,
}


@pytest.mark.parametrize("body", COUNTS)
def test_a_loop_that_counts_is_no_round(body: str) -> None:
    text = f"""
    byte y; chan b = [2] of {{ byte }};
    proctype R() {{ skip }}
    active proctype P() {{ byte n, m; atomic {{ {body} }} }}
    """
    assert (looked_after(text) == set()) == COUNTS[body]


@needs_cc
def test_a_holder_takes_room_only_where_there_may_be_a_round() -> None:
    for text, has_holder in ((ROUND, True), (STRAIGHT, False), (JUMP, True), (PASSED_ON, True)):
        model = generate(
            Semantics(load(text).program), processes_most=3, channels_most=2, merge=True
        )
        assert (model.layout.holder is not None) == has_holder
        assert ("WHORL_HOLDER" in model.text) == has_holder


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
