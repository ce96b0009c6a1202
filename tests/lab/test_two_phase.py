"""Two phase as it is written, and as a function of the program state."""

from __future__ import annotations

import pytest

from lab.instances import FIGURE_1_PROGRAM
from whorl.lab.automata import fixed
from whorl.lab.definitions import (
    SelectsBy,
    accepting_lasso,
    c0,
    c1,
    c2,
    full_product,
    proviso,
    reduced_product,
)
from whorl.lab.instance import FiniteProgram, Instance
from whorl.lab.schemes import SCHEMES, violated
from whorl.lab.search import Bounds, search
from whorl.lab.two_phase import (
    Concurrent,
    PaperReading,
    ample_function,
    product_on_the_fly,
    reduced_program,
)
from whorl.lab.two_phase_search import search_two_phase
from whorl.property.siegel import b1, b2, b3

LITERAL = PaperReading(persistent=True, selective=False, on_the_fly=True)


def system(program: FiniteProgram, *processes: str, persistent: bool = True) -> Concurrent:
    sets = tuple(frozenset(ord(o) - ord("a") for o in names) for names in processes)
    return Concurrent(program, sets, persistent, tuple(program.operations))


def test_on_the_fly_with_all_states_stored_a_lasso_is_missed() -> None:
    """The program of Figure 1 with B2: the end of phase 1 depends on the automaton's moves."""
    tried = search_two_phase(LITERAL, b2(), 2, 2)
    assert tried.missed is not None
    graph = product_on_the_fly(system(FIGURE_1_PROGRAM, "a", "b"), b2(), selective=False)
    # In A1 everything is explored; in A2, which was on the path to it, only a.
    assert graph[0, 1] == {(0, 2): {0}, (1, 2): {1}}
    assert graph[0, 2] == {(0, 1): {0}}


def test_on_the_fly_with_selective_caching_a_lasso_is_missed() -> None:
    """Two processes that loop: the second ends phase 1 where the first was, one state further.

    B1 and B2 are two states of the product. Phase 1 from B2 ends in B1, which is stored and
    expanded; phase 1 from B1 would end in B2, but B1 is stored already.
    """
    program = FiniteProgram((0, 0, 1), ((None, 0, 1), (1, 1, 2), (2, 2, 1)))
    order = (0, 2, 1)
    processes = (frozenset([0]), frozenset([1]), frozenset([2]))
    three = Concurrent(program, processes, persistent=True, order=order)
    full = tuple(tuple(program.enabled(q) for _ in range(4)) for q in program.states)
    instance = Instance(program, b2(), full)
    assert accepting_lasso(instance, full_product(instance)) is not None
    graph = product_on_the_fly(three, b2(), selective=True)
    assert accepting_lasso(instance, graph) is None
    assert 2 not in {o for operations in graph[1, 2].values() for o in operations}
    chosen = tuple((ample,) * 4 for ample in ample_function(three))
    sound = Instance(program, b2(), chosen)
    assert accepting_lasso(sound, reduced_product(sound, SelectsBy.SOURCE)) is not None


@pytest.mark.parametrize(
    "reading",
    [
        PaperReading(persistent=True, selective=True, on_the_fly=True),
        PaperReading(persistent=True, selective=False, on_the_fly=False),
        PaperReading(persistent=True, selective=True, on_the_fly=False),
        PaperReading(persistent=True, selective=False, on_the_fly=True, function=True),
    ],
)
def test_the_other_readings_find_it(reading: PaperReading) -> None:
    tried = search_two_phase(reading, b2(), 2, 3)
    assert tried.missed is None
    assert tried.programs == 26


def test_a_chain_of_deterministic_steps_ends_at_its_last_state() -> None:
    # a: A -> B -> C, beside b, which is visible and loops in every state
    program = FiniteProgram((0, 0, 0), ((1, 0), (2, 1), (None, 2)))
    two = system(program, "a", "b")
    assert ample_function(two) == [{0}, {0}, {1}]
    assert reduced_program(two, selective=False) == {(0, 0), (1, 0), (2, 1)}


def test_a_loop_is_expanded_at_its_least_state() -> None:
    program = FiniteProgram((0, 0, 1, 1), ((1, 2), (0, 3), (3, None), (2, None)))
    two = system(program, "a", "b")
    assert ample_function(two) == [{0, 1}, {0}, {0}, {0}]
    rows = tuple((chosen,) * 2 for chosen in ample_function(two))
    instance = Instance(program, b3(), rows)
    assert [c0(instance), c1(instance), c2(instance), proviso(instance)] == [None] * 4


def test_safe_after_the_next_step_is_not_enough() -> None:
    """The paper's words, taken by themselves: five states and four operations."""
    found = search(SCHEMES["two-phase-next"], [fixed(b1())], Bounds(4, 5))
    assert isinstance(found, Instance)
    assert c1(found) is not None
    assert violated(SCHEMES["two-phase"].without("safe-persistent"), found) is None


def test_deterministic_processes() -> None:
    # after b, c is enabled too: a is not the only choice of its process any more
    program = FiniteProgram((0, 0, 0), ((0, 1, None), (1, None, 2), (2, None, None)))
    assert system(program, "ac", "b").deterministic(0, frozenset([0, 2])) is None
    assert system(program, "a", "bc").deterministic(0, frozenset([0])) == 0
