"""Looks for programs that Two phase, run as it is written, gets wrong.

Whatever phase 1 explores in a state is a deterministic step or everything, so a program that it
gets wrong has an ample selector of this kind that is wrong, with no condition on cycles. The solver
lists these programs; on each of them the algorithm is run, in every order of its loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.lab import definitions
from whorl.lab.automata import fixed
from whorl.lab.definitions import Graph
from whorl.lab.encoding import Encoding, Size
from whorl.lab.experiment import Automata, Sort
from whorl.lab.facts import FIGURES
from whorl.lab.instance import Instance
from whorl.lab.schemes import LabScheme
from whorl.lab.solver import Solver
from whorl.lab.two_phase import Concurrent, PaperReading, explored_product, systems
from whorl.property.automaton import Buchi


@dataclass(frozen=True, slots=True)
class Missed:
    """A program on which Two phase misses every accepting lasso."""

    instance: Instance  # its ample sets are those of the solver, not of the run
    system: Concurrent
    explored: Graph


@dataclass(frozen=True, slots=True)
class Tried:
    """How many programs there were, and the first that Two phase gets wrong."""

    programs: int
    missed: Missed | None


def scheme_of(reading: PaperReading) -> LabScheme:
    """The rules that every run obeys."""
    safe = "safe-persistent" if reading.persistent else "safe-next"
    files: tuple[str, ...] = ("c0", "processes", "phase-1", safe, "source")
    if reading.function or not reading.on_the_fly:
        files = (*files, "by-program-state")
    return LabScheme("two-phase, any run", "phase 1 or everything", files)


def readings(chosen: Automata | None = None) -> Iterator[tuple[PaperReading, Automata]]:
    """Every reading, with these automata, or those of the paper and the small deterministic ones.

    Where phase 1 is a function of the state it does not matter what is stored: the steps that are
    explored are the same, and so they are on the fly.
    """
    deterministic = Automata(Sort.DETERMINISTIC, "deterministic, <= 2 states", None, 2)
    asked = (*FIGURES, deterministic) if chosen is None else (chosen,)
    for persistent in (True, False):
        for on_the_fly in (False, True):
            for selective in (False, True):
                for automata in asked:
                    yield PaperReading(persistent, selective, on_the_fly), automata
        for automata in asked:
            yield PaperReading(persistent, False, True, function=True), automata


def search_two_phase(
    reading: PaperReading, automaton: Buchi, operations: int, states: int
) -> Tried:
    programs = 0
    for size in range(1, states + 1):
        for instance in _programs(scheme_of(reading), automaton, operations, size):
            programs += 1
            for system in systems(instance.program, _processes(instance), reading.persistent):
                explored = explored_product(system, automaton, reading)
                if definitions.accepting_lasso(instance, explored) is None:
                    full = definitions.full_product(instance)
                    assert definitions.accepting_lasso(instance, full) is not None
                    return Tried(programs, Missed(instance, system, explored))
    return Tried(programs, None)


def _programs(
    scheme: LabScheme, automaton: Buchi, operations: int, states: int
) -> Iterator[Instance]:
    """The programs and partitions for which some run may be wrong, each once."""
    candidate = fixed(automaton)
    size = Size(operations, states, len(automaton.states), len(candidate.letters))
    encoding = Encoding(scheme.rules(), size, automaton, candidate.letters)
    with Solver(encoding.clauses.clauses) as solver:
        while (model := solver.solve()) is not None:
            yield encoding.instance(model)
            solver.add(encoding.another(model, ("next", "label", "apart")))


def _processes(instance: Instance) -> set[frozenset[int]]:
    """The partition of the operations."""
    (apart,) = [rows for name, rows in instance.extra if name == "apart"]
    operations = instance.program.operations
    return {frozenset(p for p in operations if (o, p) not in apart) for o in operations}
