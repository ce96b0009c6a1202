"""Which options can begin: selections, loops, jumps and escapes.

Small models with what is possible at a point of them, worked out by hand from what Promela means.
"""

from __future__ import annotations

import pytest

from support.stepping import Case

# --- control flow --------------------------------------------------------------------------------

FLOW = {
    "any process may move": Case(
        "byte x, y; active proctype P() { x = 1 } active proctype Q() { y = 1 }",
        "",
        "0 x = 1 | 1 y = 1",
    ),
    "one step of one process": Case(
        "byte x, y; active proctype P() { x = 1 } active proctype Q() { y = 1; y = 2 }",
        "1 y = 1",
        "0 x = 1 | 1 y = 2",
        {"x": 0, "y": 1},
    ),
    "if: every option that can begin": Case(
        "byte x; init { if :: x == 0 -> x = 1 :: x == 1 -> x = 2 :: x = 3 fi; x = 9 }",
        "",
        "0 x == 0 | 0 x = 3",
    ),
    "if: it goes on behind the options": Case(
        "byte x; init { if :: x == 0 -> x = 1 :: x = 3 fi; x = 9 }",
        "0 x == 0 | 0 x = 1",
        "0 x = 9",
    ),
    "if: it waits if no option can begin": Case(
        "byte x; init { if :: x == 1 :: x == 2 fi }", "", ""
    ),
    "else: when no other option can begin": Case(
        "byte x = 3; init { if :: x == 1 :: else :: x == 2 fi }", "", "0 else"
    ),
    "else: not beside an option that can begin": Case(
        "byte x = 2; init { if :: x == 1 :: else :: x == 2 fi }", "", "0 x == 2"
    ),
    "else: its place among the options has no meaning": Case(
        "byte x = 2; init { do :: else -> x = 9 :: x == 2 -> break od }", "", "0 x == 2"
    ),
    "else: beside a receive": Case(
        "chan c = [1] of { byte }; init { if :: c?_ :: else fi }", "", "0 else"
    ),
    "else: beside a full channel": Case(
        "chan c = [1] of { byte }; init { c!1; if :: c!2 :: else fi }", "0 c!1", "0 else"
    ),
    "a choice that begins an option": Case(
        "byte x; init { if :: if :: x == 0 :: x == 1 fi; x = 5 :: x < 2 fi }",
        "",
        "0 x == 0 | 0 x < 2",
    ),
    "do: it comes back": Case(
        "byte x; init { do :: x < 2 -> x++ :: x > 0 -> x = 0 od }",
        "0 x < 2 | 0 x++",
        "0 x < 2 | 0 x > 0",
        {"x": 1},
    ),
    "do: it waits if no option can begin": Case("byte x; init { do :: x > 0 -> x-- od }", "", ""),
    "break: behind the loop": Case(
        "byte x; init { do :: x == 0 -> x = 1 :: x == 1 -> break od; x = 9 }",
        "0 x == 0 | 0 x = 1 | 0 x == 1",
        "0 x = 9",
    ),
    "break: of the inner loop": Case(
        "byte x; init { do :: x = 1; do :: x = 2; break od; x = 3 od }",
        "0 x = 1 | 0 x = 2",
        "0 x = 3",
    ),
    "goto: forwards": Case("byte x; init { x = 1; goto L; x = 2; L: x = 3 }", "0 x = 1", "0 x = 3"),
    "goto: back": Case("byte x; init { L: x++; x < 9; goto L }", "0 x++ | 0 x < 9", "0 x++"),
    "goto: out of two loops": Case(
        "byte x; init { do :: do :: x = 1; goto L od od; L: x = 3 }", "0 x = 1", "0 x = 3"
    ),
    "for: up to and with the last": Case(
        "byte i, n; init { for (i : 2 .. 3) { n = n + i }; n = 9 }",
        "0 i = 2 | 0 i <= 3 | 0 n = n + i | 0 i++ | 0 i <= 3 | 0 n = n + i | 0 i++",
        "0 else",
        {"i": 4, "n": 5},
    ),
    "for: over an array": Case(
        "byte i, a[2]; init { for (i in a) { a[i] = i + 5 } }",
        "0 i = 0 | 0 i <= 1 | 0 a[i] = i + 5 | 0 i++ | 0 i <= 1 | 0 a[i] = i + 5 | 0 i++",
        "0 else",
        {"i": 2, "a[0]": 5, "a[1]": 6},
    ),
    "for: break": Case(
        "byte i, x; init { for (i : 1 .. 3) { break }; x = 9 }",
        "0 i = 1 | 0 i <= 3",
        "0 x = 9",
        {"i": 1},
    ),
    "select: constants": Case(
        "byte i; init { select (i : 4 .. 6) }", "", "0 i = 4 | 0 i = 5 | 0 i = 6"
    ),
    "select: variables": Case(
        "byte i, n = 2; init { select (i : 1 .. n); n = 9 }", "0 i = 1", "0 i < n | 0 break"
    ),
    "select: not above the last": Case(
        "byte i, n = 2; init { select (i : 1 .. n); n = 9 }", "0 i = 1 | 0 i < n | 0 i++", "0 break"
    ),
}


