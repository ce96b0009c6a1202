"""What is safe and deterministic to the Two phase paper, and its Figure 5 as it is printed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from whorl.diagnostics import WhorlError
from whorl.engines import reference_semantics
from whorl.program.atomic import runs
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import ProcessOrder, Situation
from whorl.reduction.pv import SCHEME, Pv, deterministic
from whorl.reduction.safe import is_safe
from whorl.reduction.scheme import SAFETY, PropertyFacts
from whorl.reduction.schemes import Reduction, asked_reduction
from whorl.search.exploration import Options
from whorl.search.safety import explore

MOST = 2_000
ORDERS = tuple(ProcessOrder)


def semantics_of(text: str) -> Semantics:
    return reference_semantics(whorl.load(text).program)


def safe(text: str, *, after: int = 0) -> list[bool]:
    """Which processes are safe after so many steps, each of the first process that can move."""
    semantics = semantics_of(text)
    state = semantics.initial()
    for _ in range(after):
        following = min(runs(semantics, state), key=lambda run: run.steps[0].pid).state
        assert following is not None
        state = following
    situation = Situation(Analysis(semantics), state)
    return [is_safe(situation, pid) for pid in range(len(state.processes))]


# --- safe ----------------------------------------------------------------------------------------

GLOBALS = """
byte g; byte mine; byte never_changed = 3;
active proctype A() { byte x; x = 1 }
active proctype B() { byte x; x = g }
active proctype C() { mine = 1 }
active proctype D() { byte x; if :: x = 1 :: g == 0 fi }
active proctype E() { byte x; x = never_changed }
active proctype F() { byte x; if :: x == 1 :: else fi }
active proctype G() { g = 1 }
"""
ENDS = """
chan to = [2] of { byte };
chan many = [2] of { byte };
active proctype sends() { to!1; to!1; to!1 }
active [2] proctype sends_too() { many!1 }
active proctype receives() { byte x; do :: to?x :: many?x od }
"""


def test_what_involves_a_global_variable_is_not_safe() -> None:
    """Not even if nobody else uses it; but one that nothing assigns is a constant."""
    assert safe(GLOBALS) == [True, False, False, False, True, True, False]


def test_an_end_of_a_channel_is_safe_for_who_uses_it_alone() -> None:
    # to is not full; many has two senders; to and many are empty
    assert safe(ENDS) == [True, False, False, False]
    assert safe(ENDS, after=2) == [False, False, False, False]  # to is full, many is empty


def test_an_end_that_another_has_used_before_is_not_free() -> None:
    """Point-to-point is what a channel is, not what it comes to be."""
    text = """
    chan c = [2] of { byte };
    active proctype before() { c!1; false }
    active proctype sends() { c!2; false }
    """
    assert safe(text) == [False, False]
    assert safe(text, after=1) == [True, False]


def test_a_receive_from_a_channel_that_is_not_empty_is_safe() -> None:
    text = """
    chan c = [2] of { byte };
    active proctype S() { c!1; c!2; false }
    active proctype R() { byte x; do :: c?2 :: c?3 od }
    """
    assert safe(text) == [True, False]
    assert safe(text, after=1) == [True, True]  # neither can be executed, and that stays so


def test_a_handshake_is_not_safe() -> None:
    text = """
    chan c = [0] of { byte };
    active proctype S() { c!1 }
    active proctype R() { byte x; c?x }
    """
    assert safe(text) == [False, False]


def test_who_may_still_be_started_counts() -> None:
    text = """
    chan c = [2] of { byte };
    proctype S() { c!1 }
    init { run S(); c!2; false }
    """
    semantics = semantics_of(text)
    (first,) = runs(semantics, semantics.initial())
    assert first.state is not None
    situation = Situation(Analysis(semantics), first.state)
    assert [is_safe(situation, pid) for pid in (0, 1)] == [False, False]
    alone = semantics_of("chan c = [2] of { byte }; init { c!2; c!3; false }")
    assert is_safe(Situation(Analysis(alone), alone.initial()), 0)


# --- Figure 5 ------------------------------------------------------------------------------------


def figure_5(
    semantics: Semantics, order: ProcessOrder, *, selective: bool
) -> tuple[set[State], int]:
    """Vr of Figure 5, recursively, in the words of the figure; and how large a list was at most."""
    analysis = Analysis(semantics)
    visited: set[State] = set()
    largest = 0

    def phase1(state: State) -> tuple[list[State], State]:
        nonlocal largest
        in_list, path = {state}, [state]
        for pid in order.of(range(len(state.processes))):
            while (run := deterministic(Situation(analysis, state), pid)) is not None:
                assert run.state is not None
                old, state = state, run.state
                path.append(state)
                if state in in_list:
                    break  # goto NEXT_PROC
                if not selective or state.processes[pid] <= old.processes[pid]:
                    in_list.add(state)
        largest = max(largest, len(in_list))
        return path, state

    def two_phase(state: State) -> None:
        path, end = phase1(state)
        new = end not in visited
        visited.update([end] if selective else path)
        for run in runs(semantics, end) if new else ():
            if run.state is not None and run.state not in visited:
                two_phase(run.state)

    two_phase(semantics.initial())
    return visited, largest


@pytest.mark.parametrize("selective", [False, True], ids=["all", "selective"])
@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("profile", ["buffered", "mixed", "rendezvous"])
@given(data=st.data())
@settings(
    max_examples=15,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_figure_5_as_it_is_printed(
    profile: str, order: ProcessOrder, selective: bool, data: st.DataObject
) -> None:
    semantics = semantics_of(data.draw(programs(PROFILES[profile])))
    analysis = Analysis(semantics)
    if analysis.nothing_reducible is not None or analysis.uses_timeout:
        return
    full = explore(semantics, Options(assertions=False, end_states=False, all_errors=True))
    if full.progress.states > MOST:
        return
    found = explore(semantics, Options(all_errors=True), Pv(analysis, order, selective))
    visited, largest = figure_5(semantics, order, selective=selective)
    assert (found.progress.states, found.largest_list) == (len(visited), largest)


def test_one_pass_over_the_processes() -> None:
    """S lets R go on, which was asked before it: phase 1 ends, and R moves in phase 2."""
    text = """
    chan c = [1] of { byte };
    active proctype S() { byte x; c!1; x = 1; false }
    active proctype R() { byte y; c?y; y = 2; false }
    """
    states = {
        order: explore(
            semantics_of(text),
            Options(end_states=False),
            Pv(Analysis(semantics_of(text)), order, selective=True),
        ).progress.states
        for order in ORDERS
    }
    assert states[ProcessOrder.ASCENDING] == 1  # S, then R: everything is phase 1
    assert states[ProcessOrder.DESCENDING] == 2


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_process_that_can_choose_is_not_deterministic(engine: str) -> None:
    """All that it does is safe, and it has two steps: phase 1 may not take one for both."""
    text = "active proctype P() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; assert(x != 2) }"
    semantics = semantics_of(text)
    situation = Situation(Analysis(semantics), semantics.initial())
    assert is_safe(situation, 0)
    assert deterministic(situation, 0) is None
    assert whorl.check(text, safety=True, por="pv", engine=engine).verdict == "violated"


# --- what is said ---------------------------------------------------------------------------------


def test_it_is_sound_for_safety_alone() -> None:
    assert not isinstance(SCHEME.safety, str)
    assert SCHEME.formulas is not None
    assert SCHEME.safety.soundness(SAFETY).sound
    for deterministic_automaton in (False, True):
        facts = PropertyFacts(True, deterministic_automaton, True)
        assert not SCHEME.formulas.soundness(facts).sound


def test_the_order_of_processes_is_said() -> None:
    model = "active [2] proctype P() { byte x; x = 1 }"
    for order in ("ascending", "descending"):
        result = whorl.check(model, por="pv", process_order=order)
        assert result.searches[0].reduction.startswith(f"pv, processes {order}: ")


@pytest.mark.parametrize(
    ("scheme", "candidates"), [("static", None), ("two-phase", None), ("v1", None), ("auto", None)]
)
def test_an_order_that_does_not_matter_is_refused(scheme: str, candidates: str | None) -> None:
    with pytest.raises(WhorlError, match="does not try one process after the other"):
        asked_reduction(scheme, candidates=candidates, process_order="ascending")


def test_an_order_of_a_scheme_that_looks_at_the_stack() -> None:
    asked = asked_reduction("v1", candidates="process", process_order="ascending")
    assert asked.order is ProcessOrder.ASCENDING


@pytest.mark.parametrize("options", [{"algorithm": "fig4"}, {"shortest": True}], ids=str)
def test_it_is_a_search_of_its_own(options: dict[str, object]) -> None:
    with pytest.raises(WhorlError, match="is a search of its own"):
        whorl.check("bit p; active proctype P() { p = 1 }", ltl="<> p", por="pv", **options)  # type: ignore[arg-type]


def test_safe_candidates_are_for_schemes_that_look_at_the_stack() -> None:
    with pytest.raises(WhorlError, match="does not know what is safe"):
        Reduction("static", rule=asked_reduction("v1", candidates="safe").rule)
