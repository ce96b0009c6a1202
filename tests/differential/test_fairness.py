"""Fairness in both engines, against its definition: every pair of processes from a list.

Each pair is met with some of the formulas and one of the searches; the slow tests take them all.
"""

from __future__ import annotations

import shutil
from functools import cache

import pytest

import whorl
import whorl.engines
from support.fair_oracle import Graph, accepts_fair_run, is_fair
from support.fair_programs import BODIES, FORMULAS, PAIRS, PROPOSITIONS, Pair, model, number
from support.given_claims import GivenVerifier
from support.product_oracle import atoms_of
from whorl.native.compiler import Compiler
from whorl.program.program import Expr, Program
from whorl.property.automaton import Buchi, full
from whorl.property.claim import Claim
from whorl.property.formula import Formula
from whorl.property.parse import parse_formula
from whorl.property.translate import translate
from whorl.search.acceptance import find_violation
from whorl.search.exploration import Options, Violation
from whorl.trace.accepted import check_cycle, check_end, read
from whorl.trace.replay import follow

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

QUICK = Compiler(("cc",), "cc", ("-O0", "-UNDEBUG"))
ALGORITHMS = ("fig2", "fig4", "colours", "scc")
WIDTH = 3  # propositions of a formula
EACH = 20  # one pair in so many, with each of the searches
SOME = 4  # formulas a pair


@cache
def negation(text: str) -> tuple[Formula, Buchi, frozenset[int]]:
    """A formula, an automaton of its negation, and what ends that."""
    formula = parse_formula(text)
    automaton = translate(~formula, PROPOSITIONS[:WIDTH])
    ends = frozenset(
        state
        for state in automaton.accepting
        if [(e.target, e.label) for e in automaton.edges[state]] == [(state, full(WIDTH))]
    )
    return formula, automaton, ends


def claim_of(text: str, atoms: tuple[Expr, ...]) -> Claim:
    formula, automaton, ends = negation(text)
    return Claim("formula", "ltl", automaton, atoms[:WIDTH], ends, formula=formula)


class Alone:
    """A pair as a program of its own."""

    def __init__(self, pair: Pair) -> None:
        self.program = whorl.load(model([pair])).program
        self.atoms = atoms_of(self.program)
        self.graph = Graph(self.program)

    def is_violated(self, text: str) -> bool:
        return accepts_fair_run(self.graph, claim_of(text, self.atoms))

    def search(self, text: str, algorithm: str) -> Violation | None:
        claim = claim_of(text, self.atoms)
        options = Options(algorithm=algorithm, fair=True)
        found = find_violation(self.graph.semantics, claim, options)
        assert found.stopped is None
        return found.violations[0] if found.violations else None


class Together:
    """All pairs, in one verifier."""

    def __init__(self, algorithm: str, drop_dead: bool) -> None:
        self.program: Program = whorl.load(model(PAIRS)).program
        self.atoms = atoms_of(self.program)
        self.verifier = GivenVerifier(
            self.program, self.atoms, WIDTH, algorithm, QUICK, drop_dead=drop_dead
        )

    def search(self, pair: Pair, text: str) -> Violation | None:
        return self.verifier.search(claim_of(text, self.atoms), number(pair))


def shows(graph: Graph, claim: Claim, found: Violation) -> bool:
    """Whether a violation is a run that the claim accepts, and fair."""
    first, steps = follow(graph.semantics, found.choices)
    states = [first, *(step.state for step in steps if step.state is not None)]
    readings = read(graph.semantics, claim, states)
    if found.loop is None:
        check_end(graph.semantics, claim, readings)
        return True
    check_cycle(graph.semantics, claim, readings, steps, found.loop, fair=True)
    return is_fair(graph, found.choices, found.loop)


class Initial(Graph):
    """What is needed to follow a run, without the graph."""

    def __post_init__(self) -> None:
        self.semantics = whorl.engines.reference_semantics(self.program)


def compare(algorithm: str, pairs: list[tuple[Pair, list[str]]], drop_dead: bool) -> None:
    together = Together(algorithm, drop_dead)
    followed = Initial(together.program)
    violated = compared = 0
    for pair, formulas in pairs:
        alone = Alone(pair)
        for text in formulas:
            about = (algorithm, *(BODIES[body] for body in pair), text)
            expected = alone.is_violated(text)
            native, reference = together.search(pair, text), alone.search(text, algorithm)
            assert (native is not None) == expected, ("native", *about)
            assert (reference is not None) == expected, ("reference", *about)
            compared += 1
            if native is not None and reference is not None:
                violated += 1
                assert shows(followed, claim_of(text, together.atoms), native), about
                assert shows(alone.graph, claim_of(text, alone.atoms), reference), about
    assert 0.3 < violated / compared < 0.8


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_pairs(algorithm: str) -> None:
    place = ALGORITHMS.index(algorithm)
    count = len(FORMULAS)
    chosen = [
        (pair, [FORMULAS[(i // EACH + 3 * j) % count] for j in range(SOME)])
        for i, pair in enumerate(PAIRS)
        if i % EACH == 7 * place % EACH
    ]
    compare(algorithm, chosen, drop_dead=place % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("drop_dead", [False, True])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_all_pairs(algorithm: str, drop_dead: bool) -> None:
    compare(algorithm, [(pair, FORMULAS) for pair in PAIRS], drop_dead)
