"""Why a step is not enabled, for every kind of statement, worked out by hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

import whorl
from support.stepping import Stepping
from whorl.explore.hindrance import Hindrance
from whorl.explore.why import Why
from whorl.program.semantics import Semantics

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_STATES = 300


def told(reason: Hindrance) -> str:
    values = ", ".join(map(str, reason.values))
    return f"{reason.kind}: {reason.text}{f' ({values})' if values else ''}"


def reasons(model: str, path: str = "") -> list[str]:
    """Each reason: of a whole process as `0 -- REASON`, of a step as `0 STATEMENT -- REASON`."""

    def lines() -> Iterator[str]:
        run = Stepping(model, path)
        for process in Why(run.semantics).hindered(run.state, run.steps()):
            for reason in process.reasons:
                yield f"{process.pid} -- {told(reason)}"
            for step in process.steps:
                for reason in step.reasons:
                    yield f"{process.pid} {step.transition.text} -- {told(reason)}"
                if not step.reasons:
                    yield f"{process.pid} {step.transition.text} --"

    return list(lines())


GUARDS = {
    "a variable": (
        "byte x = 2; init { x > 3 }",
        ["0 x > 3 -- guard: x > 3 is false (x = 2)"],
    ),
    "an element, with its index": (
        "bool wants[2]; byte turn; byte i = 1; init { wants[1] = 1; !wants[i] || turn == 2 }",
        ["0 !wants[i] || turn == 2 -- guard: !wants[i] || turn == 2 is false"
         " (wants[1] = 1, turn = 0)"],
    ),
    "a local variable, a field, and _pid": (
        "typedef T { byte f[2] } T t[2]; init { byte k = 1; t[k].f[k] == _pid + 1 }",
        ["0 t[k].f[k] == _pid + 1 -- guard: t[k].f[k] == _pid + 1 is false"
         " (t[1].f[1] = 0, _pid = 0)"],
    ),
    "an element of a local array": (
        "init { byte b, a[3], k = 2; a[k] == 1 }",
        ["0 a[k] == 1 -- guard: a[k] == 1 is false (a[2] = 0)"],
    ),
    "only the part of a conjunction that is false": (
        "byte x = 1, y, z = 1; init { x == 1 && y == 1 && z == 1 }",
        ["0 x == 1 && y == 1 && z == 1 -- guard: y == 1 is false (y = 0)"],
    ),
    "both parts": (
        "byte x, y; init { x == 1 && y == 1 }",
        ["0 x == 1 && y == 1 -- guard: x == 1 and y == 1 are false (x = 0, y = 0)"],
    ),
    "what is not evaluated has no value": (
        "byte i = 2, a[2]; init { i < 2 && a[i] == 0 }",
        ["0 i < 2 && a[i] == 0 -- guard: i < 2 is false (i = 2)"],
    ),
    "an mtype": (
        "mtype = { red, green }; mtype light = red; init { light == green }",
        ["0 light == green -- guard: light == green is false (light = red)"],
    ),
    "a query of a channel": (
        "chan q = [2] of { byte }; init { q!7; full(q) }",
        ["0 full(q) -- guard: full(q) is false (q = [7] (1 of 2))"],
    ),
    "a poll": (
        "chan q = [2] of { byte }; byte x = 3; init { q!7; q?[eval(x)] }",
        ["0 q?[eval(x)] -- guard: q?[x] is false (q = [7] (1 of 2), x = 3)"],
    ),
    "processes": (
        "init { _nr_pr == 2 }",
        ["0 _nr_pr == 2 -- guard: _nr_pr == 2 is false (_nr_pr = 1)"],
    ),
    "a conditional expression": (
        "byte x, y; init { (x -> 1 : y) }",
        ["0 (x -> 1 : y) -- guard: (x -> 1 : y) is false (x = 0, y = 0)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GUARDS)
def test_guards(name: str) -> None:
    model, expected = GUARDS[name]
    run = Stepping(model)
    while run.steps() and not reasons_of(run):
        run.last = run.steps()[0]
        assert run.last.state is not None
        run.state = run.last.state
    assert reasons_of(run) == expected


def reasons_of(run: Stepping) -> list[str]:
    found = Why(run.semantics).hindered(run.state, run.steps())
    return [
        f"{process.pid} {step.transition.text} -- {told(reason)}"
        for process in found
        for step in process.steps
        for reason in step.reasons
    ]


CHANNELS = {
    "full": (
        "chan q = [1] of { byte }; init { q!1; q!2 }",
        "0 q!1",
        ["0 q!2 -- full: q is full (q = [1] (1 of 1))"],
    ),
    "full, of an array": (
        "chan q[2] = [1] of { byte }; init { byte i = 1; q[i]!1; q[i]!2 }",
        "0 q[i]!1",
        ["0 q[i]!2 -- full: q[1] is full (q[1] = [1] (1 of 1))"],
    ),
    "empty": (
        "chan q = [1] of { byte }; init { q?_ }",
        "",
        ["0 q?_ -- empty: q is empty"],
    ),
    "another message first": (
        "mtype = { a, b }; chan q = [2] of { mtype, byte };"
        " init { byte x; q!a,1; q!b,2; q?b,x }",
        "0 q!a, 1 | 0 q!b, 2",
        ["0 q?b, x -- message: the first message in q is [a,1], and this takes [b,_]"
         " (q = [a,1] [b,2] (2 of 2))"],
    ),
    "another value": (
        "chan q = [2] of { byte }; init { byte x = 4; q!1; q?eval(x) }",
        "0 q!1",
        ["0 q?eval(x) -- message: the first message in q is [1], and this takes [4]"
         " (q = [1] (1 of 2))"],
    ),
    "no message is the one": (
        "chan q = [2] of { byte }; init { q!1; q!2; q??3 }",
        "0 q!1 | 0 q!2",
        ["0 q??3 -- message: no message in q is [3] (q = [1] [2] (2 of 2))"],
    ),
    "nobody receives": (
        "chan q = [0] of { byte }; init { q!1 }",
        "",
        ["0 q!1 -- rendezvous: no process waits to receive on q"],
    ),
    "nobody sends": (
        "chan q = [0] of { byte }; init { q?_ }",
        "",
        ["0 q?_ -- rendezvous: no process offers a message on q"],
    ),
    "a partner for another message": (
        "chan q = [0] of { byte };\nactive proctype p() { q!1 }\nactive proctype r() { q?2 }",
        "",
        ["0 q!1 -- rendezvous: r:1 waits at line 3, q?2, which does not take [1]",
         "1 q?2 -- rendezvous: p:0 offers [1] at line 2, q!1, which this does not take"],
    ),
    "a partner that may not run": (
        "bool go; chan q = [0] of { byte };\n"
        "active proctype p() { q!1 }\nactive proctype r() provided (go) { q?_ }",
        "",
        ["0 q!1 -- rendezvous: r:1 waits at line 3, q?_, but its provided clause is false",
         "1 -- provided: it runs only while go, which is false (go = 0)",
         "1 q?_ -- rendezvous: p:0 offers [1] at line 2, q!1, but cannot move"],
    ),
    "an offer of who may not run": (
        "bool go; chan q = [0] of { byte };\n"
        "active proctype p() provided (go) { q!1 }\nactive proctype r() { q?_ }",
        "",
        ["0 -- provided: it runs only while go, which is false (go = 0)",
         "0 q!1 --",
         "1 q?_ -- rendezvous: p:0 offers [1] at line 2, q!1, but cannot move"],
    ),
    "an offer that the unless takes": (
        "chan q = [0] of { byte };\n"
        "active proctype p() { q!1 }\nactive proctype r() { { q?_ } unless { q?1 } }",
        "",
        ["1 q?_ -- rendezvous: p:0 offers [1] at line 2, q!1, but r:1 takes it first, at line 3,"
         " q?1"],
    ),
    "an offer that another takes": (
        "chan q = [0] of { byte };\nactive proctype p() priority 9 { q!1 }\n"
        "active proctype r() priority 2 { q?_ }\nactive proctype s() priority 5 { q?_ }",
        "",
        ["1 -- priority: p:0 can move and has priority 9, this process 2",
         "1 q?_ -- rendezvous: p:0 offers [1] at line 2, q!1, but s:2 takes it first, at line 4,"
         " q?_"],
    ),
    "a partner is no hindrance": (
        "chan q = [0] of { byte }; active proctype p() { q!1 } active proctype r() { q?_ }",
        "",
        [],
    ),
    "nobody is one's own partner, even for another message": (
        "chan q = [0] of { byte };\ninit { if :: q!1 :: q?2 fi }",
        "",
        ["0 q!1 -- rendezvous: no process waits to receive on q",
         "0 q?2 -- rendezvous: no process offers a message on q"],
    ),
    "nobody is one's own partner": (
        "chan q = [0] of { byte };\ninit { if :: q!1 :: q?_ fi }",
        "",
        ["0 q!1 -- rendezvous: no process waits to receive on q",
         "0 q?_ -- rendezvous: no process offers a message on q"],
    ),
    "a channel that is a parameter": (
        "chan q = [1] of { byte }; proctype p(chan c) { c?_ } init { run p(q) }",
        "0 run p(q)",
        ["0 -end- -- end: a process goes after those that were started after it: p:1",
         "1 c?_ -- empty: c is empty"],
    ),
}  # fmt: skip

ORDER = {
    "another process": (
        "active proctype p() { enabled(1) } active proctype r() { pc_value(0) == 9 }",
        "",
        ["0 enabled(1) -- guard: enabled(1) is false (enabled(1) = 0)",
         "1 pc_value(0) == 9 -- guard: pc_value(0) == 9 is false (pc_value(0) = 1)"],
    ),
    "else": (
        "byte x = 1; init {\n if\n :: x == 1\n :: x > 0\n :: x > 5\n :: else\n fi }",
        "",
        ["0 x > 5 -- guard: x > 5 is false (x = 1)",
         "0 else -- else: another option can be executed: x == 1 (line 3), x > 0 (line 4)"],
    ),
    "else is executable": (
        "byte x; init { if :: x > 5 :: else fi }",
        "",
        ["0 x > 5 -- guard: x > 5 is false (x = 0)"],
    ),
    "unless": (
        "byte x = 1; init {\n { x = 2; x = 3 } unless {\n x == 1 -> skip } }",
        "",
        ["0 x = 2 -- unless: x == 1 (line 3), of its unless, can be executed and goes first"],
    ),
    "an unless that is not executable": (
        "byte x; init { { x = 2; x = 3 } unless { x == 1 -> skip } }",
        "",
        ["0 x == 1 -- guard: x == 1 is false (x = 0)"],
    ),
    "timeout": (
        "byte x; active proctype p() { timeout -> x = 1 } active proctype r() { x = 2 }",
        "",
        ["0 timeout -- timeout: timeout is true only where nobody can move without it: r:1 can"],
    ),
    "timeout and more": (
        "byte x; active proctype p() { timeout && x == 3 } active proctype r() { x = 2 }",
        "",
        ["0 timeout && x == 3 -- timeout: timeout is true only where nobody can move without it:"
         " r:1 can",
         "0 timeout && x == 3 -- guard: x == 3 is false (x = 0)"],
    ),
    "timeout, of which the opposite is asked": (
        "byte x; active proctype p() { !timeout && x == 3 } active proctype r() { x = 2 }",
        "",
        ["0 !timeout && x == 3 -- guard: x == 3 is false (x = 0)"],
    ),
    "timeout or more": (
        "byte x; active proctype p() { timeout || x == 3 } active proctype r() { x = 2 }",
        "",
        ["0 timeout || x == 3 -- timeout: timeout is true only where nobody can move without it:"
         " r:1 can",
         "0 timeout || x == 3 -- guard: timeout || x == 3 is false (x = 0)"],
    ),
    "timeout that has come": (
        "byte x; active proctype p() { timeout && x == 3 } active proctype r() { x == 2 }",
        "",
        ["0 timeout && x == 3 -- guard: x == 3 is false (x = 0)",
         "1 x == 2 -- guard: x == 2 is false (x = 0)"],
    ),
    "the end of a process": (
        "active proctype p() { skip } active proctype r() { false } active proctype s() { false }",
        "0 skip",
        ["0 -end- -- end: a process goes after those that were started after it: r:1, s:2",
         "1 false -- guard: 0 is false",
         "2 false -- guard: 0 is false"],
    ),
    "a d_step": (
        "byte x; init { d_step { x == 1 -> x = 2 } }",
        "",
        ["0 d_step { x == 1; x = 2 } -- guard: x == 1 is false (x = 0)"],
    ),
    "a d_step of options": (
        "byte x; chan q = [1] of { byte }; init { d_step { if :: x == 1 :: q?_ fi; x = 2 } }",
        "",
        ["0 d_step { if ... fi; x = 2 } -- guard: x == 1 is false (x = 0)",
         "0 d_step { if ... fi; x = 2 } -- empty: q is empty"],
    ),
}  # fmt: skip

PROCESSES = {
    "atomic": (
        "byte x; active proctype p() { atomic { x = 1; x = 2 } } active proctype r() { x = 3 }",
        "0 x = 1",
        ["1 -- atomic: p:0 is inside an atomic sequence and goes on alone", "1 x = 3 --"],
    ),
    "an atomic sequence that blocks lets others go on": (
        "byte x; active proctype p() { atomic { x = 1; x == 7 } }"
        " active proctype r() { if :: x = 3 :: x == 9 fi }",
        "0 x = 1",
        ["0 x == 7 -- guard: x == 7 is false (x = 1)",
         "1 x == 9 -- guard: x == 9 is false (x = 1)"],
    ),
    "provided": (
        "byte x; active proctype p() provided (x == 1 && _pid == 0) { x = 2 }",
        "",
        ["0 -- provided: it runs only while x == 1 && _pid == 0, which is false"
         " (x = 0, _pid = 0)",
         "0 x = 2 --"],
    ),
    "priority": (
        "byte x; active proctype p() priority 2 { x = 1 } active proctype r() priority 5 { x = 2 }",
        "",
        ["0 -- priority: r:1 can move and has priority 5, this process 2", "0 x = 1 --"],
    ),
    "priority of who offers what nobody takes": (
        "byte x; chan q = [0] of { byte };"
        " active proctype p() priority 5 { q!1 } active proctype r() priority 1 { x = 1 }",
        "",
        ["0 q!1 -- rendezvous: no process waits to receive on q",
         "1 -- priority: p:0 offers a message, which counts as a move, and has priority 5, this"
         " process 1",
         "1 x = 1 --"],
    ),
    "priority of who cannot move": (
        "byte x; active proctype p() priority 2 { x = 1 }"
        " active proctype r() priority 5 { x == 2 }",
        "",
        ["1 x == 2 -- guard: x == 2 is false (x = 0)"],
    ),
    "an endless atomic sequence of another": (
        "byte x; active proctype p() { atomic { do :: x = 1 - x od } }"
        " active proctype r() { x == 9 }",
        "0 x = 1 - x",
        ["1 -- atomic: p:0 is inside an atomic sequence and goes on alone",
         "1 x == 9 -- guard: x == 9 is false (x = 1)"],
    ),
}  # fmt: skip

TABLE = {**CHANNELS, **ORDER, **PROCESSES}


@pytest.mark.parametrize("name", TABLE)
def test_reasons(name: str) -> None:
    model, path, expected = TABLE[name]
    assert reasons(model, path) == expected


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.pml")), ids=lambda path: path.stem)
def test_a_transition_is_enabled_or_has_a_reason(path: Path) -> None:
    """Of every transition of every process, in many states."""
    semantics = Semantics(whorl.load(path).program)
    why = Why(semantics)
    first = semantics.initial()
    seen, queue = {first}, deque([first])
    while queue:
        state = queue.popleft()
        steps = semantics.steps(state)
        enabled = {(step.pid, step.transition.way) for step in steps}
        enabled |= {(step.partner[0], step.partner[1].way) for step in steps if step.partner}
        explained = set()
        for process in why.hindered(state, steps):
            for each in process.steps:
                assert each.reasons or process.reasons, each.transition.text
                explained.add((process.pid, each.transition.way))
        every = {
            (pid, move.transition.way)
            for pid, record in enumerate(state.processes)
            for move in semantics.moves(record)
        }
        assert not enabled & explained
        assert enabled | explained == every
        for step in steps:
            if step.state is not None and step.state not in seen and len(seen) < MOST_STATES:
                seen.add(step.state)
                queue.append(step.state)
