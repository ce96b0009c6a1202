"""The native engine's search for runs that a claim accepts, beside the plain product.

Claims are random automata over propositions that the models have for the purpose: whatever the
letters are, the product is searched in the same way.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from typing import Any

import pytest

import whorl
from support.claims import random_claim
from support.compilers import QUICK
from support.product_oracle import Product, atoms_of
from whorl.diagnostics import Span, WhorlError
from whorl.native.claim_search import BeyondNative
from whorl.native.engine import explore_native
from whorl.program.program import (
    AtLocation,
    BinaryOp,
    Builtin,
    Const,
    Expr,
    Load,
    Place,
    Program,
    Region,
)
from whorl.program.semantics import Semantics
from whorl.property.automaton import Buchi, Edge, full, literal
from whorl.property.claim import Claim
from whorl.property.labels import non_progress
from whorl.search.exploration import Exploration, Options
from whorl.search.limits import Limits
from whorl.task import NativeOptions, Task

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)

ALGORITHMS = ("fig2", "fig4", "colours", "scc", "owcty")

# Models that use all that a product has to know about. `atoms` never starts.
MODELS = {
    "turns": """
    byte turn, other;
    proctype atoms() { assert(turn == 0); assert(other == 1) }
    active proctype A() { do :: turn == 0 -> turn = 1 od }
    active proctype B() { do :: turn == 1 -> turn = 0 :: other = 1 - other od }
    """,
    "atomic": """
    byte x, y;
    proctype atoms() { assert(x == 1); assert(y == 1) }
    active proctype A() { do :: atomic { x = 1; y = 1; x = 0 } :: y = 0 od }
    active proctype B() { atomic { y == 1; x = 2; x == 3; y = 2 } }
    """,
    "handshakes": """
    chan c = [0] of { byte };
    byte got;
    proctype atoms() { assert(got == 1); assert(got == 2) }
    active proctype A() { do :: c!1 :: c!2 od }
    active proctype B() { do :: c?got od }
    active proctype C() { do :: got = 0 od }
    """,
    "deadlock and timeout": """
    byte x;
    proctype atoms() { assert(x == 2); assert(timeout) }
    active proctype A() { if :: x = 1; x == 2 :: timeout -> x = 2 fi; x == 3 }
    active proctype B() { timeout -> x++ }
    """,
    "processes that come and go": """
    byte n;
    proctype atoms() { assert(_nr_pr == 2); assert(enabled(1)) }
    proctype child() { n = 1 - n }
    init { do :: _nr_pr < 3 -> run child() :: n == 0 -> break od }
    """,
    "faults": """
    byte a[2]; byte i = 1;
    proctype atoms() { assert(a[1] == 0); assert(i == 1) }
    active proctype A() { do :: a[i] = 1 - a[i] :: i = (i + 1) % 3 od }
    """,
    "labels": """
    byte x;
    proctype atoms() { assert(x == 1) }
    active proctype A() { do :: x == 0 -> progress: x = 1 :: x == 1 -> accept: x = 0 :: break od }
    active proctype B() { do :: x = 1 - x :: skip :: x == 1 -> break od }
    """,
    "ends of atomic sequences": """
    chan c = [0] of { bit }; byte x;
    proctype atoms() { assert(x == 1); assert(_last == 0) }
    active proctype A() { do :: atomic { x = 1; c!1; x = 0 } od }
    active proctype B() { do :: atomic { c?1; x = 2 }; x = 3 od }
    """,
}


def load(name: str) -> tuple[Program, tuple[Expr, ...]]:
    """A model and the propositions to look at; some cannot be written in a process."""
    program = whorl.load(MODELS[name]).program
    atoms = atoms_of(program)
    return program, (*atoms, Builtin("np_")) if name == "labels" else atoms


def search(
    program: Program,
    claim: Claim,
    native: NativeOptions | None = None,
    stutters: bool = False,
    **options: Any,
) -> Exploration:
    chosen = replace(Options(), **options)
    task = Task(
        Semantics(program), claim, chosen, native or NativeOptions(), stutter_invariant=stutters
    )
    return explore_native(task, QUICK)


def agrees(program: Program, claim: Claim, algorithm: str, fair: bool, infinite: bool) -> None:
    """The verdict is that of the plain product, and a violation is one."""
    oracle = Product(program, claim, fair, infinite)
    expected = oracle.is_empty()
    store = "tree" if len(claim.automaton.edges) % 2 else "exact"
    found = search(
        program,
        claim,
        NativeOptions(store=store),
        algorithm=algorithm,
        fair=fair,
        infinite_runs=infinite,
    )
    assert found.stopped is None
    assert (found.violations == []) == expected
    for violation in found.violations:
        assert violation.kind == claim.kind
        assert oracle.accepts_lasso(violation)
    if expected and not fair:
        assert found.progress.states == len(oracle.edges)


@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_the_plain_product(name: str) -> None:
    program, atoms = load(name)
    dice = random.Random(name)
    for _ in range(4):
        claim = random_claim(dice, atoms)
        algorithm = dice.choice(ALGORITHMS)
        agrees(program, claim, algorithm, dice.random() < 0.4, dice.random() < 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_the_plain_product_often(name: str, algorithm: str) -> None:
    program, atoms = load(name)
    dice = random.Random()
    for _ in range(40):
        claim = random_claim(dice, atoms)
        agrees(program, claim, algorithm, dice.random() < 0.4, dice.random() < 0.2)


# --- what is asked of a claim ---------------------------------------------------------------------


def again(*labels: int) -> Buchi:
    """Runs in which letters of each label come again and again."""
    count = len(labels)
    everything = full(count)
    edges: list[tuple[Edge, ...]] = [
        (Edge(label, (n + 1) % (count + 1)), Edge(everything, n)) for n, label in enumerate(labels)
    ]
    edges.append((Edge(everything, 0),))
    return Buchi(tuple(f"p{n}" for n in range(count)), 0, tuple(edges), frozenset({count}))


def test_many_propositions() -> None:
    """From some number on moves are decided, not looked up in a table."""
    program = whorl.load(
        "byte x; active proctype A() { do :: x < 13 -> x++ :: x > 6 -> x-- od }"
    ).program
    (variable,) = program.variables
    assert variable.type is not None
    place = Place(Region.GLOBAL, variable.offset, (), variable.type, "x")
    for lowest, holds in ((6, True), (5, False)):  # which values come again and again
        atoms = tuple(
            BinaryOp("==", Load(place), Const(n), Span(program.source, 0, 1))
            for n in range(lowest, lowest + 8)
        )
        claim = Claim("all", "ltl", again(*(literal(n, 8) for n in range(8))), atoms)
        wide = replace(claim, atoms=(*atoms, *atoms[:4]), automaton=widened(claim.automaton, 4))
        for each in (claim, wide):
            found = search(program, each, algorithm="scc")
            assert bool(found.violations) == holds
            assert found.violations == [] or Product(program, each).accepts_lasso(
                found.violations[0]
            )


def widened(automaton: Buchi, more: int) -> Buchi:
    """The same automaton, with propositions that it does not look at."""
    count = len(automaton.propositions)
    names = tuple(f"p{n}" for n in range(count + more))

    def wide(label: int) -> int:
        for n in range(count, count + more):
            label |= label << (1 << n)
        return label

    edges = tuple(tuple(Edge(wide(e.label), e.target) for e in out) for out in automaton.edges)
    return Buchi(names, automaton.initial, edges, automaton.accepting)


def test_a_proposition_without_a_value_is_a_violation() -> None:
    model = """
    byte a[2]; byte i;
    proctype atoms() { assert(a[i] == 0); assert(i == 0) }
    active proctype A() { do :: i < 2 -> i++ od }
    """
    program = whorl.load(model).program
    claim = Claim("c", "ltl", again(literal(0, 2), full(2)), atoms_of(program))
    for algorithm in ALGORITHMS:
        (violation,) = search(program, claim, algorithm=algorithm).violations
        assert (violation.kind, len(violation.choices)) == ("array bounds", 4)
        assert violation.loop is None
    unused = replace(claim, automaton=again(literal(1, 2), full(2)))
    assert search(program, unused).violations == []


def test_non_progress_cycles() -> None:
    claim = non_progress()
    stops = "active proctype A() { skip; progress: skip }"
    goes_on = "active proctype A() { do :: skip; progress: skip :: skip; skip od }"
    for text, is_wrong in ((stops, False), (goes_on, True)):
        program = whorl.load(text).program
        for algorithm in (*ALGORITHMS, "fig5"):
            found = search(program, claim, algorithm=algorithm).violations
            assert bool(found) == is_wrong, (text, algorithm)
            for violation in found:
                assert Product(program, claim).accepts_lasso(violation)


def test_what_does_not_go_together_is_refused() -> None:
    program = whorl.load("active proctype A() { skip }").program
    claim = Claim("c", "ltl", again(1), (Builtin("timeout"),))
    with pytest.raises(WhorlError, match="hash-compact"):
        search(program, claim, NativeOptions(store="hash-compact"))
    with pytest.raises(WhorlError, match="fig5"):
        search(program, claim, algorithm="fig5")
    many = whorl.load("active [70] proctype A() { true }").program
    with pytest.raises(BeyondNative, match="63 processes"):
        search(many, claim, fair=True)


def test_more_processes_than_a_walk_shows() -> None:
    model = """
    byte n;
    proctype child() { n > 100 }
    init { do :: n < 30 -> atomic { run child(); n++ } :: break od; false }
    """
    program = whorl.load(model).program
    number = BinaryOp(">", Builtin("_nr_pr"), Const(30), Span(program.source, 0, 1))
    claim = Claim("c", "ltl", again(literal(0, 1)), (number,))
    (violation,) = search(program, claim).violations
    assert violation.loop == len(violation.choices)


def test_limits() -> None:
    program = whorl.load("int x, y; init { do :: x++ :: y++ od }").program
    claim = Claim("c", "ltl", again(literal(0, 1)), (Builtin("timeout"),))
    for algorithm in ("colours", "scc"):
        found = search(program, claim, algorithm=algorithm, limits=Limits(states=1000))
        assert (found.stopped, found.progress.states) == (
            "the limit of 1,000 states was reached",
            1000,
        )
        found = search(program, claim, algorithm=algorithm, limits=Limits(depth=10))
        assert found.truncated
        found = search(program, claim, algorithm=algorithm, limits=Limits(memory_bytes=64 << 20))
        assert "memory limit" in str(found.stopped)
        found = search(program, claim, algorithm=algorithm, limits=Limits(seconds=0.2))
        assert "time limit" in str(found.stopped)


# --- merging --------------------------------------------------------------------------------------

LOCAL_STEPS = """
byte turn;
proctype atoms() { assert(turn == 0); assert(turn == 2) }
active [2] proctype P() {
  byte a, b;
  do :: turn == _pid -> a = 1; b = a + 1; a = 0; seen: b = 0; turn = 1 - turn od
}
"""


def test_local_steps_are_merged_only_where_the_claim_cannot_see_them() -> None:
    program = whorl.load(LOCAL_STEPS).program
    atoms = atoms_of(program)
    process = next(p for p in program.processes if p.name == "P")
    seen = AtLocation(process.index, Const(0), process.labels["seen"], "P[0]@seen")
    counts = []
    for atom in (atoms[1], seen):
        claim = Claim("c", "ltl", again(literal(0, 1)), (atom,))
        for merge in (False, True):
            found = search(program, claim, NativeOptions(merge=merge), stutters=True)
            assert bool(found.violations) == (atom == seen)
            for violation in found.violations:
                assert Product(program, claim).accepts_lasso(violation)
            counts.append(found.progress.states)
    assert counts[1] < counts[0]
    assert counts[3] > counts[1]
    fair = Claim("c", "ltl", again(literal(0, 1)), (atoms[1],))
    found = search(program, fair, stutters=True, fair=True)
    assert found.progress.states >= counts[0]


# --- fairness, by name ---------------------------------------------------------------------------

SENDER = "chan r = [0] of { bit }; byte x; active proctype S() { do :: r!1 od }"
FAIR = {
    "the partner of a handshake moves": (
        f"{SENDER} active proctype R() {{ do :: r?_ :: x = 1; break od }}",
        "<> (x == 1)",
        "violated",
    ),
    "who offers a handshake can move": (
        """chan r = [0] of { bit }; byte x;
        active proctype S() { r!1 } active proctype R() { r?_; x = 2 }
        active proctype T() { bit z; do :: z = 1 - z od }""",
        "<> (x == 2)",
        "holds",
    ),
    "who waits for a handshake cannot": (
        f"""{SENDER} active proctype R() {{ do :: r?_ od }}
        active proctype Q() {{ r?_; x = 1 }}""",
        "<> (x == 1)",
        "violated",
    ),
    "both move where control is passed on": (
        """chan r = [0] of { bit }; byte x;
        active proctype S() { do :: atomic { r!1; x = 0 } od }
        active proctype R() { do :: atomic { r?_; x = 2; x = 3 } :: x = 1; break od }""",
        "<> (x == 1)",
        "violated",
    ),
    "a pid is used again": (
        """byte x; proctype C() { skip }
        active proctype P() { do :: _nr_pr == 2 -> run C() od }
        active proctype Q() { do :: x == 0 -> x = 1 :: x == 1 -> x = 2 od }""",
        "<> (x == 2)",
        "holds",
    ),
    "a process of low priority cannot": (
        """byte x; active proctype P() priority 5 { bit z; do :: z = 1 - z od }
        active proctype Q() priority 1 { x = 1 }""",
        "<> (x == 1)",
        "violated",
    ),
    "63 processes": (
        "byte x, n; active [62] proctype P() { n == 1 } active proctype Q() { x = 1 }",
        "<> (x == 1)",
        "holds",
    ),
    "63 processes that are started": (
        """byte x; proctype P() { x == 9 }
        init { byte i; atomic { do :: i < 61 -> run P(); i++ :: i == 61 -> break od };
        run P(); x = 1 }""",
        "<> (x == 1)",
        "holds",
    ),
}


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("name", FAIR)
def test_fairness_by_name(name: str, merge: bool) -> None:
    model, formula, expected = FAIR[name]
    for engine in ("native", "reference"):
        result = whorl.check(model, ltl=formula, fair=True, engine=engine, merge=merge)
        assert (result.verdict, engine) == (expected, engine)


NON_PROGRESS = """byte x; active proctype P() {
U: if :: x = 1; progress_m: x = 2; x = 0; goto U
      :: x = 3; x = 4; progress_w: x = 5; do :: x = 6; x = 5 od fi }"""


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_fig5_looks_at_what_its_second_search_has_seen(engine: str) -> None:
    """The second search comes to the second branch before the first one does."""
    result = whorl.check(NON_PROGRESS, non_progress=True, algorithm="fig5", engine=engine)
    assert (result.verdict, result.reduction) == ("violated", "none")
    assert result.searches[0].reduction.startswith("none: no reduction is known")


def test_a_reduction_by_name_is_refused_with_fig5() -> None:
    with pytest.raises(WhorlError, match="fig5"):
        whorl.check(NON_PROGRESS, non_progress=True, algorithm="fig5", por="static")


def test_all_steps_of_an_atomic_sequence_are_moves() -> None:
    # S moves only in the first step of each run; the last one is R's alone.
    model = """
    chan r = [0] of { bit }; bit x, z;
    active proctype S() { do :: r!1 od }
    active proctype R() { do :: atomic { r?_; x = 1 - x } :: z = 1; break od }
    """
    for engine in ("native", "reference"):
        assert whorl.check(model, ltl="<> z", fair=True, engine=engine).verdict == "violated"
