"""Who may move: atomic sequences, handshakes, processes, priorities, ends.

Small models with what is possible at a point of them, worked out by hand from what Promela means.
"""

from __future__ import annotations

import pytest

from support.stepping import Case, Stepping, words
from whorl.api import load
from whorl.diagnostics import WhorlError
from whorl.engines import reference_semantics
from whorl.language.limits import MOST_PROCESSES
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State

# --- atomic sequences ----------------------------------------------------------------------------

Q = " active proctype Q() { y = 1; y = 2 }"
ATOMIC = {
    "it can begin like any other": Case(
        "byte x, y; active proctype P() { atomic { x = 1; x = 2 } }" + Q, "", "0 x = 1 | 1 y = 1"
    ),
    "control is kept": Case(
        "byte x, y; active proctype P() { atomic { x = 1; x = 2; x = 3 } }" + Q,
        "0 x = 1",
        "0 x = 2",
    ),
    "it is free after the last statement": Case(
        "byte x, y; active proctype P() { atomic { x = 1; x = 2 }; x = 3 }" + Q,
        "0 x = 1 | 0 x = 2",
        "0 x = 3 | 1 y = 1",
    ),
    "it waits for its first statement": Case(
        "byte x, y; active proctype P() { atomic { x == 1; x = 2 } }" + Q, "", "1 y = 1"
    ),
    "control is lost where it blocks": Case(
        "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2 } }" + Q,
        "0 x = 1",
        "1 y = 1",
    ),
    "and others go on": Case(
        "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2 } }" + Q,
        "0 x = 1 | 1 y = 1",
        "0 y == 1 | 1 y = 2",
    ),
    "control is taken again": Case(
        "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2 } }" + Q,
        "0 x = 1 | 1 y = 1 | 0 y == 1",
        "0 x = 2",
    ),
    "of its options all are possible": Case(
        "byte x, y; active proctype P() { atomic { x = 1; if :: x = 2 :: x = 3 fi } }" + Q,
        "0 x = 1",
        "0 x = 2 | 0 x = 3",
    ),
    "a goto out of it ends it": Case(
        "byte x, y; active proctype P() { atomic { x = 1; goto L; x = 2 }; L: x = 3 }" + Q,
        "0 x = 1 | 0 goto L",
        "0 x = 3 | 1 y = 1",
    ),
    "a goto within it does not": Case(
        "byte x, y; active proctype P() { atomic { x = 1; goto L; x = 2; L: x = 3; x = 4 } }" + Q,
        "0 x = 1",
        "0 x = 3",
    ),
    "an atomic in an atomic": Case(
        "byte x, y; active proctype P() { atomic { atomic { x = 1; x = 2 }; x = 3 } }" + Q,
        "0 x = 1 | 0 x = 2",
        "0 x = 3",
    ),
    "a d_step in an atomic": Case(
        "byte x, y; active proctype P() { atomic { d_step { x = 1; x = 2 }; x = 3 } }" + Q,
        "0 d_step",
        "0 x = 3",
    ),
    "processes that it starts wait": Case(
        "byte x; proctype R() { x = 5 } init { atomic { run R(); x = 1; x = 2 } }",
        "0 run R()",
        "0 x = 1",
    ),
    "a timeout in it is for all": Case(
        "byte x, y; active proctype P() { atomic { x = 1; timeout -> x = 2 } }" + Q,
        "0 x = 1",
        "1 y = 1",
    ),
}


@pytest.mark.parametrize("name", ATOMIC)
def test_atomic(name: str) -> None:
    ATOMIC[name].check()


# --- handshakes ----------------------------------------------------------------------------------

