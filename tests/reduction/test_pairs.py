"""Every pair of statements in two processes: what the analysis calls independent is so.

The programs are small enough to be laid out whole, so C1 and C2 are asked of every candidate in
every state, by their definitions. A random program seldom has the two statements that a mistake in
the analysis needs; here each of them meets each.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement

import pytest

import whorl
from support.product_oracle import atoms_of
from whorl.engines import reference_semantics
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.reduction.abstract import Op, c1, c2
from whorl.reduction.analysis import Analysis
from whorl.reduction.audit import CRASH, explicit, operation
from whorl.reduction.candidates import Rule, Situation, candidates
from whorl.reduction.fixed import Fixed
from whorl.reduction.safety import selector
from whorl.reduction.schemes import Reduction
from whorl.search.exploration import Options
from whorl.search.safety import explore

GLOBALS = """
typedef T { byte f; byte g };
byte x = 1, y, i, a[3]; T s[2];
chan c = [1] of { byte }; chan d = [2] of { byte }; chan r = [0] of { byte };
chan v = [1] of { byte };
"""
CHILD = "proctype Q() { y = 3 }"
PARENT = CHILD + " proctype N() { run Q() }"
ENDLESS = "proctype E() { do :: x == 9 od }"
OWNER = "proctype O() { chan own = [1] of { byte }; own!1; v = own }"
WATCHED = "active proctype W() { byte k; k = 1; mid: k = 2 }"

# Statements, and what they need beside the globals.
FORMS: dict[str, str] = {
    "x = 2": "",
    "x++": "",
    "x = x * 2": "",
    "y = x": "",
    "x == 2": "",
    "assert(x == 1)": "",
    "i = 1": "",
    "i = 3": "",
    "a[i] = 1": "",
    "a[i]++": "",
    "a[1] = 2": "",
    "y = a[i]": "",
    "a[_pid] = 1": "",
    "a[_nr_pr - 2] = 2": "",
    "s[i].g = 1": "",
    "i = 1; s[i].g = 1": "",
    "y = s[1].g": "",
    "c!x": "",
    "c!1; c?_": "",
    "c?x": "",
    "c!3; c?x": "",
    "c!0; c?eval(y)": "",
    "c!1; c?i; a[i] = 1": "",
    "d!2; d!!1": "",
    "d?y": "",
    "d??1": "",
    "nempty(c)": "",
    "nfull(c)": "",
    "x == 1 && nfull(c)": "",
    "x == 2 && nempty(d)": "",
    "atomic { nfull(c) -> c!3 }": "",
    "atomic { nfull(c) -> c!3; c!4 }": "",
    "atomic { nfull(d) -> do :: d!3 :: y = 1; break od }": "",
    "d!0; atomic { nempty(d) && nfull(c) -> d?y; c!y }": "",
    "d!0; atomic { nempty(d) -> d?y; d?y }": "",
    "d!0; atomic { nempty(d) -> y = 1; d?1 }": "",
    "d!0; atomic { nempty(d) -> d??1 }": "",
    "atomic { nfull(r) -> r!1 }": "",
    "len(c) == 1": "",
    "c?[2]": "",
    "c?<y>": "",
    "d!0; d??[eval(y)] -> x = 3": "",
    "r!1": "",
    "if :: r!1 :: else -> y = 2 fi": "",
    "r?x": "",
    "if :: x == 2 -> y = 1 :: else -> y = 2 fi": "",
    "if :: c?_ :: else -> y = 1 fi": "",
    # A process that could do something else, but for the other end of a channel.
    "if :: r?x :: y = 1 fi": "",
    "if :: c?_ :: y = 1 fi": "",
    "c!5; if :: c!6 :: y = 1 fi": "",
    "v = d; v!1": "",
    "v!1": "",
    "v?y": "",
    "run Q()": CHILD,
    "run N()": PARENT,
    "run Q(); a[_nr_pr - 2] = 1": CHILD,
    "run O()": OWNER,
    "y = _nr_pr": "",
    "run E(); do :: x == 9 od": ENDLESS,  # so nobody reads births for want of deaths
    "atomic { x = 2; y = 1 }": "",
    "atomic { skip; y = x }": "",
    "atomic { skip; c?_; y = 1 }": "",
    "d_step { x = 2; y = 1 }": "",
    "d_step { skip; y = a[i] }": "",
    "d_step { c?_; x = 2 }": "",
    "{ y = 1; y = 2 } unless { x == 2 }": "",
    "x = 2; y = 4": "",
    "timeout -> x = 3": "",
    "timeout || x == 2 -> y = 3": "",
    "x == 1 && timeout -> y = 3": "",
    "y = W@mid": WATCHED,
    "y = W:k": WATCHED,
    "y = W[0]@mid": WATCHED,
    "y = B:k": "",
}
MOST_STATES = 600


def program(first: str, second: str, provided: str = "", more: str = "") -> Semantics:
    needed = " ".join(dict.fromkeys(part for part in (FORMS[first], FORMS[second]) if part))
    if PARENT in needed:
        needed = needed.replace(PARENT, "").replace(CHILD, "") + PARENT
    text = f"""{GLOBALS} {needed} {more}
    active proctype A() {{ {first} }}
    active proctype B() {provided} {{ byte k = 1; skip; here: {second} }}
    """
    return reference_semantics(whorl.load(text).program)


def candidates_are_persistent(semantics: Semantics) -> None:
    """C0 and C1 of every candidate, components and stubborn sets, in every state."""
    analysis = Analysis(semantics)
    laid_out = explicit(semantics, most=MOST_STATES)
    fixed = Fixed(semantics.program)
    for state in laid_out.states:
        if state == CRASH:
            continue
        for rule in (Rule.COMPONENT, Rule.STUBBORN):
            for ample in candidates(Situation(analysis, state), rule, check_visible=False):
                chosen = {state: frozenset(operation(fixed, state, run) for run in ample.runs)}
                assert chosen[state]
                broken = c1(laid_out, [(state, 0)], partial(_chosen, chosen))
                assert not broken, (rule, broken[0][2:])


def _chosen(chosen: dict[State, frozenset[Op]], q: State, s: int) -> frozenset[Op]:
    return chosen[q]


def failures_are_kept(semantics: Semantics) -> None:
    """What can fail is found by the reduced searches for safety."""
    options = Options(all_errors=True)
    full = {v.kind for v in explore(semantics, options).violations}
    for reduction in (Reduction("two-phase-ample", cache="selective"), Reduction("static")):
        found = explore(semantics, options, selector(semantics, reduction))
        assert {v.kind for v in found.violations} == full, reduction


@pytest.mark.parametrize("first", FORMS)
def test_pairs(first: str) -> None:
    for one, other in combinations_with_replacement(FORMS, 2):
        if one == first:
            semantics = program(one, other)
            candidates_are_persistent(semantics)
            failures_are_kept(semantics)


@pytest.mark.parametrize("form", FORMS)
def test_under_a_provided_clause(form: str) -> None:
    for condition in ("x == 1", "y == 0", "nempty(c)", "_nr_pr > 2"):
        semantics = program(form, "y = x", provided=f"provided ({condition})")
        candidates_are_persistent(semantics)
        failures_are_kept(semantics)


def test_a_trace_assertion_minds_the_order_of_events() -> None:
    semantics = reference_semantics(
        whorl.load("""
        chan c = [1] of { byte }; chan d = [1] of { byte };
        trace { c!1; d!1 }
        active proctype A() { c!1 }
        active proctype B() { d!1 }
        """).program
    )
    failures_are_kept(semantics)
    assert explore(semantics, Options(all_errors=True)).violations


ATOMS = (
    "x == 2", "y == 1", "a[1] == 1", "s[1].g == 1", "len(c) == 1", "nempty(d)", "_nr_pr == 3",
    "B@here", "full(c)",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_what_is_visible(form: str) -> None:
    atoms = "; ".join(f"assert({atom})" for atom in ATOMS)
    semantics = program(form, "x++", more=f"proctype atoms() {{ {atoms} }}")
    fixed = Fixed(semantics.program)
    for atom in atoms_of(semantics.program):
        analysis = Analysis(semantics, (atom,))
        laid_out = explicit(semantics, (atom,), most=MOST_STATES)
        for state in laid_out.states:
            if state == CRASH:
                continue
            for ample in candidates(Situation(analysis, state)):
                chosen = {state: frozenset(operation(fixed, state, run) for run in ample.runs)}
                assert not c2(laid_out, [(state, 0)], partial(_chosen, chosen))
