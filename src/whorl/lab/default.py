"""The default scheme, for formulas and for safety, within bounds; and made wrong in many ways.

What it is in whorl: `reduction/two_phase_ample.py` and, for safety, `runtime/search/proviso.h`.
On several threads it is the same, with what a thread can know in place of the order of one search.
"""

from __future__ import annotations

from collections.abc import Iterator

from whorl.lab.experiment import Automata, Experiment, ExperimentOutcome, Sort, run
from whorl.lab.facts import FIGURES, Expectation, all_of, normal_form
from whorl.lab.instance import Instance
from whorl.lab.schemes import MUTATIONS, SCHEMES, LabScheme
from whorl.lab.search import Bounds
from whorl.property.automaton import Buchi, Edge

# Where there is no automaton: one that reads everything and looks at nothing.
NO_AUTOMATON = Automata(
    Sort.FIXED, "no automaton", Buchi(("p",), 0, ((Edge(0b11, 0),),), frozenset([0]))
)
FORMULAS = "the default for formulas"
BREADTH = "the default for safety, in every order of search"
DEPTH = "the default for safety, depth first"
THREADS = "safety on several threads: new"
OPEN = "safety on several threads: new, or begun by nobody"
ANCHORED = "safety on several threads: new, or anchored"
_ON_THREADS = ((THREADS, "threads"), (OPEN, "open"), (ANCHORED, "anchored"))


def claims(small: bool = False) -> Iterator[Expectation]:
    """What is expected of the default scheme; with `small`, within bounds that take seconds."""
    default = SCHEMES["two-phase-ample"]
    for figure in FIGURES:
        for size in [(3, 3)] if small else [(3, 4), (4, 4), (3, 5), (4, 5)]:
            yield _claim(FORMULAS, default, figure, *size)
    if not small:
        yield _claim(FORMULAS, default, FIGURES[0], 3, 6)
    forms = normal_form(3, 2, 6) if small else normal_form(4, 3, 6)
    yield _claim(FORMULAS, default, forms, *((2, 3) if small else (3, 4)))
    both = all_of(Sort.STUTTER_INVARIANT, 2)
    yield _claim(FORMULAS, default, both, 2 if small else 3, 2 if small else 3)
    for size in [(3, 4)] if small else [(4, 4), (3, 5)]:
        yield _claim(BREADTH, SCHEMES["two-phase-ample-safety"], NO_AUTOMATON, *size)
        yield _claim(DEPTH, SCHEMES["two-phase-ample-safety-closed"], NO_AUTOMATON, *size)
    for fact, name in _ON_THREADS:
        for size in [(3, 3)] if small else [(4, 4), (3, 5)]:
            yield _claim(fact, SCHEMES[f"two-phase-ample-safety-{name}"], NO_AUTOMATON, *size)
    if not small:
        yield _claim(BREADTH, SCHEMES["two-phase-ample-safety"], NO_AUTOMATON, 3, 6)
        yield _claim(THREADS, SCHEMES["two-phase-ample-safety-threads"], NO_AUTOMATON, 3, 6)


def _claim(
    fact: str, scheme: LabScheme, automata: Automata, operations: int, states: int
) -> Expectation:
    return Expectation(fact, Experiment(scheme, automata, Bounds(operations, states)), "none")


def mutations() -> Iterator[ExperimentOutcome]:
    """The smallest counterexample to each wrong scheme, with the first of B1 to B4 that has one."""
    for scheme in MUTATIONS.values():
        for automata in (NO_AUTOMATON,) if scheme.is_safety else FIGURES:
            outcome = run(Experiment(scheme, automata, Bounds(3, 4)))
            if isinstance(outcome.answer, Instance):
                break
        yield outcome
