"""A run that goes forwards and back; random and guided ones, and why each of them ends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import get_args

import pytest

from support.stepping import Stepping, words
from whorl.api import load
from whorl.diagnostics import WhorlError
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics, Step
from whorl.simulate.simulation import (
    VIOLATIONS,
    WORDS,
    Reason,
    Simulation,
    SimulationEnd,
    failed,
    outcome,
    pick,
    retrace,
    wander,
)
from whorl.trace.trail import Trail

TWO = "byte x, y; active proctype P() { x = 1; x = 2 } active proctype Q() { y = 1 }"
FOR_EVER = "bit x; init { do :: x = 1 - x od }"
MANY = """byte x; active proctype P() { do :: x++ :: x-- :: x = 0 od }
active proctype Q() { do :: x = x * 2 :: skip od }"""


def simulation(text: str) -> Simulation:
    return Simulation(Semantics(load(text).program, verbose=True))


def go(run: Simulation, *wanted: str) -> None:
    for text in wanted:
        (step,) = [step for step in run.possible() if words(step) == text]
        run.take(step)


def split(events: Iterable[Step | SimulationEnd]) -> tuple[list[str], SimulationEnd]:
    """The steps that were taken, and why there are no more."""
    *steps, end = events
    assert isinstance(end, SimulationEnd)
    taken = [step for step in steps if isinstance(step, Step)]
    assert len(taken) == len(steps)
    return [words(step) for step in taken], end


# --- forwards and back ---------------------------------------------------------------------------


def test_forwards_and_back() -> None:
    run = simulation(TWO)
    path = ["1 y = 1", "0 x = 1", "1 -end-", "0 x = 2", "0 -end-"]
    states = [run.state]
    for text in path:
        go(run, text)
        states.append(run.state)
    assert [words(step) for step in run.taken] == path
    for state in reversed(states[:-1]):
        assert run.undo()
        assert run.state == state
    assert run.state == run.first
    assert not run.undo()
    assert run.taken == []


def test_another_way_after_going_back() -> None:
    run = simulation(TWO)
    go(run, "0 x = 1", "0 x = 2")
    run.undo()
    go(run, "1 y = 1")
    assert [words(step) for step in run.taken] == ["0 x = 1", "1 y = 1"]
    assert run.state == Stepping(TWO, "0 x = 1 | 1 y = 1").state


def test_what_is_possible_is_what_the_semantics_says() -> None:
    run = simulation(TWO)
    assert {words(step) for step in run.possible()} == {"0 x = 1", "1 y = 1"}
    go(run, "1 y = 1", "1 -end-", "0 x = 1", "0 x = 2", "0 -end-")
    assert run.possible() == []


def test_nothing_is_possible_after_a_fault_until_it_is_taken_back() -> None:
    run = simulation("byte x; active proctype P() { x = 1 / x } active proctype Q() { x = 1 }")
    before = run.state
    go(run, "0 x = 1 / x")
    assert run.broken
    assert run.possible() == []
    assert run.state == before, "the state before it is the last that there is"
    assert run.undo()
    assert {words(step) for step in run.possible()} == {"0 x = 1 / x", "1 x = 1"}


# --- why it ends ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("init { skip }", "ended"),
        ("byte x; active proctype P() { end: x == 1 }", "valid end"),
        ("byte x; active proctype P() { x == 1 }", "invalid end state"),
        ("chan c = [0] of { bit }; init { c!1 }", "invalid end state"),
        ("init { assert(false); skip }", "failure"),
        ("byte x; init { x = 1 / x }", "failure"),
        (FOR_EVER, "steps"),
    ],
)
def test_reasons(model: str, reason: Reason) -> None:
    _, end = split(wander(simulation(model), 1, 20))
    assert end.reason == reason
    assert end.violated == (reason in VIOLATIONS)


def test_every_reason_has_words() -> None:
    assert set(WORDS) == set(get_args(Reason))
    assert frozenset({"invalid end state", "failure", "property"}) == VIOLATIONS
    for reason in get_args(Reason):
        assert outcome(reason) == SimulationEnd(reason, WORDS[reason])


def test_a_failing_step_is_shown_and_is_the_last() -> None:
    steps, end = split(wander(simulation("byte x; init { x = 1; assert(x == 2); x = 3 }"), 1, 20))
    assert steps == ["0 x = 1", "0 assert(x == 2)"]
    assert end == SimulationEnd("failure", "assertion violated: (x==2)")


def test_everything_that_fails_in_a_step_is_told() -> None:
    run = simulation("byte x; init { d_step { assert(x); x = 1 / x } }")
    (step,) = run.possible()
    end = failed(step)
    assert end is not None
    assert end.message == "assertion violated: x; division by zero: the divisor is 0"
    (right,) = simulation("init { skip }").possible()
    assert failed(right) is None


def test_the_limit_of_steps() -> None:
    steps, end = split(wander(simulation(FOR_EVER), 1, 7))
    assert (len(steps), end.reason) == (7, "steps")


def test_an_end_that_is_reached_with_the_last_step_is_an_end() -> None:
    model = "byte x; init { x = 1; x = 2 }"
    assert split(wander(simulation(model), 1, 3))[1].reason == "ended"
    assert split(wander(simulation(model), 1, 2))[1].reason == "steps"


# --- random --------------------------------------------------------------------------------------


def test_a_seed_makes_the_same_run_again() -> None:
    first, second = (split(wander(simulation(MANY), 5, 50)) for _ in range(2))
    assert first == second
    assert len({tuple(split(wander(simulation(MANY), seed, 50))[0]) for seed in range(5)}) == 5


def test_random_steps_are_steps() -> None:
    run = simulation(MANY)
    for event in wander(run, 3, 50):
        if isinstance(event, Step):
            assert run.taken[-1] is event
            assert run.state == event.state
    assert Stepping(MANY, " | ".join(map(words, run.taken))).state == run.state


def test_every_step_is_taken_by_some_seed() -> None:
    model = """byte x; active proctype P() { if :: x = 1 :: x = 2 :: x = 3 fi }
    active [2] proctype Q() { x = 4 }"""
    firsts = {split(wander(simulation(model), seed, 1))[0][0] for seed in range(60)}
    assert firsts == {words(step) for step in simulation(model).possible()}


def test_first_a_process_is_picked_then_a_step() -> None:
    """One has nine steps and the other one: each of them moves half of the time."""
    options = " ".join(f":: x = {n}" for n in range(9))
    run = simulation(
        f"byte x; active proctype P() {{ if {options} fi }} active proctype Q() {{ x = 10 }}"
    )
    source = random.Random(1)
    counts = Counter(pick(run.possible(), source).pid for _ in range(400))
    assert 160 < counts[0] < 240
    assert counts[0] + counts[1] == 400


def test_what_is_printed_comes_with_the_step() -> None:
    run = simulation('init { printf("a"); skip; printf("b%d", 3) }')
    split(wander(run, 1, 10))
    assert [step.output for step in run.taken] == [("a",), (), ("b3",), ()]


# --- trails --------------------------------------------------------------------------------------


def trail(model: str, path: str, cycle: int | None = None, claim: str | None = None) -> Trail:
    """A trail with the choices of a path."""
    run = simulation(model)
    go(run, *path.split(" | "))
    choices = tuple(map(Choice.of, run.taken))
    return Trail("model", "", {}, "kind", "what is wrong", choices, cycle, claim)


def test_a_trail_is_followed() -> None:
    path = "1 y = 1 | 0 x = 1 | 1 -end- | 0 x = 2 | 0 -end-"
    run = simulation(TWO)
    steps, end = split(retrace(run, trail(TWO, path), 100))
    assert " | ".join(steps) == path
    assert end.reason == "ended"
    assert run.state == Stepping(TWO, path).state


def test_the_same_handshake() -> None:
    model = """chan c = [0] of { byte }; byte x; active proctype P() { c!1 }
    active [3] proctype R() { c?x }"""
    steps, _ = split(retrace(simulation(model), trail(model, "0 c!1 / 2 c?x"), 100))
    assert steps == ["0 c!1 / 2 c?x"]


@pytest.mark.parametrize(
    ("model", "path", "reason"),
    [
        (TWO, "0 x = 1", "trail"),
        ("byte x; init { x = 1; x == 2 }", "0 x = 1", "invalid end state"),
        ("byte x; init { x = 1; end: x == 2 }", "0 x = 1", "valid end"),
        ("byte x; init { assert(x) }", "0 assert(x)", "failure"),
        # One that fails on the way is not the end.
        ("byte x; init { assert(x); skip }", "0 assert(x) | 0 skip", "trail"),
    ],
)
def test_how_a_trail_ends(model: str, path: str, reason: Reason) -> None:
    _, end = split(retrace(simulation(model), trail(model, path), 100))
    assert end.reason == reason


def test_a_trail_of_a_property() -> None:
    found = trail(TWO, "0 x = 1", claim="never_2")
    assert split(retrace(simulation(TWO), found, 100))[1] == SimulationEnd(
        "property", "never_2: what is wrong"
    )


def test_a_part_of_a_trail() -> None:
    steps, end = split(retrace(simulation(TWO), trail(TWO, "0 x = 1 | 0 x = 2"), 1))
    assert (steps, end.reason) == (["0 x = 1"], "steps")


def test_no_step_at_all() -> None:
    empty = Trail("model", "", {}, "end state", "", ())
    stuck = "byte x; init { x == 1 }"
    assert split(retrace(simulation(stuck), empty, 9)) == ([], outcome("invalid end state"))


def test_a_step_that_cannot_be_taken() -> None:
    found = trail(TWO, "0 x = 1 | 1 y = 1")
    with pytest.raises(WhorlError, match="its step 1 cannot be taken"):
        split(retrace(simulation("byte x; init { x == 1 }"), found, 100))
    with pytest.raises(WhorlError, match="its step 2 cannot be taken"):
        split(retrace(simulation("byte x; active proctype P() { x = 1; x == 5 }"), found, 100))


@pytest.mark.parametrize(
    ("model", "path", "cycle", "closes"),
    [
        (FOR_EVER, "0 x = 1 - x | 0 x = 1 - x", 1, True),
        (FOR_EVER, "0 x = 1 - x | 0 x = 1 - x | 0 x = 1 - x", 2, True),
        (FOR_EVER, "0 x = 1 - x | 0 x = 1 - x", 2, False),
        # A run that has stopped stays where it is.
        ("byte x; init { x = 1; x == 2 }", "0 x = 1", 2, True),
        (TWO, "0 x = 1", 2, False),
        # Control that an atomic sequence has lost, as it waits, makes no difference.
        (
            """byte x, y; active proctype P() { atomic { x = 1; x == 2 } }
            active proctype Q() { do :: y = 0 od }""",
            "0 x = 1 | 1 y = 0",
            2,
            True,
        ),
    ],
)
def test_a_cycle_closes(model: str, path: str, cycle: int, closes: bool) -> None:
    found = trail(model, path, cycle, "formula")
    if closes:
        assert split(retrace(simulation(model), found, 100))[1].reason == "property"
    else:
        with pytest.raises(WhorlError, match=f"its cycle, from step {cycle} on, does not close"):
            split(retrace(simulation(model), found, 100))
