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
`--cache selective` is `phase_1`: only the states where phase 1 ends are stored. There one process
after the other goes as far as it can by itself, as in Figure 5. It remembers states on the way only
where the order descends (section 5.1, "s < olds"): every loop has such a step.

A process that counts by itself may make a loop too long to be walked. After LONGEST_WALK runs
`phase_1` ends where it is, and `ample` is everything. That is as sound: where phase 1 ends, all is
taken, so all that matters is that it ends, and in the same state if it is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from whorl import deadline
from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, situation_of
from whorl.reduction.scheme import Native, Phase1, Rules, Scheme, Use, because

LONGEST_WALK = 4096


class _TooLong(Exception):
    """A walk takes too many runs."""


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

    def __init__(self, analysis: Analysis, rule: Rule = Rule.COMPONENT) -> None:
        self.analysis = analysis
        self._left = LONGEST_WALK  # runs that may still be made

    # --- deterministic steps ---------------------------------------------------------------------

    def only_run(self, state: State, pid: int) -> Run | None:
        """The step of process `pid`, if it is deterministic."""
        deadline.check()  # a walk may take long, and in a browser no thread waits for the deadline
        if self._left == 0:
            raise _TooLong
        self._left -= 1
        situation = situation_of(self.analysis, state)
        return None if situation.waits_for_timeout else situation.only_run(pid)

    def following(self, state: State) -> Run | None:
        """The step that phase 1 takes from `state`."""
        if self.analysis.nothing_reducible is not None:
            return None
        for pid in range(len(state.processes)):
            run = self.only_run(state, pid)
            if run is not None and not self.at_rest(state, pid):
                return run
        return None

    def at_rest(self, state: State, pid: int) -> bool:
        """Whether `state` is the least one of a loop that process `pid` makes by itself."""
        return is_least_of_loop(state, lambda at: self.only_run(at, pid))

    # --- every state is stored -------------------------------------------------------------------

    def ample(self, state: State) -> Ample:
        """The step of phase 1, or everything where phase 1 ends."""
        everything = situation_of(self.analysis, state).everything
        self._left = LONGEST_WALK
        try:
            run = self.following(state)
            if run is None or is_least_of_loop(state, self.following):
                return everything
        except _TooLong:
            return everything
        return Ample((run,), (run.steps[0].pid,), full=len(everything.runs) == 1)

    # --- selective caching -----------------------------------------------------------------------

    def stored(self, state: State) -> Ample:
        """What is taken from a state that is stored: phase 2."""
        return situation_of(self.analysis, state).everything

    def phase_1(self, state: State) -> Phase1:
        """Phase 1 from `state`: phase1(in) of Figure 5."""
        self._left = LONGEST_WALK
        at, path, seen = state, list[Run](), _Seen()
        moved = self.analysis.nothing_reducible is None
        while moved:
            moved = False
            for pid in range(len(at.processes)):
                alone = self.alone(at, pid)
                if not alone:
                    continue
                moved = True
                path += alone
                before, at = at, _end(alone)
                if at == state or seen.closes_with(before, at):
                    path = _cut(state, path)
                    return Phase1(_end(path, state), tuple(path), len(seen.states))
        return Phase1(at, tuple(path), len(seen.states))

    def alone(self, state: State, pid: int) -> list[Run]:
        """The runs of a process by itself: as far as it goes, or to the least state of a loop."""
        path, at, seen = list[Run](), state, _Seen()
        try:
            while pid < len(at.processes) and (run := self.only_run(at, pid)) is not None:
                path.append(run)
                before, at = at, _end(path)
                if at == state or seen.closes_with(before, at):
                    return _cut(state, path)
        except _TooLong:
            pass
        return path


# --- loops ---------------------------------------------------------------------------------------

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


def _end(path: Sequence[Run], start: State | None = None) -> State:
    end = path[-1].state if path else start
    assert end is not None
    return end


def _cut(start: State, path: list[Run]) -> list[Run]:
    """A path that goes round: as far as to the least state of the loop that it ends with."""
    states = [start, *(_end([run]) for run in path)]
    *before, end = states
    entered = len(before) - 1 - before[::-1].index(end)
    return path[: states.index(min(states[entered:]))]


# --- the record -----------------------------------------------------------------------------------

CYCLES = "every loop of phase 1 ends in a state that is fully expanded"
NATIVE = Native("two_phase.h", sticky_on_the_way=True)
_PHASE_1 = ("c0", "processes", "phase-1")
SCHEME = Scheme(
    name="two-phase",
    title="deterministic steps first, then everything",
    origin="[NG98], Figures 5 and 8, with a phase 1 that is a function of the state",
    function_of="q",
    formulas=Use(
        cycles=CYCLES,
        soundness=because(
            "phase 1 depends on the program state alone, and every loop of it ends in a state that"
            " is fully expanded"
        ),
        reference=TwoPhase,
        native=NATIVE,
    ),
    safety=Use(
        cycles=CYCLES,
        soundness=because("phase 1 takes only steps that concern nobody else"),
        reference=TwoPhase,
        native=NATIVE,
    ),
    any_order=True,
    rule=None,
    caches=("all", "selective"),
    laboratory={
        "two-phase": Rules(
            "phase 1 a function of the program state; a safe operation stays safe",
            (*_PHASE_1, "safe-persistent", "source", "by-program-state", "proviso"),
        ),
        "two-phase-next": Rules(
            "phase 1 a function of the program state; safe means: safe after the next step",
            (*_PHASE_1, "safe-next", "source", "by-program-state", "proviso"),
        ),
    },
)
