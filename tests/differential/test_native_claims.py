"""Random programs and random claims: the native engine, the reference and the plain product agree.

As in test_random_programs.py the fast tests draw the same examples every time.
"""

from __future__ import annotations

import random
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.automata import formulas
from support.claims import random_atom, random_claim
from support.compilers import QUICK
from support.generator import PROFILES, programs
from support.product_oracle import Product
from whorl.language.formula import Formula
from whorl.native.engine import explore_native
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.property.translate import translate
from whorl.search.acceptance import find_violation
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.task import NativeOptions, Task

MOST_STATES = 2_000  # of the product; a larger one is left out
FEW, MANY = 4, 30  # programs a profile, in the fast and in the slow tests

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def searched(
    program: Program, claim: Claim, options: Options, native: NativeOptions
) -> Exploration:
    """What the native engine finds; local steps are merged for formulas alone."""
    task = Task(Semantics(program), claim, options, native, stutter_invariant=False)
    return explore_native(task, QUICK)


def kinds(found: Exploration, claim: Claim) -> set[str]:
    """What was found, without what is wrong with the program: that is a search of its own."""
    return {v.kind for v in found.violations if v.kind == claim.kind}


def check(text: str, seed: int) -> None:
    dice = random.Random(seed)
    program = whorl.load(text).program
    claim = random_claim(
        dice, tuple(random_atom(dice, program) for _ in range(dice.choice((1, 2))))
    )
    options = Options(
        assertions=False,
        end_states=False,
        all_errors=True,
        algorithm=dice.choice(("fig2", "fig4", "colours", "scc", "owcty")),
        fair=dice.random() < 0.4,
        infinite_runs=dice.random() < 0.2,
        limits=Limits(states=MOST_STATES),
    )
    reference = find_violation(Semantics(program), claim, options)
    if reference.stopped is not None:
        return
    store = dice.choice(("exact", "tree"))
    exactly = seed % 2 == 0
    chosen = NativeOptions(store=store, merge=not exactly)
    native = searched(program, claim, options, chosen)
    assert native.stopped is None
    assert kinds(native, claim) == kinds(reference, claim), (seed, options)
    oracle = Product(program, claim, options.fair, options.infinite_runs)
    for found in (native, reference):
        for violation in found.violations:
            if violation.kind == claim.kind:
                assert oracle.accepts_lasso(violation), (seed, options)
    if not kinds(native, claim) and not options.fair:
        assert native.progress.states <= reference.progress.states
        assert not exactly or native.progress.states == reference.progress.states


def merging_changes_no_verdict(text: str, formula: Formula, seed: int) -> None:
    """A formula without "next" cannot tell that local steps are merged."""
    dice = random.Random(seed)
    program = whorl.load(text).program
    atoms = tuple(random_atom(dice, program) for _ in formula.propositions)
    automaton = translate(~formula, formula.propositions)
    claim = Claim("random", "ltl", automaton, atoms, formula=formula)
    options = Options(
        algorithm=dice.choice(("colours", "scc")),
        infinite_runs=dice.random() < 0.2,
        limits=Limits(states=MOST_STATES),
    )
    plain = searched(program, claim, options, NativeOptions(merge=False))
    if plain.stopped is not None:
        return
    merged = searched(program, claim, options, NativeOptions())
    assert merged.stopped is None
    assert kinds(merged, claim) == kinds(plain, claim), (seed, str(formula))
    if not plain.violations:
        assert merged.progress.states <= plain.progress.states
    oracle = Product(program, claim, infinite_runs=options.infinite_runs)
    for violation in merged.violations:
        if violation.kind == claim.kind:
            assert oracle.accepts_lasso(violation), (seed, str(formula))


@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data(), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_claims(profile: str, data: st.DataObject, seed: int) -> None:
    check(data.draw(programs(PROFILES[profile])), seed)


@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data(), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=MANY)
def test_many_random_claims(profile: str, data: st.DataObject, seed: int) -> None:
    check(data.draw(programs(PROFILES[profile])), seed)


@given(data=st.data(), formula=formulas(has_next=False), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=3 * FEW, derandomize=True)
def test_merging(data: st.DataObject, formula: Formula, seed: int) -> None:
    profile = data.draw(st.sampled_from(sorted(PROFILES)))
    merging_changes_no_verdict(data.draw(programs(PROFILES[profile])), formula, seed)


@pytest.mark.slow
@given(data=st.data(), formula=formulas(has_next=False), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=5 * MANY)
def test_merging_often(data: st.DataObject, formula: Formula, seed: int) -> None:
    profile = data.draw(st.sampled_from(sorted(PROFILES)))
    merging_changes_no_verdict(data.draw(programs(PROFILES[profile])), formula, seed)