@pytest.mark.parametrize("name", FLOW)
def test_control_flow(name: str) -> None:
    FLOW[name].check()


UNLESS = {
    "before each statement": Case(
        "byte x; init { { x = 1; x = 2 } unless { x == 1 -> x = 10 } }", "0 x = 1", "0 x == 1"
    ),
    "only when it can begin": Case(
        "byte x; init { { x = 2; x = 1; x = 3 } unless { x == 1 -> x = 10 } }",
        "0 x = 2",
        "0 x = 1",
    ),
    "the main sequence is left for good": Case(
        "byte x; init { { x = 1; x = 2; x = 3 } unless { x == 1 -> x = 10 }; x = 4 }",
        "0 x = 1 | 0 x == 1 | 0 x = 10",
        "0 x = 4",
    ),
    "not behind the main sequence": Case(
        "byte x; init { { x = 1 } unless { x == 1 -> x = 10 }; x = 5 }", "0 x = 1", "0 x = 5"
    ),
    "where the main sequence waits": Case(
        "byte x; init { { x == 7 } unless { x == 0 -> x = 1 } }", "", "0 x == 0"
    ),
    "every option of the escape": Case(
        "byte x; init { { x = 1; x = 2 } unless { if :: x == 1 :: x > 0 :: x == 5 fi } }",
        "0 x = 1",
        "0 x == 1 | 0 x > 0",
    ),
    "the outer one first": Case(
        """byte x; init { { { x = 1; x = 2 } unless { x > 0 -> x = 11 } }
                        unless { x == 1 -> x = 12 } }""",
        "0 x = 1",
        "0 x == 1",
    ),
    "the inner one if the outer waits": Case(
        """byte x; init { { { x = 1; x = 2 } unless { x > 0 -> x = 11 } }
                        unless { x == 2 -> x = 12 } }""",
        "0 x = 1",
        "0 x > 0",
    ),
    "the escape of the inner one has the outer": Case(
        """byte x; init { { { x = 1; x = 2 } unless { x > 0 -> x = 11 } }
                        unless { x == 11 -> x = 12 } }""",
        "0 x = 1 | 0 x > 0",
        "0 x = 11",
    ),
    "within options": Case(
        "byte x; init { do :: x = 1 :: x > 5 -> break od unless { x == 1 } }", "0 x = 1", "0 x == 1"
    ),
    "within atomic": Case(
        "byte x; init { atomic { x = 1; x = 2 } unless { x == 1 } }", "0 x = 1", "0 x == 1"
    ),
    "a d_step is left as a whole": Case(
        "byte x; init { { d_step { x = 1; x = 2 }; x = 3 } unless { x == 1 } }",
        "0 d_step",
        "0 x = 3",
        {"x": 2},
    ),
    "an escape that is answered": Case(
        """chan c = [0] of { bit }; byte x; active proctype P() { { x = 1; x = 2 } unless { c?_ } }
        active proctype Q() { c!1 }""",
        "",
        "0 x = 1 | 1 c!1 / 0 c?_",
    ),
    "an escape that sends": Case(
        """chan c = [0] of { bit }; byte x; active proctype P() { { x = 1; x = 2 } unless { c!1 } }
        active proctype Q() { c?_ }""",
        "",
        "0 c!1 / 1 c?_",
    ),
    "an escape that answers before the main sequence": Case(
        """chan c = [0] of { bit }; active proctype P() { { c?_ } unless { c?1 } }
        active proctype Q() { c!1 }""",
        "",
        "1 c!1 / 0 c?1",
    ),
}


@pytest.mark.parametrize("name", UNLESS)
def test_unless(name: str) -> None:
    UNLESS[name].check()
