"""Nobody is put off for ever: some go round, and what the last process does must still be seen.

A reduction that always takes those who go round never comes to it, and says that all is well.
"""

from __future__ import annotations

import shutil
from typing import Any

import pytest

import whorl

BOTH = ["reference"] + (["native"] if shutil.which("cc") else [])
LAST = "active proctype Last() { x = 1; assert(false) }"
PAIR = "chan a = [0] of { bit }; chan b = [0] of { bit };"
ROUNDS = {
    "alone": "active proctype A() { byte i; do :: i = 1; i = 2; i = 0 od }",
    "by one step": "active proctype A() { byte i; do :: i = 1 - i od }",
    "in place": "active proctype A() { do :: skip od }",
    "after a while": "active proctype A() { byte i; i = 3; i = 2; do :: i = 1; i = 4; i = 0 od }",
    "with a choice": "active proctype A() { byte i; do :: i = 1 :: i = 2; i = 0 od }",
    "backwards": """
        active proctype A() {
            byte i; goto m; l: i = 1; goto n; m: i = 2; goto l; n: i = 3; goto m }""",
    "in an atomic sequence": "active proctype A() { byte i; do :: atomic { i = 1; i = 0 } od }",
    "by an atomic sequence and more": """
        active proctype A() { byte i; do :: i = 2; atomic { i = 1; i = 0 } od }""",
    "two of them": "active [2] proctype A() { byte i; do :: i = 1; i = 0 od }",
    "by a channel": "chan c = [1] of { bit }; active proctype A() { do :: c!1; c?_ od }",
    "two by a channel": """
        chan c = [1] of { bit };
        active proctype A() { do :: c!1 od } active proctype B() { do :: c?_ od }""",
    "by handshakes": """
        active proctype A() { do :: a!1 od } active proctype B() { do :: a?_ od }""",
    "by handshakes to and fro": """
        active proctype A() { do :: a!1; b?_ od } active proctype B() { do :: a?_; b!1 od }""",
    "by handshakes that come back": """
        active proctype A() { do :: a!1; b?_ od } active proctype B() { a?_; do :: b!1; a?_ od }""",
    "by turns": """
        bit t; active proctype A() { do :: t == 0 -> t = 1 od }
        active proctype B() { do :: t == 1 -> t = 0 od }""",
    "by a d_step": "active proctype A() { byte i; do :: d_step { i = 1; i = 0 }; i = 0 od }",
}
WAYS: list[dict[str, Any]] = [
    {"por": por, "cache": cache}
    for por in ("static", "two-phase", "two-phase-ample")
    for cache in ("all", "selective")
    if (por, cache) != ("two-phase-ample", "all")
]
STACK: list[dict[str, Any]] = [{"por": por} for por in ("v0", "v1", "si")]


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("name", ROUNDS)
def test_a_formula(name: str, engine: str) -> None:
    text = "byte x;" + PAIR + ROUNDS[name] + LAST
    for way in (*WAYS, *STACK):
        found = whorl.check(text, ltl="[] (x == 0)", engine=engine, **way)
        assert found.verdict == "violated", way


@pytest.mark.parametrize("engine", BOTH)
@pytest.mark.parametrize("name", ROUNDS)
def test_safety(name: str, engine: str) -> None:
    text = "byte x;" + PAIR + ROUNDS[name] + LAST
    for way in (*WAYS, {"por": "dfs_po"}):
        found = whorl.check(text, safety=True, engine=engine, **way)
        assert found.verdict == "violated", way
