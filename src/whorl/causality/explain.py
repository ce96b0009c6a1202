"""Explains a counterexample: which steps are needed, which orders matter, what would pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from whorl.causality.cycles import CycleUnits
from whorl.causality.goals import goal_of
from whorl.causality.good_runs import GoodRuns
from whorl.causality.order import races
from whorl.causality.passing import NearestPass, nearest_pass
from whorl.causality.subruns import Subruns
from whorl.causality.units import Unit, units_of
from whorl.causality.walking import At, Walker
from whorl.diagnostics import WhorlError
from whorl.program.semantics import Semantics, Step
from whorl.property.claim import Claim
from whorl.property.effort import TooMuchWork
from whorl.search.exploration import Options
from whorl.trace.describe import describe, is_shown
from whorl.trace.replay import follow
from whorl.trace.trace import Ending, Explanation, PassingRun, Trace

ENDLESS = "an atomic sequence goes round for ever in it"
NO_AUTOMATON = "an automaton of the runs that pass would be too large"


def explain(
    semantics: Semantics, trace: Trace, claim: Claim | None, options: Options
) -> Explanation:
    """What matters in a counterexample of a check with these options."""
    first, steps = follow(semantics, trace.choices)
    states = [first, *(step.state for step in steps if step.state is not None)]
    walker = Walker(semantics, claim)
    parts = units_of(semantics, states, trace.choices, trace.loop)
    if parts is None:
        return Explanation(unexplained=(ENDLESS,))
    run = _Run(semantics, trace, claim, options, steps, walker, *parts)
    return run.explanation()


@dataclass(frozen=True, slots=True)
class _Run:
    """A counterexample, taken again."""

    semantics: Semantics
    trace: Trace
    claim: Claim | None
    options: Options
    steps: list[Step]
    walker: Walker
    stem: list[Unit]
    around: list[Unit]

    def explanation(self) -> Explanation:
        along = self._along()
        subruns = self._subruns()
        needs = subruns.needs(along)
        units = [*self.stem, *self.around]
        needed = [u for u, need in zip(units, needs.units, strict=True) if need]
        undecided = [u for u, need in zip(units, needs.units, strict=True) if need is None]
        pairs = [
            (self._numbers([self.stem[first]])[-1], self._numbers([self.stem[second]])[0])
            for first, second in races(subruns, along)
        ]
        said = Explanation(self._numbers(needed), self._numbers(undecided), tuple(pairs))
        return self._with_passing(said, along)

    def _subruns(self) -> Subruns:
        trace, cyclic = self.trace, self.trace.loop is not None
        goal = goal_of(
            self.walker, trace.kind, trace.message, self.steps, cyclic, self.options.infinite_runs
        )
        cycle = None
        if self.around:
            cycle = CycleUnits(self.walker, goal, self.around, self.options.fair)
        return Subruns(self.walker, goal, self.stem, cycle)

    def _along(self) -> list[At]:
        """The points of the run, after each unit; a step that fails may have none after it."""
        points = [self.walker.start()]
        for unit in (*self.stem, *self.around):
            at = points[-1]
            for choice in unit.choices:
                taken = self.walker.take(at, choice)
                assert taken is not None, "the run was replayed"
                at = taken[1]
            points.append(at)
        return points

    def _numbers(self, units: Sequence[Unit]) -> tuple[int, ...]:
        """The numbers of the steps of these units, as they are shown."""
        number = [0, *accumulate(int(is_shown(step)) for step in self.steps)]
        return tuple(
            number[place + 1]
            for unit in units
            for place in range(unit.start, unit.end)
            if is_shown(self.steps[place])
        )

    # --- the run that passes ---------------------------------------------------------------------

    def _with_passing(self, said: Explanation, along: list[At]) -> Explanation:
        try:
            good = GoodRuns(self.semantics, self.claim, self.options)
        except (WhorlError, TooMuchWork):
            return replace(said, unexplained=(NO_AUTOMATON,))
        read = along[: -1 if self.claim is None and self.steps[-1:] and self._fails() else None]
        near = nearest_pass(good, [at.state for at in read if not at.stopped])
        return replace(said, passing=self._passing(near), certain=near.certain, states=near.states)

    def _fails(self) -> bool:
        return bool(self.steps[-1].failures)

    def _passing(self, near: NearestPass) -> PassingRun | None:
        found = near.continuation
        if found is None:
            return None
        units = [*self.stem, *self.around][: near.after]
        shared = units[-1].end if units else 0
        verbose = Semantics(self.semantics.program, verbose=True)
        first, steps = follow(verbose, (*self.trace.choices[:shared], *found.choices))
        told = describe(verbose, steps, first)
        shown = [0, *accumulate(int(is_shown(step)) for step in steps)]
        ending: Ending = "cut" if found.cut else "stops" if found.loop is None else "cycle"
        cycle = None if found.loop is None else shown[shared + found.loop] + 1
        return PassingRun(shown[shared], told[shown[shared] :], ending, cycle)
