"""Trace and notrace assertions: what they allow, against Spin."""

from __future__ import annotations

import pytest

import whorl
from support.compare import of_spin, of_whorl, same_states
from support.spin import full_search

HEAD = """
mtype = { a, b };
chan q = [2] of { mtype, byte };
active proctype P() {
  byte i;
  do :: i < 3 -> q!a,i; %s; i++ :: else -> break od
}
active proctype Q() { mtype m; byte x; do :: q?m,x :: timeout -> break od }
"""
ALTERNATES = HEAD % "q!b,i"
MAY_REPEAT = HEAD % "if :: q!b,i :: q!a,i fi"

HOLDING = {
    "alternating": ALTERNATES + "trace { end: do :: q!a,_ ; q!b,_ od }",
    "numbered": ALTERNATES + "trace { q!a,0; q!b,0; q!a,1; q!b,1; q!a,2; q!b,2; end: q!a,9 }",
    "receives": ALTERNATES + "trace { end: do :: q?a,_ ; q?b,_ od }",
    "notrace": MAY_REPEAT + "notrace { q!a,_ ; q!b,_ ; q?b,1 }",
}
VIOLATED = {
    "repeated": MAY_REPEAT + "trace { do :: q!a,_ ; q!b,_ od }",
    "wrong value": ALTERNATES + "trace { do :: q!a,0 :: q!b,_ :: q!a,1 od }",
    "notrace": MAY_REPEAT + "notrace { q!a,_ ; q!b,_ }",
}


@pytest.mark.parametrize("name", sorted(HOLDING))
@pytest.mark.spin
def test_holding_assertions_agree_with_spin(name: str) -> None:
    expected = of_spin(full_search(HOLDING[name]))
    figures, _ = of_whorl(HOLDING[name])
    assert same_states(figures, expected)
    assert figures.violations == expected.violations == frozenset()


@pytest.mark.parametrize("name", sorted(VIOLATED))
@pytest.mark.spin
def test_violated_assertions_agree_with_spin(name: str) -> None:
    """Only the verdict: after a wrong event pan goes on in a state that it does not describe."""
    assert "trace" in of_spin(full_search(VIOLATED[name])).violations
    result = whorl.check(VIOLATED[name], safety=True)
    assert result.trace is not None
    assert result.trace.kind == "trace"


def test_an_event_that_never_comes_is_an_invalid_end() -> None:
    model = """
    chan q = [1] of { byte };
    trace { q!1; q!2 }
    active proctype P() { q!1 }
    active proctype Q() { byte x; end: do :: q?x od }
    """
    result = whorl.check(model)
    assert result.trace is not None
    assert result.trace.kind == "end state"
