"""`static`: the ample set is a function of the program state, by sticky transitions.

No proviso, no stack: it may be used in any search, in any order. See `sticky` for why every cycle
has a fully expanded state, and design.md, fact 1, for why that is enough.

With `--cache selective` states are left out whose ample set is one step that is not sticky and not
visible: Two phase's phase 1, which here cannot go round, so that nothing has to be remembered.
"""

from __future__ import annotations

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, Situation, candidates
from whorl.reduction.scheme import Phase1, PropertyFacts, Soundness, refused
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
        return self.choose(Situation(self.analysis, state))

    def choose(self, situation: Situation) -> Ample:
        found = candidates(situation, self.rule, allowed=lambda run: not self.is_sticky(run))
        return found[0] if found else situation.everything

    def settle(self, state: State) -> Phase1:
        """Goes on while there is one step to take, which nobody sees and which is not sticky."""
        path: list[Run] = []
        while (run := self.only_step(state)) is not None:
            assert run.state is not None
            path.append(run)
            state = run.state
        return Phase1(state, tuple(path))

    def only_step(self, state: State) -> Run | None:
        situation = Situation(self.analysis, state)
        ample = self.choose(situation)
        if len(ample.runs) != 1:
            return None
        (run,) = ample.runs
        plain = run.state is not None and not self.is_sticky(run) and not situation.is_visible(run)
        return run if plain else None

    @staticmethod
    def soundness(facts: PropertyFacts) -> Soundness:
        return refused(facts) or Soundness(
            True,
            "its ample sets depend on the program state alone, and a sticky transition on every"
            " control-flow cycle keeps any cycle from ignoring a step",
        )
