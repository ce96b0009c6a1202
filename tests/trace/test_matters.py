"""What matters in a counterexample, as lines of text."""

from __future__ import annotations

from dataclasses import replace

import pytest

import whorl
from whorl.trace.matters import matters_lines
from whorl.trace.style import ASCII, Style
from whorl.trace.text import trace_lines
from whorl.trace.trace import Explanation, Trace

ASIDE = """
byte x, y;
active proctype A() { y = 7; x = 1; assert(x == 2) }
active proctype B() { x = 3; y = 4 }
"""
COLOURED = Style(color=True)


def found(text: str, **options: object) -> Trace:
    options = {"explain": True, "engine": "reference", "por": "none", **options}
    trace = whorl.check(text, **options).trace  # type: ignore[arg-type]
    assert trace is not None
    return trace


def test_needed_steps_have_a_sign_and_the_others_are_dim() -> None:
    trace = found(ASIDE, shorten=False)
    assert trace.explanation is not None
    needed = trace.explanation.needed
    assert 0 < len(needed) < len(trace.steps)
    plain = [line for line in trace_lines(trace) if "assertion violated" not in line]
    signs = [line[0] for line in plain]
    assert [n for n, sign in enumerate(signs, 1) if sign != " "] == list(needed)
    assert set(signs[:-1]) == {" ", "•"}
    assert signs[-1] == "✗"
    dim = [line for line in trace_lines(trace, COLOURED) if line.startswith("\x1b[2m ")]
    assert len(dim) == len(trace.steps) - len(needed)
    assert all(line.count("\x1b[") == 2 for line in dim)  # from one end to the other
    in_ascii = list(trace_lines(trace, Style(symbols=ASCII)))
    assert sum(line.startswith("* ") for line in in_ascii) == len(needed) - 1


def test_a_folded_sequence_is_marked_if_a_step_in_it_is() -> None:
    trace = found("byte x; active proctype A() { atomic { x = 1; x = 2 }; assert(!x) }")
    folded = list(trace_lines(trace, fold=True))
    assert folded[0].startswith("• 1")


def test_a_trace_without_explanation_says_nothing() -> None:
    trace = found(ASIDE, explain=False)
    assert trace.explanation is None
    assert list(matters_lines(trace)) == []
    assert not any("•" in line for line in trace_lines(trace))


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (ASIDE, {"shorten": False}, "steps are needed: without any one of them, no part"),
        (
            "active proctype A() { assert(false) }",
            {},
            "the one step is needed: without it, no part",
        ),
        (
            "active proctype A() { assert(false) }",
            {},
            "it cannot go well: no fair run passes",
        ),
        (
            "byte x; active proctype A() { do :: x = 1 :: x = 0 od }",
            {"ltl": "[]<> (x == 1)"},
            "it can go well all along: no step makes it inevitable",
        ),
        (
            "byte x; active proctype A() { if :: x = 1 :: x = 2 fi; assert(x == 2) }",
            {},
            "it can go well at the beginning; after step 1 no fair run passes",
        ),
    ],
)
def test_sentences(text: str, options: dict[str, object], said: str) -> None:
    lines = list(matters_lines(found(text, **options)))
    assert any(said in line for line in lines), lines


def test_what_is_not_certain_is_said_so() -> None:
    trace = found(ASIDE)
    some = Explanation(needed=(1,), undecided=(2,), states=7)
    text = "\n".join(_lines(trace, some))
    assert "of 1 of them that is not certain" in text
    assert "no run that passes was found: 7 states were looked at" in text
    text = "\n".join(_lines(trace, Explanation(undecided=(1, 2), certain=True)))
    assert "seem needed: without any one of them, no part of the run was found" in text
    text = "\n".join(_lines(trace, Explanation(unexplained=("there was no time",))))
    assert text == "What matters:\n  nothing could be said: there was no time"


def _lines(trace: Trace, said: Explanation) -> list[str]:
    return list(matters_lines(replace(trace, explanation=said)))


def test_many_steps_of_the_run_that_passes_are_left_out() -> None:
    text = """
    byte x;
    active proctype A() {
      do :: x < 20 -> x++ :: x == 1 -> assert(false) :: x == 20 -> break od
    }
    """
    trace = found(text)
    short, full = list(matters_lines(trace)), list(matters_lines(trace, full=True))
    assert short[-1].endswith("more steps …")
    assert len(full) > len(short)
    assert "more steps" not in full[-1]
