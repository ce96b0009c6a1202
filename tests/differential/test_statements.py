"""What statements do, in corners: both engines have the same states, transitions and failures."""

from __future__ import annotations

import shutil

import pytest

import whorl

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

CHANNELS = "chan c = [3] of { byte }; chan r = [0] of { byte }; chan b = [2] of { byte };"
MODELS = {
    "ends come in turn": """
        active proctype A() { skip } active proctype B() { x = 1; x = 2 }
        active proctype C() { x == 2; assert(_nr_pr == 3) }""",
    "else": """
        active proctype A() { if :: x == 0 -> y = 1 :: else -> y = 2 fi; assert(y == 1) }
        active proctype B() { x = 1 }""",
    "a handshake cuts values": """
        int i; active proctype A() { r!300 } active proctype B() { r?i; assert(i == 300) }""",
    "a handshake that does not match": """
        active proctype A() { r!2 } active proctype B() { r?1; x = 1 }""",
    "a handshake that matches": """
        active proctype A() { r!2 } active proctype B() { r?eval(x + 2); x = 1 }""",
    "channels go with a process": """
        chan d = [2] of { chan };
        proctype Q() { chan one = [1] of { byte }; chan two = [1] of { byte }; d!one; d!two }
        active proctype R() {
            chan e; run Q(); d?e; if :: d?e :: skip fi; (_nr_pr == 1); run Q(); e!1 }""",
    "channels come and go": """
        proctype Q() { chan one = [1] of { byte }; chan two = [1] of { byte }; two!1; one!2 }
        active proctype R() { run Q(); (_nr_pr == 1); run Q(); (_nr_pr == 1); run Q() }""",
    "messages that are gone": """
        active proctype A() { do :: c!1; c!2; c?_; c?_ :: c!1; c!2; c??2; c?_ :: c!3; c?_ od }""",
    "an index that may be one too large": """
        byte a[3]; active proctype A() { x = 3; a[x % 4] = 1 }""",
    "an index of the array's length": """
        byte a[3]; active proctype A() { x = 3; a[x] = 1 }""",
    "the least number divided by -1": """
        int i; active proctype A() { i = 1 << 31; i = i / -1; assert(i > 0) }""",
    "a sum that wraps round": """
        byte a[3]; unsigned u : 31;
        active proctype A() { u = 2147483647; a[(u + u) % 3] = 1 }""",
    "the remainder of a negative number": """
        byte a[3]; int i = -2; active proctype A() { a[i % 3] = 1 }""",
    "one message": "active proctype A() { c!1; c?x; assert(x == 0) }",
    "a message that is not first": "active proctype A() { c!1; c!2; c?2; assert(false) }",
    "a receive at random": "active proctype A() { c!1; c!2; c!3; c??2; c?x; c?y; assert(x == 1) }",
    "a poll that stores": "active proctype A() { c!1; c?<x>; assert(len(c) == 0) }",
    "a send sorts by what was sent": """
        active proctype A() { b!!100; b!!300; b?x; b?y; assert(x < y) }""",
    "a send cuts values": "int i; active proctype A() { b!300; b?i; assert(i == 300) }",
    "a handshake in an atomic sequence": """
        active proctype A() { atomic { r!1; x = 1; x = 2 } }
        active proctype B() { r?_; assert(x == 2) }""",
    "a handshake into an atomic sequence": """
        active proctype A() { r!1; x = 1; x = 2 }
        active proctype B() { atomic { r?_; y = 1; assert(x == 2) } }""",
    "an unless": """
        active proctype A() { { x = 1; x = 2; x = 3 } unless { y == 1 -> assert(x == 2) } }
        active proctype B() { y = 1 }""",
    "a receiver that may not move": """
        active proctype A() { r!1; x = 2 }
        active proctype B() provided (x == 1) { r?_; assert(false) }
        active proctype C() { if :: x = 1 :: skip fi }""",
    "bits beside a priority": """
        bit w;
        active [2] proctype P() priority 1 { bit own; own = x; x = 1; x = 0 }
        """,
    "processes of the same priority": """
        active proctype A() priority 5 { x = 1; x = 2 }
        active proctype B() priority 5 { y = 1; y = 2 }
        active proctype C() { assert(x + y < 4) }""",
    "a trace that is not at its end": """
        trace { c!1; c!2 } active proctype A() { c!1; c?_ }""",
    "a notrace that begins otherwise": """
        notrace { c!1; c!2 } active proctype A() { c!3; c!1; c!2 }""",
    "a notrace": "notrace { c!1; c!2 } active proctype A() { c!1; c!2 }",
    "a variable of another type": """
        active proctype A() { byte i; i = 1; x == 1 }
        active proctype B() { byte j; x = 1; y = A[1]:i }""",
    "a variable of a type before": """
        active proctype A() { byte i; y = B[0]:j } active proctype B() { byte j; j = 1 }""",
}


@pytest.mark.parametrize("name", MODELS)
def test_both_engines_do_the_same(name: str) -> None:
    text = "byte x, y;" + CHANNELS + MODELS[name]
    found = []
    for engine in ("reference", "native"):
        result = whorl.check(
            text, safety=True, all_errors=True, engine=engine, por="none", merge=False
        )
        said = sorted({(trace.kind, trace.message) for trace in result.traces})
        found.append((result.statistics.states, result.statistics.transitions, said))
    assert found[0] == found[1]
