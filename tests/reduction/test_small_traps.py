"""Tiny programs, each a trap for the analysis: what is found everywhere is found by every scheme.

Each has a violation that only one order of steps leads to. A reduction that does not know that two
of these steps concern each other takes another order, and says that the program is right.
"""

from __future__ import annotations

from typing import Any

import pytest

import whorl

# A sender's value decides whether a handshake can be: who changes it concerns the receiver.
HANDSHAKE = """
byte x = 1, y;
chan r = [0] of { byte };
active proctype A() { end: r!x }
active proctype B() { if :: r?2 -> assert(false) :: y = 1 fi }
active proctype C() { x = 2 }
"""

# Q's channel goes with it, and Q2's is made in its place: in between there is none.
MADE_IN_ITS_PLACE = """
chan c = [1] of { chan };
byte x;
proctype Q() { chan own = [1] of { byte }; c!own }
proctype Q2() { chan own = [1] of { byte }; end: do :: own?_ od }
active proctype R() { chan d; c?d; USE; end: do :: false od }
active proctype S() { run Q(); (_nr_pr == 2); run Q2(); end: do :: false od }
"""

# A process of another type may be the one that is asked, or come to be.
OF_ANOTHER_TYPE = """
byte z, done;
proctype P() { byte x = 1; done == 1 }
proctype Q() { byte q; done == 1 }
active proctype W() { byte v; v = P[2]:x; z = 1; end: do :: false od }
active proctype S() { run Q(); done = 1; end: do :: false od }
"""

# The process that is asked may end, and one of another type may be started in its place.
IN_ITS_PLACE = """
byte done;
active proctype W() { byte v; v = A[2]:x; end: do :: false od }
active proctype S() { run Q(); done = 1; end: do :: false od }
active proctype A() { byte x = 1; skip }
proctype Q() { byte q; done == 1 }
"""

# A process of another type may be where the label is: it is asked by its number alone.
AT_A_PLACE_OF_ANOTHER_TYPE = """
byte x;
active proctype A() { byte l; x = 1; l = 1; L: l = 2; l = 3 }
active proctype B() { byte k; k = 1; k = 2; k = 3; k = 4; k = 5; k = 6 }
active proctype C() { assert(!A[1]@L) }
"""

# The guard faults once z is 0, whether or not b is ever true; after `a = 0` it does not any more.
FAULT_IN_A_GUARD = """
byte a = 1, z = 1, b, w;
chan c = [1] of { byte };
active proctype A() { end: WAIT; w = 1 }
active proctype P() { a = 0; end: do :: false od }
active proctype B() { z = 0; end: do :: false od }
"""

# Whether an event is allowed depends on a variable, and on which channel it is of.
TRACED = """
byte x = 1;
chan d = [1] of { byte };
chan e = [1] of { byte };
chan c;
trace { end: do :: EVENT od }
active proctype A() { d!1; end: do :: false od }
active proctype B() { d?_; end: do :: false od }
active proctype C() { CHANGE; end: do :: false od }
"""

# Whoever takes its timeout first goes on for ever, and there is none for the other any more.
TWO_TIMEOUTS = """
active proctype A() { byte i; timeout; do :: i = 1 - i od }
active proctype B() { timeout; assert(false) }
"""

# What the second process does by itself matters to the first one, and to nobody else.
FOR_THE_FIRST = """
byte x, z;
chan c = [1] of { byte };
active proctype A() { z = 1; assert(x == 1) }
active proctype B() { c!1; c?x }
"""

# Of two steps of one process phase 1 may take neither by itself.
ONE_OF_TWO = """
byte z;
active proctype A() { z = 1; z = 2 }
active proctype B() { byte i; z > 0; if :: i = 1 :: i = 2 fi; assert(i == 1) }
active proctype C() { byte i; if :: i = 2 :: i = 1 fi; assert(i == 2) }
"""

# An element of an array that nothing assigns is only as fixed as its index.
FIXED_ARRAY = """
byte to[2] = { 0, 1 };
byte a[2];
active proctype A() { assert(a[1] == 0) }
active proctype B() { byte i; do :: i < 2 -> a[to[i]] = 1; i++ :: else -> break od }
"""

