"""Safety without a proviso: what is stored does not depend on the order, and no step is ignored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.cluster import safety_task
from support.compilers import QUICK
from whorl.engines import search
from whorl.native.engine import explore_native
from whorl.reduction.plan import Plan
from whorl.reduction.schemes import SCHEMES, Reduction, for_safety
from whorl.search.exploration import Exploration

EXAMPLES = Path(__file__).parents[2] / "examples"
# A goes round for ever, and nothing that B does concerns it.
IGNORED = """
byte x;
active proctype A() { do :: x = 1 :: x = 2 od }
active proctype B() { byte y; if :: y = 1 :: y = 2 :: y = 4 fi; assert(y == 3) }
"""
WAITS = """
byte x, y;
active proctype A() { do :: x = 1 :: x = 2 od }
active proctype B() { byte i; do :: i < 4 -> i++; y = i :: else -> break od; assert(y < 4) }
"""


def found(text: str, engine: str, **options: Any) -> Exploration:
    task = safety_task(text, all_errors=True, **options)
    task = replace(task, reduction=Plan(Reduction("two-phase-ample", order_free=True)))
    if engine == "native":
        return explore_native(task, QUICK)
    return search(task, engine).exploration


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("text", [IGNORED, WAITS])
def test_no_step_is_ignored(text: str, engine: str) -> None:
    kinds = {violation.kind for violation in found(text, engine).violations}
    assert kinds == {"assertion"}


@pytest.mark.parametrize("text", [IGNORED, WAITS, (EXAMPLES / "two_phase_commit.pml").read_text()])
def test_the_order_does_not_matter(text: str) -> None:
    depth_first = found(text, "native", merge=False).progress
    by_levels = found(text, "native", merge=False, shortest=True).progress
    assert by_levels.states == depth_first.states
    assert by_levels.transitions == depth_first.transitions


def test_no_scheme_has_a_proviso_then_but_those_that_know_no_other_way() -> None:
    with_proviso = {name for name in SCHEMES if for_safety(name, order_free=True)[1].proviso}
    assert with_proviso == {"persistent", "v0", "v1", "si"}
    assert Reduction("auto", order_free=True).named is None
