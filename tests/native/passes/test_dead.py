"""Dead variables: what is dead where, how many states that saves, and that nobody notices."""

from __future__ import annotations

import random
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.claims import random_atom, random_claim
from support.compilers import QUICK
from support.generator import PROFILES, programs
from support.product_oracle import Product
from whorl.native.engine import explore_native
from whorl.native.passes.dead import Liveness
from whorl.program.choice import Choice
from whorl.program.program import ProcessType, Program
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, LOCATION, TYPE, Failure, State
from whorl.search.acceptance import find_violation
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.search.safety import explore
from whorl.task import Task

MOST_STATES = 2_000  # a larger program is left out
FEW, SOME, MANY = 2, 30, 60  # programs a profile

needs_cc = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)


# --- the analysis ---------------------------------------------------------------------------------


def live(text: str, *, faint: bool = True, process: int = 0) -> dict[str, str]:
    """By the text of a statement: the local variables that are live before it."""
    program = whorl.load(text).program
    found = Liveness(program, True, faint=faint)
    kind = program.processes[process]
    return {t.text: names(kind, found.at(kind, t.source)) for t in kind.transitions()}


def names(process: ProcessType, slots: frozenset[int]) -> str:
    of_slot = {
        variable.offset + position: variable.name if variable.length is None else part
        for variable in process.variables
        for position, (part, _) in enumerate(variable.parts)
    }
    return " ".join(of_slot[slot] for slot in sorted(slots))


def test_a_variable_is_live_until_it_is_read_for_the_last_time() -> None:
    found = live("byte g; active proctype p() { byte x; x = 1; g = x; g = 2 }")
    assert found["x = 1"] == ""
    assert found["g = x"] == "x"
    assert found["g = 2"] == ""


@pytest.mark.parametrize(
    "statement",
    [
        "x > 0",
        "assert(x > 0)",
        "q ! x",
        "q !! x",
        "r[x] ! 1",
        "q ? eval(x)",
        "q ? g, eval(x)",
        "r[x] ? g",
        "q ? h[x]",
        "g = h[x]",
        "h[x] = 1",
        "g = q ? [eval(x)]",
        "run c(x)",
        "g = (g > 0 -> x : 0)",
        "g = len(r[x])",
        "d_step { g = 1; g = x }",
        "d_step { x > 0; g = 1 }",
        "if :: x > 0 -> g = 1 :: else fi",
        "set_priority(x, 1)",
        "g = enabled(x)",
        'printf("%d", 1 / x)',
        "y = 1 / x",
        "y = x / 0",
    ],
)
def test_what_reads_a_variable(statement: str) -> None:
    text = f"""
    byte g, h[3];
    chan q = [2] of {{ byte, byte }};
    chan r[2] = [1] of {{ byte }};
    proctype c(byte n) {{ g = n }}
    active proctype p() {{ byte x, y; x = 1; g = 77; {statement} }}
    """
    assert live(text, process=1)["g = 77"] == "x"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("x = 5; g = x", ""),
        ("q ? x; g = x", ""),
        ("q ? <x>; g = x", ""),
        ("q ?? x; g = x", ""),
        ("d_step { x = 2; g = x }", ""),
        ("d_step { q ? x; g = x }", ""),
        ("q ? [x]; g = x", "x"),
        ("if :: g == 0 -> x = 1 :: else -> x = 2 fi; g = x", ""),
        ("if :: g == 0 -> x = 1 :: else fi; g = x", "x"),
        ("{ x = 5; x = 6; g = 5 } unless { g == 3 -> g = x }", "x"),
        ("do :: g > 0 -> x = 1; g = x :: else -> break od", ""),
        ("do :: g > 0 -> g = x; x = 1 :: else -> break od", "x"),
        ("goto there; g = x; there: g = 2", ""),
    ],
)
def test_what_writes_a_variable(statement: str, expected: str) -> None:
    text = f"""
    byte g;
    chan q = [2] of {{ byte }};
    active proctype p() {{ byte x; g = 77; {statement} }}
    """
    assert live(text)["g = 77"] == expected


def test_an_array_is_live_by_its_elements() -> None:
    model = "byte g; active proctype p() {{ byte a[3], i; g = 77; {} }}"
    assert live(model.format("g = a[1]"))["g = 77"] == "a[1]"
    assert live(model.format("g = a[i]"))["g = 77"] == "a[0] a[1] a[2] i"
    assert live(model.format("a[2] = 0; g = a[i]"))["g = 77"] == "a[0] a[1] i"
    assert live(model.format("a[i] = 0; g = a[0]"))["g = 77"] == "a[0] i"


