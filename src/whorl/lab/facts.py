"""What whorl's reductions rest on, as experiments: the facts of its design, each with its bounds.

The small bounds take seconds and are part of the tests; the others are those of the documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.lab.experiment import Automata, Experiment, Sort
from whorl.lab.schemes import SCHEMES, LabScheme
from whorl.lab.search import Bounds
from whorl.property.siegel import b1, b2, b3, b4


@dataclass(frozen=True, slots=True)
class Expectation:
    """A statement, the experiment that tests it, and what must come of it."""

    fact: str
    experiment: Experiment
    expected: str | None  # "none" or "counterexample"; None where nobody knew


FIGURES = tuple(
    Automata(Sort.FIXED, f"b{n}", automaton)
    for n, automaton in enumerate((b1(), b2(), b3(), b4()), 1)
)


def normal_form(states: int, letters: int, transitions: int) -> Automata:
    return Automata(Sort.NORMAL_FORM, "si-normal-form", None, states, letters, transitions)


def all_of(kind: Sort, states: int) -> Automata:
    return Automata(kind, kind.value, None, states)


def claims(small: bool = False) -> Iterator[Expectation]:
    """The claims; with `small`, within bounds that take seconds."""
    v0, v1 = SCHEMES["v0"], SCHEMES["v1"]
    for fact, name in (
        ("1: a function of the program state", "state"),
        ("1: the proviso offline", "offline-proviso"),
        ("5: the static proviso", "static"),
    ):
        scheme = SCHEMES[name]
        for figure in FIGURES:
            yield _claim(fact, scheme, figure, 3, 3 if small else 4, "none")
        both = all_of(Sort.STUTTER_INVARIANT, 2)
        yield _claim(fact, scheme, both, 2 if small else 3, 2 if small else 3, "none")
    fact = "6: Two phase, phase 1 a function of the state"
    for figure in FIGURES:
        size = (3, 3) if small else (4, 5)
        yield _claim(fact, SCHEMES["two-phase"], figure, *size, "none")
    if not small:
        fact = "6: the same, safe after the next step only"
        yield _claim(fact, SCHEMES["two-phase-next"], FIGURES[0], 4, 5, "counterexample")
    for scheme in (v0, v1):
        deterministic = all_of(Sort.DETERMINISTIC, 2 if small else 3)
        for kind in ("full", "reduced"):
            fact = "2: V0 and V1 with deterministic automata"
            yield _claim(fact, scheme.cycles(kind), deterministic, 2, 3, "none")
            fact = "3: V0 and V1 with SI normal form"
            forms = normal_form(3, 2, 6) if small else normal_form(4, 3, 6)
            yield _claim(fact, scheme.cycles(kind), forms, 3, 3, "none")
    # C3' over the reduced product is the weakest form: what has no counterexample with it has none
    # with the others.
    weakest = v1.cycles("reduced")
    fact = "4: V1 with every state stutter-invariant"
    every = all_of(Sort.EVERY_STATE, 2)
    yield _claim(fact, weakest, every, 2 if small else 3, 2 if small else 3, "none")
    if not small:
        every = all_of(Sort.EVERY_STATE, 3)
        yield _claim(fact, weakest, every, 2, 2, "counterexample", searched=True)
        fact = "V1 with weak automata, every state stutter-invariant"
        yield _claim(fact, weakest, all_of(Sort.WEAK, 3), 2, 2, None)
        yield _claim(fact, v1, all_of(Sort.WEAK, 4), 2, 2, None)


def _claim(
    fact: str,
    scheme: LabScheme,
    automata: Automata,
    operations: int,
    states: int,
    expected: str | None,
    searched: bool = False,
) -> Expectation:
    bounds = Bounds(operations, states, searched)
    return Expectation(fact, Experiment(scheme, automata, bounds), expected)
