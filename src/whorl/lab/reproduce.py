"""Figure 5 of Siegel's paper: ten rows, ours beside the published ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.lab.experiment import Automata, Experiment, ExperimentOutcome, Sort, run, with_bounds
from whorl.lab.schemes import SCHEMES
from whorl.lab.search import Bounds
from whorl.property.siegel import b1, b2, b3, b4


@dataclass(frozen=True, slots=True)
class Figure5Row:
    """A row of Figure 5: what was asked, Alloy's seconds, and whether it found a counterexample."""

    experiment: Experiment
    seconds: float
    counterexample: bool


@dataclass(frozen=True, slots=True)
class Reproduced:
    row: Figure5Row
    outcome: ExperimentOutcome

    @property
    def agrees(self) -> bool:
        return self.outcome.verdict == ("counterexample" if self.row.counterexample else "none")

    @property
    def faster(self) -> float:
        return self.row.seconds / self.outcome.seconds


def figure_5() -> list[Figure5Row]:
    """The rows as published. B5 is every automaton in SI normal form within bounds."""
    named = {
        f"b{n}": Automata(Sort.FIXED, f"b{n}", automaton)
        for n, automaton in enumerate((b1(), b2(), b3(), b4()), 1)
    }
    named["b5"] = Automata(
        Sort.NORMAL_FORM, "b5: si-normal-form", states=4, letters=3, transitions=6
    )

    def row(scheme: str, automaton: str, operations: int, states: int, seconds: float,
            counterexample: bool = False) -> Figure5Row:  # fmt: skip
        bounds = Bounds(operations, states)
        experiment = Experiment(SCHEMES[scheme], named[automaton], bounds)
        return Figure5Row(experiment, seconds, counterexample)

    return [
        row("v0", "b1", 2, 2, 0.3, True),
        row("v1", "b1", 3, 5, 42.3),
        row("v0", "b2", 2, 2, 0.4, True),
        row("v1", "b2", 2, 2, 0.3, True),
        row("v0", "b3", 3, 5, 256.3),
        row("v1", "b3", 3, 5, 280.7),
        row("v0", "b4", 3, 4, 39.5),
        row("v1", "b4", 3, 4, 37.7),
        row("v0", "b5", 3, 4, 2264.9),
        row("v1", "b5", 3, 4, 1653.9),
    ]


def reproduce() -> Iterator[Reproduced]:
    for row in figure_5():
        yield Reproduced(row, run(row.experiment))


def beyond() -> Iterator[ExperimentOutcome]:
    """The rows without a counterexample again: with an operation more, and with a state more."""
    for row in figure_5():
        if not row.counterexample:
            for more in ({"operations": 1}, {"states": 1}):
                yield run(with_bounds(row.experiment, **more))
