"""Claims written by hand: where they cannot count steps, local ones are merged, as Spin does it."""

from __future__ import annotations

import shutil

import pytest

import whorl

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

MODEL = """
    byte x;
    active [2] proctype P() {{
        byte l;
        do :: l < 3 -> l++; l = l; x = l :: l > 0 -> l--; l = l od
    }}
    never {{ {} }}
"""
STUTTERS = "T0: do :: true :: x == 3 -> goto accept_1 od; accept_1: do :: x == 9 od"
COUNTS = "true; true; true; x == 9"


def stored(claim: str, *, merge: bool) -> int:
    model = whorl.load(MODEL.format(claim))
    result = whorl.check(model, claim="never", por="none", engine="native", merge=merge)
    assert result.verdict == "holds"
    return result.searches[0].statistics.states


def test_a_claim_that_cannot_count_steps() -> None:
    assert stored(STUTTERS, merge=True) < stored(STUTTERS, merge=False) / 2


def test_a_claim_that_counts_steps() -> None:
    assert stored(COUNTS, merge=True) == stored(COUNTS, merge=False)


def test_the_audit_compares_up_to_stuttering() -> None:
    model = whorl.load(MODEL.format(STUTTERS))
    result = whorl.check(model, claim="never", engine="native", audit=True)
    assert any("nothing is lost: the stutter traces" in note for note in result.notes)
