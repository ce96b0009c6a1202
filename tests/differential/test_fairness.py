"""Fairness in both engines, against its definition: every pair of processes from a list.

Handshakes, which fairness is most particular about, are all met by two of the searches; of the
other programs each search meets some, with some of the formulas. The slow tests take them all.
"""

from __future__ import annotations

import shutil
from functools import cache
from math import gcd

import pytest

import whorl
import whorl.engines
from support.compilers import QUICK
from support.fair_oracle import Graph, accepts_fair_run, is_fair
from support.fair_programs import (
    BODIES,
    FORMULAS,
    HANDSHAKES,
    PROGRAMS,
    PROPOSITIONS,
    Choice,
    model,
    number,
)
from support.given_claims import GivenVerifier
from support.product_oracle import atoms_of
from whorl.language.formula import Formula
from whorl.native.compiler import Compiler
from whorl.program.program import Expr, Program
from whorl.property.automaton import Buchi, full
from whorl.property.claim import Claim
from whorl.property.parse import parse_formula
from whorl.property.translate import translate
from whorl.search.acceptance import find_violation
from whorl.search.exploration import Options, Violation
from whorl.trace.accepted import check_cycle, check_end, read
from whorl.trace.replay import follow

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

ALGORITHMS = ("fig2", "fig4", "colours", "scc", "owcty")
WIDTH = 3  # propositions of a formula
THREADED = Compiler(
    ("gcc",),
    "gcc",
    ("-O0", "-UNDEBUG", "-DWHORL_SURVEY_AT=1", "-DWHORL_TICK=1", "-DWHORL_JOIN_FROM=0"),
)
with_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")
EACH = 40  # one program in so many, with each of the searches


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
    """A program by itself."""

    def __init__(self, choice: Choice) -> None:
        self.program = whorl.load(model([choice])).program
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
    """All programs, in one verifier."""

    def __init__(self, algorithm: str, drop_dead: bool, threads: int = 1) -> None:
        self.program: Program = whorl.load(model(PROGRAMS)).program
        self.atoms = atoms_of(self.program)
        compiler = QUICK if threads == 1 else THREADED
        self.verifier = GivenVerifier(
            self.program,
            self.atoms,
            WIDTH,
            algorithm,
            compiler,
            drop_dead=drop_dead,
            threads=threads,
        )

    def search(self, asked: list[tuple[Choice, str]]) -> list[Violation | None]:
        return self.verifier.search([(claim_of(t, self.atoms), number(c)) for c, t in asked])


def shows(graph: Graph, claim: Claim, found: Violation) -> bool:
    """Whether a violation is a run that the claim accepts, and fair."""
    first, steps = follow(graph.semantics, found.choices)
    states = [first, *(step.state for step in steps if step.state is not None)]
    readings = read(graph.semantics, claim, states, stops=False)
    if found.loop is None:
        check_end(graph.semantics, claim, readings, stops=False)
        return True
    check_cycle(graph.semantics, claim, readings, steps, found.loop, fair=True, stops=False)
    return is_fair(graph, found.choices, found.loop)


class Initial(Graph):
    """What is needed to follow a run, without the graph."""

    def __post_init__(self) -> None:
        self.semantics = whorl.engines.reference_semantics(self.program)


alone = cache(Alone)


def compare(algorithm: str, asked: list[tuple[Choice, str]], drop_dead: bool) -> None:
    together = Together(algorithm, drop_dead)
    followed = Initial(together.program)
    violated = 0
    for (choice, text), native in zip(asked, together.search(asked), strict=True):
        about = (algorithm, *(BODIES[body] for body in choice[:2]), choice[2], text)
        one = alone(choice)
        expected = one.is_violated(text)
        assert (native is not None) == expected, ("native", *about)
        reference = one.search(text, algorithm)
        assert (reference is not None) == expected, ("reference", *about)
        if native is not None and reference is not None:
            violated += 1
            if not drop_dead:  # else the cycle may have to be gone round twice
                assert shows(followed, claim_of(text, together.atoms), native), about
            assert shows(one.graph, claim_of(text, one.atoms), reference), about
    assert 0.3 < violated / len(asked) < 0.8


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_programs(algorithm: str) -> None:
    place = ALGORITHMS.index(algorithm)
    asked = [(c, FORMULAS[i // 2 % 3]) for i, c in enumerate(HANDSHAKES) if i % 2 == place // 2 % 2]
    for i, choice in enumerate(PROGRAMS):
        if i % EACH == 9 * place:
            asked += [(choice, text) for text in FORMULAS[i // EACH % 3 :: 3]]
    compare(algorithm, asked, drop_dead=place % 2 == 0)


def compare_on_threads(asked: list[tuple[Choice, str]], threads: int, drop_dead: bool) -> None:
    together = Together("cndfs", drop_dead, threads)
    followed = Initial(together.program)
    violated = 0
    for (choice, text), native in zip(asked, together.search(asked), strict=True):
        about = (threads, *(BODIES[body] for body in choice[:2]), choice[2], text)
        assert (native is not None) == alone(choice).is_violated(text), about
        if native is not None:
            violated += 1
            if not drop_dead:
                assert shows(followed, claim_of(text, together.atoms), native), about
    assert 0.3 < violated / len(asked) < 0.8


@with_gcc
def test_programs_on_threads() -> None:
    """There fairness is by copies of the states, whatever the formula."""
    asked = [(choice, FORMULAS[i % len(FORMULAS)]) for i, choice in enumerate(HANDSHAKES[::2])]
    asked += [(choice, FORMULAS[i % len(FORMULAS)]) for i, choice in enumerate(PROGRAMS[5::EACH])]
    compare_on_threads(asked, 3, drop_dead=False)


@pytest.mark.slow
@with_gcc
@pytest.mark.parametrize("threads", [2, 8])
def test_all_programs_on_threads(threads: int) -> None:
    """With 8 threads one in nine, each formula among them: they wait for one another on few
    cores."""
    asked = [(choice, f) for choice in PROGRAMS for f in FORMULAS]
    if threads == 8:
        assert gcd(len(FORMULAS), 9) == 1
        asked = asked[::9]
    compare_on_threads(asked, threads, drop_dead=threads == 8)


@pytest.mark.slow
@pytest.mark.parametrize("drop_dead", [False, True])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_all_programs(algorithm: str, drop_dead: bool) -> None:
    compare(algorithm, [(choice, f) for choice in PROGRAMS for f in FORMULAS], drop_dead)
