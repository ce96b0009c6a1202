"""The solver's answers: against a list of all instances, against clingo, against the paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest

from lab.instances import figure_1, figure_3
from whorl.lab.automata import Candidate, fixed
from whorl.lab.definitions import accepting_lasso, c3, full_product, reduced_product
from whorl.lab.experiment import run
from whorl.lab.instance import FiniteProgram, Instance, sets_of
from whorl.lab.recheck import objection
from whorl.lab.reproduce import Figure5Row, beyond, figure_5
from whorl.lab.schemes import SCHEMES, LabScheme, source, violated
from whorl.lab.search import Bounds, search
from whorl.property.automaton import Buchi, Edge
from whorl.property.siegel import ANY, NOT_P, P, b1, b2, b3

CONDITIONS = ("c0", "c1", "c2", "cycles-full", "cycles-reduced", "sticky", "proviso",
              "safe-persistent", "phase-1", "d1", "d1-labelled", "d2w", "v", "i", "l")  # fmt: skip


def mutants() -> list[LabScheme]:
    """The schemes, and each with one of its conditions left out; the default is another file's."""
    found = []
    for scheme in SCHEMES.values():
        if scheme.has_walks:
            continue
        found.append(scheme)
        found += [scheme.without(name) for name in scheme.files if name in CONDITIONS]
    return found


# --- every instance, one by one ------------------------------------------------------------------

ALWAYS_P = Buchi(("p",), 0, ((Edge(P, 0),),), frozenset([0]))
OFTEN_P = Buchi(("p",), 0, ((Edge(NOT_P, 0), Edge(P, 1)), (Edge(ANY, 0),)), frozenset([1]))


def subsets(items: frozenset[int]) -> list[frozenset[int]]:
    return [frozenset(c) for n in range(len(items) + 1) for c in combinations(sorted(items), n)]


def all_instances(automaton: Buchi, operations: int, states: int) -> Iterator[Instance]:
    targets = [None, *range(states)]
    for labels in product((0, 1), repeat=states):
        for flat in product(targets, repeat=states * operations):
            rows = tuple(flat[q * operations : (q + 1) * operations] for q in range(states))
            program = FiniteProgram(labels, rows)
            plain = Instance(
                program,
                automaton,
                tuple(tuple(program.enabled(q) for _ in automaton.states) for q in range(states)),
            )
            if accepting_lasso(plain, full_product(plain)) is None:
                continue
            choices = [subsets(program.enabled(q)) for q in range(states) for _ in automaton.states]
            for chosen in product(*choices):
                width = len(automaton.states)
                ample = tuple(chosen[q * width : (q + 1) * width] for q in range(states))
                yield Instance(program, automaton, ample)


def exists(schemes: list[LabScheme], automaton: Buchi, operations: int, states: int) -> list[bool]:
    """Which schemes have a counterexample, by looking at all instances."""
    found = [False] * len(schemes)
    for size in range(1, states + 1):
        for instance in all_instances(automaton, operations, size):
            lost = {
                selection: accepting_lasso(instance, reduced_product(instance, selection)) is None
                for selection in {scheme.selection for scheme in schemes}
            }
            for i, scheme in enumerate(schemes):
                if not found[i] and lost[scheme.selection] and violated(scheme, instance) is None:
                    found[i] = True
    return found


@pytest.mark.parametrize(
    ("automaton", "operations", "states"), [(ALWAYS_P, 2, 2), (OFTEN_P, 1, 2), (b1(), 1, 2)]
)
def test_the_solver_finds_an_instance_just_if_there_is_one(
    automaton: Buchi, operations: int, states: int
) -> None:
    schemes = [scheme for scheme in mutants() if not scheme.rules().chosen]
    expected = exists(schemes, automaton, operations, states)
    bounds = Bounds(operations, states)
    answers = [search(scheme, [fixed(automaton)], bounds) is not None for scheme in schemes]
    assert answers == expected
    assert True in expected
    assert False in expected


