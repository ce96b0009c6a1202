"""`persistent-sleep`: persistent sets, and sleep sets among their steps. For safety alone.

Figure 5.2 of Godefroid's LNCS 1032 with the ample sets of `static` for Persistent_Set(s): C0, C1,
and no sticky transition. For invalid end states any persistent set would do. So that a step that
fails is found, too, a set that is asleep as a whole is none: the next candidate is tried, and at
last everything.

Why that is enough (decision 0053): let w be a way from s to a step that fails, and let no step
sleep in s with which w, or w in another order of independent steps, can begin. If the persistent
set has a step of w, the first one of these can begin w; so one that can is taken, and w gets
shorter as in sleep.py. Otherwise everything in the set is independent of w. Some step of it is
awake; behind the one that is taken first nothing sleeps with which w can begin that did not sleep
in s, and w is still ahead. That cannot go on for ever: only sticky transitions close a cycle, and
they are in no such set. When s is met again nothing is chosen: all that has slept each time and
does not now is taken, whether in the set or not, as in the figure.

The proviso of `persistent` would store fewer states, but speaks of the order in which states are
closed, and a state that is visited again is not closed.
"""

from __future__ import annotations

from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, Situation, begins, tries
from whorl.reduction.scheme import Native, Scheme, SleepSets, Use, because
from whorl.reduction.sleep import Sleeping
from whorl.reduction.static import Static
from whorl.search.sleep import Sleep


def among_persistent(analysis: Analysis, rule: Rule) -> Sleeping:
    """Sleep sets among persistent sets without sticky transitions."""
    static = Static(analysis, rule)

    def select(situation: Situation, asleep: Sleep) -> Ample:
        candidates = tries(situation, rule, allowed=lambda run: not static.is_sticky(run))
        awake = (a for a in candidates if any(begins(run) not in asleep for run in a.runs))
        return next(awake, situation.everything)

    return Sleeping(analysis, select)


SCHEME = Scheme(
    name="persistent-sleep",
    title="persistent sets without sticky transitions, and sleep sets; for safety",
    origin="[Godefroid96], Figure 5.2; [KLMPY98]",
    function_of="the way of the search",
    formulas=None,
    safety=Use(
        cycles="a sticky transition on every control-flow cycle is in no proper persistent set",
        soundness=because(
            "persistent sets keep every end state, sticky transitions every step that fails, and"
            " what sleeps was taken before"
        ),
        reference=SleepSets(among_persistent),
        native=Native("persistent_sleep.h", sticky_in_ample_sets=False),
    ),
    any_order=False,
)
