"""`static`: the ample set is a function of the program state, by sticky transitions.

No proviso, no stack: it may be used in any search, in any order. See `sticky` for why every cycle
has a fully expanded state, and design.md, fact 1, for why that is enough.
"""

from __future__ import annotations

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, Situation, candidates
from whorl.reduction.scheme import PropertyFacts, Soundness, refused
from whorl.reduction.sticky import sticky


class Static:
    """The scheme `static` for one program and property."""

    name = "static"

    def __init__(self, analysis: Analysis, rule: Rule = Rule.COMPONENT) -> None:
        self.analysis = analysis
        self.rule = rule
        self.sticky = sticky(analysis)

    def is_sticky(self, run: Run) -> bool:
        return any(
            step.transition.number in self.sticky
            or (step.partner is not None and step.partner[1].number in self.sticky)
            for step in run.steps
        )

    def ample(self, state: State) -> Ample:
        situation = Situation(self.analysis, state)
        found = candidates(situation, self.rule, allowed=lambda run: not self.is_sticky(run))
        return found[0] if found else situation.everything

    @staticmethod
    def soundness(facts: PropertyFacts) -> Soundness:
        return refused(facts) or Soundness(
            True,
            "its ample sets depend on the program state alone, and a sticky transition on every"
            " control-flow cycle keeps any cycle from ignoring a step",
        )
