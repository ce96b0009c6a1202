"""Merging by hand: each of these shows something that is lost if one step too many is merged."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

import whorl
from support.compilers import QUICK
from whorl.native.engine import explore_native
from whorl.program.semantics import Semantics
from whorl.property.labels import acceptance, non_progress
from whorl.search.exploration import Options
from whorl.task import Task

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

# x becomes 1 before an atomic sequence begins, and not while it runs.
BEFORE = "atomic { i = 0; assert(x == 0) }"
SAFETY = {
    "into an atomic sequence": f"""
        active proctype A() {{ byte i; y = 1; {BEFORE} }}
        active proctype B() {{ y == 1; x = 1 }}""",
    "into one behind a guard": f"""
        active proctype A() {{ byte i; x == 0; {BEFORE} }}
        active proctype B() {{ x = 1 }}""",
    "into one behind a run": f"""
        active proctype A() {{ byte i; run B(); {BEFORE} }}
        proctype B() {{ x = 1 }}""",
    "into one behind a send": f"""
        chan c = [1] of {{ byte }};
        active proctype A() {{ byte i; c!1; {BEFORE} }}
        active proctype B() {{ c?_; x = 1 }}""",
    "into one behind a handshake": f"""
        chan c = [0] of {{ byte }};
        active proctype A() {{ byte i; c!1; x = 1 }}
        active proctype B() {{ byte i; c?_; {BEFORE} }}""",
    "out of an atomic sequence": """
        active proctype A() { byte i; atomic { y = 1; i = 1 }; assert(x == 0) }
        active proctype B() { y == 1; x = 1 }""",
    "from a location that is asked for": """
        active proctype A() { byte i; y = 1; L: i = 1; i = 2; y = 2 }
        active proctype B() { assert(!A@L) }""",
    "to a location that is asked for": """
        active proctype A() { byte i; y = 1; i = 1; L: x == 1 }
        active proctype B() { y == 1; assert(A@L) }""",
    "one of two": """
        active proctype A() { byte i; y = 1; if :: i = 1 :: i = 2 fi; assert(i != 2) }""",
    "what others read": """
        active proctype A() { byte i; y = 1; i = 1; y = 2 }
        active proctype B() { y == 1; assert(A:i == 1) }""",
    "a step that reads what others write": """
        active proctype A() { byte i; y = 1; i = x; assert(i == 0) }
        active proctype B() { y == 1; x = 1 }""",
    "a division": """
        active proctype A() { byte i, j; y = 1; i = 1 / j }
        active proctype B() { y == 1; assert(false) }""",
    "an element": """
        active proctype A() { byte a[2], i = 2; y = 1; a[i] = 1 }
        active proctype B() { y == 1; assert(false) }""",
    "where a process may not move": """
        active proctype A() provided (y == 0) { byte i; y = 1; i = 1; end: y = 2 }""",
}

LABELS: dict[str, tuple[dict[str, Any], str, str]] = {
    "an accept label": (
        {"acceptance": True},
        "active proctype A() { byte i; do :: x = 1 - x; accept: i = 1; i = 0 od }",
        "violated",
    ),
    "a progress label": (
        {"non_progress": True},
        "active proctype A() { byte i; do :: x = 1 - x; progress: i = 1; i = 0 od }",
        "holds",
    ),
    "a formula": (
        {"ltl": "[] (y < 2)"},
        """
        active proctype A() { byte i; y = 1; atomic { i = 0; if :: x == 1 -> y = 2 :: else fi } }
        active proctype B() { y == 1; x = 1 }""",
        "violated",
    ),
}


def said(text: str, **options: Any) -> set[tuple[str, str]]:
    result = whorl.check("byte x, y;" + text, safety=True, all_errors=True, por="none", **options)
    return {(trace.kind, trace.message) for trace in result.traces}


@pytest.mark.parametrize("name", SAFETY)
def test_nothing_is_lost(name: str) -> None:
    expected = said(SAFETY[name], engine="reference")
    assert expected
    assert said(SAFETY[name], engine="native") == expected


@pytest.mark.parametrize("name", LABELS)
def test_labels_and_formulas(name: str) -> None:
    options, text, verdict = LABELS[name]
    for engine in ("reference", "native"):
        found = whorl.check("byte x, y;" + text, engine=engine, **options)
        assert found.verdict == verdict, engine


def test_a_label_is_a_place_where_a_claim_looks() -> None:
    """Whatever else is known of the claim; fig5 does not even ask a proposition."""
    for name, claim, algorithm in (
        ("an accept label", acceptance(), "auto"),
        ("a progress label", non_progress(), "auto"),
        ("a progress label", non_progress(), "fig5"),
    ):
        _, text, verdict = LABELS[name]
        program = whorl.load("byte x, y;" + text).program
        options = Options(algorithm=algorithm)
        task = Task(Semantics(program), claim, options, stutter_invariant=True)
        found = explore_native(task, QUICK)
        assert bool(found.violations) == (verdict == "violated"), name
