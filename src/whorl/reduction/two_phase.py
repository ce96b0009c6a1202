"""`two-phase`: Nalumasu and Gopalakrishnan, Figures 5 and 8; phase 1 is a function of the state.

Phase 1 takes the steps of deterministic processes: those whose only enabled step is safe and
invisible. Phase 2 expands the state where phase 1 ends fully. In the paper the end of phase 1 in a
loop of deterministic steps depends on where the loop was entered, and with a nondeterministic
property automaton that can miss a lasso. So here (design.md, fact 6):

- `following(q)` is the step of phase 1 from q: of the first process in the order of pids that is
  deterministic in q and not at rest. A process is at rest in the least state of a loop that it
  makes by itself: the paper's `goto NEXT_PROC`, from wherever the loop was entered.
- Phase 1 ends where there is no such step, or in the least state of a loop of such steps, in which
  several processes take part. That state is fully expanded; so fact 1 applies.

States are compared as Python compares tuples; any total order would do.

`--cache all` is `ample`: every state on the way is stored, and expanded by its one step or fully.
`--cache selective` is `settle`: only the states where phase 1 ends are stored. It remembers states
on the way only where the order descends (section 5.1, "s < olds"): every loop has such a step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Situation
from whorl.reduction.scheme import Phase1, PropertyFacts, Soundness, refused


@dataclass(slots=True)
class _Seen:
    """The states of a walk that were entered by a descending step."""

    states: set[State] = field(default_factory=set)

    def closes_with(self, before: State, state: State) -> bool:
        """Whether the step from `before` to `state` leads to a remembered state; remembers it."""
        if state in self.states:
            return True
        if state <= before:
            self.states.add(state)
        return False


class TwoPhase:
    """The scheme `two-phase` for one program and property."""

    name = "two-phase"

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    # --- deterministic steps ---------------------------------------------------------------------

    def following(self, state: State) -> Run | None:
        """The step that phase 1 takes from `state`."""
        if self.analysis.nothing_reducible is not None:
            return None
        situation = Situation(self.analysis, state)
        if situation.waits_for_timeout:
            return None
        for pid in range(len(state.processes)):
            run = situation.only_run(pid)
            if run is not None and not self.at_rest(state, pid):
                return run
        return None

    def at_rest(self, state: State, pid: int) -> bool:
        """Whether `state` is the least one of a loop that process `pid` makes by itself."""

        def alone(at: State) -> Run | None:
            return Situation(self.analysis, at).only_run(pid)

        return is_least_of_loop(state, alone)

    # --- the scheme ------------------------------------------------------------------------------

    def ample(self, state: State) -> Ample:
        """The step of phase 1, or everything where phase 1 ends."""
        run = self.following(state)
        if run is None or is_least_of_loop(state, self.following):
            return Situation(self.analysis, state).everything
        everything = Situation(self.analysis, state).runs
        return Ample((run,), (run.steps[0].pid,), full=len(everything) == 1)

    def settle(self, state: State) -> Phase1:
        """Phase 1 from `state`: phase1(in) of Figure 5."""
        start, path = state, list[Run]()
        seen = _Seen()
        end: State | None = None  # the least state of the loop, once one is found
        while state != end and (run := self.following(state)) is not None:
            assert run.state is not None
            if end is None and seen.closes_with(state, run.state):
                end = least_of_loop(run.state, self.following)
            path.append(run)
            state = run.state
        # Once round the loop from its least state leads nowhere: phase 1 ends where it began.
        return Phase1(state, () if state == start else tuple(path), len(seen.states))

    @staticmethod
    def soundness(facts: PropertyFacts) -> Soundness:
        return refused(facts) or Soundness(
            True,
            "phase 1 depends on the program state alone, and every loop of it ends in a state that"
            " is fully expanded",
        )


# --- loops of a function -------------------------------------------------------------------------

Following = Callable[[State], Run | None]


def is_least_of_loop(state: State, following: Following) -> bool:
    """Whether `following` leads from `state` back to it, and it is the least state on the way."""
    at = state
    seen = _Seen()
    while (run := following(at)) is not None:
        assert run.state is not None
        if run.state == state:
            return True
        if run.state < state or seen.closes_with(at, run.state):
            # A loop through `state` would have a smaller state; or it is a loop without `state`.
            return False
        at = run.state
    return False


def least_of_loop(state: State, following: Following) -> State:
    """The least state of the loop on which `state` is."""
    least, at = state, state
    while True:
        run = following(at)
        assert run is not None
        assert run.state is not None
        at = run.state
        least = min(least, at)
        if at == state:
            return least
