"""`persistent`: persistent sets with the proviso of visited states. For safety alone.

C0 and C1 keep every state in which nothing can move, and nothing is visible. So that no step is
ignored for ever, one run of a proper set has to lead to a state that is new, or closed before.
v0, v1, si and dfs_po are this where there is no automaton.
"""

from __future__ import annotations

from whorl.program.state import State
from whorl.reduction.candidates import Ample, situation_of, tries
from whorl.reduction.scheme import Native, Scheme, Use, because
from whorl.reduction.static import Static


class Persistent(Static):
    """Ample sets by C0 and C1 alone, which by themselves are enough for invalid end states.

    States are left out as in `static`: there must be no end to that either.
    """

    def ample(self, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        candidates = tries(situation, self.rule, check_visible=False)
        return next(candidates, situation.everything)


SCHEME = Scheme(
    name="persistent",
    title="persistent sets with the proviso of visited states, for safety",
    origin="[Valmari90], [Godefroid96], [HGP92], [BLL06]",
    function_of="q",
    formulas=None,
    safety=Use(
        cycles="one run of a proper persistent set leads to a state that is new, or closed before",
        soundness=because(
            "persistent sets keep every end state, the proviso of visited states every step that"
            " fails"
        ),
        reference=Persistent,
        native=Native("persistent.h"),
        proviso=True,
    ),
    any_order=True,
    caches=("all", "selective"),
)
