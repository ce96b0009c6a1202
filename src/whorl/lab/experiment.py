"""One question to the laboratory, its answer, and what the answer rests on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from whorl.lab import automata
from whorl.lab.automata import Candidate
from whorl.lab.definitions import Graph
from whorl.lab.instance import Instance
from whorl.lab.recheck import reduced
from whorl.lab.schemes import LabScheme
from whorl.lab.search import Answer, Bounds, UndecidedAnswer, search, search_automaton
from whorl.property.automaton import Buchi


class Sort(Enum):
    """The classes of automata that can be asked about."""

    FIXED = "one automaton"
    NORMAL_FORM = "si-normal-form"
    STUTTER_INVARIANT = "stutter-invariant"
    EVERY_STATE = "all-states-si"
    DETERMINISTIC = "deterministic"
    WEAK = "weak-all-states-si"


@dataclass(frozen=True, slots=True)
class Automata:
    """Which automata: one that is named, or all of a class within bounds.

    Those in SI normal form are listed, over at most `letters` letters with at most `transitions`
    transitions, and the deterministic ones, over one proposition. Those whose stutter invariance is
    an infinite matter are looked for by the solver, over one proposition.
    """

    kind: Sort
    name: str
    automaton: Buchi | None = None
    states: int = 0
    letters: int = 2
    transitions: int | None = None

    def candidates(self) -> list[Candidate]:
        match self.kind:
            case Sort.FIXED:
                assert self.automaton is not None
                return [automata.fixed(self.automaton)]
            case Sort.NORMAL_FORM:
                return automata.normal_forms(self.states, self.letters, self.most_transitions)
            case Sort.DETERMINISTIC:
                deterministic = [
                    c for n in range(1, self.states + 1) for c in automata.deterministic(n)
                ]
                return [c for c in deterministic if c.transitions <= self.most_transitions]
        raise AssertionError(f"{self.kind} is not listed")

    @property
    def listed(self) -> bool:
        return self.kind in (Sort.FIXED, Sort.NORMAL_FORM, Sort.DETERMINISTIC)

    @property
    def most_transitions(self) -> int:
        everything = self.states * self.letters * self.states
        return everything if self.transitions is None else self.transitions

    def bounds(self) -> str:
        if self.kind is Sort.FIXED:
            return self.name
        few = "" if self.transitions is None else f", at most {self.transitions} transitions"
        return f"{self.name}: at most {self.states} states, {self.letters} letters{few}"


@dataclass(frozen=True, slots=True)
class Experiment:
    scheme: LabScheme
    automata: Automata
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class ExperimentOutcome:
    """An answer and the CPU time that it took; `asked` is how many automata were listed."""

    experiment: Experiment
    answer: Answer
    seconds: float
    asked: int | None

    @property
    def verdict(self) -> str:
        if self.answer is None:
            return "none"
        return "undecided" if isinstance(self.answer, UndecidedAnswer) else "counterexample"

    def reduced(self) -> Graph:
        """The reduced product of the instance that was found."""
        assert isinstance(self.answer, Instance)
        scheme = self.experiment.scheme
        return reduced(scheme, scheme.rules(), self.answer)

    def bounds(self) -> str:
        """The bounds within which the answer was looked for, in words."""
        experiment = self.experiment
        most = experiment.bounds
        cycles = ", C3 in some depth-first search" if most.searched else ""
        return (
            f"{experiment.automata.bounds()}; programs: at most {most.operations} operations,"
            f" {most.states} states{cycles}"
        )


def run(experiment: Experiment) -> ExperimentOutcome:
    start = time.process_time()
    asked = None
    if experiment.automata.listed:
        candidates: Sequence[Candidate] = experiment.automata.candidates()
        asked = len(candidates)
        answer = search(experiment.scheme, candidates, experiment.bounds)
    else:
        answer = _looked_for(experiment)
    return ExperimentOutcome(experiment, answer, time.process_time() - start, asked)


def _looked_for(experiment: Experiment) -> Answer:
    """The automaton is looked for too: the fewest states, then the fewest transitions."""
    kind = experiment.automata.kind
    scheme = experiment.scheme
    if kind is Sort.WEAK:
        scheme = scheme.with_rules("weak")
    every = kind is not Sort.STUTTER_INVARIANT
    undecided: UndecidedAnswer | None = None
    for states in range(1, experiment.automata.states + 1):
        most = experiment.automata.transitions

        def ask(transitions: int | None, n: int = states) -> Answer:
            return search_automaton(scheme, n, experiment.bounds, every, transitions)

        answer = ask(most)
        if isinstance(answer, Instance):
            return _fewest_transitions(answer, ask)
        undecided = answer or undecided
    return undecided


def _fewest_transitions(instance: Instance, ask: Callable[[int], Answer]) -> Instance:
    while True:
        fewer = ask(automata.fixed(instance.automaton).transitions - 1)
        if not isinstance(fewer, Instance):
            return instance
        instance = fewer


def with_bounds(experiment: Experiment, operations: int = 0, states: int = 0) -> Experiment:
    """The experiment with larger bounds on the program."""
    bounds = replace(
        experiment.bounds,
        operations=experiment.bounds.operations + operations,
        states=experiment.bounds.states + states,
    )
    return replace(experiment, bounds=bounds)
