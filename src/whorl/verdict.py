"""What a check gives: a verdict for each property, figures, and the runs that break a property."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from whorl.search.coverage import Coverage, Unreached
    from whorl.search.exploration import ClusterFigures
    from whorl.trace.trace import Trace

Verdict = Literal["holds", "violated", "inconclusive"]

HOLDS: Verdict = "holds"
VIOLATED: Verdict = "violated"
INCONCLUSIVE: Verdict = "inconclusive"

EXIT_CODES: dict[Verdict, int] = {HOLDS: 0, VIOLATED: 1, INCONCLUSIVE: 3}
EXIT_BAD_INPUT = 2
EXIT_INTERNAL = 4


@dataclass(frozen=True, slots=True)
class Property:
    """One kind of property that was looked at, and what came of it."""

    name: str
    kind: str
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of a search. As in Spin, `transitions` counts the initial state as one."""

    states: int
    transitions: int
    depth: int
    seconds: float
    memory_bytes: int
    complete: bool
    store_bytes: int | None = None  # what the stored states take, where the engine tells
    threads: int = 1  # that searched
    largest_list: int | None = None  # of `pv`: the states in list, beside those in Vr
    cluster: ClusterFigures | None = None  # of a search by workers


@dataclass(frozen=True, slots=True)
class Search:
    """One search: what it was for, its figures, and the automaton that ran beside the program."""

    property: str  # "safety", or the name of a property
    statistics: Statistics
    reduction: str = "none"  # the scheme, and why it is sound or why there is none
    algorithm: str | None = None  # of a search for cycles
    automaton_states: int | None = None
    deterministic: bool | None = None


@dataclass(frozen=True, slots=True)
class VacuousPart:
    """A part of a formula that does not matter: with `replaced_by` in its place it holds, too."""

    part: str
    replaced_by: str
    formula: str  # with the part replaced
    said: str
    condition: bool = False  # it is in the left side of an implication, which is not needed


@dataclass(frozen=True, slots=True)
class Vacuity:
    """Whether a formula that holds does so vacuously; `valid`: it holds of every program."""

    property: str
    verdict: Literal["vacuous", "not vacuous", "undecided"]
    valid: bool = False
    parts: tuple[VacuousPart, ...] = ()
    undecided: int = 0  # how many propositions could not be looked at
    searches: int = 0  # that it took


@dataclass(frozen=True, slots=True)
class FoundBy:
    """The search of a swarm that found a violation."""

    number: int  # in the list of the swarm's seed
    settings: str  # in words
    repeat: str  # the command that does it again


@dataclass(frozen=True, slots=True)
class Swarm:
    """The searches of a swarm, and what they have seen together."""

    seed: int
    workers: int
    searches: int  # that came to their own end
    cut: int  # that something else ended
    stopped: str  # why there were no more
    cpu_seconds: float
    states: int  # different ones, estimated from samples
    error: float  # of that: the relative standard error; 0 where it is exact
    coverage_at_most: float | None  # the share of what such searches can come to, by an estimate
    new_lately: float | None  # the share of these that the last searches were the first to see
    found_by: FoundBy | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a check. `traces` has a run for each violation that was found.

    `searches` are those that it took; `statistics` are their figures together.
    """

    verdict: Verdict
    properties: tuple[Property, ...]
    statistics: Statistics
    engine: str
    reduction: str
    traces: tuple[Trace, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())  # what the verdict rests on, and warnings
    unreached: tuple[Unreached, ...] = field(default=())
    searches: tuple[Search, ...] = field(default=())
    advice: tuple[str, ...] = ()  # what to try next, where a search did not finish
    coverage: Coverage | None = None  # None: nothing was searched
    vacuity: tuple[Vacuity, ...] = ()  # of formulas that hold, where it was asked for
    witnesses: tuple[Trace, ...] = ()  # runs that show what holds, where they were asked for
    swarm: Swarm | None = None  # of `whorl swarm`

    @property
    def trace(self) -> Trace | None:
        """The first counterexample."""
        return self.traces[0] if self.traces else None

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    def __str__(self) -> str:
        """The report, as `whorl check` prints it, in the words of Python."""
        from whorl.report import Detail, report_lines, verdict_line  # which reads a Result
        from whorl.spelling import ATTRIBUTES
        from whorl.trace.style import PLAIN

        lines = report_lines(self, PLAIN, Detail(), spelled=ATTRIBUTES.__getitem__)
        return "\n".join([*lines, verdict_line(self, None, PLAIN)])

    def _repr_html_(self) -> str:
        """The report, as a notebook shows it."""
        from whorl.notebook import result_html  # which reads a Result

        return result_html(self)


def together(figures: tuple[Statistics, ...]) -> Statistics:
    """The figures of several searches, one after the other."""
    stores = [s.store_bytes for s in figures if s.store_bytes is not None]
    lists = [s.largest_list for s in figures if s.largest_list is not None]
    return Statistics(
        sum(s.states for s in figures),
        sum(s.transitions for s in figures),
        max((s.depth for s in figures), default=0),
        sum(s.seconds for s in figures),
        max((s.memory_bytes for s in figures), default=0),
        all(s.complete for s in figures),
        max(stores) if stores else None,
        max((s.threads for s in figures), default=1),
        max(lists, default=None),
        next((s.cluster for s in figures if s.cluster is not None), None),
    )


def overall(properties: tuple[Property, ...]) -> Verdict:
    """The verdict on all of `properties`: the worst one."""
    verdicts = {p.verdict for p in properties}
    if VIOLATED in verdicts:
        return VIOLATED
    return INCONCLUSIVE if INCONCLUSIVE in verdicts else HOLDS
