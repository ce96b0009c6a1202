"""What the searches of a check found, collected to a result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from whorl import deadline
from whorl.conclude import (
    claim_property,
    failures_met,
    is_complete,
    notes,
    safety_properties,
)
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.reduction.plan import NONE, Plan
from whorl.search.coverage import unreached
from whorl.search.exploration import Exploration, Options, Violation, settled_algorithm
from whorl.trace.replay import REPLAY_GRACE, REPLAYING, replay
from whorl.trace.shorten import Run, shortened
from whorl.trace.trace import Trace
from whorl.verdict import (
    HOLDS,
    INCONCLUSIVE,
    Property,
    Result,
    Search,
    Statistics,
    overall,
    together,
)

if TYPE_CHECKING:
    from whorl.audit.check import Audit


class Findings:
    """What the searches of a check have found so far."""

    def __init__(self, program: Program, shorten: bool) -> None:
        self.program = program
        self.shorten = shorten
        self.properties: list[Property] = []
        self.traces: list[Trace] = []
        self.searches: list[Search] = []
        self.notes: list[str] = []
        self.reached: set[int] | None = None
        self.engine = "none"
        self.complete = True
        self.schemes: list[str] = []
        self.seconds = 0.0

    def remaining(self, options: Options) -> Options:
        """The options with what is left of the time."""
        limits = options.limits
        if limits.seconds is None:
            return options
        left = max(limits.seconds - self.seconds, 0.001)
        of_command = deadline.left()
        if of_command is not None:
            left = max(min(left, of_command), 0.001)
        return replace(options, limits=replace(limits, seconds=left))

    def add(
        self,
        claim: Claim | None,
        found: Exploration,
        engine: str,
        said: tuple[str, ...],
        options: Options,
        planned: Plan,
    ) -> None:
        """Takes note of a search for safety, or for a run that a claim accepts."""
        traces = self._replayed(claim, found, options)
        statistics = Statistics(
            found.progress.states,
            found.progress.transitions,
            found.progress.depth,
            found.seconds,
            found.memory_bytes,
            is_complete(found, options),
            found.store_bytes,
        )
        reduction = planned.sentence
        if claim is None:
            self.properties += safety_properties(self.program, found, traces, options)
            self.searches.append(Search("safety", statistics, reduction))
            self.reached = found.reached
        else:
            self.properties.append(claim_property(claim, found, traces, options, planned))
            self.searches.append(
                Search(
                    claim.name,
                    statistics,
                    reduction,
                    settled_algorithm(options, engine),
                    len(claim.automaton.states),
                    claim.automaton.is_deterministic,
                )
            )
        self.traces += traces
        self.engine = engine
        self.schemes.append(planned.scheme)
        self.seconds += found.seconds_before + found.seconds
        self.notes += (*said, *notes(self.program, found))
        if self.reached is None:  # safety, which reports them, is not checked beside it
            self.notes += failures_met(self.program, found)
        if not planned.soundness.sound:
            self.notes.append(
                f"WARNING: the scheme {planned.scheme} is unsound here, and may miss violations:"
                f" {planned.soundness.reason}"
            )

    def trace(self, found: Violation, claim: Claim | None, fair: bool) -> Trace:
        """The counterexample in words, without what has nothing to do with it."""
        run = Run(found.choices, found.loop)
        if self.shorten:
            run = shortened(Semantics(self.program), found.kind, run, claim, fair, found.message)
        return replay(self.program, found.kind, run.choices, claim, run.loop, fair, found.message)

    def _replayed(
        self, claim: Claim | None, found: Exploration, options: Options
    ) -> tuple[Trace, ...]:
        """The runs that show what was found; where there is no time for that, nothing was."""
        if not found.violations:
            return ()
        try:
            with deadline.phase(REPLAYING, grace=REPLAY_GRACE):
                return tuple(self.trace(v, claim, options.fair) for v in found.violations)
        except deadline.TimeUp as up:
            found.stopped, found.violations = str(up), []
            return ()

    def skip(self, claim: Claim | None, why: str, options: Options) -> None:
        """Takes note of a search that did not come to an end, or not even to its beginning."""
        nothing = Exploration(stopped=why)
        self.complete = False
        if claim is None:
            self.properties += safety_properties(self.program, nothing, (), options)
        else:
            self.properties.append(claim_property(claim, nothing, (), options, NONE))

    def audit(self, claim: Claim | None, said: Audit) -> None:
        """Takes note of an audit; a verdict cannot rest on a search that lost something."""
        name = "safety" if claim is None else claim.name
        self.notes.append(f"audit of {name}: {said.words}")
        if said.problem is not None:
            why = f"the audit found a mistake of ours: {said.problem}"
            self.properties = [
                replace(p, verdict=INCONCLUSIVE, why=why) if p.verdict == HOLDS else p
                for p in self.properties
            ]

    def result(self) -> Result:
        judged = tuple(self.properties)
        figures = together(tuple(search.statistics for search in self.searches))
        return Result(
            overall(judged),
            judged,
            figures if self.complete else replace(figures, complete=False),
            self.engine,
            ", ".join(dict.fromkeys(self.schemes)) or "none",
            tuple(self.traces),
            tuple(dict.fromkeys(self.notes)),
            () if self.reached is None else unreached(self.program, self.reached),
            tuple(self.searches),
        )
