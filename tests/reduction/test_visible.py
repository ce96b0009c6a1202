"""A step that a formula can see is not put before what others do, which it can see, too.

Each program makes `seen` false by one step, while Last makes y 1. One of the two is first, and a
formula says that Last never is: a reduction that takes the step by itself would believe it.
"""

from __future__ import annotations

import shutil

import pytest

import whorl

BOTH = ["reference"] + (["native"] if shutil.which("cc") else [])
LAST = "active proctype Last() { y = 1 }"
CHANNELS = "byte x, y, a[2]; chan c = [2] of { byte }; chan r = [0] of { byte };"
STEPS = {
    "a store": ("active proctype A() { x = 1 }", "x == 0"),
    "an addition": ("active proctype A() { x++ }", "x == 0"),
    "an element": ("active proctype A() { byte i = 1; a[i] = 1 }", "a[1] == 0"),
    "in an atomic sequence": ("active proctype A() { byte i; atomic { i = 1; x = 1 } }", "x == 0"),
    "in a d_step": ("active proctype A() { byte i; d_step { i = 1; x = 1 } }", "x == 0"),
    "a send": ("active proctype A() { c!1 }", "len(c) == 0"),
    "a receive into a variable": ("active proctype A() { c!1; c?x }", "x == 0"),
    "a handshake, by its receiver": (
        "active proctype A() { byte i; r!1; i = 1 } active proctype B() { byte i; r?x; i = 1 }",
        "x == 0",
    ),
    "a handshake, by where it leads the sender": (
        "active proctype A() { byte i; r!1; l: i = 1 } active proctype B() { byte i; r?i }",
        "!A@l",
    ),
    "a handshake, by where it leads the receiver": (
        "active proctype A() { byte i; r!1 } active proctype B() { byte i; r?i; l: i = 2 }",
        "!B@l",
    ),
    "where a process is": ("active proctype A() { byte i; i = 1; l: i = 2 }", "!A@l"),
    "what a process has": ("active proctype A() { byte i; i = 1; i = 2 }", "A:i == 0"),
    "a birth": ("active proctype A() { run B() } proctype B() { skip }", "_nr_pr < 3"),
}
WAYS = ("static", "two-phase", "auto", "v1")


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("name", STEPS)
def test_a_formula_sees_both_orders(name: str, engine: str) -> None:
    text, seen = STEPS[name]
    for first, formula in (
        ("last", f"[] !(y == 1 && ({seen}))"),
        ("step", f"[] !(y == 0 && !({seen}))"),
    ):
        for por in WAYS:
            model = CHANNELS + text + LAST
            found = whorl.check(model, ltl=formula, engine=engine, por=por)
            assert found.verdict == "violated", (first, por)
