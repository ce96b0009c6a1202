"""Whether other formulas hold of a program that satisfies one: its mutants, searched one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from whorl import deadline
from whorl.conclude import why_incomplete
from whorl.engines import search
from whorl.language.formula import FALSE, SPIN, TRUE, Formula, text
from whorl.native.series import Series
from whorl.property.claim import Claim
from whorl.property.operations import accepted_word
from whorl.search.exploration import Violation
from whorl.search.limits import about
from whorl.selection import formula_claim
from whorl.task import Task
from whorl.trace.replay import REPLAY_GRACE, REPLAYING, confirm
from whorl.verdict import HOLDS, INCONCLUSIVE, VIOLATED, Verdict


@dataclass(frozen=True, slots=True)
class Decided:
    """Whether a formula holds, and the run that was found where it does not."""

    verdict: Verdict
    task: Task | None = None  # None: no search was needed
    violation: Violation | None = None


class OtherFormulas:
    """Formulas over the propositions of one that holds, decided as that one was.

    A formula that was decided is not searched again. `searches` counts those that were. After an
    interrupt, or where the time is over, nothing more is decided.
    """

    def __init__(self, task: Task, engine: str) -> None:
        claim = task.claim
        assert claim is not None
        assert claim.formula is not None
        self.task = task
        self.claim: Claim = claim
        self.whole: Formula = claim.formula
        self.engine = engine
        self.searches = 0
        self.stopped = False
        self._known: dict[Formula, Decided] = {}
        self._tasks: dict[Formula, Task] = {}
        self._series = Series(task.semantics)

    def prepare(self, formulas: Iterable[Formula]) -> None:
        """Has the verifiers of several formulas compiled together."""
        searched = [formula for formula in formulas if self._trivial(formula) is None]
        tasks = [self._task(formula) for formula in dict.fromkeys(searched)]
        self._series = Series(self.task.semantics, tasks)

    def decide(self, formula: Formula) -> Decided:
        """Whether a formula holds of the runs that count."""
        if formula not in self._known:
            self._known[formula] = self._decide(formula)
        return self._known[formula]

    def run_against(self, formula: Formula) -> Decided:
        """As `decide`, with a run where there is one that does not satisfy the formula."""
        known = self.decide(formula)
        if known.verdict != VIOLATED or known.violation is not None or self.stopped:
            return known
        return self._within_time(formula)

    def _claim_of(self, formula: Formula) -> Claim:
        """The claim that looks for a run that does not satisfy a formula."""
        atoms = dict(zip(self.claim.automaton.propositions, self.claim.atoms, strict=True))
        names = formula.propositions
        meanings = tuple(atoms[name] for name in names)
        return formula_claim(self.claim.name, formula, meanings, text(formula, SPIN), names)

    def _trivial(self, formula: Formula) -> Verdict | None:
        """What can be said without a search. Without a run that counts, even `false` holds."""
        if formula == TRUE:
            return HOLDS
        if formula == FALSE and not self.task.options.infinite_runs:
            return VIOLATED
        return None

    def _task(self, formula: Formula) -> Task:
        if formula not in self._tasks:
            options = self.task.options
            said = f"{self.task.name}: {text(formula, SPIN)}"
            options = replace(options, all_errors=False, report=about(said, options.report))
            claim = self._claim_of(formula)
            self._tasks[formula] = replace(self.task, claim=claim, options=options)
        return self._tasks[formula]

    def _decide(self, formula: Formula) -> Decided:
        trivial = self._trivial(formula)
        if trivial is not None:
            return Decided(trivial)
        if self.stopped:
            return Decided(INCONCLUSIVE)
        return self._within_time(formula)

    def _within_time(self, formula: Formula) -> Decided:
        try:
            return self._searched(self._task(formula))
        except deadline.TimeUp:
            self.stopped = True
            return Decided(INCONCLUSIVE)

    def _searched(self, task: Task) -> Decided:
        claim = task.claim
        assert claim is not None
        if accepted_word(claim.automaton) is None:
            return Decided(HOLDS)
        self.searches += 1
        exploration = search(task, self.engine, self._series).exploration
        self.stopped = exploration.interrupted
        for violation in exploration.violations:
            if violation.kind != claim.kind:  # a proposition has no value
                return Decided(INCONCLUSIVE)
            with deadline.phase(REPLAYING, grace=REPLAY_GRACE):
                run = (violation.choices, claim, violation.loop, task.options.fair)
                confirm(task.semantics, violation.kind, *run)
            return Decided(VIOLATED, task, violation)
        unsure = why_incomplete(exploration, task.options) is not None
        sound = task.plan.soundness.sound
        return Decided(INCONCLUSIVE if unsure or not sound else HOLDS)
