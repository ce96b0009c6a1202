"""One construct at a time: the corners of Promela that random programs seldom meet, against Spin."""

from __future__ import annotations

import pytest

from support.compare import of_spin, of_whorl, same_states
from support.spin import full_search

MODELS = {
    "a declaration in the middle assigns": """
        init { byte x = 1; x++; byte y; y = x; byte z = y + 1; assert(z == 4) }""",
    "an array declared in the middle": """
        init { byte x; x++; byte a[3]; a[1] = x; do :: x < 3 -> byte b[2] = 7; x++ :: else -> break od }""",
    "a typedef declared in the middle": """
        typedef T { byte f; bit g[2] }
        init { byte x; x++; T t; t.f = x; t.g[1] = 1 }""",
    "a declaration is a guard": """
        byte g; init { do :: g < 2 -> g++ :: byte x = 3; g = x; break od }""",
    "select over constants": "byte i; init { select (i : 1 .. 4); assert(i < 5) }",
    "select over expressions": """
        byte i, n = 3; init { select (i : n .. n + 2); i = 0 }""",
    "select in an inline": """
        byte i; inline pick(v) { select (v : 1 .. 3) } init { pick(i); i = 0; pick(i) }""",
    "select with a name that has an underscore": "byte a_b; init { select (a_b : 0 .. 2); a_b = 9 }",
    "for over a range, an array and a channel": """
        typedef M { byte v }
        chan c = [3] of { M }; byte a[3], i; M m;
        init { for (i : 0 .. 2) { a[i] = i; m.v = i; c!m } for (i in a) { a[i]++ } for (m in c) { skip } }""",
    "a label of a for does not reach its first assignment": """
        byte i, n; init { L: for (i : 1 .. 3) { skip } n++; if :: n < 2 -> goto L :: else fi }""",
    "a goto with an end label": """
        byte x; active proctype P() { x = 1; end: goto L; x = 2; L: x == 3 }""",
    "a label on an atomic, and a jump into the middle of it": """
        byte x; active [2] proctype P() {
          L: atomic { x = 1; x == 1; M: x = 2 } if :: x < 3 -> x++; goto M :: goto L :: break_: skip fi }""",
    "atomic that blocks and goes on": """
        byte x; active proctype P() { atomic { x++; x == 3; x++ } } active proctype Q() { x++; x++ }""",
    "atomic handed over in a rendezvous": """
        chan c = [0] of { byte }; byte x;
        active proctype P() { atomic { x = 1; c!2; x = 3 } }
        active proctype Q() { byte y; atomic { c?y; x = y; y = 0 }; x = 7 }
        active proctype R() { x = 9 }""",
    "a d_step waits for its conditions alone": """
        byte x, y; active proctype P() { d_step { if :: y == 1 :: x = 1 fi; x = 2 } }
        active proctype Q() { y = 2; y = 1 }""",
    "a d_step takes the first option": """
        byte x; active [2] proctype P() { d_step { if :: x < 3 -> x++ :: true -> x = 9 fi; skip } }""",
    "a d_step that begins by receiving in a handshake": """
        chan c = [0] of { byte }; byte x;
        active proctype P() { c!1; c!2 }
        active proctype Q() { byte y; do :: d_step { c?y; x = x + y; y = 0 } od }""",
    "d_steps that end by a break, in an atomic": """
        byte x, y; active proctype P() { byte l;
          atomic { d_step { do :: x == 0 -> x = 1 :: else -> break od }; atomic { l = 1; x = l } };
          atomic { d_step { do :: x == 1 -> x = 2 :: else -> break od };
                   d_step { do :: x == 2 -> x = 3 :: else -> break od }; goto M; M: x = 4 };
          atomic { atomic { d_step { x = 5; { do :: x == 0 -> x = 1 :: else -> break od } } }; x = 6 } }
        active proctype Q() { y = x; d_step { y = x }; y = x }""",
    "d_steps that end by a break, last in an option, a loop and an atomic": """
        byte x, y; active proctype P() {
          atomic { if :: d_step { do :: x == 0 -> x = 1 :: else -> break od } :: x = 2 fi; x = 0 };
          atomic { do :: x < 5 -> d_step { do :: x < 3 -> x++ :: else -> x++; break od } :: else -> break od };
          atomic { do :: d_step { do :: x == 0 -> x = 1 :: else -> break od }; break od };
          L: atomic { d_step { do :: x < 7 -> x++ :: else -> x++; break od }; if :: x < 9 -> goto L :: else fi } }
        active proctype Q() { y = x; d_step { y = x }; y = x }""",
    "d_steps that end by a break, in an unless": """
        byte x, y; active proctype P() {
          atomic { { d_step { do :: x == 0 -> x = 1 :: else -> break od } } unless { x == 3 }; x = 2 };
          atomic { { x == 4 } unless { d_step { x == 2; do :: x == 2 -> x = 1 :: else -> break od } }; x = 10 };
          { atomic { d_step { do :: x == 0 -> x = 1 :: else -> break od }; x = 3 }; x = 4 } unless { x == 3 } }
        active proctype Q() { y = x; d_step { y = x }; y = x }""",
    "an mtype set further down, and arrows that are too long": """
        mtype : col x; typedef T { mtype : col f } T t; mtype : col = { red, green }; byte y = 2;
        init { t.f = red; x = t.f --> assert(x == red); y --> y = (y == 1 --> 3 : 4); assert(y == 4) }""",
    "initial values of structures": """
        typedef T { byte f = 3; short g[2] } T a[2] = 1; T c = 2; T d[2] = { 1, 2 };
        init { T b[2] = 1; assert(a[1].f == 3 && b[1].f == 3); a[1].f = b[0].g[1] + c.f + d[1].g[0] }""",
    "nested unless, the outer one first": """
        byte x, y; active proctype P() {
          { { x++; x++; x++ } unless { x == 2 -> y = 1 } } unless { x >= 2 -> y = 2 } }
        active proctype Q() { x++ }""",
    "unless over atomic and a choice": """
        byte x; active proctype P() {
          do :: x < 4 -> atomic { x++; x++ } :: x == 3 -> break od unless { x == 2 -> skip } }
        active proctype Q() { x = 1; x = 3 }""",
    "an escape that receives in a handshake": """
        chan c = [0] of { byte }; byte x;
        active proctype P() { do :: x < 3 -> x++ od unless { c?_ -> x = 9 } }
        active proctype Q() { c!1 }""",
    "else beside a rendezvous receive": """
        chan c = [0] of { bit }; byte x;
        active proctype P() { if :: c?_ -> x = 1 :: else -> x = 2 fi } active proctype Q() { c!1 }""",
    "else beside a rendezvous send": """
        chan c = [0] of { bit }; byte x;
        active proctype P() { if :: c!1 -> x = 1 :: else -> x = 2 fi } active proctype Q() { c?_ }""",
    "bits: alone, in an array, in a message": """
        bit b = 1, a[2]; chan c = [1] of { bit }; chan d = [1] of { bit, byte }; byte x, y;
        init { b = 3; a[1] = 3; x = a[1]; c!3; c?x; d!2,2; d?x,y; assert(x == 0) }""",
    "truncation of every type": """
        byte x = 255; short s = 32767; int i = 2147483647; unsigned u : 3 = 7; bool b; mtype = { p, q }; mtype m = p;
        init { x++; s++; i++; u++; b = 2; m = 300; x = -1; s = 65535; u = 15; i = 1 << 31; i = i >> 3; i = -7 / 2; i = -7 % 3 }""",
    "mtype numbers": """
        mtype = { a, b, c }; mtype = { d, e }; mtype : col = { red, green };
        mtype : col k = red; byte x;
        init { x = a; assert(x == 3); x = e; assert(x == 4); x = d; x = k; assert(x == 2) }""",
    "sorted send and random receive": """
        chan c = [4] of { byte, byte }; byte x, y;
        init { c!!3,1; c!!1,2; c!!3,0; c!!2,9; c??2,y; c?x,y; c??<3,y>; if :: c??[3,1] -> c??3,1 :: else fi; c?x,_ }""",
    "process numbers are used again": """
        byte n; proctype C(byte k) { n = n + k; n = n - k } init { byte p; p = run C(1); _nr_pr == 1; p = run C(2); _nr_pr == 1; assert(p == 1) }""",
    "processes die in order": """
        byte x; proctype A() { x++ } proctype B() { x > 1 }
        init { atomic { run A(); run B(); run A() } }""",
    "channels of processes, in parameters and messages": """
        chan a = [1] of { chan }; byte got;
        proctype S(chan r) { r!7 }
        active proctype P() { chan mine = [1] of { byte }; run S(mine); mine?got; a!mine }
        active proctype Q() { chan x; byte y; a?x; x!3; x?y; got = y }""",
    "timeout": """
        byte x; active proctype P() { do :: x < 2 -> x++ :: timeout -> x++; break od } active proctype Q() { x == 3; x = 0 }""",
    "provided": """
        byte x; active proctype P() provided (x < 2) { x++; x++; x++ } active proctype Q() { x = 0 }""",
    "priorities": """
        byte x; active proctype P() priority 3 { x++; set_priority(_pid, 1); x++ } active proctype Q() priority 2 { x = 5; x = get_priority(0) }""",
    "enabled and pc_value": """
        byte x, y; active proctype P() { x == 1; x = 2 } active proctype Q() { y = enabled(0); x = 1; y = enabled(0); y = pc_value(0) > 0 }""",
    "bits beside a priority that is asked for": """
        byte x; active [2] proctype P() priority 1 { unsigned own : 2; own = x; (x != get_priority(_pid)); x = 1; own = x; x = 0 }""",
    "remote references": """
        byte x; active proctype P() { byte v = 3; L: v++; x = 1; M: goto N; N: x = 2 }
        active proctype Q() { do :: P@L -> x = 9 :: P[0]@M -> break :: P[0]:v == 4 -> break od }""",
    "the last process": """
        byte x; active proctype P() { x = _last; x = _last } active proctype Q() { x = _last }""",
    "skips in a row are dropped": """
        byte x; init { do :: x < 2 -> skip; skip; skip; x++; skip; printf("a"); skip :: else -> break od }""",
    "conditional expressions": "byte x; init { x = (x == 0 -> 5 : 7); x = (x == 0 -> 5 : (x > 6 -> 1 : 2)) }",
    "short circuits": "byte a[2], i; init { i = 5; if :: i < 2 && a[i] == 0 :: else fi; i = (i > 1 || a[i] > 0) }",
    "an inline that returns a value": "byte x; inline f(a, b) { byte t; t = a; return t + b } init { x = f(3, 4); assert(x == 7) }",
    "inlines in inlines, and labels in them": """
        byte x; inline g(v) { if :: v < 3 -> v++; goto L :: else fi; L: skip } inline f(v) { g(v); g(v) } init { f(x); f(x) }""",
    "structures in channels": """
        typedef I { bit a; byte b[2] } typedef O { I i; short s }
        chan c = [2] of { O, byte }; O o, p; byte n;
        init { o.i.a = 1; o.i.b[1] = 7; o.s = -3; c!o,4; c?p,n; assert(p.i.b[1] == 7 && p.s == -3 && n == 4) }""",
}


@pytest.mark.spin
@pytest.mark.parametrize("name", sorted(MODELS))
def test_construct(name: str) -> None:
    model = MODELS[name]
    expected = of_spin(full_search(model))
    for engine in ("reference", "native"):
        figures, complete = of_whorl(model, engine=engine)
        assert complete
        assert same_states(figures, expected), f"{engine} {figures}, Spin {expected}"
        assert figures.violations == expected.violations, engine
