"""States, and those at work: a fork can be changed, and nothing else changes with it."""

from __future__ import annotations

from support.stepping import Stepping
from whorl.program.state import (
    LOCATION,
    NOBODY,
    NOTHING,
    PID,
    Failure,
    State,
    Unmatched,
    WorkingState,
)

MODEL = """byte x = 1; chan c = [1] of { byte };
active [2] proctype P() { byte l = 3; x = 2 }"""


def test_a_working_state_is_its_state() -> None:
    state = Stepping(MODEL).state
    assert WorkingState(state).freeze(NOBODY) == state
    assert WorkingState(state).freeze(1) == state._replace(holder=1)
    assert hash(WorkingState(state).freeze(NOBODY)) == hash(state)


def test_a_fork_is_apart() -> None:
    state = Stepping(MODEL).state
    store = WorkingState(state)
    fork = store.fork(1)
    assert isinstance(fork.globals, list)
    fork.globals[0] = 9
    record = fork.processes[1]
    assert isinstance(record, list)
    record[LOCATION] = 99
    fork.failures.append(Failure("assertion", "x"))
    fork.last, fork.offer = 1, 0
    assert store.freeze(NOBODY) == state
    assert store.failures == []
    assert (store.last, store.offer) == (0, NOBODY)
    after = fork.freeze(NOBODY)
    assert after.globals[0] == 9
    assert after.processes[0] == state.processes[0]
    assert after.processes[1][LOCATION] == 99
    assert [record[PID] for record in after.processes] == [0, 1]


def test_a_fork_of_a_fork_has_what_was_changed() -> None:
    first = WorkingState(Stepping(MODEL).state, timeout=True).fork(0)
    assert isinstance(first.globals, list)
    first.globals[0] = 9
    first.output = ["a"]
    second = first.fork(1)
    assert (second.globals[0], second.timeout, second.output) == (9, True, ["a"])
    assert second.output is not None
    second.output.append("b")
    assert first.output == ["a"]


def test_a_step_leaves_the_state_before_it_alone() -> None:
    run = Stepping(MODEL)
    before = run.state
    copy = State(*before)
    run.take("1 x = 2")
    assert before == copy
    assert run.state != before


def test_states_differ_by_every_part_but_unmatched_data() -> None:
    state = Stepping(MODEL).state
    others = {
        "globals": (2, *state.globals[1:]),
        "processes": state.processes[:1],
        "channels": (),
        "holder": 0,
        "last": 1,
        "monitor": 1,
    }
    for name, value in others.items():
        assert state._replace(**{name: value}) != state, name  # type: ignore[arg-type]
    assert Unmatched(b"a") == Unmatched(b"b") == NOTHING
    assert hash(Unmatched(b"a")) == hash(NOTHING)
    assert state._replace(unmatched=Unmatched(b"a")) == state
