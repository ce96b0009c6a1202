"""What the searches of a check found, collected to a result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from whorl import deadline
from whorl.conclude import (
    failures_met,
    holds_of_all,
    is_complete,
    notes,
    properties,
    unexecuted_assertions,
)
from whorl.engines import Searched
from whorl.program.program import Program
from whorl.search.coverage import coverage, unreached
from whorl.search.exploration import Exploration, Violation, chosen_algorithm
from whorl.task import Task
from whorl.trace.replay import REPLAY_GRACE, REPLAYING, replay
from whorl.trace.shorten import ChosenRun, shortened
from whorl.trace.trace import Explanation, Trace
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

    def __init__(self, program: Program, shorten: bool, explain: bool = False) -> None:
        self.program = program
        self.shorten = shorten
        self.explain = explain
        self.properties: list[Property] = []
        self.traces: list[Trace] = []
        self.searches: list[Search] = []
        self.notes: list[str] = []
        self.assertions = True  # whether one that fails counts
        self.reached: set[int] | None = None  # by a search for safety
        self.executed: set[int] = set()  # by any search
        self.all_seen = False  # by the search for safety, which follows every run
        self.engine = "none"
        self.complete = True
        self.schemes: list[str] = []
        self.unfinished: list[tuple[Task, Exploration, str]] = []  # and the engine

    def add(self, task: Task, searched: Searched) -> None:
        """Takes note of a search."""
        exploration, engine, said = searched
        options, planned, claim = task.options, task.plan, task.claim
        traces = self._replayed(task, exploration)
        if self.explain:
            traces = tuple(self._explained(task, trace) for trace in traces)
        statistics = Statistics(
            exploration.progress.states,
            exploration.progress.transitions,
            exploration.progress.depth,
            exploration.seconds,
            exploration.memory_bytes,
            is_complete(exploration, options),
            exploration.store_bytes,
            exploration.threads,
            exploration.largest_list,
            exploration.cluster,
        )
        search = Search(task.name, statistics, planned.sentence)
        if claim is None:
            self.reached = exploration.reached
            self.all_seen = statistics.complete
            self.assertions = options.assertions
        else:
            search = replace(
                search,
                algorithm=chosen_algorithm(options, engine),
                automaton_states=len(claim.automaton.states),
                deterministic=claim.automaton.is_deterministic,
            )
        self.executed |= exploration.reached
        judged = properties(task, exploration, traces)
        self.properties += judged
        if any(checked.verdict == INCONCLUSIVE for checked in judged):
            self.unfinished.append((task, exploration, engine))
        if claim is not None and judged[0].verdict == HOLDS:
            self.notes += filter(None, [holds_of_all(claim)])
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

    def _explained(self, task: Task, trace: Trace) -> Trace:
        """The trace with what matters in it; without, where there is no time for that."""
        from whorl.causality.explain import explain  # few ask for it

        try:
            with deadline.phase("explaining the counterexample"):
                explanation = explain(task.semantics, trace, task.claim, task.options)
        except deadline.TimeUp as up:
            explanation = Explanation(unexplained=(str(up),))
        return replace(trace, explanation=explanation)

    def skip(self, task: Task, why: str) -> None:
        """Takes note of a search that did not come to an end, or not even to its beginning."""
        self.complete = False
        nothing = Exploration(stopped=why)
        self.unfinished.append((task, nothing, "none"))
        self.properties += properties(task, nothing, ())

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
        covered = coverage(self.program, self.executed, self.all_seen)
        if self.assertions:
            self.notes += unexecuted_assertions(covered)
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
            coverage=covered,
        )
