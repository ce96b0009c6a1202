"""Embedded C, one thing at a time: both engines see the states that Spin sees."""

from __future__ import annotations

import shutil

import pytest

from support.compare import of_spin, of_whorl, same_states
from support.spin import full_search

pytestmark = [
    pytest.mark.skipif(
        shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
    ),
    pytest.mark.usefixtures("system_compiler"),
]

MODELS = {
    "global data of a type of C": """
        c_decl { typedef struct Coord { int x, y; } Coord; };
        c_state "Coord pt" "Global"
        int z = 3;
        active [2] proctype P() {
          do :: c_expr { now.pt.x <= now.pt.y && now.pt.y < 3 } -> c_code { now.pt.y++; }
             :: c_expr { now.pt.x < now.pt.y } -> c_code { now.pt.x++; now.z += now.pt.x; }
             :: else -> break
          od;
          assert(z < 6) }""",
    "data of each process": """
        c_state "int mine" "Local P" "5"
        c_state "short other[2]" "Local P"
        byte n;
        active [2] proctype P() {
          c_code { PP->mine += PP->_pid; PP->other[1] = -1; };
          do :: c_expr { PP->mine < 8 } -> c_code { PP->mine++; now.n++; } :: else -> break od;
          c_code { PP->other[PP->_pid] = 7; } }
        active proctype Q() { n > 4 }""",
    "processes that come and go": """
        c_state "long sum" "Global" "100"
        c_state "char tag" "Local Q" "'a'"
        byte x;
        proctype Q(byte k; short s) { c_code { now.sum += PQ->k * PQ->s; PQ->tag += PQ->k; };
          c_expr { PQ->tag == 'b' || now.sum > 100 } -> x++ }
        init { byte i; atomic { run Q(1, -2); run Q(2, 300) };
          c_code { Pinit->i = now._nr_pr; now.x += Pinit->_pid; }; run Q(i, 1); assert(x < 3) }""",
    "tracked memory is part of the state": """
        c_decl { int seen[2]; };
        c_track "seen" "sizeof(seen)"
        byte x;
        active [2] proctype P() { c_code { seen[PP->_pid] += 2; };
          if :: c_expr { seen[0] + seen[1] == 4 } -> x++ :: c_expr { seen[1] } -> skip fi;
          c_code { seen[0] = seen[1] = 0; } }""",
    "memory that is not tracked is not": """
        c_decl { int noise; };
        byte x;
        active [2] proctype P() { do :: x < 3 -> x++; c_code { noise++; } :: break od }""",
    "tracked but not compared": """
        c_decl { int steps; int always = 3; };
        c_track "&steps" "sizeof(int)" "UnMatched"
        c_track "&always" "sizeof(always)" "StackOnly"
        byte x;
        active [2] proctype P() {
          do :: x < 4 -> x++; c_code { steps++; always = 3; } :: x > 1 -> x = 0; break od;
          assert(c_expr { steps <= 100 && always == 3 }) }""",
    "hidden data": """
        c_state "int cache" "Hidden" "4"
        byte x;
        active proctype P() { c_code { now.x = cache; }; x++; c_code { now.x = cache + 1; } }""",
    "memory from the heap": """
        c_decl { typedef struct Pair { short a; short b; } Pair; };
        c_code { Pair *pair; };
        c_track "pair" "sizeof(Pair)"
        byte x;
        active proctype P() { c_code { if (!pair) pair = (Pair *)malloc(sizeof(Pair));
            pair->a = pair->b = 0; };
          do :: c_code { pair->a = (pair->a + 1) % 3; } :: c_code { pair->b = pair->a; }
             :: c_expr { pair->a == 2 } -> break od; c_code { now.x = pair->b; } }
        active proctype Q() { x = 9 }""",
    "structures and arrays of the model": """
        typedef I { bit a; byte b[2] } typedef O { I i[2]; short s }
        O o; O many[2]; byte r;
        active proctype P() { O l;
          c_code { PP->l.i[1].b[0] = 7; PP->l.s = -3; now.many[1] = PP->l; now.o.i[0].a = 1; };
          r = many[1].i[1].b[0] + o.i[0].a;
          c_code { now.o = now.many[1]; now.r = now.r + now.o.s; };
          assert(r == 5 && o.i[0].a == 1) }""",
    "every type is cut to its width": """
        bit b; bool c = true; byte y = 250; short s = 32760; int i = 2147483647; unsigned u : 3 = 6;
        byte n;
        mtype = { red, green }; mtype m = red; bit many[3]; int list[3] = 5;
        active proctype P() { unsigned v : 5; bit l;
          do :: n < 3 -> c_code { now.n++; now.b++; now.y += 3; now.s += 5; now.i ^= 7; now.u += 3;
                  PP->v += 9; };
                c_code { now.many[2] = now.b; PP->l = !PP->l; now.m = now.m == 1 ? 2 : 1; };
                c_code { now.list[now.u % 3] = now.s > 0 ? 1 : -1; now.c = !now.c; }
             :: else -> break od }""",
    "macros, of the model and of C": r"""
        #define N 3
        #define TWICE(a) ((a) * 2)
        #define TOP TWICE(N)
        c_decl {
          \#include <string.h>
          \#define WHORL_TEST_LIMIT 4
          static int length(const char *text) { return (int)strlen(text); }
        };
        byte x;
        active [2] proctype P() {
          do :: c_expr { now.x < TOP } -> c_code { now.x += length("a}b") - 2 /* } */; }
             :: c_expr { now.x >= WHORL_TEST_LIMIT } -> break od;
          assert(x < N + N) }""",
    "a precondition of a statement": """
        byte x;
        active proctype P() { do :: c_code [now.x < 2] { now.x++; } :: x = 0 od }""",
    "d_step and atomic": """
        byte x, y;
        active [2] proctype P() {
          d_step { c_expr { now.x < 3 }; c_code { now.x++; }; x = x + y;
            c_code { now.y = now.x; } };
          atomic { c_code { now.y++; }; c_expr { now.x > 1 } -> c_code { now.x--; }; y = 0 };
          if :: c_expr { now.x == 1 } -> y = 5 :: else -> c_code { now.y = 6; } fi }""",
    "expressions as values": """
        byte x; int w; byte a[3];
        active proctype P() provided (c_expr { now.w < 9 }) {
          x = c_expr { 300 } ; w = c_expr { now.x * 2 } - 80; a[c_expr { now.x % 3 }] = 1;
          assert(c_expr { now.w == 8 }); w = 20 }
        active proctype Q() { w = c_expr { now.a[2] ? 1 : 2 } }""",
    "an assertion that fails": """
        byte x;
        active [2] proctype P() { byte t; c_code { PP->t = now.x; }; c_code { now.x = PP->t + 1; } }
        active proctype Q() { timeout -> assert(c_expr { now.x == 2 }) }""",
    "rendezvous, messages and channels": """
        chan c = [0] of { byte }; chan d = [2] of { byte, short }; byte x;
        active proctype P() { byte v; do :: c_code { PP->v++; }; c!v; c_expr { PP->v >= 3 } -> break
            :: d?v, _ od }
        active proctype Q() { byte w; short s;
          do :: c?w -> c_code { now.x += PQ->w; PQ->s = -now.x; };
            if :: d!w, s :: skip fi od }""",
    "escapes": """
        byte x, y; active proctype P() {
          do :: c_code { now.x++; } od unless { c_expr { now.x == 3 || now.y } -> y = 2 } }
        active proctype Q() { c_code { now.y = 1; } }""",
    "functions of C that change the state": """
        c_decl { int calls; };
        c_track "&calls" "sizeof calls"
        c_code {
          static void swap(uchar *a, uchar *b) { uchar t = *a; *a = *b; *b = t; calls++; }
          static int sorted(int n) { int i; for (i = 0; i + 1 < n; i++)
              if (now.a[i] > now.a[i + 1]) return 0; return 1; }
        };
        byte a[3]; bool done;
        init { a[0] = 3; a[1] = 1; a[2] = 2;
          do :: c_code { now.done = sorted(3); }; if :: !done :: else -> break fi;
               if :: c_expr { now.a[0] > now.a[1] } -> c_code { swap(&now.a[0], &now.a[1]); }
                  :: c_expr { now.a[1] > now.a[2] } -> c_code { swap(&now.a[1], &now.a[2]); } fi od;
          assert(c_expr { now.a[2] == 3 && calls > 1 } && a[0] == 1) }""",
    "a deadlock": """
        c_state "int lock[2]" "Global"
        active [2] proctype P() { byte first, second;
          c_code { PP->first = PP->_pid; PP->second = !PP->first; };
          atomic { c_expr { !now.lock[PP->first] } -> c_code { now.lock[PP->first] = 1; } };
          atomic { c_expr { !now.lock[PP->second] } -> c_code { now.lock[PP->second] = 1; } };
          c_code { now.lock[0] = now.lock[1] = 0; } }""",
    "names that mean something to our own text": """
        byte B, P, c, g, l, block, mine, value, small, at, size, whorl_c_put_, type;
        active proctype whorl_steps() { byte s, o, p;
          c_code { now.B = now.P + 1; now.g++; Pwhorl_steps->s = now.B; now.value = 3; };
          c_code { now.type = now.block; Pwhorl_steps->p = now.value; now.l = 1; };
          c_code { now.mine = now.at = now.size = 2; now.c = now.small; } }""",
    "text that prints": r"""
        byte x;
        active proctype P() { do :: x < 3 -> c_code { now.x++; printf("{}\n"); Printf("x\n");
            fprintf(stdout, "x\n"); puts("y"); putchar('z'); fflush(stdout); }
          :: else -> break od }""",
}


@pytest.mark.spin
@pytest.mark.parametrize("name", sorted(MODELS))
def test_embedded_c(name: str) -> None:
    model = MODELS[name]
    expected = of_spin(full_search(model))
    for engine in ("reference", "native"):
        figures, complete = of_whorl(model, engine=engine, allow_embedded_c=True)
        assert complete
        assert same_states(figures, expected), f"{engine} {figures}, Spin {expected}"
        assert figures.violations == expected.violations, engine
