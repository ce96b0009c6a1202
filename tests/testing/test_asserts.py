"""An assertion about a model fails with the counterexample, and gives the result otherwise."""

from __future__ import annotations

import unittest
from io import StringIO

import pytest

import whorl
from whorl.testing import CheckFailed, assert_holds, assert_violated

MODEL = """
#ifndef STEP
#define STEP 1
#endif
byte x;
active [2] proctype p() { x = x + STEP; assert(x < 3) }
"""


def test_what_holds_gives_its_result() -> None:
    assert assert_holds(MODEL).verdict == "holds"
    assert assert_holds(MODEL, "[] (x <= 2)").properties[0].kind == "ltl"


def test_what_is_violated_gives_its_trace() -> None:
    trace = assert_violated(MODEL, defines={"STEP": 2}, names="assertions").trace
    assert trace is not None
    assert trace.kind == "assertion"


def test_a_violation_is_shown_with_its_trace() -> None:
    with pytest.raises(CheckFailed) as caught:
        assert_holds(MODEL, "[] (x < 2)")
    said = str(caught.value)
    assert said.startswith("expected holds, found violated (formula)\n")
    assert "x = x + STEP" in said or "x = x + 1" in said
    assert "At the end:" in said
    assert caught.value.result.verdict == "violated"


def test_what_holds_is_not_violated() -> None:
    with pytest.raises(CheckFailed, match=r"^expected violated, found holds"):
        assert_violated(MODEL)
    with pytest.raises(
        CheckFailed, match=r"^expected violated \(end states\), found violated \(as"
    ):
        assert_violated(MODEL, defines={"STEP": 2}, names=["end states"])


def test_inconclusive_fails_with_the_reason() -> None:
    for check in (assert_holds, assert_violated):
        with pytest.raises(CheckFailed, match=r"found inconclusive(.|\n)*limit of 1 state"):
            check(MODEL, max_states=1)


def test_a_bad_model_is_an_error_without_our_frames() -> None:
    with pytest.raises(whorl.WhorlError, match="unknown variable 'y'") as caught:
        assert_holds(MODEL, "[] (y < 2)")
    assert [frame.name for frame in caught.traceback][1:] == ["assert_holds", "_checked"]


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(TypeError, match="no keyword 'fare'"):
        assert_holds(MODEL, fare=True)


def test_unittest_shows_the_trace() -> None:
    class Case(unittest.TestCase):
        def test_it(self) -> None:
            assert_holds(MODEL, "[] (x < 2)")

    shown = StringIO()
    unittest.TextTestRunner(shown).run(unittest.defaultTestLoader.loadTestsFromTestCase(Case))
    assert "FAIL: test_it" in shown.getvalue()
    assert "At the end:" in shown.getvalue()