# --- another solver ------------------------------------------------------------------------------


def clingo_finds(scheme: LabScheme, candidate: Candidate, operations: int, states: int) -> bool:
    clingo = pytest.importorskip("clingo")
    automaton = candidate.automaton
    facts = [f"property({s})." for s in automaton.states]
    facts += [f"letter({a})." for a in range(len(candidate.letters))]
    facts += [f"accepting({s})." for s in automaton.accepting]
    facts += [f"initial(0,{automaton.initial})."]
    facts += [
        f"delta({s},{a},{z})."
        for s in automaton.states
        for a, letter in enumerate(candidate.letters)
        for z in automaton.successors(s, letter)
    ]
    for name, rows in sets_of(range(states)).items():
        facts += [f"{name}({','.join(map(str, row))})." for row in rows]
    rules = [source(name).text for name in scheme.all_files]
    sizes = ["-c", f"operations={operations}", "-c", f"states={states}", "--warn=none"]
    control = clingo.Control(sizes)
    for name in ("prelude.lp", "loss.lp" if scheme.is_safety else "lasso.lp"):
        control.load(str(Path(__file__).parent / name))
    control.add("base", [], "\n".join([*facts, *rules]))
    control.ground([("base", [])])
    return bool(control.solve().satisfiable)


@pytest.mark.parametrize("scheme", mutants(), ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("automaton", [b1(), b2(), b3()], ids=["b1", "b2", "b3"])
def test_clingo_agrees(scheme: LabScheme, automaton: Buchi) -> None:
    candidate = fixed(automaton)
    expected = any(clingo_finds(scheme, candidate, 2, states) for states in (1, 2, 3))
    assert (search(scheme, [candidate], Bounds(2, 3)) is not None) == expected


# --- the paper -----------------------------------------------------------------------------------


def quick(row: Figure5Row) -> bool:
    return row.seconds < 40


@pytest.mark.parametrize("row", [pytest.param(r, marks=() if quick(r) else pytest.mark.slow)
                                 for r in figure_5()])  # fmt: skip
def test_figure_5(row: Figure5Row) -> None:
    outcome = run(row.experiment)
    assert (outcome.verdict == "counterexample") == row.counterexample
    assert outcome.verdict != "undecided"


@pytest.mark.slow
def test_beyond_figure_5() -> None:
    assert all(outcome.answer is None for outcome in beyond())


def test_the_smallest_instances_are_those_of_the_paper() -> None:
    assert search(SCHEMES["v0"], [fixed(b1())], Bounds(2, 2)) == figure_1()
    assert search(SCHEMES["v1"], [fixed(b2())], Bounds(2, 2)) == figure_3()


def test_searches_that_have_c3() -> None:
    found = search(SCHEMES["v1"].cycles("reduced"), [fixed(b2())], Bounds(2, 2, searched=True))
    assert isinstance(found, Instance)
    assert c3(found, SCHEMES["v1"].selection) is None


def test_an_instance_that_is_none_is_not_let_through() -> None:
    scheme = SCHEMES["v1"]
    assert objection(scheme, scheme.rules(), figure_3(), searched=True) is None
    assert objection(scheme, scheme.rules(), figure_1(), searched=False) is not None
    other = SCHEMES["v0"]
    reason = objection(other, other.rules(), figure_3(), searched=False)
    assert reason is not None


# --- conditions that are needed ------------------------------------------------------------------


@pytest.mark.parametrize(
    "scheme", [m for m in mutants() if "without" in m.name], ids=lambda scheme: scheme.name
)
def test_without_a_condition_there_is_a_counterexample(scheme: LabScheme) -> None:
    """The encoding would have found one, had the condition not kept it out."""
    assert isinstance(search(scheme, [fixed(b3())], Bounds(3, 4)), Instance)


def test_without_the_program_state_alone_there_is_one() -> None:
    scheme = SCHEMES["state"].without("by-program-state")
    assert isinstance(search(scheme, [fixed(b2())], Bounds(2, 2)), Instance)
