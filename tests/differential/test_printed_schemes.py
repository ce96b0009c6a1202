"""The Two phase paper to the letter: the same states in both engines, and the published figures."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from support.product_oracle import Product
from support.reduction import automata, propositions
from whorl.engines import reference_semantics, search
from whorl.lab.automata import fixed
from whorl.lab.instance import Instance
from whorl.lab.promela import promela
from whorl.lab.schemes import SCHEMES
from whorl.lab.search import Bounds
from whorl.lab.search import search as search_laboratory
from whorl.program.program import Program
from whorl.property.automaton import Buchi, Edge, full
from whorl.property.claim import Claim
from whorl.property.siegel import b2
from whorl.reduction.candidates import ProcessOrder
from whorl.reduction.plan import NONE, Plan
from whorl.reduction.schemes import CACHES, Reduction, facts_of, soundness
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.selection import ltl_claim
from whorl.task import NativeOptions, Task

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_STATES = 3_000
FEW_STATES = 1_000  # of an example, in the reference engine
FEW, MANY = 2, 40
PLAIN = NativeOptions(merge=False)
ENGINES = ("native", "reference")
ORDERS = tuple(ProcessOrder)
DFS_PO = tuple(Reduction("dfs_po", order=order) for order in ORDERS)
PV = tuple(Reduction("pv", cache, order=order) for cache in CACHES for order in ORDERS)
PRINTED = (*DFS_PO, *PV)

relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)
few = settings(relaxed, max_examples=FEW, derandomize=True)
many = settings(relaxed, max_examples=MANY)
by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))

# B5 and W5 of Table 1. B is Figure 4 (a): from s0 to s1 or to s2, and back. Of W the paper says
# that no state is deterministic, and that dfs_po finds reductions: 63 = 1 + 2 + 4 + ... + 32.
B5 = "active [5] proctype P() { do :: true -> skip :: true -> skip od }"
W5 = "active [5] proctype P() { if :: true -> end1: false :: true -> end2: false fi }"


def found(
    engine: str,
    program: Program,
    claim: Claim | None,
    reduction: Reduction,
    native: NativeOptions = PLAIN,
    most: int = MOST_STATES,
    limits: Limits | None = None,
) -> Exploration:
    limits = limits or Limits(states=most)
    # In C `colours` leaves out other second searches than in Python. Those of Figure 4 are alike.
    algorithm = "fig4" if claim is not None and reduction.scheme == "dfs_po" else "auto"
    options = Options(assertions=claim is None, all_errors=True, limits=limits, algorithm=algorithm)
    task = Task(reference_semantics(program), claim, options, native, Plan(reduction))
    return search(task, engine).exploration


def kinds(exploration: Exploration) -> set[str]:
    return {violation.kind for violation in exploration.violations}


def runs_in_order(program: Program) -> bool:
    """Whether both engines take the runs of a state in one order: C takes atomic ones last."""
    return not any(t.atomic for process in program.processes for t in process.transitions())


def figures(exploration: Exploration) -> tuple[int, int, int | None]:
    """What both engines count."""
    progress = exploration.progress
    return progress.states, progress.transitions, exploration.largest_list


def safety_is_the_same(program: Program, reduction: Reduction) -> None:
    full = found("reference", program, None, NONE.reduction)
    if full.stopped is not None:
        return
    ours, theirs = (found(e, program, None, reduction) for e in ("native", "reference"))
    assert kinds(ours) == kinds(theirs) == kinds(full)
    assert len(ours.violations) == len(theirs.violations)
    if runs_in_order(program):
        assert figures(ours) == figures(theirs)


# --- published figures ---------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(
    ("model", "order", "states"),
    [
        (B5, ProcessOrder.DESCENDING, 243),
        (B5, ProcessOrder.ASCENDING, 242),  # the order matters: the paper does not say which it is
        (W5, ProcessOrder.DESCENDING, 63),
        (W5, ProcessOrder.ASCENDING, 63),
    ],
)
def test_table_1_dfs_po(model: str, order: ProcessOrder, states: int, engine: str) -> None:
    program = whorl.load(model).program
    exploration = found(engine, program, None, Reduction("dfs_po", order=order))
    assert exploration.progress.states == states
    assert not exploration.violations


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(("model", "states"), [(B5, (11, 1)), (W5, (243, 243))], ids=["B5", "W5"])
def test_table_1_two_phase(
    model: str, states: tuple[int, int], engine: str, order: ProcessOrder
) -> None:
    program = whorl.load(model).program
    reductions = (Reduction("pv", cache, order=order) for cache in CACHES)
    assert tuple(found(engine, program, None, r).progress.states for r in reductions) == states


# Both processes go round by themselves: `up` makes three steps up and one down, `down` one up and
# three down. By hand, with (up, down) and in either order of processes: with all states, phase 1
# goes from (0, 0) over (0, 3), (0, 2), (0, 1) to (0, 0), which is in list, and over (1, 0), (2, 0),
# (3, 0) to (0, 0) again: these are list, and as the moves of (0, 0) lead to them, Vr. With
# selective caching Vr has the states where a phase 1 ends, which is where it began, and so all 16.
# The largest list is that of (1, 3), (2, 3) or (3, 3): itself, three steps down of `down`, which
# comes back without a step down, and one of `up`. `down` has two from elsewhere, `up` none from 0.
ROUND = """
byte g;
active proctype up() { byte x; do :: x = (x + 1) % 4 od }
active proctype down() { byte x; do :: x = (x + 3) % 4 od }
"""
by_engine = pytest.mark.parametrize("engine", ["native", "reference"])


@pytest.mark.parametrize("formula", [None, "[] (g == 0)"])
@pytest.mark.parametrize(("cache", "states", "largest"), [("all", 7, 7), ("selective", 16, 5)])
@pytest.mark.parametrize("order", ORDERS, ids=str)
@by_engine
def test_largest_list(
    engine: str, order: ProcessOrder, cache: str, states: int, largest: int, formula: str | None
) -> None:
    """Selective counts Vr or list (section 6): here is what is in list, beside Vr."""
    program = whorl.load(ROUND, ltl=formula or ()).program
    claim = ltl_claim(program.formulas[0]) if formula else None
    exploration = found(engine, program, claim, Reduction("pv", cache, order=order))
    assert (exploration.progress.states, exploration.largest_list) == (states, largest)


@by_engine
def test_list_is_of_pv_alone(engine: str) -> None:
    for por, largest in (("pv", 7), ("two-phase", None), ("none", None)):
        checked = whorl.check(ROUND, por=por, merge=False, engine=engine)
        assert checked.statistics.largest_list == largest


# --- loops ---------------------------------------------------------------------------------------

# By itself, after some steps; in one place; in two places that only channels tell apart; of two
# processes; of one that counts. And a process whose steps can be seen.
LOOPS = """
byte g;
chan c = [2] of { bit }, to = [1] of { bit }, back = [1] of { bit };
active proctype loops() { byte x; x = 1; x = 2; do :: x = 1; x = 3; x = 2 od }
active proctype stands() { byte x; x = 1; do :: true od }
active proctype fills() { do :: c!0; c?_ od }
active proctype ping() { do :: to!0; back?_ od }
active proctype pong() { do :: to?_; back!0 od }
active proctype counts() { bit n; do :: n++ od }
active proctype seen() { g = 1; g = 0; g = 1 }
"""
FORMULAS = (None, "[] <> (g == 1)", "<> [] (g == 0)", "[] (g == 0 -> <> (g == 1))")


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("reduction", PRINTED, ids=str)
def test_loops(reduction: Reduction, formula: str | None) -> None:
    block = "" if formula is None else f"ltl f {{ {formula} }}"
    program = whorl.load(LOOPS + block).program
    claim = None if formula is None else ltl_claim(program.formulas[0])
    ours, theirs = (found(e, program, claim, reduction) for e in ("native", "reference"))
    assert ours.stopped is None
    assert kinds(ours) == kinds(theirs)
    if not kinds(ours):
        assert figures(ours) == figures(theirs)


FILLS = "chan c = [1] of { bit }; active proctype fills() { do :: c!0; c?_ od }"
THREE = "active proctype goes_round() { byte x; do :: x = 1; x = 2; x = 3 od }"


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("reduction", PV, ids=str)
def test_a_cycle_within_phase_1(reduction: Reduction, engine: str) -> None:
    """The whole run is phase 1, and so is the step that closes its cycle: the only one that comes
    back to where dfs2 began, as all states of the loop are in V2 by then.
    """
    program = whorl.load(THREE + "byte g; ltl f { <> (g == 1) }").program
    claim = ltl_claim(program.formulas[0])
    assert kinds(found(engine, program, claim, reduction)) == {"ltl"}


@pytest.mark.parametrize("reduction", PV, ids=str)
def test_several_ways_of_the_automaton_through_a_loop(reduction: Reduction) -> None:
    """On each of them phase 1 ends where it closes the loop. One that did not notice would go on
    as deep as it may.
    """
    anywhere = (Edge(full(0), 0), Edge(full(0), 1))
    claim = Claim("c", "ltl", Buchi((), 0, (anywhere, anywhere), frozenset()), ())
    program = whorl.load(FILLS).program
    limits = Limits(depth=20)
    ours, theirs = (found(e, program, claim, reduction, limits=limits) for e in ENGINES)
    assert not ours.truncated
    assert not theirs.truncated
    assert ours.progress.states == theirs.progress.states
    assert ours.progress.transitions == theirs.progress.transitions


# --- the examples --------------------------------------------------------------------------------


@pytest.mark.parametrize("model", sorted(EXAMPLES.glob("*.pml")), ids=lambda model: model.stem)
def test_examples(model: Path) -> None:
    """Safety, with the schemes of the table; a model that is too large for this is cut in both."""
    program = whorl.load(model).program
    if program.embedded is not None or not runs_in_order(program):
        pytest.skip("nothing is reduced, or the engines take runs in another order")
    for reduction in (DFS_PO[0], *PV[::2]):
        theirs = found("reference", program, None, reduction, most=FEW_STATES)
        if theirs.stopped is not None:
            continue
        ours = found("native", program, None, reduction)
        assert figures(ours) == figures(theirs)
        assert kinds(ours) == kinds(theirs)


# --- what pv misses ------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_pv_misses_a_violation(engine: str) -> None:
    """The laboratory's counterexample, as a model: B2 of Siegel, and the program of his Figure 1.

    A process that goes round by itself is deterministic. After one turn phase 1 from A0 ends in A1,
    and everything is taken; along the automaton's other choice it ends in A2, and then in A1 again:
    so in A2, which was on the path, the other process never moves.
    """
    instance = search_laboratory(SCHEMES["pv"], [fixed(b2())], Bounds(2, 2))
    assert isinstance(instance, Instance)
    model = promela(instance)
    assert model is not None
    wrong = whorl.check(model, claim="never", por="pv", engine=engine)
    assert wrong.verdict == "inconclusive"  # nothing was found, and the report says why
    assert any("whorl lab --scheme pv" in note for note in wrong.notes)
    for por, cache in (("pv", "selective"), ("two-phase", "all"), ("auto", "all"), ("none", "all")):
        right = whorl.check(model, claim="never", por=por, cache=cache, engine=engine)
        assert right.verdict == "violated"


# --- formulas ------------------------------------------------------------------------------------


def property_is_the_same(data: st.DataObject, profile: str, reduction: Reduction) -> None:
    """Both engines find the same; a violation that is found is one."""
    program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    automaton = data.draw(automata())
    atoms = tuple(data.draw(propositions(program)) for _ in automaton.propositions)
    claim = Claim("c", "ltl", automaton, atoms)
    full = found("reference", program, claim, NONE.reduction)
    if full.stopped is not None:
        return
    native = replace(PLAIN, store=data.draw(st.sampled_from(["exact", "tree"])))
    ours = found("native", program, claim, reduction, native)
    theirs = found("reference", program, claim, reduction)
    if soundness(reduction.scheme, facts_of(claim)).sound:
        assert ("ltl" in kinds(ours)) == ("ltl" in kinds(full))
    for violation in (*ours.violations, *theirs.violations):
        if violation.kind == "ltl":
            assert Product(program, claim).accepts_lasso(violation)
    if runs_in_order(program) and not theirs.violations:  # a fault is one in the reference engine
        assert not ours.violations
        assert figures(ours) == figures(theirs)


@pytest.mark.parametrize("reduction", PRINTED, ids=str)
@by_profile
@given(data=st.data())
@few
def test_properties(profile: str, reduction: Reduction, data: st.DataObject) -> None:
    property_is_the_same(data, profile, reduction)


@pytest.mark.slow
@pytest.mark.parametrize("reduction", PRINTED, ids=str)
@by_profile
@given(data=st.data())
@many
def test_properties_of_many(profile: str, reduction: Reduction, data: st.DataObject) -> None:
    property_is_the_same(data, profile, reduction)


# --- safety --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reduction", PRINTED, ids=str)
@by_profile
@given(data=st.data())
@few
def test_safety(profile: str, reduction: Reduction, data: st.DataObject) -> None:
    text = data.draw(programs(PROFILES[profile]))
    safety_is_the_same(whorl.load(text).program, reduction)


@pytest.mark.slow
@pytest.mark.parametrize("reduction", PRINTED, ids=str)
@by_profile
@given(data=st.data())
@many
def test_safety_of_many(profile: str, reduction: Reduction, data: st.DataObject) -> None:
    text = data.draw(programs(PROFILES[profile]))
    safety_is_the_same(whorl.load(text).program, reduction)