def test_a_counter_that_only_counts_is_faint() -> None:
    model = "byte g; active proctype p() { byte x, y; do :: g = 1; x = x + 1; y = x od }"
    assert live(model)["g = 1"] == ""
    assert live(model, faint=False)["g = 1"] == "x"


def test_printing_is_no_reading() -> None:
    model = 'byte g; active proctype p() { byte x; g = 77; printf("%d", x); _ = x; x = 1 }'
    assert live(model, faint=False)["g = 77"] == ""


def test_what_others_name_is_always_live() -> None:
    model = """
    byte g;
    active proctype p(byte z) provided (z == 0) { byte x, y, w; x = 1; y = 1; g = 77 }
    active proctype o() { p:x == 1 }
    """
    assert live(model)["g = 77"] == "z x"
    program = whorl.load(model + "ltl f { [] (p:w == 0) }").program
    found = Liveness(program, True, program.formulas[0].atoms)
    process = program.processes[0]
    assert names(process, found.at(process, process.final)) == "z x w"


def test_parameters_and_initial_values_that_nothing_reads_are_dropped_at_once() -> None:
    program = whorl.load(
        "byte g; active proctype p(byte a; byte b) { byte c = 1, d = 2; g = a + c }"
    )
    process = program.program.processes[0]
    assert Liveness(program.program, True).dead_at_start(process) == [1, 3]
    assert Liveness(program.program, False).dead_at_start(process) == []


# --- how many states there are ------------------------------------------------------------------


def states(text: str, **options: object) -> int:
    found = whorl.check(  # a counter that is not reset would go on for ever
        text,
        engine="native",
        por="none",
        max_states=10_000,
        **options,  # type: ignore[arg-type]
    )
    assert found.verdict == "holds"
    return found.statistics.states


@needs_cc
def test_states_that_differ_in_a_dead_variable_are_one() -> None:
    """One of eight values is chosen, looked at and forgotten."""
    model = """
    byte g;
    active proctype p() {
        byte x;
        select (x : 0 .. 7);
        g = (x < 100);
        g = 2
    }
    """
    assert states(model, merge=False) == 1 + 3 * 8 + 1  # at the end the process is gone
    assert states(model) == 1 + 8 + 1 + 1 + 1


@needs_cc
def test_the_sender_of_a_handshake_forgets_too() -> None:
    model = """
    chan q = [0] of { byte };
    active proctype sender() { byte x; select (x : 0 .. 3); q ! x / 8; end: false }
    active proctype receiver() { byte y; q ? y; end: false }
    """
    assert states(model, merge=False) == 1 + 4 + 4
    assert states(model) == 1 + 4 + 1


@needs_cc
def test_what_a_d_step_leaves_behind_is_forgotten() -> None:
    """A variable that the d_step alone writes and reads, from one that is dead after it."""
    model = """
    byte g;
    active proctype p() {
        byte x, t;
        select (x : 0 .. 3);
        d_step { t = x + 1; g = t / 8 };
        end: false
    }
    """
    assert states(model) == 1 + 4 + 1


@needs_cc
def test_a_parameter_that_nothing_reads_tells_no_states_apart() -> None:
    model = """
    proctype child(byte a) { end: false }
    init { byte x; select (x : 0 .. 3); run child(x) }
    """
    assert states(model, merge=False) == 1 + 4 + 4
    assert states(model) == 1 + 4 + 1


@needs_cc
def test_a_counter_that_only_counts_makes_no_states() -> None:
    model = "byte g; active proctype p() { int x; do :: g = 1; x++; g = 0 od }"
    assert states(model) == 2  # g is 0 or 1


@needs_cc
def test_a_cycle_that_leaves_a_dead_variable_behind_is_closed_exactly() -> None:
    """On the way into the cycle x has another value than in it, and is dead where it begins."""
    model = """
    byte g;
    active proctype p() {
        byte x;
        x = 5; g = x;
        do :: g = 7; x = 3; g = x od
    }
    ltl f { <> [] (g == 3) }
    """
    found = whorl.check(model, engine="native", por="none", claim="f")
    assert found.verdict == "violated"
    assert found.trace is not None  # it has been replayed, on states with all their variables
    assert found.trace.loop is not None


