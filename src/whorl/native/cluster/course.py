"""What a search by workers is to do, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from whorl.native.cluster.figures import Figures
from whorl.native.cluster.transport import Crew
from whorl.native.verifier import FoundViolation
from whorl.search.limits import Progress

BUDGET = 20_000  # states that a worker expands before it is asked again, at first


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a search by workers is to do. `stop` says why it has to end, if it has to."""

    shortest: bool = False
    all_errors: bool = False
    most_states: int | None = None
    budget: int = BUDGET
    stop: Callable[[], str | None] = lambda: None
    report: Callable[[Progress], None] | None = None
    claim: bool = False  # it is for a run that a claim accepts (elimination.py)


@dataclass(slots=True)
class Course:
    """How far a search has come."""

    superstep: int = 0
    told: set[int] = field(default_factory=set)  # sites
    before: Figures = field(default_factory=Figures)  # of workers that were replaced
    seconds: float = 0.0
    violations: list[FoundViolation] = field(default_factory=list)  # that were found
    whole: bool = False  # it is between two supersteps: all that failed before is told


Commit = Callable[[Crew, Course], None]
