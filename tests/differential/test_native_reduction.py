"""Reduction in the native engine: the reference's state by state, and every verdict kept.

Under `static`, without merging, both engines store the same states and take the same transitions;
with it the native engine stores fewer, and finds the same violations. The proviso of a search for
safety depends on the order of search, and the least state of a loop of phase 1 on that of states,
which are not the same. Verdicts, and what is executed, are those of a full search.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from support.reduction import automata, propositions
from whorl.engines import reference_semantics, search
from whorl.program.program import Program
from whorl.property.claim import Claim
from whorl.reduction.candidates import Rule
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.schemes import Reduction
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.task import NativeOptions, Task

EXAMPLES = Path(__file__).parents[2] / "examples"
FEW, MANY = 2, 12  # models a profile; the first is the least
MOST_STATES = 3_000
SMALL = Options(all_errors=True, limits=Limits(states=MOST_STATES))
DEFAULT = Plan(Reduction("two-phase-ample", "selective"))
BY_ORDER = (
    *(
        Plan(Reduction(scheme, cache))
        for scheme in ("persistent", "two-phase")
        for cache in ("all", "selective")
    ),
    DEFAULT,
    Plan(Reduction("two-phase-ample", "selective", rule=Rule.STUBBORN)),
)
STATIC = (
    *(Plan(Reduction("static", cache)) for cache in ("all", "selective")),
    Plan(Reduction("static", rule=Rule.STUBBORN)),
)

by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))
relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def run(
    program: Program, engine: str, planned: Plan, *, claim: Claim | None = None, merge: bool = False
) -> Exploration:
    options = SMALL if claim is None else replace(SMALL, all_errors=False)
    native = NativeOptions(merge=merge)
    task = Task(reference_semantics(program), claim, options, native, planned)
    found, used, _ = search(task, engine)
    assert used == engine
    return found


def figures(found: Exploration) -> tuple[int, int]:
    return found.progress.states, found.progress.transitions


def kinds(found: Exploration) -> set[str]:
    return {violation.kind for violation in found.violations}


def safety_agrees(program: Program) -> None:
    full = run(program, "reference", NONE)
    if full.stopped:
        return
    for planned in STATIC:
        reference = run(program, "reference", planned)
        native = run(program, "native", planned)
        assert figures(native) == figures(reference), planned
        merged = run(program, "native", planned, merge=True)
        assert kinds(full) == kinds(reference) == kinds(native) == kinds(merged), planned
        assert len(native.violations) == len(reference.violations)
        assert full.reached == reference.reached == native.reached == merged.reached
    for planned in BY_ORDER:
        reference = run(program, "reference", planned)
        native = run(program, "native", planned)
        merged = run(program, "native", planned, merge=True)
        assert kinds(full) == kinds(reference) == kinds(native) == kinds(merged), planned
        assert len(native.violations) == len(full.violations)
        assert full.reached == reference.reached == native.reached == merged.reached


def claims_agree(program: Program, claim: Claim) -> None:
    full = run(program, "reference", NONE, claim=claim)
    if full.stopped or kinds(full) - {claim.kind}:  # the reference stops at other failures, too
        return
    for planned in (*STATIC, DEFAULT):
        reference = run(program, "reference", planned, claim=claim)
        native = run(program, "native", planned, claim=claim)
        merged = run(program, "native", planned, claim=claim, merge=True)
        assert kinds(full) == kinds(reference) == kinds(native) == kinds(merged), planned


@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_safety(profile: str, data: st.DataObject) -> None:
    safety_agrees(whorl.load(data.draw(programs(PROFILES[profile]))).program)


@pytest.mark.slow
@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=MANY)
def test_safety_of_many(profile: str, data: st.DataObject) -> None:
    try:
        program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    except whorl.WhorlError as error:
        assume("go round in a circle" not in str(error))  # which the generator may write
        raise
    safety_agrees(program)


def draw_claim(data: st.DataObject, program: Program) -> Claim:
    automaton = data.draw(automata())
    atoms = tuple(data.draw(propositions(program)) for _ in automaton.propositions)
    return Claim("c", "ltl", automaton, atoms)


@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_claims(profile: str, data: st.DataObject) -> None:
    program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    claims_agree(program, draw_claim(data, program))


@pytest.mark.slow
@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=MANY)
def test_claims_of_many(profile: str, data: st.DataObject) -> None:
    program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    claims_agree(program, draw_claim(data, program))


# Channels as parameters, indices by pid, processes that are started: each by its own signature.
@pytest.mark.parametrize(
    "name",
    ["leader_election", "msi_cache", "two_phase_commit", "philosophers", "ticket_lock", "elevator"],
)
def test_examples(name: str) -> None:
    safety_agrees(whorl.load(EXAMPLES / f"{name}.pml").program)


# What is safe as the paper has it is for schemes that look at the stack.
@pytest.mark.parametrize("rule", [r for r in Rule if r is not Rule.SAFE], ids=lambda r: r.value)
@pytest.mark.parametrize(
    "name", ["leader_election", "ticket_lock", "token_ring", "philosophers_ordered"]
)
def test_rules_for_candidates(name: str, rule: Rule) -> None:
    """Stubborn sets reduce most, local statements least; both engines agree on each."""
    program = whorl.load(EXAMPLES / f"{name}.pml").program
    planned = Plan(Reduction("static", rule=rule))
    native = run(program, "native", planned)
    assert figures(native) == figures(run(program, "reference", planned))
    component = run(program, "native", STATIC[0])
    if rule is Rule.STUBBORN:
        assert native.progress.states <= component.progress.states
    else:
        assert native.progress.states >= component.progress.states
    assert kinds(native) == kinds(component)


IGNORING = """
byte x, y;
active proctype Loop() { do :: x = 1 - x od }
active proctype Fails() { y = 1; assert(false) }
"""


LOOPS = """
byte x, y;
active proctype Loop() { do :: x = 1 - x od }
active proctype Other() { do :: y = 1; y = 2; y = 3 od }
"""


def test_every_statement_is_executed_that_can_be() -> None:
    """Also where no step can fail, so that end states alone are looked for."""
    safety_agrees(whorl.load(LOOPS).program)


@pytest.mark.parametrize("planned", [*STATIC, *BY_ORDER], ids=lambda p: str(p.reduction))
def test_no_step_is_ignored_for_ever(planned: Plan) -> None:
    """A loop that concerns nobody must not keep the other process from failing."""
    program = whorl.load(IGNORING).program
    for merge in (False, True):
        assert kinds(run(program, "native", planned, merge=merge)) == {"assertion"}


# Whoever waits is part of two components. One of them will not do, because a step of it faults:
# what is tried next does without all its processes, in both engines.
OVERLAPPING = """
byte g, h, k, z, x, d, e;
active proctype Faults() { x = 1 / g }
active proctype C() { d = h; d = h }
active proctype B() { e = k; e = k }
active proctype Waits() { z == 1; g = 1; h = 1; k = 1 }
"""


def test_processes_of_a_set_that_will_not_do_are_avoided() -> None:
    safety_agrees(whorl.load(OVERLAPPING).program)


STARTED = """
chan c[3] = [2] of { byte };
byte got;
proctype P(chan in; chan out; byte x) {
  byte m;
  out ! x; in ? m; out ! m; in ? m; atomic { got++; assert(got <= 3) }
}
init { %s run P(c[0], c[1], 1); run P(c[1], c[2], 2); run P(c[2], c[0], 3) %s }
"""


@pytest.mark.parametrize(("first", "last"), [("atomic {", "}"), ("", "")])
def test_processes_that_are_started_are_told_apart(first: str, last: str) -> None:
    """By the channels that they were given: no two of them meet at one end."""
    program = whorl.load(STARTED % (first, last)).program
    safety_agrees(program)
    full, small = (run(program, "native", planned) for planned in (NONE, STATIC[1]))
    assert small.progress.states * 5 < full.progress.states
