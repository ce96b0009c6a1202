"""Small programs that each need one thing of the analysis, or of a scheme."""

from __future__ import annotations

import pytest

from support.reduction import NONE, SOUND, proposition_p, violated
from whorl.api import load
from whorl.diagnostics import WhorlError
from whorl.engines import reference_semantics
from whorl.program.atomic import runs
from whorl.program.state import State
from whorl.property.claim import Claim
from whorl.property.parse import parse_formula
from whorl.property.translate import translate
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Situation
from whorl.reduction.schemes import Reduction
from whorl.reduction.two_phase import TwoPhase

# Two processes answer each other for ever, without a choice; a third one is never deterministic.
PING_PONG = """
bit p;
chan to = [1] of { bit }, back = [1] of { bit };
active proctype ping() { do :: to!0; back?_ od }
active proctype pong() { do :: to?_; back!0 od }
active proctype other() { p = 1 }
"""


def situation(model: str, *steps: int) -> Situation:
    """The state after these processes have moved, each by its first run."""
    semantics = reference_semantics(load(model).program)
    state = semantics.initial()
    for pid in steps:
        run = next(r for r in runs(semantics, state) if r.steps[0].pid == pid)
        assert run.state is not None
        state = run.state
    return Situation(Analysis(semantics), state)


@pytest.mark.parametrize(
    ("sender", "receiver", "after", "waits"),
    [
        ("c!1", "c?_", (0,), True),  # full: only the receiver can make room
        ("c!1", "c?_", (), False),
        ("nfull(c); c!1", "c?_", (0, 0), True),
        ("c!1; c!1", "c??2", (0,), True),
    ],
)
def test_who_waits_for_the_other_end(
    sender: str, receiver: str, after: tuple[int, ...], waits: bool
) -> None:
    found = situation(
        f"chan c = [1] of {{ byte }};"
        f" active proctype S() {{ do :: {sender} od }}"
        f" active proctype R() {{ do :: {receiver} od }}",
        *after,
    )
    assert found.depends(0, 1) == waits


def test_a_receiver_waits_only_while_the_channel_is_empty() -> None:
    model = (
        "chan c = [2] of { byte };"
        " active proctype S() { do :: c!1 od } active proctype R() { do :: c?2 od }"
    )
    assert situation(model).depends(1, 0)
    # What is first in the channel is not 2, and no send changes that.
    assert not situation(model, 0).depends(1, 0)
    randomly = model.replace("c?2", "c??2")
    assert situation(randomly, 0).depends(1, 0)


def test_a_handshake_is_never_safe() -> None:
    found = situation(
        "chan c = [0] of { bit };"
        " active proctype S() { c!1 } active proctype R() { c?_ } active proctype T() { skip }"
    )
    assert found.depends(0, 1)
    assert found.depends(1, 0)
    assert found.closed(0) == {0, 1}
    assert found.closed(2) == {2}


def test_what_others_have_passed_is_no_conflict() -> None:
    model = "byte x; active proctype A() { x = 1 } active proctype B() { x = 2; skip }"
    assert situation(model).depends(0, 1)
    assert not situation(model, 1).depends(0, 1)


def test_indices_that_are_fixed_for_a_process() -> None:
    apart = "bit a[3]; active [3] proctype P() { a[_pid] = 1; a[(_pid + 1) % 3] = 0 }"
    assert not situation(apart).depends(0, 1)  # it writes to 1 and 2
    assert situation(apart).depends(0, 2)
    own = "bit a[3]; active [3] proctype P() { a[_pid] = 1; a[_pid] = 0 }"
    assert not situation(own).depends(0, 1)
    changed = own.replace("a[_pid] = 0", "byte i = _pid; a[i] = 0")
    assert situation(changed).depends(0, 1)


def test_channels_as_parameters() -> None:
    model = """
    chan a = [1] of { bit }, b = [1] of { bit };
    proctype P(chan c) { do :: c!1; c?_ od }
    init { atomic { run P(a); run P(b) } }
    """
    assert not situation(model, 0).depends(1, 2)
    assert situation(model.replace("run P(b)", "run P(a)"), 0).depends(1, 2)


def test_an_else_looks_at_what_its_siblings_wait_for() -> None:
    model = "byte x; active proctype A() { if :: x == 1 :: else fi } active proctype B() { x = 1 }"
    assert situation(model).depends(0, 1)


def test_an_atomic_sequence_is_all_that_may_follow() -> None:
    model = (
        "byte x; active proctype A() { byte y; atomic { y = 1; x = 1 } }"
        " active proctype B() { x = 2 }"
    )
    assert situation(model).depends(0, 1)
    assert not situation(model.replace("atomic", "")).depends(0, 1)


@pytest.mark.parametrize("reduction", [NONE, *SOUND], ids=str)
def test_two_processes_do_not_keep_a_third_one_waiting(reduction: Reduction) -> None:
    semantics = reference_semantics(load(PING_PONG).program)
    automaton = translate(parse_formula("<> p"), ("p",))
    claim = Claim("c", "ltl", automaton, (proposition_p(semantics.program),))
    assert violated(semantics, claim, reduction)[0]


def test_phase_1_ends_where_it_ends_from_every_state_of_a_loop() -> None:
    semantics = reference_semantics(load(PING_PONG).program)
    atom = proposition_p(semantics.program)
    scheme = TwoPhase(Analysis(semantics, [atom]))
    state = semantics.initial()
    loop: list[State] = []
    while state not in loop:
        loop.append(state)
        run = scheme.following(state)
        assert run is not None
        assert run.state is not None
        state = run.state
    loop = loop[loop.index(state) :]
    assert len(loop) > 2
    assert {scheme.phase_1(q).end for q in loop} == {min(loop)}
    assert not scheme.phase_1(min(loop)).path
    assert [scheme.ample(q).full for q in loop] == [q == min(loop) for q in loop]


@pytest.mark.parametrize(
    ("scheme", "cache"), [("v2", "all"), ("static", "some"), ("v1", "selective")]
)
def test_what_cannot_be_asked_for(scheme: str, cache: str) -> None:
    with pytest.raises(WhorlError):
        Reduction(scheme, cache)
