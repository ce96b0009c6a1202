"""Reduction schemes in the native engine: verdicts of the full search, figures of the reference.

As in test_random_programs.py the fast tests draw the same examples every time.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from support.product_oracle import Product
from support.reduction import (
    LOOKING,
    SOUND,
    automata,
    nondeterministic,
    proposition_p,
    propositions,
)
from support.siegel import FIGURE_2, PROCESSES
from whorl.engines import reference_semantics, search
from whorl.program.program import Program
from whorl.property import siegel
from whorl.property.claim import Claim
from whorl.property.parse import parse_formula
from whorl.property.translate import translate
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.schemes import SCHEMES, Reduction, facts_of, looks_at_stack, soundness
from whorl.reduction.stack import Keep
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.task import NativeOptions, Task

MOST_STATES = 2_000  # of the full product; a larger one is left out
FEW, MANY = 2, 30  # programs a profile, in the fast and in the slow tests
PLAIN = NativeOptions(merge=False)
TWO_PHASE = Reduction("two-phase"), Reduction("two-phase", cache="selective")
DEFAULT = Reduction("two-phase-ample", cache="selective")
FOR_FORMULAS = ["auto", "none", *(name for name in SCHEMES if SCHEMES[name].formulas)]

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)
few = settings(relaxed, max_examples=FEW, derandomize=True)
many = settings(relaxed, max_examples=MANY)
by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))


def found(
    engine: str,
    program: Program,
    claim: Claim | None,
    reduction: Reduction,
    algorithm: str = "auto",
    native: NativeOptions = PLAIN,
) -> Exploration:
    options = Options(
        assertions=claim is None,
        all_errors=True,
        algorithm=algorithm,
        limits=Limits(states=MOST_STATES),
    )
    task = Task(reference_semantics(program), claim, options, native, Plan(reduction))
    return search(task, engine).exploration


def kinds(exploration: Exploration) -> set[str]:
    return {violation.kind for violation in exploration.violations}


# --- properties ----------------------------------------------------------------------------------


def property_is_kept(data: st.DataObject, profile: str, tries: int) -> None:
    program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    automaton = data.draw(automata())
    atoms = tuple(data.draw(propositions(program)) for _ in automaton.propositions)
    claim = Claim("c", "ltl", automaton, atoms)
    full = found("reference", program, claim, NONE.reduction)
    if full.stopped is not None:
        return
    oracle = Product(program, claim)
    dice = random.Random(data.draw(st.integers(0, 1 << 20)))
    sound = [r for r in (*SOUND, *LOOKING) if soundness(r.scheme, facts_of(claim)).sound]
    for reduction in dice.sample(sound, min(tries, len(sound))):
        algorithm = dice.choice(("fig2", "fig4", "colours", "scc"))
        native = NativeOptions(store=dice.choice(("exact", "tree")), merge=dice.random() < 0.5)
        small = found("native", program, claim, reduction, algorithm, native)
        told = reduction, algorithm, native
        if small.stopped is not None:  # the full search had found a violation by then
            assert full.violations, told
            continue
        assert ("ltl" in kinds(small)) == ("ltl" in kinds(full)), told
        for violation in small.violations:
            if violation.kind == "ltl":
                assert oracle.accepts_lasso(violation), told
        # What is on the stack depends on the order of runs: atomic ones come last in C.
        atomic = any(t.atomic for process in program.processes for t in process.transitions())
        if not (small.violations or native.merge or atomic) and reduction in LOOKING:
            same = found("reference", program, claim, reduction, algorithm)
            if not same.violations:  # a step that faults is one in the reference engine
                assert same.progress.states == small.progress.states, told


@by_profile
@given(data=st.data())
@few
def test_properties(profile: str, data: st.DataObject) -> None:
    property_is_kept(data, profile, tries=2)


@pytest.mark.slow
@by_profile
@given(data=st.data())
@many
def test_properties_of_many(profile: str, data: st.DataObject) -> None:
    property_is_kept(data, profile, tries=8)


# --- safety --------------------------------------------------------------------------------------


def safety_is_kept(text: str, reduction: Reduction) -> None:
    program = whorl.load(text).program
    full = found("reference", program, None, NONE.reduction)
    if full.stopped is not None:
        return
    small = found("native", program, None, reduction)
    assert kinds(small) == kinds(full)
    assert small.progress.states <= full.progress.states


@pytest.mark.slow
@pytest.mark.parametrize("reduction", TWO_PHASE, ids=str)
@by_profile
@given(data=st.data())
@many
def test_safety_of_many(profile: str, reduction: Reduction, data: st.DataObject) -> None:
    safety_is_kept(data.draw(programs(PROFILES[profile])), reduction)


# --- what looks at the stack ---------------------------------------------------------------------


@pytest.mark.parametrize("por", FOR_FORMULAS)
def test_figure_2(por: str) -> None:
    result = whorl.check(FIGURE_2, claim="never", por=por, engine="native")
    assert result.verdict == ("inconclusive" if por == "v0" else "violated")
    assert result.engine == "native"
    if por == "v0":
        assert result.statistics.states == 3  # A0, A1 and B0: not B1


@pytest.mark.parametrize("scheme", ["v1", "si"])
def test_figure_3_depends_on_the_order_of_the_search(scheme: str) -> None:
    program = whorl.load(PROCESSES).program
    automaton = siegel.b2()
    backwards = replace(automaton, edges=tuple(out[::-1] for out in automaton.edges))
    for made, expected in ((automaton, True), (backwards, scheme == "si")):
        claim = Claim("c", "ltl", made, (proposition_p(program),))
        exploration = found("native", program, claim, Reduction(scheme))
        assert bool(exploration.violations) == expected


def test_si_of_many_propositions() -> None:
    """Of fourteen there are 16,384 letters, of which the automaton tells two apart, or many."""
    model = "bit b[14]; active [3] proctype P() { bit x; x = 1; b[_pid] = 1; x = 0; b[_pid] = 0 }"
    all_low = " && ".join(f"b[{i}] == 0" for i in range(14))
    each = " && ".join(f"[]<> (b[{i}] == 0)" for i in range(6))
    for formula, verdict in (
        (f"<>[] ({all_low})", "holds"),
        (f"[] ({all_low})", "violated"),
        (each, "holds"),
    ):
        ours, theirs = (
            whorl.check(model, ltl=formula, por="si", engine=engine, merge=False)
            for engine in ("native", "reference")
        )
        assert ours.verdict == theirs.verdict == verdict
        assert ours.statistics.states == theirs.statistics.states


@pytest.mark.parametrize("violated", [False, True])
def test_siegels_b4_over_two_variables_is_in_normal_form(violated: bool) -> None:
    """Letters are those that the claim tells apart: v1 is sound, and `si` has nothing to make."""
    low, idle = "(x == 0 && y == 0)", ":: l = 2" if violated else ""
    model = f"""
    byte x; byte y;
    active proctype A() {{ byte l; do :: l = 1; x = 1; x = 0 {idle} od }}
    active proctype B() {{ byte l; do :: l = 1; y = 1; l = 0; y = 0 od }}
    never {{
      S0: if :: {low} -> goto S1 :: !{low} -> goto S2 :: {low} -> goto accept_S3 fi;
      S1: if :: {low} -> goto S1 :: !{low} -> goto S2 fi;
      S2: if :: !{low} -> goto S2 :: {low} -> goto S1 :: {low} -> goto accept_S3 fi;
      accept_S3: if :: {low} -> goto accept_S3 fi
    }}
    """
    for scheme in ("v1", "si"):
        ours, theirs = (
            whorl.check(model, claim="never", por=scheme, engine=engine, merge=False)
            for engine in ("native", "reference")
        )
        assert ours.verdict == theirs.verdict == ("violated" if violated else "holds")
        assert "UNSOUND" not in ours.reduction


@pytest.mark.slow
def test_the_campaign_finds_that_v0_and_v1_are_unsound() -> None:
    """As in tests/reduction/test_random.py: no sound scheme misses a violation, and none invents
    one.
    """
    dice = random.Random(3)
    program = whorl.load(PROCESSES).program
    missed = set()
    for _ in range(8):
        automaton = nondeterministic(dice, siegel.b1(), dice.choice((2, 3)))
        claim = Claim("c", "ltl", automaton, (proposition_p(program),))
        full = found("reference", program, claim, NONE.reduction)
        for reduction in (*SOUND, *LOOKING):
            small = found("native", program, claim, reduction)
            assert kinds(small) == kinds(found("reference", program, claim, reduction))
            if kinds(small) != kinds(full):
                assert full.violations
                assert not soundness(reduction.scheme, facts_of(claim)).sound
                missed.add(reduction.scheme)
    assert missed >= {"v0", "v1"}


# As in tests/reduction/test_keep.py: the second search is under way when it meets S0 and S1.
AGAIN_AND_AGAIN = "do :: p=1-p :: p=0; p=1-p od"
FOUR_TIMES = "p=1; p=0; p=1; p=0"


@pytest.mark.parametrize("keep", Keep)
@pytest.mark.parametrize("scheme", ["dfs_po", "v0"])
@pytest.mark.parametrize("toggles", [AGAIN_AND_AGAIN, FOUR_TIMES], ids=["violated", "holds"])
@pytest.mark.parametrize("algorithm", ["fig2", "fig4"])
def test_what_is_kept_for_the_second_search(
    algorithm: str, scheme: str, keep: Keep, toggles: str
) -> None:
    loop = "{ bit x; do :: true; true; x=0 od }"
    model = f"active proctype T() {{ {toggles} }} active [2] proctype S() {loop}"
    program = whorl.load(f"bit p; {model}").program
    automaton = translate(parse_formula("[]<>p && []<>!p"), ("p",))
    claim = Claim("c", "ltl", automaton, (proposition_p(program),))
    reduction = Reduction(scheme, keep=keep)
    ours = found("native", program, claim, reduction, algorithm)
    theirs = found("reference", program, claim, reduction, algorithm)
    forgets = keep is Keep.NOTHING and algorithm == "fig2"
    expected = toggles == AGAIN_AND_AGAIN and not forgets
    assert bool(ours.violations) == bool(theirs.violations) == expected
    assert ours.progress.states == theirs.progress.states
    if not ours.violations:
        assert ours.progress.transitions == theirs.progress.transitions


@pytest.mark.parametrize("shortest", [False, True])
@pytest.mark.parametrize("scheme", sorted(filter(looks_at_stack, SCHEMES)))
def test_a_search_for_components_has_a_stack_too(scheme: str, shortest: bool) -> None:
    ours, theirs = (
        whorl.check(
            FIGURE_2, claim="never", por=scheme, algorithm="scc", shortest=shortest, engine=engine
        )
        for engine in ("native", "reference")
    )
    assert ours.verdict == theirs.verdict == ("inconclusive" if scheme == "v0" else "violated")
    assert ours.statistics.states == theirs.statistics.states
    assert ours.statistics.transitions == theirs.statistics.transitions


# --- small programs ------------------------------------------------------------------------------

# B5 and W5 of the Two phase paper, Table 1.
B5 = "active [5] proctype P() { do :: true -> skip :: true -> skip od }"
W5 = "active [5] proctype P() { if :: true -> end1: false :: true -> end2: false fi }"


@pytest.mark.parametrize(("model", "states"), [(B5, (11, 1)), (W5, (243, 243))], ids=["B5", "W5"])
def test_published_figures_of_two_phase(model: str, states: tuple[int, int]) -> None:
    program = whorl.load(model).program
    assert tuple(found("native", program, None, r).progress.states for r in TWO_PHASE) == states


# Loops of phase 1: of two processes together, of one by itself, and inside an atomic sequence.
LOOPS = """
bit p;
chan to = [1] of { bit }, back = [1] of { bit };
active proctype ping() { do :: to!0; back?_ od }
active proctype pong() { do :: to?_; back!0 od }
active proctype alone() { byte x; do :: x = x + 50; x = x - 3; x = x % 7 od }
active proctype whole() { byte x; do :: atomic { x = 1 - x; x = 7; x = 0 } od }
active proctype other() { p = 1; p = 0; p = 1 }
"""


@pytest.mark.parametrize("reduction", [*TWO_PHASE, DEFAULT], ids=str)
@pytest.mark.parametrize(("formula", "verdict"), [("<>[] p", "violated"), ("p -> <>p", "holds")])
def test_phase_1_comes_to_an_end_in_a_loop(
    reduction: Reduction, formula: str, verdict: str
) -> None:
    result = whorl.check(
        LOOPS, ltl=formula, por=reduction.scheme, cache=reduction.cache, engine="native"
    )
    assert result.verdict == verdict
    assert result.statistics.states < 500


@pytest.mark.parametrize("reduction", [*TWO_PHASE, DEFAULT], ids=str)
def test_a_loop_of_phase_1_may_be_too_long_to_walk(reduction: Reduction) -> None:
    model = """
    bit p;
    chan to = [1] of { int }, back = [1] of { int };
    active proctype ping() { int n; do :: to!n; back?n od }
    active proctype pong() { int n; do :: to?n; n++; back!n od }
    active proctype other() { p = 1 }
    """
    result = whorl.check(
        model, ltl="[] !p", por=reduction.scheme, cache=reduction.cache, engine="native"
    )
    assert result.verdict == "violated"


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_who_counts_by_himself_does_not_keep_others_waiting(engine: str) -> None:
    """A cycle of 2^16 states that no walk sees the end of: on it all has to be taken somewhere."""
    model = """
    bit p;
    active proctype counts() { short n; do :: n++ od }
    active proctype other() { do :: p = 1; p = 0 od }
    """
    result = whorl.check(model, ltl="[] !p", engine=engine)
    assert (result.verdict, result.reduction) == ("violated", "two-phase-ample")


FAULT = """
bit p;
active proctype fails() { byte z; z = 1 / z }
active proctype goes() { do :: p = 1 :: p = 0 od }
"""


@pytest.mark.parametrize("por", ["static", "two-phase", "two-phase-ample"])
def test_a_step_that_faults_hides_no_run(por: str) -> None:
    assert whorl.check(FAULT, ltl="<>[] p", por=por, engine="native").verdict == "violated"


def test_fig5_is_not_reduced() -> None:
    model = """
    bit p;
    active proctype A() { bit x; do :: x = 1 - x; progress: skip od }
    active proctype B() { do :: p = 1 :: p = 0 od }
    """
    result = whorl.check(model, non_progress=True, algorithm="fig5", engine="native")
    assert result.verdict == "violated"
