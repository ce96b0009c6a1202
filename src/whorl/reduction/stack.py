"""Schemes that look at the search stack: how they choose, and what the second search is told.

The candidates of a state are tried in their order; one is taken if no run of it closes a cycle on
the stack. The choice is kept for the second search of a nested one, whose stack is another
(Holzmann, Peled and Yannakakis, section 5.2): as a selection number, or as one bit. With one bit
only the first candidate is tried.

For cycles no run of a candidate may close one ([HP94] in the Two phase paper). So that no step is
ignored for ever, which is enough for safety, one run that does not close one will do ([HGP92]).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, ProcessOrder, Rule, candidates, situation_of

FULLY = 0  # the selection number of everything that is enabled
Closes = Callable[[State], bool]


class Keep(Enum):
    """What is kept of a choice between the two searches."""

    NUMBER = "number"
    BIT = "bit"
    NOTHING = "nothing"  # wrong, and there to show that it is


class Choosing:
    """Chooses among the candidates of a state by what is on the stack."""

    def __init__(
        self,
        analysis: Analysis,
        rule: Rule,
        keep: Keep = Keep.NUMBER,
        safety: bool = False,
        order: ProcessOrder = ProcessOrder.DESCENDING,
    ) -> None:
        self.analysis = analysis
        self.rule = rule
        self.keep = keep
        self.safety = safety
        self.order = order

    def choose(self, state: State, closes: Closes) -> int:
        """The selection number of the first candidate that the stack allows."""
        for number, ample in enumerate(self._candidates(state), 1):
            closing = [closes(run.state) for run in ample.runs if run.state is not None]
            refused = all(closing) if self.safety else any(closing)
            if closing and not refused:  # C0: one that leads nowhere is no ample set
                return number
            if self.keep is Keep.BIT:
                break
        return FULLY

    def selected(self, state: State, number: int) -> Ample:
        """The ample set with this selection number."""
        if number == FULLY:
            return situation_of(self.analysis, state).everything
        return self._candidates(state)[number - 1]

    def _candidates(self, state: State) -> list[Ample]:
        return candidates(situation_of(self.analysis, state), self.rule, order=self.order)
