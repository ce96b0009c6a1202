"""Every construct of Promela's grammar: accepted by whorl and by Spin alike.

`ACCEPTED` goes through the grammar, a snippet a construct. `ONLY_SPIN` and `ONLY_WHORL` are the
differences that we know of, each with its reason; the tests notice when one of them goes away.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import whorl

EXAMPLES = Path("/usr/share/doc/spin/examples/Examples")
MODELS = sorted(EXAMPLES.rglob("*.pml"))

# A snippet without a process gets this one.
PROCESS = "\nactive proctype main_() { skip }\n"

ACCEPTED = {
    # --- declarations ---
    "basic types": "bit a; bool b; byte c; pid d; short e; int f; unsigned g : 5; chan h",
    "initial values": "bit a = 1; bool b = true; byte c = 3 + 4 * 2; int d = -5; short e = 'a'",
    "several names": "byte a, b = 2, c[3], d = 1",
    "no semicolon at the end of a line": "byte a\nbyte b = 2\nint c",
    "arrays": "byte a[3] = 5; int b[2] = { 1, 2 }; int c[4] = { 1 }; chan d[2] = [1] of { byte }",
    "length from a constant expression": "#define N 3\nbyte a[N + 1]; byte b[(N * 2)]; byte c[N]",
    "array of mtype constants": "mtype = { a, b }; mtype x[2] = { a, b }",
    "length from an initialised variable": "byte n = 3; byte a[n]",
    "initial value from another variable": "byte a = 3; byte b = a",
    "visibility": "hidden byte a; show int b; local byte c",
    "mtype": "mtype = { a, b, c }; mtype x = a; mtype y",
    "mtype without commas or equals sign": "mtype { a b c }; mtype = { d e, f }",
    "mtype in two parts": "mtype = { a, b }; mtype = { c }; mtype x = c",
    "mtype sets": "mtype : fruit = { apple, pear }; mtype : fruit x = apple; mtype y = pear",
    "mtype set declared further down": "mtype : fruit x; typedef T { mtype : fruit f };"
    "chan c = [1] of { mtype : fruit }; mtype : fruit = { apple }; init { x = apple; c!x }",
    "mtype set declared nowhere": "mtype : fruit x; init { x = 1 }",
    "typedef with an initial value, which has no effect": "typedef T { byte a }; T t = 1;"
    "T u[2] = 0; T v[2] = { 1, 2 }; init { T w[2] = 3; w[1].a = 1 }",
    "typedef": "typedef T { byte a; int b[3]; bool c = true }; T t; T u[2]",
    "typedef over lines": "typedef T {\n    byte a;\n    int b\n};\nT t",
    "nested typedef": "typedef A { byte x[2] }; typedef B { A a[3]; A b }; B v[2];"
    "init { v[1].a[2].x[0] = 1; v[0].b.x[1] = v[1].a[0].x[1] }",
    "typedef with channels": "typedef T { chan c = [2] of { byte }; chan d[2] = [1] of { bit } };"
    "T t; init { t.c!1; t.d[1]!0 }",
    "channels": "chan a = [0] of { byte }; chan b = [3] of { mtype, int, bool }; chan c",
    "channel of channels": "chan a = [1] of { chan }; chan b = [1] of { byte }; init { a!b }",
    "channel of typedefs": "typedef T { byte x; byte y }; chan c = [1] of { T, byte };"
    "init { T t; c!t, 3; c?t, _ }",
    "channel of a named mtype set": "mtype : fruit = { apple }; chan c = [1] of { mtype:fruit }",
    "exclusive use": "chan c = [1] of { byte }; active proctype P() { xs c; c!1 }"
    "active proctype Q() { byte x; xr c; c?x }",
    # --- processes ---
    "proctype and run": "proctype P() { skip } init { run P() }",
    "parameters": "proctype P(byte a, b; int c; chan d) { skip }"
    "chan e = [1] of { byte }; init { run P(1, 2, 3, e) }",
    "typedef parameter": "typedef T { byte x }; proctype P(T t) { skip } init { T u; run P(u) }",
    "active": "active proctype P() { skip } active [3] proctype Q() { skip }",
    "active from a macro": "#define N 2\nactive [N] proctype P() { skip }",
    "value of run": "proctype P() { skip } init { pid p; p = run P(); run P() -> skip }",
    "priority": "proctype P() priority 3 { skip } init priority 2 { run P() priority 5 }",
    "priorities at run time": "init { set_priority(_pid, 3); get_priority(_pid) == 3 }",
    "provided": "bool go; active proctype P() provided (go || _pid > 0) { skip }",
    "priority and provided": "bool go; active proctype P() priority 2 provided (go) { skip }",
    "deterministic proctype": "active D_proctype P() { skip }",
    "predefined variables": "init { byte x; x = _pid; x = _nr_pr; x = _last }",
    "semicolon after a body": "proctype P() { skip };\ninit { run P(); };",
    # --- sequences and separators ---
    "semicolons and arrows": "byte x; init { x = 1; x == 1 -> x = 2 -> x == 2; skip }",
    "doubled separators": "byte x; init { x = 1;; x = 2; ; x = 3; }",
    "lines as separators": "byte x\ninit {\n    x = 1\n    x++\n    x == 2\n}",
    "lines inside parentheses": "byte x; init { x = (1 +\n 2); assert(x\n == 3) }",
    "no separator after braces": "byte x; init { atomic { x = 1 } x = 2; { x = 3 } x = 4 }",
    "no separator after else": "byte x; init { if :: x == 1 :: else x = 1 fi }",
    "no separator after an inline": "byte x; inline f(a) { a = 1 } init { f(x) x = 2 }",
    "declarations in between": "init { byte a; a = 1; byte b = a; { byte c = 2; b = c } }",
    "one name in two blocks": "init { { byte a; a = 1 }; { byte a; a = 2 } }",
    "an option is no scope": "init { if :: byte a; a = 1 fi; a = 2 }",
    "comments": "/* one */ byte x; // two\ninit { x /* three */ = 1; /* four\n */ x++ }",
    # --- statements ---
    "assignments": "byte x; int a[2]; init { x = 1; x++; x--; a[x] = 3; a[0]++ }",
    "expression statements": "byte x; init { x == 0; (x < 3); !x; 1; true; x }",
    "assert": "byte x; init { assert(x == 0); assert x == 0 }",
    "printing": 'mtype = { m }; mtype v; init { printf("a %d\\n", 1); printm(m); printm(v) }',
    "if": "byte x; init { if :: x == 1 -> skip :: x == 2; x = 1 :: else fi }",
    "do": "byte x; init { do :: x < 3 -> x++ :: else -> break od }",
    "options that end in a separator": "byte x; init { if :: x == 1 -> :: else; fi }",
    "else in atomic": "byte x; init { if :: atomic { x == 1 -> x = 2 } :: atomic { else -> x = 1 }"
    " fi }",
    "goto and labels": "init { a: skip; b: c: skip; goto a; end: skip; end2: progress: skip }",
    "label before a compound": "byte x; init { a: if :: x -> goto a :: else fi; b: { skip };"
    "c: atomic { skip }; d: do :: break od }",
    "label at the end": "init { goto done; skip; done: }",
    "labels in blocks": "init { { skip; a: skip; goto a }; { skip; a: skip; goto a } }",
    "for over a range": "byte i, n = 3; init { for (i : 0 .. 3) { skip } for (i : n .. n + 2)"
    " { skip } }",
    "for over an array": "byte i, a[3]; init { for (i in a) { a[i] = i } }",
    "for over a channel": "typedef T { byte x }; chan c = [2] of { T };"
    "init { T t; for (t in c) { skip } }",
    "break out of for": "byte i; init { for (i : 0 .. 3) { if :: i == 2 -> break :: else fi } }",
    "select": "byte i; init { select(i : 0 .. 3); select (i : 1 .. i + 2) }",
    "atomic and d_step": "byte x; init { atomic { x = 1; x = 2 }; d_step { x = 3; x++ } }",
    "d_step with a choice": "byte x; init { d_step { if :: x == 0 -> x = 1 :: else fi } }",
    "unless": "byte x; init { { x = 1; x = 2 } unless { x == 3 } }",
    "unless of simple statements": "byte x; init { x = 1 unless x == 3; skip unless timeout }",
    "unless around a loop": "byte x; init { do :: x++ od unless { x == 3 -> skip } }",
    "nested unless": "byte x; init { { { x = 1 } unless { x == 2 } } unless { x == 3 } }",
    "timeout": "init { do :: timeout -> break :: skip -> break od }",
    # --- inlines ---
    "inline": "byte x; inline f(a, b) { a = b; a++ } init { f(x, 3); f(x, x + 1) }",
    "inline without parameters": "byte x; inline f() { x++ } init { f(); f() }",
    "nested inlines": "byte x; inline f(a) { a++ } inline g(b) { f(b); f(b) } init { g(x) }",
    "inline with a local variable": "byte x; inline f(a) { byte t = a; a = t + 1 } init { f(x) }",
    "inline with a return value": "byte x; inline f(a) { return a + 1 } init { x = f(3) }",
    "inline at the end of a line": "byte x\ninline f(a) {\n  a++\n}\ninit {\n  f(x)\n  f(x)\n}",
    # --- channels ---
    "send": "chan c = [9] of { byte, byte }; init { c!1,2; c!1(2); c!!3,4 }",
    "receive": "chan c = [9] of { byte, byte }; byte x, y; init { c?x,y; c?x(y); c??x,y; c?<x,y>;"
    "c??<x,y>; c?1,y; c?eval(x),_; c??-1,y; c?(x,y) }",
    "poll": "chan c = [2] of { byte, byte }; byte x; init { c?[x,1]; c??[1,x]; !(c?[1,1]) ;"
    "x == 1 && c?[1,1] }",
    "channel tests": "chan c = [2] of { byte }; init { len(c) == 0; empty(c); nempty(c); full(c);"
    "nfull(c); (empty(c) && len(c) < 2) || full(c) }",
    "channel arrays": "chan c[2] = [1] of { byte }; byte i; init { c[i]!1; c[1]?i; len(c[i]) }",
    "channels as values": "chan c = [1] of { byte }; chan d; init { d = c; d!1; d == c }",
    "mtype messages": "mtype = { req, ack }; chan c = [1] of { mtype, byte }; byte x;"
    "init { c!req(1); c?req(x); c?ack,x }",
    # --- expressions ---
    "operators": "int x, y; init { x = x + y - x * y / 1 % 2; x = x & y | x ^ y; x = x << 1 >> 2;"
    "x = ~x; x = -x; x == y || x != y && x < y; x <= y; x >= y; !(x > y) }",
    "conditional expression": "int x; init { x = (x > 1 -> 2 : 3); x = ((x) -> 1 : (x -> 2 : 3)) }",
    "characters": "byte x; init { x = 'a'; x = '\\n'; x == ' ' }",
    "remote references": "active [2] proctype P() { byte v; here: skip }"
    "active proctype Q() { P[0]@here; P@here; P[1]:v == 1; P:v == 0 }",
    "enabled and pc_value": "active proctype P() { skip } never { do :: enabled(0) :: pc_value(0) >"
    " 1 od }",
    # --- claims and properties ---
    "never": "byte x; init { x = 1 } never { do :: x == 0 :: x != 0 -> break od; accept: skip }",
    "named never": "byte x; init { x = 1 } never claim { do :: !x od }",
    "np_ in a claim": "init { skip } never { do :: np_ :: true od }",
    "trace": "chan c = [1] of { byte }; init { c!1 } trace { do :: c!1 :: c?1 od }",
    "notrace": "chan c = [1] of { byte }; init { c!1 } notrace { c!1; c?1 }",
    "ltl": "byte x; init { x = 1 } ltl p { [] (x < 2) } ltl q { <> (x == 1) && (x U x) }",
    "ltl in words": "byte x; init { x = 1 } ltl { always (x < 2 implies eventually x) }",
    # --- embedded C ---
    "c_code": "c_decl { int y; };\nc_code { int z; };\ninit { c_code { y = 1; }; skip }",
    "c_expr": "byte x; init { c_expr { now.x == 0 }; if :: c_expr { 1 } :: else fi }",
    "c_code with a condition": "byte x; init { c_code [ now.x == 0 ] { now.x = 1; } }",
    "c_state and c_track": 'c_decl { int y; };\nc_state "int z" "Global"\n'
    'c_track "&y" "sizeof(int)"\ninit { skip }',
    # --- preprocessor ---
    "macros": "#define N 3\n#define f(a) (a + N)\nbyte x; init { x = f(N) }",
    "variadic macros": "#define C(...) if __VA_ARGS__ fi\n"
    "#define P(f, ...) printf(f, ##__VA_ARGS__)\n"
    'init { C(:: P("a") :: P("%d", 1)) }',
    "end of a comment that has none": "byte x; */ init { x = 1 */\nx = 2 }",
    "an arrow that is too long": "byte x;"
    "init { if :: x == 0 --> x = (x == 0 --> 1 : 2) fi; x --> x = 3 }",
    "conditional text": "#define A\n#ifdef A\nbyte x\n#else\nbyte y z\n#endif\ninit { x = 1 }",
}

# What Spin takes and whorl does not.
ONLY_SPIN = {
    "an index on a scalar": ("byte x; init { x[0] = 1 }", "a slip, more likely than not"),
    "too many initial values": (
        "byte a[2] = { 1, 2, 3 }; init { skip }",
        "Spin drops the rest without a word",
    ),
    "an mtype constant with the name of a variable": (
        "byte a; mtype = { a }; init { skip }",
        "in Spin the variable can no longer be reached",
    ),
    "a local variable with the name of a proctype further down": (
        "init { byte P; P = 1 } proctype P() { skip }",
        "the order of declarations outside a process has no meaning",
    ),
    "arithmetic on channels in a condition": (
        "chan c = [1] of { byte }; init { c + 1 == 2 }",
        "Spin refuses it in an assignment: the number of a channel has no meaning",
    ),
    "len of what is no channel": ("init { byte x; x = len(x) }", "Spin notices in the C compiler"),
    "a remote variable that does not exist": (
        "active proctype P() { skip } init { P:x == 1 }",
        "Spin notices in the C compiler",
    ),
    "a priority out of range": (
        "proctype P() priority 300 { skip } init { run P() }",
        "Spin notices when it runs",
    ),
    "an inline with the same parameter twice": (
        "inline f(a, a) { skip } init { f(1, 2) }",
        "only one of them can be meant",
    ),
}

# What whorl takes and Spin does not.
ONLY_WHORL = {
    "a global variable that is declared further down": (
        "init { x = 1 }\nbyte x",
        "the order of declarations outside a process has no meaning",
    ),
    "a remote reference to a proctype further down": (
        "active proctype Q() { P@l } active proctype P() { l: skip }",
        "the order of declarations outside a process has no meaning",
    ),
    "a name that hides another": (
        "byte x; init { byte x; x = 1 }",
        "it is clear what is meant; there is a warning",
    ),
    "a declared name used by the next initial value": (
        "init { byte x = 3, y = x; skip }",
        "Spin's parser comes to know a name only at the end of the declaration",
    ),
    "a label at the start of a block or option": (
        "init { do :: a: skip; break :: atomic { b: skip } od }",
        "Spin loses such labels, so it asks for another place; ours are kept",
    ),
    "an operator at the start of a line": (
        "byte x\ninit { x = 1\n+ 2;\n x == 1\n&& x == 2 }",
        "it can only go on with the line before",
    ),
    "unless at the start of a line": (
        "byte x\ninit {\n    x = 1\n    unless\n    x == 2\n}",
        "it can only go on with the line before",
    ),
    "a separator at the start of a sequence": (
        "init { ; skip }",
        "it separates nothing and harms nothing",
    ),
    "a loop variable that is an element or a field": (
        "byte a[2]; init { for (a[0] : 0 .. 3) { skip } }",
        "it is assigned like any other",
    ),
    "the index of an array from the same array, in an assignment": (
        "byte a[3]; init { a[a[1]] = 1 }",
        "Spin's verifier has trouble with it, ours has not",
    ),
    "a hidden bit": ("hidden bit x; init { x = 1 }", "Spin cannot hide what it packs"),
    "a test of a channel in a formula": (
        "chan c = [1] of { byte }; init { c!1 } ltl p { <> nempty(c) }",
        "Spin's formulas take `len(c) > 0`, and call this a syntax error",
    ),
    "an operator's letter as a name in a formula": (
        "byte U; active proctype P() { W: U = 1 } ltl p { [] (U < 2 && !P@W) }",
        "Spin's formulas read `U` and `W` as operators wherever they stand",
    ),
    "run in a d_step": (
        "proctype P() { skip } init { d_step { run P(); skip } }",
        "it cannot block, and what it does is known",
    ),
    "a test of a channel inside an expression": (
        "chan c = [1] of { byte }; init { !empty(c); full(c) == 1 }",
        "Spin's rule protects its partial-order reduction, which knows 'nempty' but not '!empty'",
    ),
    "a capacity from an initialised variable": (
        "byte n = 2; chan c = [n] of { byte }",
        "as for the length of an array",
    ),
    "exclusive use of an array of channels": (
        "chan c[2] = [1] of { byte }; init { xr c; skip }",
        "it claims each of them",
    ),
    "a channel that is declared after the first statement": (
        "init { skip; chan c = [1] of { byte }; c!1 }",
        "it is made when the process starts; there is a warning",
    ),
    "a list of initial values after the first statement": (
        "init { byte x; x++; byte a[3] = { 1, 2, 3 }; x = a[2] }",
        "it is clear what is meant: the values are assigned when it is reached, in one step",
    ),
    "negative values in a list": ("int a[3] = { 1, -2, 3 }", "a constant is a constant"),
    "an empty range": (
        "byte i; init { for (i : 3 .. 1) { skip } }",
        "it may come from macros; there is a warning",
    ),
    "a label with the name of a variable": (
        "byte x; init { x: x = 1; goto x }",
        "the two cannot be confused",
    ),
    "an mtype variable without a set, used for several": (
        "mtype = { a }; mtype : s = { b }; mtype x; init { x = b; x = a }",
        "in Spin the first assignment decides the set",
    ),
    "a semicolon after the last parameter": (
        "proctype P(byte a; byte b;) { skip } init { run P(1, 2) }",
        "it separates nothing and harms nothing",
    ),
    "an empty process": ("active proctype P() { }", "it ends at once"),
}


def text_of(snippet: str) -> str:
    text = snippet.rstrip()
    if "init" not in text and "active" not in text:
        text = f"{text};{PROCESS}" if not text.endswith("}") else f"{text}{PROCESS}"
    return f"{text}\n"


def spin_accepts(text: str, folder: Path) -> tuple[bool, str]:
    (folder / "model.pml").write_text(text)
    done = subprocess.run(
        ["spin", "-a", "model.pml"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=30,
    )
    complaint = any(word in done.stdout for word in ("rror", "saw '"))
    return done.returncode == 0 and not complaint and (folder / "pan.c").exists(), done.stdout


@pytest.mark.parametrize("name", ACCEPTED)
def test_whorl_accepts(name: str) -> None:
    whorl.load(text_of(ACCEPTED[name]))


@pytest.mark.spin
@pytest.mark.parametrize("name", ACCEPTED)
def test_spin_accepts(name: str, tmp_path: Path) -> None:
    accepted, output = spin_accepts(text_of(ACCEPTED[name]), tmp_path)
    assert accepted, output


@pytest.mark.parametrize("name", ONLY_SPIN)
def test_whorl_refuses_what_only_spin_takes(name: str) -> None:
    with pytest.raises(whorl.WhorlError):
        whorl.load(text_of(ONLY_SPIN[name][0]))


@pytest.mark.spin
@pytest.mark.parametrize("name", ONLY_SPIN)
def test_spin_takes_what_only_spin_takes(name: str, tmp_path: Path) -> None:
    accepted, output = spin_accepts(text_of(ONLY_SPIN[name][0]), tmp_path)
    assert accepted, output


@pytest.mark.parametrize("name", ONLY_WHORL)
def test_whorl_takes_what_only_whorl_takes(name: str) -> None:
    whorl.load(text_of(ONLY_WHORL[name][0]))


@pytest.mark.spin
@pytest.mark.parametrize("name", ONLY_WHORL)
def test_spin_refuses_what_only_whorl_takes(name: str, tmp_path: Path) -> None:
    accepted, _ = spin_accepts(text_of(ONLY_WHORL[name][0]), tmp_path)
    assert not accepted


@pytest.mark.skipif(not MODELS, reason=f"the Debian package's examples are not in {EXAMPLES}")
@pytest.mark.parametrize("model", MODELS, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_the_examples_of_debian_load(model: Path) -> None:
    whorl.load(model)