TRAPS = {
    "an element of a fixed array": FIXED_ARRAY,
    "for the first process": FOR_THE_FIRST,
    "one of two": ONE_OF_TWO,
    "handshake": HANDSHAKE,
    "send to a channel made again": MADE_IN_ITS_PLACE.replace("USE", "d!1"),
    "length of a channel made again": MADE_IN_ITS_PLACE.replace("USE", "assert(len(d) == 0)"),
    "poll of a channel made again": MADE_IN_ITS_PLACE.replace("USE", "if :: d?[1] :: else fi"),
    "remote reference to another type": OF_ANOTHER_TYPE,
    "remote reference to who comes after": IN_ITS_PLACE,
    "place of another type": AT_A_PLACE_OF_ANOTHER_TYPE,
    "two timeouts": TWO_TIMEOUTS,
    "value in a trace": TRACED.replace("EVENT", "d?eval(x)").replace("CHANGE", "x = 2"),
    "channel in a trace": TRACED.replace("EVENT", "c?2").replace("CHANGE", "c = d; c = e"),
    "fault in a guard": FAULT_IN_A_GUARD.replace("WAIT", "a && (4 / z > 0) && b"),
    "fault in a receive": FAULT_IN_A_GUARD.replace("WAIT", "c?eval((a -> 4 / z : 1))"),
}

WAYS: list[dict[str, Any]] = [
    {"por": "static"},
    {"por": "static", "cache": "selective"},
    {"por": "static", "candidates": "stubborn"},
    {"por": "static", "candidates": "process"},
    {"por": "two-phase"},
    {"por": "two-phase", "cache": "selective"},
    {"por": "two-phase-ample"},
    {"por": "dfs_po"},
]


@pytest.mark.parametrize("trap", TRAPS)
def test_every_scheme_finds_the_violation(trap: str) -> None:
    for way in ({"por": "none"}, *WAYS):
        found = whorl.check(TRAPS[trap], safety=True, engine="reference", **way)
        assert found.verdict == "violated", way


@pytest.mark.parametrize("trap", TRAPS)
def test_the_default_finds_the_violation(trap: str) -> None:
    found = whorl.check(TRAPS[trap], safety=True, engine="native")
    assert found.verdict == "violated"


# --- faults ---------------------------------------------------------------------------------------

# A fault stops all processes: what the others do wrong must not be lost behind it.
BEHIND_A_FAULT = """
byte x, z;
active proctype A() { assert(x == 1); x = 2; x == 7 }
active proctype B() { byte k; FAULT; x = 1 }
active proctype C() { byte m; m = 1; m = 2; assert(m == 1) }
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("fault", ["k = 4 / z", "atomic { k = 3; k = 4 / z }"])
def test_nothing_is_lost_behind_a_fault(fault: str, engine: str) -> None:
    model = BEHIND_A_FAULT.replace("FAULT", fault)
    for way in ({"por": "none"}, *(WAYS if engine == "reference" else WAYS[-2:])):
        found = whorl.check(model, safety=True, all_errors=True, engine=engine, **way)
        assert sorted(trace.message for trace in found.traces) == [
            "(m==1)",
            "(x==1)",
            "the divisor is 0",
        ], way


# --- accept labels of processes -------------------------------------------------------------------

# By itself the claim accepts nothing, but it has a run only where x is 1 in three states on end.
COUNTING = """
byte x, y;
active proctype A() { byte l; x = 1; l = 1; l = 2; x = 2; accept_a: do :: y = 1 - y od }
active proctype B() { byte k; k = 1; k = 2; k = 3 }
never {
  do :: x == 0 :: x == 1 -> break od;
  x == 1; x == 1;
  do :: true od
}
"""

ACCEPTING = """
byte y;
active proctype A() { accept_a: do :: y = 1 - y od }
active proctype B() { byte k; k = 1; k = 2; k = 3 }
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_claim_that_counts_steps_to_an_accept_label_is_not_reduced(engine: str) -> None:
    found = whorl.check(COUNTING, claim="never", engine=engine)
    assert found.verdict == "violated"
    assert found.reduction == "none"
    with pytest.raises(whorl.WhorlError, match="not stutter-invariant"):
        whorl.check(COUNTING, claim="never", engine=engine, por="static")


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    "por", ["static", "two-phase", "two-phase-ample", "v0", "v1", "si", "dfs_po"]
)
def test_every_scheme_finds_an_acceptance_cycle(por: str, engine: str) -> None:
    assert whorl.check(ACCEPTING, acceptance=True, por=por, engine=engine).verdict == "violated"


def test_a_claim_without_counting_is_reduced_where_accept_labels_count() -> None:
    model = COUNTING.replace("x == 1; x == 1;", "")
    found = whorl.check(model, claim="never", engine="reference")
    assert (found.verdict, found.reduction) == ("violated", "two-phase-ample")
