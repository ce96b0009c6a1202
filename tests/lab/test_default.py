"""The default scheme, for formulas and for safety: nothing is lost, and mutations are found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random

import pytest

from lab.test_search import clingo_finds
from whorl.lab import visited, walks
from whorl.lab.automata import fixed
from whorl.lab.default import NO_AUTOMATON, claims, mutations
from whorl.lab.definitions import accepting_lasso, explicit, full_product
from whorl.lab.experiment import ExperimentOutcome, run
from whorl.lab.facts import FIGURES, Expectation
from whorl.lab.instance import FiniteProgram, Instance
from whorl.lab.recheck import objection, reduced
from whorl.lab.schemes import MUTATIONS, SCHEMES, LabScheme, violated
from whorl.lab.search import Bounds, search
from whorl.lab.threads import begun
from whorl.property.automaton import Buchi
from whorl.reduction import abstract

SAFETY = SCHEMES["two-phase-ample-safety"]
DEPTH_FIRST = SCHEMES["two-phase-ample-safety-closed"]
THREADED = [SCHEMES[f"two-phase-ample-safety-{name}"] for name in ("threads", "open", "anchored")]


def name(claim: Expectation) -> str:
    bounds = claim.experiment.bounds
    return f"{claim.experiment.scheme.name} {claim.experiment.automata.name} {bounds.states}"


@pytest.mark.parametrize("claim", list(claims(small=True)), ids=name)
def test_nothing_is_lost(claim: Expectation) -> None:
    assert run(claim.experiment).verdict == "none"


@pytest.mark.slow
@pytest.mark.parametrize("claim", list(claims()), ids=name)
def test_nothing_is_lost_within_the_bounds_of_the_page(claim: Expectation) -> None:
    assert run(claim.experiment).verdict == "none"


# --- mutations -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> list[ExperimentOutcome]:
    return list(mutations())


def test_every_mutation_is_found(found: list[ExperimentOutcome]) -> None:
    assert len(found) == len(MUTATIONS) >= 20
    assert [o.experiment.scheme.name for o in found if o.verdict != "counterexample"] == []


def test_a_counterexample_to_a_mutation_is_none_to_the_scheme(
    found: list[ExperimentOutcome],
) -> None:
    """So it is the mutation that made the difference."""
    for outcome in found:
        assert isinstance(outcome.answer, Instance)
        scheme = outcome.experiment.scheme
        assert objection(scheme, scheme.rules(), outcome.answer, searched=False) is None
        original = max((s for s in SCHEMES.values() if scheme.name.startswith(s.name)),
                       key=lambda s: len(s.name))  # fmt: skip
        if scheme.name == "two-phase-ample-no-sticky":  # whatever is sticky
            assert all(violated(original, one) is not None for one in _stuck(outcome.answer))
        elif "wrong-product-walks" in scheme.files:  # here the product is another
            own = replace(outcome.answer, extra=_without(outcome.answer, "enters"))
            graph = reduced(original, original.rules(), own)
            assert accepting_lasso(own, graph) is not None
        else:
            assert violated(original, outcome.answer) is not None


def _stuck(instance: Instance) -> list[Instance]:
    """The instance with every set of sticky operations."""
    sets = subsets(frozenset(instance.program.operations))
    rows = [frozenset((o,) for o in chosen) for chosen in sets]
    return [replace(instance, extra=(*instance.extra, ("sticky", row))) for row in rows]


def _without(instance: Instance, name: str) -> tuple[tuple[str, frozenset[tuple[int, ...]]], ...]:
    return tuple((known, rows) for known, rows in instance.extra if known != name)


def test_the_smallest_program_that_needs_the_proviso() -> None:
    """a goes round in the initial state for ever, and b is never taken."""
    no_proviso = search(
        MUTATIONS["two-phase-ample-safety-no-proviso"], NO_AUTOMATON.candidates(), Bounds(2, 1)
    )
    assert isinstance(no_proviso, Instance)
    assert no_proviso.program.next == ((0, 0),)
    assert visited.loss(no_proviso, (0,)).operations
    assert violated(SAFETY, no_proviso) is not None


# --- another solver ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scheme",
    [SCHEMES["two-phase-ample"], *(s for s in MUTATIONS.values() if not s.is_safety)],
    ids=lambda scheme: scheme.name,
)
def test_clingo_agrees(scheme: LabScheme) -> None:
    candidate = fixed(_automaton(0))
    expected = any(clingo_finds(scheme, candidate, 2, states) for states in (1, 2, 3))
    assert (search(scheme, [candidate], Bounds(2, 3)) is not None) == expected


def _automaton(figure: int) -> Buchi:
    automaton = FIGURES[figure].automaton
    assert automaton is not None
    return automaton


@pytest.mark.parametrize(
    "scheme",
    [SAFETY, DEPTH_FIRST, *THREADED, *(s for s in MUTATIONS.values() if s.is_safety)],
    ids=lambda scheme: scheme.name,
)
def test_clingo_agrees_on_safety(scheme: LabScheme) -> None:
    candidate = fixed(_automaton_of_safety())
    expected = any(clingo_finds(scheme, candidate, 2, states) for states in (1, 2, 3))
    assert (search(scheme, [candidate], Bounds(2, 3)) is not None) == expected


def _automaton_of_safety() -> Buchi:
    assert NO_AUTOMATON.automaton is not None
    return NO_AUTOMATON.automaton


# --- every instance, one by one ------------------------------------------------------------------


def programs(operations: int, states: int) -> Iterator[FiniteProgram]:
    """The programs all of whose states can be reached."""
    for flat in product([None, *range(states)], repeat=states * operations):
        rows = tuple(flat[q * operations : (q + 1) * operations] for q in range(states))
        program = FiniteProgram((0,) * states, rows)
        reach = {0}
        for _ in range(states):
            reach |= {r for q in reach for _, r in program.steps(q)}
        if len(reach) == states:
            yield program


def subsets(items: frozenset[int]) -> list[frozenset[int]]:
    return [frozenset(c) for n in range(len(items) + 1) for c in combinations(sorted(items), n)]


def instances(operations: int, states: int) -> Iterator[Instance]:
    """Every program with every selector and every phase 1."""
    pairs = list(product(range(states), repeat=2))
    for program in programs(operations, states):
        ways = [[None, *sorted(program.enabled(q))] for _, q in pairs]
        for chosen in product(*(subsets(program.enabled(q)) for q in program.states)):
            plain = Instance(program, _automaton_of_safety(), tuple((one,) for one in chosen))
            for taken in product(*ways):
                rests = frozenset(p for p, o in zip(pairs, taken, strict=True) if o is None)
                walk = frozenset(
                    (*p, o) for p, o in zip(pairs, taken, strict=True) if o is not None
                )
                yield replace(plain, extra=(("walk", walk), ("rests", rests)))


@pytest.mark.parametrize("operations", [1, 2])
def test_the_solver_loses_something_just_if_some_search_does(operations: int) -> None:
    """All searches of all small instances, in every order, by the definitions alone."""
    named = [SAFETY, DEPTH_FIRST, *THREADED, *(s for s in MUTATIONS.values() if s.is_safety)]
    schemes = [scheme for scheme in named if "wrong-new-once" not in scheme.files]
    expected = dict.fromkeys((scheme.name for scheme in schemes), False)
    for states in (1, 2):
        for instance in instances(operations, states):
            if walks.ends(instance) is not None:
                continue
            for scheme in schemes:
                if not expected[scheme.name] and loses(scheme, instance):
                    expected[scheme.name] = True
    bounds = Bounds(operations, 2)
    answers = {s.name: search(s, NO_AUTOMATON.candidates(), bounds) is not None for s in schemes}
    assert answers == expected
    assert (True in answers.values()) == (operations == 2)


def loses(scheme: LabScheme, instance: Instance) -> bool:
    if violated(scheme, instance) is not None:
        return False
    if scheme.thread_proviso is not None:
        order = begun(instance, scheme.thread_proviso)
        return order is not None and bool(visited.loss(instance, order))
    proviso = None if scheme.proviso is None else visited.PROVISOS[scheme.proviso]
    return any(visited.loss(instance, order) for order in visited.orders(instance, proviso))


# --- the search itself ---------------------------------------------------------------------------


def is_persistent(program: FiniteProgram, state: int, chosen: frozenset[int]) -> bool:
    return not abstract.c1(explicit(program), [(state, 0)], lambda q, s: chosen)


class Run:
    """runtime/search/search.h in a few lines: sets are tried until one leads to something new."""

    def __init__(self, program: FiniteProgram, random: Random, proviso: bool) -> None:
        self.program, self.random, self.proviso = program, random, proviso
        self.phase_1 = {q: self.walk(q) for q in program.states}
        self.stored, self.executed = {0}, set[int]()
        waiting: list[tuple[int, frozenset[int]]] = [(0, frozenset())]  # with what is avoided
        while waiting:
            state, avoid = waiting.pop(random.randrange(len(waiting)))
            chosen = self.choose(state, avoid)
            new = False
            for o in chosen:
                steps, end = self.phase_1[program.step(state, o)]
                self.executed |= {o, *steps}
                if end not in self.stored:
                    self.stored.add(end)
                    waiting.append((end, frozenset()))
                    new = True
            if proviso and not new and chosen != program.enabled(state):
                waiting.append((state, avoid | chosen))

    def choose(self, state: int, avoid: frozenset[int]) -> frozenset[int]:
        enabled = self.program.enabled(state)
        sets = [s for s in subsets(enabled - avoid) if s and is_persistent(self.program, state, s)]
        return self.random.choice([*sets, enabled]) if sets else enabled

    def walk(self, state: int) -> tuple[list[int], int]:
        """Some walk from a state, as far as chance lets it go."""
        steps: list[int] = []
        met = {state}
        while self.random.random() < 0.7:
            alone = [o for o, r in self.program.steps(state) if r not in met
                     and is_persistent(self.program, state, frozenset([o]))]  # fmt: skip
            if not alone:
                break
            steps.append(self.random.choice(alone))
            state = self.program.step(state, steps[-1])
            met.add(state)
        return steps, state

    @property
    def loses(self) -> bool:
        states = self.program.states
        enabled = {o for q in states for o in self.program.enabled(q)}
        deadlocks = {q for q in states if not self.program.enabled(q)}
        return not (enabled <= self.executed and deadlocks <= self.stored)


def squares(random: Random, operations: int) -> FiniteProgram:
    """A product of processes with one operation each, some of which wait for others."""
    sizes = [random.choice((1, 2)) for _ in range(operations)]
    loops = [random.random() < 0.6 for _ in range(operations)]
    waits = [
        random.randrange(operations) if random.random() < 0.4 else o for o in range(operations)
    ]
    start = (0,) * operations
    numbers = {start: 0}
    rows: list[tuple[int | None, ...]] = []
    while len(rows) < len(numbers):
        at = list(numbers)[len(rows)]
        row: list[int | None] = []
        for o in range(operations):
            onward = (at[o] + 1) % sizes[o] if loops[o] else at[o] + 1
            free = waits[o] == o or at[waits[o]] == 0
            if not free or onward > sizes[o]:
                row.append(None)
            else:
                target = (*at[:o], onward, *at[o + 1 :])
                row.append(numbers.setdefault(target, len(numbers)))
        rows.append(tuple(row))
    return FiniteProgram((0,) * len(rows), tuple(rows))


def test_a_search_as_it_is_written_loses_nothing() -> None:
    """Sets are tried one after another; what the laboratory has of them is the last alone."""
    random = Random(13)
    lost = 0
    for _ in range(1500):
        program = squares(random, random.choice((2, 3)))
        assert not Run(program, random, proviso=True).loses
        lost += Run(program, random, proviso=False).loses
    assert lost > 20


# --- phase 1 -------------------------------------------------------------------------------------


def test_positions() -> None:
    """Two walks through one state that go on in different ways are kept apart."""
    # a: A -> B -> C, and b: B -> A
    program = FiniteProgram((0, 0, 1), ((1, None), (2, 0), (2, None)))
    full = tuple((program.enabled(q),) * 2 for q in program.states)
    walk = frozenset([(0, 0, 0), (1, 1, 1)])
    rests = frozenset(p for p in product(range(3), repeat=2) if p not in {(0, 0), (1, 1)})
    instance = Instance(program, _automaton(0), full, (("walk", walk), ("rests", rests)))
    assert walks.path(instance, 0) == ([(0, 0)], 1)
    assert walks.path(instance, 1) == ([(1, 1)], 0)
    assert walks.ends(instance) is None
    graph = walks.reduced_product(instance)
    # position 1 is B on the walk from A: there everything is taken
    assert {r for (q, s) in graph for (r, z) in graph[q, s] if q == 1} == {0, 8}
    plain = walks.without_walks(program, graph)
    assert plain.keys() <= full_product(instance).keys()
    round_ = frozenset([(0, 0, 0), (0, 1, 1)])
    again = replace(instance, extra=(("walk", round_), ("rests", rests - {(0, 1)} | {(1, 1)})))
    assert walks.ends(again) == "phase 1 from A goes round"


def test_orders_are_all_orders() -> None:
    """Three states after the initial one, fully expanded, in any order."""
    program = FiniteProgram((0,) * 4, ((1, 2, 3), *((None,) * 3,) * 3))
    full = tuple((program.enabled(q),) for q in program.states)
    rests = frozenset(product(range(4), repeat=2))
    instance = Instance(program, _automaton_of_safety(), full, (("rests", rests),))
    found = set(visited.orders(instance, visited.PROVISOS["new"]))
    assert found == {(0, *rest) for rest in permutations((1, 2, 3))}
