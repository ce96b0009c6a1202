"""The inconsistent labelling problem [NVW20]: which conditions on stubborn sets keep the labels.

D1 says that the actions of a path commute with an action of the set, and nothing of the states on
the way. Where a state of the one path is labelled otherwise than that of the other, a run is lost.
That takes an action that is nondeterministic, or one that is disabled on the way, as weak stubborn
sets allow. D1' excludes it, and so do D2 and determinism together.
"""

from __future__ import annotations

from collections.abc import Iterator

from whorl.lab.experiment import Automata, Experiment, Sort
from whorl.lab.facts import FIGURES, Expectation, all_of, normal_form
from whorl.lab.schemes import SCHEMES, LabScheme
from whorl.lab.search import Bounds
from whorl.property.parse import parse_formula
from whorl.property.translate import translate

NEEDED = ("d1", "d1-labelled", "d2w", "v", "i", "l")
ONCE = "<> p && <> [] !p"  # what B1 to B4 do not tell: something has been so, and is no more


def once() -> Automata:
    return Automata(Sort.FIXED, ONCE, translate(parse_formula(ONCE), ("p",)))


def claims(small: bool = False) -> Iterator[Expectation]:
    """What is expected of each form of the conditions; with `small`, within bounds of seconds."""
    for name in ("stubborn-d1", "stubborn-d1-d2"):
        for automata in FIGURES[: 1 if small else 4]:
            yield _claim("D1, nondeterministic", SCHEMES[name], automata, 3, 4, "counterexample")
    if not small:
        fact = "D1 and D2w, deterministic"
        yield _claim(fact, SCHEMES["stubborn-deterministic"], once(), 3, 5, "counterexample")
    for fact, name in (
        ("D1 and D2, deterministic", "stubborn-deterministic-d2"),
        ("D1'", "stubborn"),
    ):
        scheme = SCHEMES[name]
        for automata in (*FIGURES, once()):
            for size in [(3, 3)] if small else [(4, 4), (3, 5)]:
                yield _claim(fact, scheme, automata, *size, "none")
        both = all_of(Sort.STUTTER_INVARIANT, 2)
        yield _claim(fact, scheme, both, *((2, 2) if small else (3, 3)), "none")
        if not small:
            yield _claim(fact, scheme, normal_form(4, 3, 6), 3, 3, "none")
    for name in NEEDED:
        scheme = SCHEMES["stubborn"].without(name)
        yield _claim("one condition less", scheme, FIGURES[0], 3, 4, "counterexample")


def _claim(
    fact: str, scheme: LabScheme, automata: Automata, operations: int, states: int, expected: str
) -> Expectation:
    return Expectation(fact, Experiment(scheme, automata, Bounds(operations, states)), expected)