@needs_cc
def test_embedded_c_sees_everything() -> None:
    model = (
        "c_code { int n; }; byte g; active proctype p() { byte x; x = 1; c_code { n = Pp->x; } }"
    )
    program = whorl.load(model).program
    assert not Liveness(program, True).on


# --- nobody notices -------------------------------------------------------------------------------


relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


def forgotten(program: Program, liveness: Liveness, state: State) -> State:
    """A state with its dead variables set to 0."""
    records = []
    for record in state.processes:
        live = liveness.at(program.processes[record[TYPE]], record[LOCATION])
        values = [value if slot in live else 0 for slot, value in enumerate(record[LOCALS:])]
        records.append((*record[:LOCALS], *values))
    return state._replace(processes=tuple(records))


def bisimilar(program: Program, *, faint: bool) -> None:
    """Without its dead variables a state has the same steps, to the same states without theirs."""
    semantics = Semantics(program)
    liveness = Liveness(program, True, faint=faint)

    def steps(state: State) -> list[tuple[Choice, State | None, tuple[Failure, ...]]]:
        return [
            (
                Choice.of(step),
                step.state and forgotten(program, liveness, step.state),
                step.failures,
            )
            for step in semantics.steps(state)
        ]

    waiting = [semantics.initial()]
    seen = set(waiting)
    while waiting and len(seen) < MOST_STATES:
        state = waiting.pop()
        assert steps(state) == steps(forgotten(program, liveness, state)), state
        following = {step.state for step in semantics.steps(state) if step.state is not None}
        waiting += following - seen
        seen |= following


@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data(), faint=st.booleans())
@settings(relaxed, max_examples=SOME, derandomize=True)
def test_dead_variables_make_no_difference(profile: str, data: st.DataObject, faint: bool) -> None:
    bisimilar(whorl.load(data.draw(programs(PROFILES[profile]))).program, faint=faint)


def violations(found: Exploration) -> set[str]:
    return {violation.kind for violation in found.violations}


def same_safety(program: Program) -> None:
    """Also with shortest, where nothing is merged and only dead variables make a difference."""
    for shortest in (False, True):
        options = Options(all_errors=True, shortest=shortest, limits=Limits(states=MOST_STATES))
        reference = explore(Semantics(program), options)
        if reference.stopped is not None:
            return
        native = explore_native(Task(Semantics(program), None, options), QUICK)
        assert violations(native) == violations(reference)
        assert native.progress.states <= reference.progress.states
        assert native.reached == reference.reached


def same_acceptance(program: Program, seed: int) -> None:
    dice = random.Random(seed)
    atoms = tuple(random_atom(dice, program) for _ in range(dice.choice((1, 2))))
    claim = random_claim(dice, atoms)
    options = Options(
        assertions=False,
        end_states=False,
        fair=dice.random() < 0.4,
        limits=Limits(states=MOST_STATES),
    )
    reference = find_violation(Semantics(program), claim, options)
    if reference.stopped is not None:
        return
    native = explore_native(
        Task(Semantics(program), claim, options, stutter_invariant=False), QUICK
    )
    assert (claim.kind in violations(native)) == (claim.kind in violations(reference))
    oracle = Product(program, claim, options.fair, infinite_runs=False)
    for violation in native.violations:
        assert violation.kind != claim.kind or oracle.accepts_lasso(violation)


@needs_cc
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data(), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_programs(profile: str, data: st.DataObject, seed: int) -> None:
    program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    same_safety(program)
    same_acceptance(program, seed)


@needs_cc
def test_a_claim_that_ends_where_the_run_has_stopped() -> None:
    """The letter of np_ changes there: with this seed the claim comes to its end by that."""
    text = "byte g0, g1, g2; active proctype P0() { byte u0; byte u1; g0 = 0; g0 = 0; g0 = 0 }"
    same_acceptance(whorl.load(text).program, 32768)


@needs_cc
@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data(), seed=st.integers(0, 1 << 20))
@settings(relaxed, max_examples=MANY)
def test_many_random_programs(profile: str, data: st.DataObject, seed: int) -> None:
    program = whorl.load(data.draw(programs(PROFILES[profile]))).program
    bisimilar(program, faint=True)
    bisimilar(program, faint=False)
    same_safety(program)
    same_acceptance(program, seed)
