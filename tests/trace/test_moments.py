"""The states along a trace: its moments, the calls of inlines, and the automaton's way."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

import whorl
from whorl.program.semantics import Semantics
from whorl.trace.as_json import trace_data
from whorl.trace.describe import is_shown, positions, values
from whorl.trace.replay import follow
from whorl.trace.trace import InlineCall, Position, Trace, TraceMoment

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pml"))
SCOPES = """
chan q = [2] of { byte, chan };
proctype child(byte a) { byte b = 4; { byte c = a; q!c,q }; { byte c; c = 7; b = c } }
init {
  byte i;
  atomic { run child(1); run child(2) };
  { chan mine; q?i,mine; i = i + 2 };
  atomic { i = i + 1; goto more; more: i = i + 1; skip };
  assert(i == 1)
}
"""
INLINES = """byte x, y;
inline inc(v) { v = v + 1; skip }
inline both(a, b) {
  inc(a);
  inc(b);
  skip
}
active proctype p() {
  both(x, y);
  assert(false)
}
"""

State = tuple[dict[int, Position], dict[tuple[str | None, str], str]]


def states(moments: tuple[TraceMoment, ...]) -> list[State]:
    """The whole state of each moment."""
    where: dict[int, Position] = {}
    known: dict[tuple[str | None, str], str] = {}
    found = []
    for moment in moments:
        for pid in moment.ended:
            del where[pid]
        where.update({position.pid: position for position in moment.moved})
        for name in moment.gone:
            del known[name]
        known.update({(value.process, value.name): value.value for value in moment.values})
        found.append((dict(where), dict(known)))
    return found


def check_moments(model: whorl.Model, trace: Trace) -> None:
    """Compares every moment with the state that the choices lead to."""
    program = model.program
    first, steps = follow(Semantics(program), trace.choices)
    expected = [first]
    for step in steps:
        after = expected[-1] if step.state is None else step.state
        expected[len(expected) - (not is_shown(step)) :] = [after]
    found = states(trace.moments)
    assert len(found) == len(expected) == len(trace.steps) + 1
    for (where, known), state in list(zip(found, expected, strict=True))[:-1]:
        assert tuple(where[pid] for pid in sorted(where)) == positions(program, state)
        assert known == {(v.process, v.name): v.value for v in values(program, state)}
    where, known = found[-1]
    assert tuple(where[pid] for pid in sorted(where)) == trace.final
    assert known == {(v.process, v.name): v.value for v in trace.values}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_moments_are_the_states_of_the_run(path: Path) -> None:
    model = whorl.load(path)
    for trace in whorl.check(model).traces:
        check_moments(model, trace)


@pytest.mark.parametrize("shorten", [True, False])
def test_scopes_processes_and_silent_steps(shorten: bool) -> None:
    model = whorl.load(SCOPES)
    trace = whorl.check(model, shorten=shorten).trace
    assert trace is not None
    check_moments(model, trace)
    assert any(moment.gone for moment in trace.moments)
    ended = "byte n; proctype p() { byte x = 3 } init { run p(); _nr_pr == 1; assert(n) }"
    model = whorl.load(ended)
    trace = whorl.check(model).trace
    assert trace is not None
    check_moments(model, trace)
    assert [moment.ended for moment in trace.moments if moment.ended] == [(1,)]


def test_calls_lead_from_the_outermost_inline_inwards() -> None:
    trace = whorl.check(INLINES).trace
    assert trace is not None
    both = InlineCall("both", "<text>", 9, 3)
    first, second = InlineCall("inc", "<text>", 4, 3), InlineCall("inc", "<text>", 5, 3)
    assert [(step.text, step.calls) for step in trace.steps] == [
        ("x = x + 1", (both, first)),  # it begins with an argument, whose place is outside
        ("skip", (both, first)),
        ("y = y + 1", (both, second)),
        ("skip", (both, second)),
        ("skip", (both,)),
        ("assert(false)", ()),
    ]
    assert trace.moments[0].moved[0].calls == (both, first)


def test_json_keeps_every_state() -> None:
    trace = whorl.check(SCOPES).trace
    assert trace is not None
    data = json.loads(json.dumps(trace_data(trace)))
    where = {p["pid"]: p for p in data["initial"]["processes"]}
    known = {(v["process"], v["name"]): v["value"] for v in data["initial"]["values"]}
    for step in data["steps"]:
        for name in step.get("gone", ()):
            del known[name["process"], name["name"]]
        for value in step.get("values", step["changes"]):
            known[value["process"], value["name"]] = value["value"]
        for position in map(data["positions"].__getitem__, step.get("moved", ())):
            where[position["pid"]] = position
    assert known == {(v["process"], v["name"]): v["value"] for v in data["final"]["values"]}
    assert [where[pid] for pid in sorted(where)] == data["final"]["processes"]


LASSOS = [path for path in EXAMPLES if "ltl " in path.read_text() or "never" in path.read_text()]


@pytest.mark.parametrize("path", LASSOS, ids=lambda path: path.stem)
def test_automaton_goes_along_the_run(path: Path) -> None:
    for trace in whorl.check(path).traces:
        if trace.claim is None or not trace.propositions:
            continue
        automaton = trace.automaton
        assert automaton is not None
        assert len(trace.run) == len(trace.steps) + 1
        seen = [(n, run) for n, run in enumerate(trace.run) if run is not None]
        assert seen[0][1][0] == automaton.initial
        for (at, here), (_, following) in pairwise(seen):
            letter = trace.letters[at]
            assert letter is not None
            reached = {t for state in here for t in automaton.successors(state, letter)}
            assert following[0] in reached
        if trace.cycle is not None:
            around = {state for n, run in seen if n >= trace.cycle - 1 for state in run}
            assert around & automaton.accepting


def test_automaton_that_needs_two_rounds() -> None:
    """The program's cycle is one step; the automaton's first round only brings it to its cycle."""
    trace = whorl.check("bool b; active proctype p() { do :: b = 1 od }", ltl="[]<> !b").trace
    assert trace is not None
    assert trace.automaton is not None
    assert trace.cycle == len(trace.steps)
    assert trace.run[0] == (trace.automaton.initial,)
    assert trace.run[-1] is not None
    assert set(trace.run[-1]) <= trace.automaton.accepting


def test_safety_has_no_automaton() -> None:
    trace = whorl.check("active proctype p() { assert(false) }").trace
    assert trace is not None
    assert trace.automaton is None
    assert trace.run == ()
