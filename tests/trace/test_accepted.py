"""A run that a claim does not accept is refused, for each reason by itself; and what it does is
not.
"""

from __future__ import annotations

import pytest

import whorl
from support.product_oracle import atoms_of
from whorl.language.formula import Formula
from whorl.program.choice import Choice
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.property.automaton import Buchi, Edge, full, literal
from whorl.property.claim import Claim
from whorl.property.parse import parse_formula
from whorl.property.translate import translate
from whorl.trace.replay import ReplayError, replay

ANY = """
    byte x;
    proctype atoms() { assert(x == 1) }
    active proctype A() { do :: x = 1 :: x = 2 od }
"""


def load(text: str) -> Program:
    return whorl.load(text).program


def run(program: Program, *steps: str) -> tuple[Choice, ...]:
    """The choices of a run: each step as `pid statement`."""
    semantics = Semantics(program)
    state = semantics.initial()
    found: list[Choice] = []
    for text in steps:
        pid, _, statement = text.partition(" ")
        possible = [
            step
            for step in semantics.steps(state)
            if (step.pid, step.transition.text) == (int(pid), statement)
        ]
        assert possible, (text, [(s.pid, s.transition.text) for s in semantics.steps(state)])
        assert possible[0].state is not None
        found.append(Choice.of(possible[0]))
        state = possible[0].state
    return tuple(found)


def claim(program: Program, wrong: str, formula: str | None = None) -> Claim:
    """A claim that accepts the runs of which `wrong` holds; `p` is the assertion of `atoms`."""
    holds: Formula | None = None if formula is None else parse_formula(formula)
    automaton = translate(parse_formula(wrong), ("p",))
    return Claim("c", "ltl", automaton, atoms_of(program), formula=holds)


def check(
    program: Program,
    wrong: Claim,
    choices: tuple[Choice, ...],
    loop: int | None,
    fair: bool = False,
) -> None:
    replay(program, "ltl", choices, wrong, loop, fair)


def test_a_cycle_is_accepted() -> None:
    program = load(ANY)
    wrong = claim(program, "[]<> p", "!([]<> p)")
    check(program, wrong, run(program, "0 x = 2", "0 x = 1", "0 x = 2"), 1)


def test_a_cycle_that_does_not_come_back() -> None:
    program = load(ANY)
    with pytest.raises(ReplayError, match="does not come back"):
        check(program, claim(program, "[] !p"), run(program, "0 x = 2"), 0)


def test_a_run_that_stops_where_it_could_go_on() -> None:
    program = load(ANY)
    with pytest.raises(ReplayError, match="does not stay"):
        check(program, claim(program, "[] !p"), (), 0)


def test_a_cycle_that_the_automaton_reads_but_does_not_accept() -> None:
    program = load(ANY)
    with pytest.raises(ReplayError, match="does not accept"):
        check(program, claim(program, "[]<> p"), run(program, "0 x = 2", "0 x = 2"), 1)


def test_what_was_before_the_cycle_does_not_come_again() -> None:
    program = load(ANY)
    choices = run(program, "0 x = 1", "0 x = 2", "0 x = 2")
    with pytest.raises(ReplayError, match="does not accept"):
        check(program, claim(program, "[]<> p"), choices, 2)


def test_a_run_of_which_the_formula_holds() -> None:
    program = load(ANY)
    wrong = claim(program, "true", "<> !p")
    with pytest.raises(ReplayError, match="formula holds"):
        check(program, wrong, run(program, "0 x = 2", "0 x = 2"), 1)


def test_the_end_of_a_claim() -> None:
    program = load(ANY)
    edges = ((Edge(full(1), 0), Edge(literal(0, 1), 1)), (Edge(full(1), 1),))
    automaton = Buchi(("p",), 0, edges, frozenset([1]))
    wrong = Claim("c", "ltl", automaton, atoms_of(program), ends=frozenset([1]))
    check(program, wrong, run(program, "0 x = 2", "0 x = 1"), None)
    with pytest.raises(ReplayError, match="does not come to an end"):
        check(program, wrong, run(program, "0 x = 2"), None)


TWO = """
    byte x, y;
    proctype atoms() { assert(y == 1) }
    active proctype A() { do :: x = 1 - x od }
    active proctype B() { do :: y = 1 - y od }
"""


def test_a_cycle_that_passes_over_a_process() -> None:
    program = load(TWO)
    choices = run(program, "0 x = 1 - x", "0 x = 1 - x")
    wrong = claim(program, "[] !p")
    check(program, wrong, choices, 0)
    with pytest.raises(ReplayError, match="process 1 could always move"):
        check(program, wrong, choices, 0, fair=True)


def test_a_receiver_has_moved() -> None:
    program = load("""
        chan c = [0] of { bit }; byte x;
        proctype atoms() { assert(x == 1) }
        active proctype S() { do :: c!1 od }
        active proctype R() { do :: c?_ :: x = 1 od }
    """)
    check(program, claim(program, "[] !p"), run(program, "0 c!1"), 0, fair=True)


def test_a_claim_looks_where_an_atomic_sequence_blocks() -> None:
    program = load("""
        byte x;
        proctype atoms() { assert(x == 1) }
        active proctype A() { atomic { x = 1; x == 5; x = 2 } }
    """)
    check(program, claim(program, "<> p", "[] !p"), run(program, "0 x = 1"), 1)


def test_a_claim_does_not_look_into_an_atomic_sequence() -> None:
    program = load("""
        byte x;
        proctype atoms() { assert(x == 1) }
        active proctype A() { atomic { x = 1; x = 2 }; do :: x = 3 od }
    """)
    choices = run(program, "0 x = 1", "0 x = 2", "0 x = 3", "0 x = 3")
    check(program, claim(program, "[] !p", "<> p"), choices, 3)
