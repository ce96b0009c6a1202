"""Explanations of every kind of violation, by the command line and from Python."""

from __future__ import annotations

import time

import pytest

import whorl
from whorl.trace.trace import Explanation, Trace

NEVER = "byte x; active proctype A() { x = 1 } never { do :: (x == 1) -> break :: else od }"
INDEX = "bit a[2]; byte i; active proctype A() { i = 1; i = 2 }"
EVENTS = "chan c = [1] of { byte }; active proctype A() { c!1; c?_; c!2 } trace { c!1; c?1 }"
SHAKE = """
chan c = [0] of { byte };
active proctype A() { c!1; assert(0) }
active proctype B() { c?_ }
"""
ACCEPT = "byte x; active proctype A() { do :: x = 1; accept: x = 0 :: break od }"


def traces(text: str, **options: object) -> tuple[Trace, ...]:
    return whorl.check(text, explain=True, **options).traces  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "options", "kind"),
    [
        ("active proctype A() { byte x; x = 1; (x == 2) }", {}, "end state"),
        ("active proctype A() { (false) }", {}, "end state"),
        ("byte a[2]; byte i; active proctype A() { i = 2; a[i] = 1 }", {}, "array bounds"),
        ("byte i; active proctype A() { i = 3; i = 1 / (3 - i) }", {}, "division by zero"),
        (ACCEPT, {"acceptance": True}, "acceptance"),
        ("byte x; active proctype A() { do :: x = 1 od }", {"non_progress": True}, "non-progress"),
        (NEVER, {}, "never claim"),
        (INDEX, {"ltl": "[] (a[i] == 0)"}, "array bounds"),
        ("byte x; active proctype A() { x = 1; x = 1 / (x - 1) }", {"ltl": "<> (x == 2)"}, "ltl"),
        (EVENTS, {}, "trace"),
        (SHAKE, {}, "assertion"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_kinds(text: str, options: dict[str, object], kind: str, engine: str) -> None:
    """A run of one process, or of one handshake, has no step too many."""
    found = traces(text, engine=engine, **options)
    (trace,) = [each for each in found if each.kind == kind]
    said = trace.explanation
    assert said is not None
    assert said.unexplained == ()
    assert said.undecided == ()
    assert said.certain
    assert set(said.needed) <= {step.number for step in trace.steps}
    if trace.cycle is None:
        assert said.needed == tuple(step.number for step in trace.steps)


def test_every_trace_is_explained() -> None:
    text = "byte x; active proctype A() { if :: x = 1; assert(x == 2) :: x = 3; assert(x == 4) fi }"
    found = traces(text, all_errors=True)
    assert len(found) == 2
    for trace in found:
        assert trace.explanation is not None
        assert trace.explanation.needed == (1, 2)


def test_nobody_asks() -> None:
    (trace,) = whorl.check("active proctype A() { assert(false) }").traces
    assert trace.explanation is None


def test_an_atomic_sequence_that_goes_round_for_ever() -> None:
    """The claim looks into it, and so it is no unit: that is said, and nothing else."""
    text = "byte x; active proctype A() { atomic { x = 1; do :: x = 2 :: x = 3 od } }"
    (trace,) = traces(text, ltl="<> (x == 4)")
    assert trace.explanation is not None
    assert trace.explanation == Explanation(unexplained=trace.explanation.unexplained)
    assert trace.explanation.unexplained == ("an atomic sequence goes round for ever in it",)


def test_the_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict stays; what was not found out is said."""
    from whorl.causality import explain as module

    def slow(*given: object) -> Explanation:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(module, "explain", slow)
    result = whorl.check(
        "active proctype A() { assert(false) }", explain=True, timeout=1, engine="reference"
    )
    assert result.verdict == "violated"
    assert result.trace is not None
    assert result.trace.explanation is not None
    (said,) = result.trace.explanation.unexplained
    assert said == "the time limit of 1 s was reached while explaining the counterexample"


def test_fairness_is_that_of_the_check() -> None:
    """Without B the cycle would not be fair."""
    text = """
    byte x;
    active proctype A() { do :: x = 0 od }
    active proctype B() { do :: x = 2 od }
    """
    (fair,) = traces(text, ltl="<> (x == 1)", fair=True, engine="reference", por="none")
    (any_run,) = traces(text, ltl="<> (x == 1)", engine="reference", por="none")
    assert fair.explanation is not None
    assert any_run.explanation is not None
    assert {fair.steps[n - 1].process for n in fair.explanation.needed} == {"A", "B"}
    assert fair.explanation.passing is None
