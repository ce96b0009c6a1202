"""A Choice names one step of a state: enough to take it again."""

from __future__ import annotations

import pytest

from support.stepping import Stepping, words
from whorl.program.choice import Choice

MODELS = [
    "byte x; active [2] proctype P() { if :: x = 1 :: x = 1 :: skip fi }",
    """chan c = [0] of { byte }; byte x, y; active [2] proctype P() { if :: c!1 :: c!2 fi }
    active [2] proctype R() { if :: c?x :: c?y :: c?1 fi }""",
    "byte x; init { do :: if :: x = 1 :: x = 2 fi :: x = 3 od }",
]


@pytest.mark.parametrize("model", MODELS)
def test_no_two_steps_have_the_same(model: str) -> None:
    steps = Stepping(model).steps()
    assert len({Choice.of(step) for step in steps}) == len(steps) > 2


def test_both_sides_of_a_handshake() -> None:
    run = Stepping(MODELS[1])
    for step in run.steps():
        choice = Choice.of(step)
        assert step.partner is not None
        assert (choice.pid, choice.transition) == (step.pid, step.transition.number)
        assert (choice.partner, choice.partner_transition) == (
            step.partner[0],
            step.partner[1].number,
        )


def test_a_step_without_a_partner() -> None:
    (step,) = Stepping("init { skip }").steps()
    assert words(step) == "0 skip"
    assert Choice.of(step) == Choice(0, step.transition.number, -1, -1)