R0 = "chan c = [0] of { byte }; byte x, y; "
HANDSHAKES = {
    "a send alone waits": Case(R0 + "active proctype P() { c!1 }", "", ""),
    "a receive alone waits": Case(R0 + "active proctype P() { c?x }", "", ""),
    "both in one step": Case(
        R0 + "active proctype P() { c!7; y = 1 } active proctype Q() { c?x; y = 2 }",
        "0 c!7 / 1 c?x",
        "0 y = 1 | 1 y = 2",
        {"x": 7, "c": []},
    ),
    "one step for each receiver": Case(
        R0 + "active proctype P() { c!7 } active [2] proctype Q() { c?x }",
        "",
        "0 c!7 / 1 c?x | 0 c!7 / 2 c?x",
    ),
    "one step for each sender": Case(
        R0 + "active [2] proctype P() { c!7 } active proctype Q() { c?x }",
        "",
        "0 c!7 / 2 c?x | 1 c!7 / 2 c?x",
    ),
    "one step for each receive of a receiver": Case(
        R0 + "active proctype P() { c!7 } active proctype Q() { if :: c?x :: c?y fi }",
        "",
        "0 c!7 / 1 c?x | 0 c!7 / 1 c?y",
    ),
    "only who matches can answer": Case(
        R0 + """active proctype P() { x = 3; c!7 } active proctype Q() { c?6 }
        active proctype R() { c?7 } active proctype S() { c?eval(x + 4) }
        active proctype T() { c?eval(x) }""",
        "0 x = 3",
        "0 c!7 / 2 c?7 | 0 c!7 / 3 c?eval(x + 4)",
    ),
    "nobody answers himself": Case(R0 + "active proctype P() { if :: c!1 :: c?1 fi }", "", ""),
    "nor with what comes next": Case(R0 + "active proctype P() { c!1; c?x }", "", ""),
    "only on its own channel": Case(
        R0 + """chan d = [0] of { byte };
        active proctype P() { c!1 } active proctype Q() { d?x }""",
        "",
        "",
    ),
    "the value is cut to the field": Case(
        R0 + "int i; active proctype P() { c!300 } active proctype Q() { c?i }",
        "0 c!300 / 1 c?i",
        values={"i": 44},
    ),
    "the message matches as it is cut": Case(
        R0 + "active proctype P() { c!300 } active proctype Q() { c?44 }", "", "0 c!300 / 1 c?44"
    ),
    "else beside a send that nobody answers": Case(
        R0 + "active proctype P() { if :: c!1 :: else -> x = 1 fi }", "", "0 else"
    ),
    "else beside a send that is answered": Case(
        R0 + """active proctype P() { if :: c!1 :: else -> x = 1 fi }
        active proctype Q() { c?_ }""",
        "",
        "0 c!1 / 1 c?_",
    ),
    "a receive by itself is not executable, so else is": Case(
        R0 + """active proctype P() { if :: c?x :: else -> x = 1 fi }
        active proctype Q() { c!1 }""",
        "",
        "0 else | 1 c!1 / 0 c?x",
    ),
    "a random receive answers as well": Case(
        R0 + "active proctype P() { c!1 } active proctype Q() { c??x }", "", "0 c!1 / 1 c??x"
    ),
    "a copy cannot": Case(
        R0 + "active proctype P() { c!1 } active proctype Q() { c?<x> }",
        "0 c!1 / 1 c?<x>",
        "",
        fails="channel",
    ),
    "the sender loses control": Case(
        R0 + "active proctype P() { atomic { c!1; x = 1 } } active proctype Q() { c?_; y = 1 }",
        "0 c!1 / 1 c?_",
        "0 x = 1 | 1 y = 1",
    ),
    "the receiver has it, if it is inside": Case(
        R0 + "active proctype P() { c!1; x = 1 } active proctype Q() { atomic { c?_; y = 1 } }",
        "0 c!1 / 1 c?_",
        "1 y = 1",
    ),
    "from sender to receiver, and not back": Case(
        R0 + """active proctype P() { atomic { c!1; x = 1; x = 2 } }
        active proctype Q() { atomic { c?_; y = 1 }; y = 2 }""",
        "0 c!1 / 1 c?_ | 1 y = 1",
        "0 x = 1 | 1 y = 2",
    ),
    "the sender is inside again with its next step": Case(
        R0 + """active proctype P() { atomic { c!1; x = 1; x = 2 } }
        active proctype Q() { atomic { c?_; y = 1 }; y = 2 }""",
        "0 c!1 / 1 c?_ | 1 y = 1 | 0 x = 1",
        "0 x = 2",
    ),
    "the last receive of an atomic sequence frees control": Case(
        R0 + "active proctype P() { c!1; x = 1 } active proctype Q() { atomic { c?_ }; y = 1 }",
        "0 c!1 / 1 c?_",
        "0 x = 1 | 1 y = 1",
    ),
    "only who is provided for can answer": Case(
        R0 + """active proctype P() { c!1 } active proctype Q() provided (x == 1) { c?_ }
        active proctype R() { c?2 }""",
        "",
        "",
    ),
    "a sender that is not provided for": Case(
        R0 + "active proctype P() provided (x == 1) { c!1 } active proctype Q() { c?_ }", "", ""
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HANDSHAKES)
def test_handshakes(name: str) -> None:
    HANDSHAKES[name].check()


# --- timeout, provided, priorities ---------------------------------------------------------------

RESTRAINED = {
    "timeout: not while another can move": Case(
        "byte x, y; active proctype P() { timeout -> x = 1 } active proctype Q() { y = 1 }",
        "",
        "1 y = 1",
    ),
    "timeout: a process that can end can move": Case(
        "byte x, y; active proctype P() { timeout -> x = 1 } active proctype Q() { y = 1 }",
        "1 y = 1",
        "1 -end-",
    ),
    "timeout: when nothing else is possible": Case(
        "byte x; active proctype P() { timeout -> x = 1 } active proctype Q() { x == 1 }",
        "",
        "0 timeout",
    ),
    "timeout: of all who wait for it": Case(
        "byte x; active [2] proctype P() { timeout -> x = 1 }", "", "0 timeout | 1 timeout"
    ),
    "timeout: it is over when something can move": Case(
        "byte x; active proctype P() { timeout -> x = 1 } active proctype Q() { x == 1; timeout }",
        "0 timeout | 0 x = 1",
        "1 x == 1",
    ),
    "timeout: part of a condition": Case(
        "byte x; active proctype P() { x == 0 && timeout; x = 1 }", "", "0 x == 0 && timeout"
    ),
    "timeout: beside else": Case(
        "byte x; init { if :: timeout -> x = 1 :: else -> x = 2 fi }", "", "0 else"
    ),
    "provided: it may move while that is true": Case(
        """byte x; active proctype P() provided (x == 0) { x == 0; x = 2 }
        active proctype Q() { x = 1; x = 0 }""",
        "",
        "0 x == 0 | 1 x = 1",
    ),
    "provided: and not while it is false": Case(
        """byte x; active proctype P() provided (x == 0) { x == 0; x = 2 }
        active proctype Q() { x = 1; x = 0 }""",
        "1 x = 1",
        "1 x = 0",
    ),
    "provided: it may not end either": Case(
        "byte x; active proctype P() provided (x == 0) { x = 1 }", "0 x = 1", ""
    ),
    "provided: with its own number": Case(
        "byte turn = 1; active [2] proctype P() provided (turn == _pid) { turn = 1 - turn }",
        "",
        "1 turn = 1 - turn",
    ),
    "provided: also within an atomic sequence": Case(
        """byte x; active proctype P() provided (x < 2) { atomic { x = 1; x = 2; x = 3 } }
        active proctype Q() { x = 0 }""",
        "0 x = 1 | 0 x = 2",
        "1 x = 0",
    ),
    "priority: the highest alone": Case(
        "byte x; active proctype P() priority 2 { x = 1 } active proctype Q() { x = 2 }",
        "",
        "0 x = 1",
    ),
    "priority: the next where the highest waits": Case(
        """byte x; active proctype P() priority 3 { x == 1 }
        active proctype Q() priority 2 { x = 1 } active proctype R() { x = 9 }""",
        "",
        "1 x = 1",
    ),
    "priority: the highest again, when it can": Case(
        """byte x; active proctype P() priority 3 { x == 1; x = 5 }
        active proctype Q() priority 2 { x = 1; x = 2 }""",
        "1 x = 1",
        "0 x == 1",
    ),
    "priority: all who have the same": Case(
        "byte x; active [2] proctype P() priority 4 { x = 1 } active proctype Q() { x = 2 }",
        "",
        "0 x = 1 | 1 x = 1",
    ),
    "priority: of a process that is started": Case(
        "byte x; proctype P() { x = 1 } init { run P() priority 5; x = 2 }",
        "0 run P() priority 5",
        "1 x = 1",
    ),
    "priority: its own is changed": Case(
        """byte x; active proctype P() priority 3 { set_priority(_pid, 1); x = 1 }
        active proctype Q() priority 2 { x = 2 }""",
        "0 set_priority(_pid, 1)",
        "1 x = 2",
    ),
    "priority: that of another is changed": Case(
        """byte x; active proctype P() priority 3 { set_priority(1, 4); x = 1 }
        active proctype Q() priority 2 { x = get_priority(1) }""",
        "0 set_priority(1, 4) | 1 x = get_priority(1)",
        values={"x": 4},
    ),
    "priority: that of nobody is": Case(
        """byte x; active proctype P() priority 3 { set_priority(7, 4); x = get_priority(7) }""",
        "0 set_priority(7, 4) | 0 x = get_priority(7)",
        values={"x": 0},
    ),
    "priority: one who is not provided for does not count": Case(
        """byte x; active proctype P() priority 3 provided (x == 1) { x = 5 }
        active proctype Q() { x = 1 }""",
        "",
        "1 x = 1",
    ),
    "priority: the highest who can answer": Case(
        """chan c = [0] of { byte }; active proctype P() priority 9 { c!1 }
        active proctype Q() priority 2 { c?_ } active proctype R() priority 3 { c?_ }
        active proctype S() priority 4 { c?2 }""",
        "",
        "0 c!1 / 2 c?_",
    ),
}


@pytest.mark.parametrize("name", RESTRAINED)
def test_who_is_held_back(name: str) -> None:
    RESTRAINED[name].check()


# --- processes -----------------------------------------------------------------------------------

PROCESSES = {
    "numbers in the order of the text": Case(
        """byte a[3]; active proctype P() { a[_pid] = 1 } init { a[_pid] = 2 }
        active proctype Q() { a[_pid] = 3 }""",
        "0 a[_pid] = 1 | 1 a[_pid] = 2 | 2 a[_pid] = 3",
        values={"a[0]": 1, "a[1]": 2, "a[2]": 3},
    ),
    "run gives the number": Case(
        "byte x; proctype P() { skip } init { x = run P(); x = run P() }",
        "0 x = run P() | 0 x = run P()",
        "1 skip | 2 skip",
        {"x": 2},
    ),
    "run as a condition": Case(
        "byte x; proctype P() { x = 1 } init { run P(); x = 2 }", "0 run P()", "0 x = 2 | 1 x = 1"
    ),
    "run in an option that is not taken": Case(
        "byte x; proctype P() { x = 1 } init { if :: run P() :: x = 2 fi }", "0 x = 2", "0 -end-"
    ),
    "parameters are cut to their types": Case(
        "proctype P(byte b; short s; bit t) { skip } init { run P(257, 32768, 3) }",
        "0 run P(257, 32768, 3)",
        values={"1:b": 1, "1:s": -32768, "1:t": 1},
    ),
    "local variables begin anew": Case(
        """byte x = 3; proctype P(byte b) { byte l = x + b; byte m = l; skip }
        init { run P(1); x = 7; run P(2) }""",
        "0 run P(1) | 0 x = 7 | 0 run P(2)",
        values={"1:l": 4, "1:m": 4, "2:l": 9, "2:m": 9},
    ),
    "nobody ends before those who came after": Case(
        "byte x; active proctype P() { skip } active proctype Q() { x == 1 }", "0 skip", ""
    ),
    "the last one first": Case(
        "active [3] proctype P() { skip }", "0 skip | 1 skip | 2 skip", "2 -end-"
    ),
    "then the one before it": Case(
        "active [3] proctype P() { skip }", "0 skip | 1 skip | 2 skip | 2 -end-", "1 -end-"
    ),
    "one who has ended counts until it is gone": Case(
        "byte n; proctype P() { skip } init { run P(); n = _nr_pr }",
        "0 run P() | 1 skip | 0 n = _nr_pr",
        values={"n": 2},
    ),
    "a number is given again": Case(
        "byte a, b; proctype P() { skip } init { a = run P(); _nr_pr == 1; b = run P() }",
        "0 a = run P() | 1 skip | 1 -end- | 0 _nr_pr == 1 | 0 b = run P()",
        values={"a": 1, "b": 1},
    ),
    "messages stay when their sender has gone": Case(
        "chan c = [1] of { byte }; proctype P() { c!7 } init { run P(); _nr_pr == 1 }",
        "0 run P() | 1 c!7 | 1 -end-",
        values={"c": [7]},
    ),
}


@pytest.mark.parametrize("name", PROCESSES)
def test_processes(name: str) -> None:
    PROCESSES[name].check()


def test_one_process_too_many_is_a_fault() -> None:
    model = "proctype P() { false } init { do :: run P() od }"
    most = " | ".join(["0 run P()"] * (MOST_PROCESSES - 1))
    run = Stepping(model, most)
    assert len(run.state.processes) == MOST_PROCESSES
    run.take("0 run P()")
    assert run.failures == ["limit"]


def test_one_channel_too_many_is_a_fault() -> None:
    model = "proctype P() { chan c[128] = [1] of { bit }; false } init { run P(); run P() }"
    Case(model, "0 run P() | 0 run P()", fails="limit").check()


def test_the_initial_state() -> None:
    run = Stepping(
        """mtype = { a, b }; mtype m = b; byte x = 300, y[3] = { 4, 5 }, z[2] = 6; short s = -1;
        typedef T { byte f = 8; bit g[2] } T t[2]; chan c = [2] of { byte }; bool h = true;
        active proctype P() { byte l = x + 1; chan own = [1] of { bit }; skip }"""
    )
    expected = {
        "m": 1, "x": 44, "y[0]": 4, "y[1]": 5, "y[2]": 5, "z[0]": 6, "z[1]": 6, "s": -1,
        "t[0].f": 8, "t[1].f": 8, "t[1].g[1]": 0, "c": [], "h": 1, "0:l": 45, "0:own": [],
    }  # fmt: skip
    assert {name: run.value(name) for name in expected} == expected
    assert [channel.owner for channel in run.state.channels] == [NOBODY, 0]
    assert run.state.holder == NOBODY


# --- ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "path", "valid"),
    [
        ("init { skip }", "", False),
        ("init { skip }", "0 skip", True),
        ("init { skip }", "0 skip | 0 -end-", True),
        ("byte x; init { x == 1 }", "", False),
        ("byte x; init { end: x == 1 }", "", True),
        ("byte x; init { end_of_all: x == 1 }", "", True),
        ("byte x; init { the_end: x == 1 }", "", False),
        ("byte x; init { skip; end: do :: x == 1 od }", "0 skip", True),
        ("byte x; active proctype P() { end: x == 1 } active proctype Q() { x == 1 }", "", False),
        ("chan c = [1] of { bit }; init { end: c?_ }", "", True),
        ("chan c = [1] of { bit }; init { c!1; end: c!1 }", "0 c!1", True),
        ("chan c = [1] of { bit }; init { c!1 } trace { c!_ }", "0 c!1", True),
        ("chan c = [1] of { bit }; init { end: c?_ } trace { c!_ }", "", False),
    ],
)
def test_where_a_run_may_end(model: str, path: str, valid: bool) -> None:
    run = Stepping(model, path)
    assert run.semantics.is_valid_end(run.state) is valid


