"""Random programs: what is called independent commutes, and reduced searches keep every verdict."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.generator import PROFILES, programs
from support.reduction import (
    LOOKING,
    NONE,
    SOUND,
    automata,
    nondeterministic,
    proposition_p,
    propositions,
    violated,
)
from whorl.api import load
from whorl.engines import reference_semantics
from whorl.program.atomic import runs
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.property import siegel
from whorl.property.automaton import Buchi
from whorl.property.claim import Claim
from whorl.property.parse import parse_formula
from whorl.property.translate import translate
from whorl.reduction.analysis import Analysis
from whorl.reduction.audit import (
    CRASH,
    ProgramTooLarge,
    audit_program,
    audit_selective,
    explicit,
    operation,
)
from whorl.reduction.audited import audit
from whorl.reduction.candidates import Rule, Situation, participants
from whorl.reduction.fixed import Fixed
from whorl.reduction.footprint import conflict
from whorl.reduction.persistent import Persistent
from whorl.reduction.plan import Plan
from whorl.reduction.scheme import StateScheme
from whorl.reduction.schemes import Reduction, facts_of, soundness
from whorl.reduction.static import Static
from whorl.reduction.two_phase import TwoPhase
from whorl.reduction.two_phase_ample import TwoPhaseAmple
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.search.safety import Select, explore
from whorl.search.watch import Stop

FEW, MANY = 5, 200  # programs a profile, in the fast and in the slow tests
MOST_STATES = 400
STUBBORN = Reduction("static", rule=Rule.STUBBORN)
relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)
few = settings(relaxed, max_examples=FEW, derandomize=True)
many = settings(relaxed, max_examples=MANY)
by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))


def semantics_of(text: str) -> Semantics:
    return reference_semantics(load(text).program)


# --- independence --------------------------------------------------------------------------------


def independence_is_true(text: str) -> None:
    """Runs of two processes without a conflict commute wherever both are enabled."""
    semantics = semantics_of(text)
    analysis = Analysis(semantics)
    if analysis.nothing_reducible is not None:
        return
    try:
        program = explicit(semantics, most=MOST_STATES)
    except ProgramTooLarge:
        return
    fixed = Fixed(semantics.program)
    for state in program.states:
        if state == CRASH:
            continue
        situation = Situation(analysis, state)
        if situation.waits_for_timeout:
            continue
        named = [(operation(fixed, state, run), participants(run)) for run in situation.runs]
        for place, (a, who) in enumerate(named):
            for b, others in named[:place]:
                if {pid for pid, _ in who} & {pid for pid, _ in others}:
                    continue
                touched = [
                    [analysis.touched(t.way, state.processes[pid]) for pid, t in part]
                    for part in (who, others)
                ]
                if not any(conflict(x, y) for x in touched[0] for y in touched[1]):
                    assert program.commute(state, a, b), (a, b)


@by_profile
@given(data=st.data())
@few
def test_independence(profile: str, data: st.DataObject) -> None:
    independence_is_true(data.draw(programs(PROFILES[profile])))


@pytest.mark.slow
@by_profile
@given(data=st.data())
@many
def test_independence_of_many(profile: str, data: st.DataObject) -> None:
    independence_is_true(data.draw(programs(PROFILES[profile])))


# --- safety --------------------------------------------------------------------------------------


def ends(semantics: Semantics, scheme: StateScheme | None) -> set[State] | None:
    """The states in which nothing can move; None if there are too many, or a step crashes."""
    first = semantics.initial()
    met, waiting, found = {first}, [first], set()
    while waiting:
        state = waiting.pop()
        taken = list(runs(semantics, state) if scheme is None else scheme.ample(state).runs)
        if not taken:
            found.add(state)
        for run in taken:
            if run.state is None or len(met) > MOST_STATES:
                return None
            if run.state not in met:
                met.add(run.state)
                waiting.append(run.state)
    return found


def failures(found: Exploration) -> set[str]:
    return {violation.kind for violation in found.violations}


def taking(scheme: StateScheme) -> Select:
    return lambda state, _: scheme.ample(state).runs


def safety_is_kept(text: str) -> None:
    semantics = semantics_of(text)
    expected = ends(semantics, None)
    if expected is None:
        return
    analysis = Analysis(semantics)
    options = Options(all_errors=True, limits=Limits(states=20_000))
    full = explore(semantics, options)
    for rule, shortest in product((Rule.COMPONENT, Rule.STUBBORN), (False, True)):
        assert ends(semantics, Persistent(analysis, rule)) == expected
        scheme = Static(analysis, rule)
        asked = Options(all_errors=True, shortest=shortest)
        small = explore(semantics, asked, taking(scheme))
        assert small.progress.states <= full.progress.states
        assert failures(small) == failures(full)
        assert len(small.violations) == len(full.violations)


@by_profile
@given(data=st.data())
@few
def test_safety(profile: str, data: st.DataObject) -> None:
    safety_is_kept(data.draw(programs(PROFILES[profile])))


@pytest.mark.slow
@by_profile
@given(data=st.data())
@many
def test_safety_of_many(profile: str, data: st.DataObject) -> None:
    safety_is_kept(data.draw(programs(PROFILES[profile])))


# --- properties ----------------------------------------------------------------------------------


def property_is_kept(data: st.DataObject, profile: str) -> None:
    semantics = semantics_of(data.draw(programs(PROFILES[profile])))
    automaton = data.draw(automata())
    atoms = tuple(data.draw(propositions(semantics.program)) for _ in automaton.propositions)
    claim = Claim("c", "ltl", automaton, atoms)
    try:
        expected, _ = violated(semantics, claim, NONE, MOST_STATES)
    except Stop:
        return
    facts = facts_of(claim)
    for reduction in (*SOUND, *LOOKING, STUBBORN):
        if soundness(reduction.scheme, facts).sound:
            assert violated(semantics, claim, reduction)[0] == expected, reduction
    analysis = Analysis(semantics, atoms)
    for scheme in (Static(analysis), Static(analysis, Rule.STUBBORN), TwoPhase(analysis)):
        report = audit_program(semantics, scheme.ample, atoms)
        assert report.passed, (type(scheme), report.problems)
    for selective in (Static(analysis), TwoPhase(analysis), TwoPhaseAmple(analysis)):
        report = audit_selective(semantics, selective, atoms)
        assert report.passed, (type(selective), report.problems)
    report = audit(semantics, claim, Plan(Reduction("si")), Options(assertions=False))
    assert report.passed, report.problems


@by_profile
@given(data=st.data())
@few
def test_properties(profile: str, data: st.DataObject) -> None:
    property_is_kept(data, profile)


@pytest.mark.slow
@by_profile
@given(data=st.data())
@many
def test_properties_of_many(profile: str, data: st.DataObject) -> None:
    property_is_kept(data, profile)


# --- the same campaign, aimed at what is unsound -------------------------------------------------

FORMULAS = ("!p && (!p U []p)", "<>[]!p", "[]<>p && []<>!p", "<>[]p", "p U []!p", "<>(p && <>!p)")
MODELS = tuple(
    f"bit p; active proctype T() {{ {visible} }} active proctype S() {{ bit x; {local} }}"
    for visible in ("p=1", "p=1; p=0", "do :: p=1-p od", "do :: p=1; p=0 od")
    for local in ("do :: x=0 od", "do :: x=1-x od")
)


def campaign(
    seed: int, models: Sequence[str], bases: Sequence[Buchi], rounds: int, tries: int
) -> Counter[str]:
    """How often each scheme misses a violation. None invents one, and no sound one misses any."""
    dice = random.Random(seed)
    missed: Counter[str] = Counter()
    for _ in range(rounds):
        automaton = nondeterministic(dice, dice.choice(bases), dice.choice((2, 3)))
        for model in dice.sample(models, min(tries, len(models))):
            semantics = semantics_of(model)
            claim = Claim("c", "ltl", automaton, (proposition_p(semantics.program),))
            expected = violated(semantics, claim, NONE)[0]
            facts = facts_of(claim)
            for reduction in (*SOUND, *LOOKING):
                if violated(semantics, claim, reduction)[0] != expected:
                    assert expected, f"{reduction} invents a violation"
                    assert not soundness(reduction.scheme, facts).sound, reduction
                    missed[reduction.scheme] += 1
    return missed


def test_the_campaign_finds_that_v0_and_v1_are_unsound() -> None:
    missed = campaign(0, MODELS[:1], [siegel.b1()], rounds=12, tries=1)
    assert missed["v0"]
    assert missed["v1"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_campaign_finds_what_is_unsound(seed: int) -> None:
    bases = [siegel.b1(), *(translate(parse_formula(text), ("p",)) for text in FORMULAS)]
    missed = campaign(seed, MODELS[:1], bases[:1], rounds=600, tries=1)
    missed += campaign(seed, MODELS, bases, rounds=600, tries=3)
    assert missed["v0"]
    assert missed["v1"]
    assert set(missed) <= {"v0", "v1", "dfs_po"}
