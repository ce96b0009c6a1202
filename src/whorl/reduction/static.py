"""`static`: the ample set is a function of the program state, by sticky transitions.

No proviso, no stack: it may be used in any search, in any order. See `sticky` for why every cycle
has a fully expanded state, and design.md, fact 1, for why that is enough.

With `--cache selective` states are left out in which some process has a single step, which no other
process can concern, nobody sees and which is not sticky: Two phase's phase 1, which here cannot go
round, so that nothing has to be remembered.
"""

from __future__ import annotations

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, participants, situation_of, tries
from whorl.reduction.scheme import Native, Phase1, Rules, Scheme, Use, because
from whorl.reduction.sticky import sticky_runs


class Static:
    """The scheme `static` for one program and property."""

    def __init__(self, analysis: Analysis, rule: Rule = Rule.COMPONENT) -> None:
        self.analysis = analysis
        self.rule = rule
        self.sticky = sticky_runs(analysis)

    def is_sticky(self, run: Run) -> bool:
        return any(transition.number in self.sticky for _, transition in participants(run))

    def ample(self, state: State) -> Ample:
        situation = situation_of(self.analysis, state)
        candidates = tries(situation, self.rule, allowed=lambda run: not self.is_sticky(run))
        return next(candidates, situation.everything)

    def stored(self, state: State) -> Ample:
        return self.ample(state)

    def phase_1(self, state: State) -> Phase1:
        """Goes on while some process is deterministic and its step is not sticky."""
        path: list[Run] = []
        while (run := self.following(state)) is not None:
            assert run.state is not None
            path.append(run)
            state = run.state
        return Phase1(state, tuple(path))

    def following(self, state: State) -> Run | None:
        situation = situation_of(self.analysis, state)
        if self.analysis.nothing_reducible is not None or situation.waits_for_timeout:
            return None
        only = map(situation.only_run, range(len(state.processes)))
        return next((run for run in only if run is not None and not self.is_sticky(run)), None)


CYCLES = "a sticky transition on every control-flow cycle is in no proper ample set"
NATIVE = Native("static.h", sticky_in_ample_sets=False)
SCHEME = Scheme(
    name="static",
    title="ample sets without sticky transitions",
    origin="[KLMPY98], with ample sets of the program state alone",
    function_of="q",
    formulas=Use(
        cycles=CYCLES,
        soundness=because(
            "its ample sets depend on the program state alone, and a sticky transition on every"
            " control-flow cycle keeps any cycle from ignoring a step"
        ),
        reference=Static,
        native=NATIVE,
    ),
    safety=Use(
        cycles=CYCLES,
        soundness=because(
            "persistent sets keep every end state, sticky transitions every step that fails"
        ),
        reference=Static,
        native=NATIVE,
    ),
    any_order=True,
    caches=("all", "selective"),
    laboratory={
        "static": Rules(
            "amp(q) of the program state alone, without sticky operations; those cut every cycle",
            ("c0", "c1", "c2", "source", "by-program-state", "sticky"),
        )
    },
)