# --- the rest ------------------------------------------------------------------------------------


def test_last_is_who_made_the_step() -> None:
    model = """byte x; active proctype P() { x = _last; x = 1 } active proctype Q() { x = 2 }
    active proctype R() { x = 3; x = _last }"""
    run = Stepping(model, "2 x = 3 | 1 x = 2 | 0 x = _last")
    assert run.value("x") == 1
    run.take("2 x = _last")
    assert run.value("x") == 0


def test_last_after_a_handshake_is_the_receiver() -> None:
    model = """chan c = [0] of { bit }; byte x; active proctype P() { c!1 }
    active proctype Q() { c?_ } active proctype R() { x = _last }"""
    run = Stepping(model, "0 c!1 / 1 c?_ | 2 x = _last")
    assert run.value("x") == 1


def test_last_is_no_part_of_a_state_that_nobody_asks_for_it() -> None:
    run = Stepping("byte x; active [2] proctype P() { x = 0 }", "1 x = 0")
    assert run.state.last == 0


def keys(steps: list[Step]) -> list[tuple[str, State | None]]:
    return [(words(step), step.state) for step in steps]


def reached(semantics: Semantics) -> set[State]:
    """Every state that can be reached, those within atomic sequences too."""
    seen = {semantics.initial()}
    waiting = list(seen)
    while waiting:
        after = {step.state for step in semantics.steps(waiting.pop())}
        new = {state for state in after if state is not None} - seen
        seen |= new
        waiting += new
    return seen


@pytest.mark.parametrize("case", [*ATOMIC.values(), *HANDSHAKES.values(), *RESTRAINED.values()])
def test_the_steps_of_one_process_are_found_sooner(case: Case) -> None:
    semantics = Stepping(case.model).semantics
    for state in reached(semantics):
        everything = keys(semantics.steps(state))
        for pid in range(len(state.processes)):
            own = [key for key in everything if key[0].startswith(f"{pid} ")]
            found = keys(semantics.steps_by(state, pid))
            assert [key for key in found if key[0].startswith(f"{pid} ")] == own
            assert all(key in everything for key in found)


def test_a_model_without_a_first_state_is_refused() -> None:
    program = load("byte a[2], i = 5; byte x = a[i]; init { skip }").program
    with pytest.raises(WhorlError, match="cannot start"):
        reference_semantics(program)
