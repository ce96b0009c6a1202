"""Replay refuses what is not a run, or does not show what it should; trails keep runs."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import whorl
from whorl.program.choice import Choice
from whorl.trace.replay import ReplayError, replay
from whorl.trace.trace import Trace
from whorl.trace.trail import Trail, loads

EXAMPLES = Path(__file__).parents[2] / "examples"


def checked(name: str) -> tuple[whorl.Model, Trace]:
    model = whorl.load(EXAMPLES / f"{name}.pml")
    trace = whorl.check(model, shortest=True).trace
    assert trace is not None
    return model, trace


def test_a_trace_replays_to_itself() -> None:
    model, trace = checked("peterson_broken")
    assert replay(model.program, trace.kind, trace.choices) == trace


def test_a_step_that_cannot_be_taken() -> None:
    model, trace = checked("peterson_broken")
    tampered = (*trace.choices[:2], Choice(0, 6), *trace.choices[3:])
    with pytest.raises(ReplayError, match="step 3 cannot be taken"):
        replay(model.program, trace.kind, tampered)


def test_every_tampered_choice_is_noticed() -> None:
    model, trace = checked("lost_update")
    for place, choice in enumerate(trace.choices):
        other = dataclasses.replace(choice, transition=choice.transition + 1000)
        tampered = (*trace.choices[:place], other, *trace.choices[place + 1 :])
        with pytest.raises(ReplayError):
            replay(model.program, trace.kind, tampered)


def test_a_run_that_stops_short_of_the_assertion() -> None:
    model, trace = checked("peterson_broken")
    with pytest.raises(ReplayError, match="shows nothing"):
        replay(model.program, trace.kind, trace.choices[:-1])


def test_no_run_at_all() -> None:
    model, trace = checked("peterson_broken")
    with pytest.raises(ReplayError, match="shows nothing"):
        replay(model.program, trace.kind, ())


def test_a_run_that_does_not_end_in_a_deadlock() -> None:
    model, trace = checked("philosophers")
    with pytest.raises(ReplayError, match="invalid end state"):
        replay(model.program, trace.kind, trace.choices[:-1])


def test_a_valid_end_is_no_deadlock() -> None:
    model = whorl.load("init { end: false }")
    with pytest.raises(ReplayError, match="invalid end state"):
        replay(model.program, "end state", ())


def test_another_kind_of_violation() -> None:
    model, trace = checked("peterson_broken")
    with pytest.raises(ReplayError, match="shows nothing"):
        replay(model.program, "array bounds", trace.choices)


def test_a_fault_ends_the_trace_before_it() -> None:
    model = whorl.load("byte a[2]; init { byte i = 1; i++; a[i] = 1 }")
    trace = whorl.check(model).trace
    assert trace is not None
    assert trace.kind == "array bounds"
    assert trace.steps[-1].changes == ()
    assert [position.line for position in trace.final] == [1]
    assert [str(value) for value in trace.values] == ["a[0] = 0", "a[1] = 0", "init:0.i = 2"]


def test_a_trail_file_keeps_the_run() -> None:
    model, trace = checked("philosophers")
    trail = Trail.of(trace, model.program.source, {"N": "3"})
    assert loads(trail.dumps(), "x") == trail


def test_a_handshake_is_kept_with_both_sides() -> None:
    model = whorl.load(
        "chan c = [0] of { byte }; active proctype a() { c!2 }"
        " active [2] proctype b() { byte x; c?x; assert(x == 3) }"
    )
    trace = whorl.check(model, shortest=True).trace
    assert trace is not None
    assert trace.choices[0].partner in (1, 2)
    assert trace.steps[0].partner_pid == trace.choices[0].partner
    assert loads(Trail.of(trace, model.program.source, {}).dumps(), "x").choices == trace.choices


def test_which_step_sent_a_message() -> None:
    trace = whorl.check(
        "chan q = [3] of { byte, byte };"
        "init { byte x; q!1,1; q!1,2; q!1,3; q??1,2; q?x,_; q?x,_; assert(false) }"
    ).trace
    assert trace is not None
    received = [
        (step.message.text, step.message.sent_at)
        for step in trace.steps
        if step.message is not None and step.message.direction == "receive"
    ]
    assert received == [("[1,2]", 2), ("[1,1]", 1), ("[1,3]", 3)]


def test_a_channel_is_told_under_one_name() -> None:
    trace = whorl.check(
        "chan q = [1] of { byte };proctype p(chan c) { c!4; assert(false) } init { run p(q) }"
    ).trace
    assert trace is not None
    assert [[str(change) for change in step.changes] for step in trace.steps] == [
        ["p:1.c = q"],
        ["q = [4]"],
        [],
    ]


def test_truth_and_cycle_count_the_steps_that_are_shown() -> None:
    """Leaving the atomic loop of `init` is a choice, but not a step to show."""
    model = whorl.load(EXAMPLES / "token_ring.pml")
    trace = whorl.check(model, ltl="[]<> (inside == 1)").trace
    assert trace is not None
    assert trace.cycle is not None
    assert trace.loop is not None
    hidden = len(trace.choices) - len(trace.steps)
    assert hidden > 0
    inside = False
    for step in trace.steps:
        for change in step.changes:
            if change.name == "inside":
                inside = change.value == "1"
        truth = trace.truth(step.number)
        assert truth is None or truth["inside == 1"] is inside
    assert len(trace.letters) == len(trace.steps) + 1
    assert trace.loop == trace.cycle - 1 + hidden
    assert Trail.of(trace, model.program.source, {}).cycle == trace.loop + 1
