"""`combined`: phase 1 of Two phase, then an ample set as in `static`. What `auto` stands for.

Only states where phase 1 ends are stored. Of these an ample set is taken if it has no sticky
transition, and if phase 1 takes none after any of its runs. So on a cycle of proper ample sets
there would be no sticky transition at all; but every control-flow cycle has one. For safety a
proviso takes the place of sticky transitions (safety.py).
"""

from __future__ import annotations

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, candidates, situation_of
from whorl.reduction.scheme import PropertyFacts, Soundness, refused
from whorl.reduction.static import Static
from whorl.reduction.two_phase import TwoPhase


class Combined:
    """The scheme `combined` for one program and property."""

    name = "combined"

    def __init__(self, analysis: Analysis, rule: Rule = Rule.COMPONENT) -> None:
        self.analysis = analysis
        self.rule = rule
        self.is_sticky = Static(analysis).is_sticky
        self.settle = TwoPhase(analysis).settle

    def stored(self, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        for ample in candidates(situation, self.rule, allowed=lambda run: not self.is_sticky(run)):
            if not any(map(self.is_sticky, self._phase_1_after(ample))):
                return ample
        return situation.everything

    def _phase_1_after(self, ample: Ample) -> list[Run]:
        ends = [run.state for run in ample.runs if run.state is not None]
        return [run for state in ends for run in self.settle(state).path]

    @staticmethod
    def soundness(facts: PropertyFacts) -> Soundness:
        return refused(facts) or Soundness(
            True,
            "phase 1 and ample sets depend on the program state alone, and sticky transitions keep"
            " every cycle from ignoring a step",
        )
