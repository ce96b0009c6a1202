"""`two-phase-ample`: phase 1 of Two phase, then an ample set as in `static`. The default.

Only states where phase 1 ends are stored. Of these an ample set is taken if it has no sticky
transition, and if phase 1 takes none after any of its runs. So on a cycle of proper ample sets
there would be no sticky transition at all; but every control-flow cycle has one. For safety a
proviso takes the place of sticky transitions (safety.py).
"""

from __future__ import annotations

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, situation_of, tries
from whorl.reduction.scheme import Native, Rules, Scheme, Use, because
from whorl.reduction.static import Static
from whorl.reduction.two_phase import TwoPhase


class TwoPhaseAmple:
    """The scheme `two-phase-ample` for one program and property."""

    def __init__(self, analysis: Analysis, rule: Rule = Rule.COMPONENT) -> None:
        self.analysis = analysis
        self.rule = rule
        self.is_sticky = Static(analysis).is_sticky
        self.phase_1 = TwoPhase(analysis).phase_1

    def stored(self, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        for ample in tries(situation, self.rule, allowed=lambda run: not self.is_sticky(run)):
            if not any(map(self.is_sticky, self._phase_1_after(ample))):
                return ample
        return situation.everything

    def _phase_1_after(self, ample: Ample) -> list[Run]:
        ends = [run.state for run in ample.runs if run.state is not None]
        return [run for state in ends for run in self.phase_1(state).path]


_WALKS = ("walks", "walks-end", "walks-c1")
_IN_ORDER = ("finders", "search")  # of a search that expands one state after another
SCHEME = Scheme(
    name="two-phase-ample",
    title="phase 1 of Two phase, then an ample set",
    origin="ours, of [NG98] and [KLMPY98]; for safety with the proviso of [HGP92] and [BLL06]",
    function_of="q",
    formulas=Use(
        cycles="a sticky transition is in no proper ample set, nor in phase 1 after one",
        soundness=because(
            "phase 1 and ample sets depend on the program state alone, and sticky transitions keep"
            " every cycle from ignoring a step"
        ),
        reference=TwoPhaseAmple,
        native=Native("two_phase_ample.h", sticky_in_ample_sets=False, sticky_on_the_way=True),
        selective=True,
    ),
    safety=Use(
        cycles="one run of a proper ample set leads to a state that is new, or closed before",
        soundness=because(
            "phase 1 and persistent sets keep every end state, the proviso of visited states every"
            " step that fails"
        ),
        reference=TwoPhaseAmple,
        native=Native("two_phase_ample.h", sticky_on_the_way=True),
        selective=True,
        proviso=True,
    ),
    any_order=True,
    caches=("all", "selective"),
    order_free=Use(
        cycles="a sticky transition is in no proper ample set, nor in phase 1 after one",
        soundness=because(
            "phase 1 and persistent sets keep every end state, sticky transitions every step that"
            " fails, and both depend on the program state alone"
        ),
        reference=TwoPhaseAmple,
        native=Native(
            "two_phase_ample_any_order.h", sticky_in_ample_sets=False, sticky_on_the_way=True
        ),
        selective=True,
    ),
    laboratory={
        "two-phase-ample": Rules(
            "phase 1 and then amp(q), functions of the program state; sticky operations cut every"
            " cycle",
            (
                *("c0", "c1", "c2", "by-program-state", "sticky"),
                *(*_WALKS, "walks-c2", "walks-sticky", "product-walks"),
            ),
        ),
        "two-phase-ample-safety": Rules(
            "phase 1 and then a persistent set, with the proviso of visited states, in any order",
            ("c0", "c1", *_WALKS, *_IN_ORDER, "new", "safety"),
        ),
        "two-phase-ample-safety-closed": Rules(
            "phase 1 and then a persistent set, one operation of which leads to a state that is"
            " closed before",
            ("c0", "c1", *_WALKS, *_IN_ORDER, "closed", "safety"),
        ),
        "two-phase-ample-safety-threads": Rules(
            "on several threads, one operation leads to a state that is new to its own thread",
            ("c0", "c1", *_WALKS, "finders", "new", "safety"),
        ),
        "two-phase-ample-safety-anchored": Rules(
            "on several threads, one operation leads to a state that is new, or anchored before",
            ("c0", "c1", *_WALKS, "finders", "anchored", "safety"),
        ),
    },
)
