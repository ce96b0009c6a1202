"""Stubborn sets: where they leave out more than components of processes do, and where not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import whorl
from whorl.api import load
from whorl.engines import reference_semantics
from whorl.program.atomic import runs
from whorl.program.state import LOCATION, State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, Situation, candidates

# Who has the lock is alone with x; what the others do before they wait for it concerns all.
LOCK = """
byte x, y;
bit lock;
active [3] proctype P() {
    y = 2 * y;
    atomic { !lock -> lock = 1 };
inside: x = x + _pid;
    x = 2 * x;
    lock = 0;
    y = y + _pid
}
"""
# The same with a buffer that is full, and so with those that wait to send.
BUFFER = """
byte x, y;
chan c = [1] of { bit };
active [3] proctype P() {
    y = 2 * y;
    c!1;
inside: x = x + _pid;
    x = 2 * x;
    c?_;
    y = y + _pid
}
"""
# Two ends meet; who waits for a third one is in the way only when that may come.
HANDSHAKE = """
byte x, y;
chan c = [0] of { byte }, d = [0] of { byte };
active proctype A() { byte m; y = 2 * y; c?m; x = x + m; d!m }
active proctype B() { y = y + 1; c!3; x = 2 * x }
active proctype C() { byte m; d?m; x = m; y = x }
"""


def situations(text: str) -> Iterator[tuple[Situation, State]]:
    """All states of a program."""
    semantics = reference_semantics(load(text).program)
    analysis = Analysis(semantics)
    first = semantics.initial()
    met, waiting = {first}, [first]
    while waiting:
        state = waiting.pop()
        yield Situation(analysis, state), state
        for run in runs(semantics, state):
            if run.state is not None and run.state not in met:
                met.add(run.state)
                waiting.append(run.state)


def best(situation: Situation, rule: Rule) -> Ample | None:
    return next(iter(candidates(situation, rule)), None)


@pytest.mark.parametrize("model", [LOCK, BUFFER], ids=["lock", "buffer"])
def test_who_has_a_lock_is_not_disturbed_by_who_has_not(model: str) -> None:
    alone = 0
    for situation, state in situations(model):
        (process,) = situation.analysis.program.processes
        places = [record[LOCATION] for record in state.processes]
        inside = [pid for pid, place in enumerate(places) if place == process.labels["inside"]]
        if inside and places.count(process.start) == 2:
            found = best(situation, Rule.STUBBORN)
            assert found is not None
            assert found.processes == tuple(inside)
            assert best(situation, Rule.COMPONENT) is None
            alone += 1
    assert alone > 0


@pytest.mark.parametrize("model", [LOCK, BUFFER], ids=["lock", "buffer"])
@pytest.mark.parametrize("por", ["static", "persistent"])
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_fewer_states_are_left(model: str, por: str, engine: str) -> None:
    component, stubborn = (
        whorl.check(model, safety=True, por=por, candidates=rule, engine=engine, audit=True)
        for rule in ("component", "stubborn")
    )
    assert component.verdict == stubborn.verdict
    assert stubborn.engine == engine
    assert stubborn.statistics.states < component.statistics.states
    assert all("nothing is lost" in note for note in stubborn.notes if note.startswith("audit"))


@pytest.mark.parametrize("model", [LOCK, BUFFER, HANDSHAKE], ids=["lock", "buffer", "handshake"])
@pytest.mark.parametrize("por", ["static", "v1"])
def test_both_engines_take_the_same(model: str, por: str) -> None:
    """In a formula as well, and where all candidates are tried."""
    reference, native = (
        whorl.check(
            model, ltl="[] (x < 250)", por=por, candidates="stubborn", merge=False, engine=engine
        )
        for engine in ("reference", "native")
    )
    assert reference.verdict == native.verdict
    assert reference.statistics.states == native.statistics.states


def test_more_transitions_than_a_word_has_bits() -> None:
    """A mask has as many words as a process type needs."""
    more = "".join(f"z = {n};" for n in range(90))
    text = LOCK.replace("byte x, y;", "byte x, y, z;")
    text = text.replace("y = 2 * y;", f"if :: z == 1 -> {more} :: else fi; y = 2 * y;")
    reference, native = (
        whorl.check(
            text, safety=True, por="static", candidates="stubborn", merge=False, engine=engine
        )
        for engine in ("reference", "native")
    )
    assert reference.statistics.states == native.statistics.states
