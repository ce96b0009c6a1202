"""Many random runs, and what can be said of them together: `whorl simulate --runs`.

Run number k has the seed of the first plus k, so that each of them can be had again by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median

from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.search.coverage import Coverage, coverage
from whorl.simulate.simulation import Reason, Simulation, SimulationEnd, wander
from whorl.trace.describe import is_shown


@dataclass(frozen=True, slots=True)
class RandomRun:
    """One of many runs: how long it was and how it ended; `steps` are those that are shown."""

    seed: int
    steps: int
    taken: int  # with the steps that only pass control on, which the limit counts, too
    end: SimulationEnd
    place: str | None  # of the statement that failed, if one did: file:line
    state: State  # the last one
    executed: frozenset[int]  # numbers of transitions


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """A way in which runs ended: what tells it from others."""

    reason: Reason
    message: str
    place: str | None

    @property
    def violated(self) -> bool:
        return SimulationEnd(self.reason, self.message).violated


@dataclass(slots=True)
class Tally:
    """How often runs ended in which way, and a shortest run that did."""

    count: int
    shortest: RandomRun


@dataclass(slots=True)
class RunStatistics:
    """What is known of the runs so far."""

    outcomes: dict[RunOutcome, Tally] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)
    final: set[State] = field(default_factory=set)  # of runs that the limit did not cut off
    executed: set[int] = field(default_factory=set)

    def add(self, run: RandomRun) -> None:
        outcome = RunOutcome(run.end.reason, run.end.message, run.place)
        tally = self.outcomes.setdefault(outcome, Tally(0, run))
        tally.count += 1
        if run.steps < tally.shortest.steps:
            tally.shortest = run
        self.lengths.append(run.steps)
        self.executed |= run.executed
        if run.end.reason != "steps":
            self.final.add(run.state)

    @property
    def runs(self) -> int:
        return len(self.lengths)

    @property
    def violating(self) -> int:
        """How many runs ended in a violation."""
        return sum(tally.count for outcome, tally in self.outcomes.items() if outcome.violated)

    @property
    def median(self) -> float:
        return float(median(self.lengths))

    def ranked(self) -> list[tuple[RunOutcome, Tally]]:
        """The ways in which runs ended, the most frequent first."""
        return sorted(self.outcomes.items(), key=lambda entry: (-entry[1].count, str(entry[0])))

    def coverage(self, semantics: Semantics) -> Coverage:
        """Which statements the runs executed: never all that is possible."""
        return coverage(semantics.program, self.executed, complete=False)


def random_runs(semantics: Semantics, seed: int, count: int, limit: int) -> Iterator[RandomRun]:
    """So many runs with random choices, of up to `limit` steps each."""
    for number in range(count):
        yield random_run(semantics, seed + number, limit)


def random_run(semantics: Semantics, seed: int, limit: int) -> RandomRun:
    """The run that `whorl simulate --seed` shows."""
    simulation = Simulation(semantics)
    *_, end = wander(simulation, seed, limit)
    assert isinstance(end, SimulationEnd)
    executed = {step.transition.number for step in simulation.taken}
    executed |= {step.partner[1].number for step in simulation.taken if step.partner is not None}
    place = None
    if end.reason == "failure":
        span = simulation.taken[-1].transition.span
        place = f"{span.source.name}:{span.line}"
    shown = sum(map(is_shown, simulation.taken))
    taken = len(simulation.taken)
    return RandomRun(seed, shown, taken, end, place, simulation.state, frozenset(executed))
