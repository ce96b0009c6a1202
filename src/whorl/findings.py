"""What the searches of a check found, collected to a result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from whorl import deadline
from whorl.conclude import failures_met, is_complete, notes, properties
from whorl.engines import Searched
from whorl.program.program import Program
from whorl.search.coverage import unreached
from whorl.search.exploration import Exploration, Violation, chosen_algorithm
from whorl.task import Task
from whorl.trace.replay import REPLAY_GRACE, REPLAYING, replay
from whorl.trace.shorten import ChosenRun, shortened
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

    def add(self, task: Task, searched: Searched) -> None:
        """Takes note of a search."""
        exploration, engine, said = searched
        options, planned, claim = task.options, task.plan, task.claim
        traces = self._replayed(task, exploration)
        statistics = Statistics(
            exploration.progress.states,
            exploration.progress.transitions,
            exploration.progress.depth,
            exploration.seconds,
            exploration.memory_bytes,
            is_complete(exploration, options),
            exploration.store_bytes,
        )
        search = Search(task.name, statistics, planned.sentence)
        if claim is None:
            self.reached = exploration.reached
        else:
            search = replace(
                search,
                algorithm=chosen_algorithm(options, engine),
                automaton_states=len(claim.automaton.states),
                deterministic=claim.automaton.is_deterministic,
            )
        self.properties += properties(task, exploration, traces)
        self.searches.append(search)
        self.traces += traces
        self.engine = engine
        self.schemes.append(planned.scheme)
        self.notes += (*said, *notes(task.program, exploration))
        if self.reached is None:  # safety, which reports them, is not checked beside it
            self.notes += failures_met(task.program, exploration)
        if not planned.soundness.sound:
            self.notes.append(
                f"WARNING: the scheme {planned.scheme} is unsound here, and may miss violations:"
                f" {planned.soundness.reason}"
            )

    def trace(self, task: Task, violation: Violation) -> Trace:
        """The counterexample in words, without what has nothing to do with it."""
        claim, fair, kind = task.claim, task.options.fair, violation.kind
        run = ChosenRun(violation.choices, violation.loop)
        if self.shorten:
            run = shortened(task.semantics, kind, run, claim, fair, violation.message)
        return replay(task.program, kind, run.choices, claim, run.loop, fair, violation.message)

    def _replayed(self, task: Task, exploration: Exploration) -> tuple[Trace, ...]:
        """The runs that show what was found; where there is no time for that, nothing was."""
        if not exploration.violations:
            return ()
        try:
            with deadline.phase(REPLAYING, grace=REPLAY_GRACE):
                return tuple(self.trace(task, violation) for violation in exploration.violations)
        except deadline.TimeUp as up:
            exploration.stopped, exploration.violations = str(up), []
            return ()

    def skip(self, task: Task, why: str) -> None:
        """Takes note of a search that did not come to an end, or not even to its beginning."""
        self.complete = False
        self.properties += properties(task, Exploration(stopped=why), ())

    def audit(self, task: Task, said: Audit) -> None:
        """Takes note of an audit; a verdict cannot rest on a search that lost something."""
        self.notes.append(f"audit of {task.name}: {said.words}")
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
