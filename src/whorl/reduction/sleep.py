"""`sleep`: sleep sets alone. All states, and each by fewer transitions. For safety alone.

The search is Figure 5.2 of Godefroid's LNCS 1032 (search/sleep.py). Where two steps of a state are
independent and t is taken first, t sleeps after the other one: what t leads to from there, the
other one leads to after t. So of n independent steps 2^n - 1 transitions are left of n * 2^(n-1).

What sleeps is a *step*: who begins it by which transition, and in a handshake who answers by which.
It stands for its run with all ways through an atomic sequence. Two steps are independent if they
have no process in common and their footprints (analysis.py) are not in conflict. Footprints cover
all that decides whether a step can be taken (`else`, `unless`, `provided`, trace assertions, births
and ends of processes) and all of its run, with its chain where local steps are merged. Ends of a
channel do not count: both steps are executable here, and then a send and a receive commute; an
operation that might have to wait inside a run asks for the whole channel.

No step goes to sleep, and nothing sleeps in the next state,

- where only a timeout lets anything move: that depends on all processes;
- where the model has priorities or looks at `_last` (Analysis.nothing_reducible);
- if a run of it ends in a fault or keeps control: nothing comes after it, or only its own process,
  so that what it leads to is not reached by taking it first.

Why all states are kept, and how far away each is (decision 0053): let a state d be n steps from s,
and let none of the steps with which a way of n steps to d can begin sleep in s. Of these steps take
the one that a visit takes first, t. No step t' with which a way of n - 1 steps can go on behind t
sleeps there: it would be independent of t, so that t' can begin a way from s, too, and would sleep
in s or have been taken before t. The visit is the first one after which none of them is in
H(s).Sleep. A step that fails is found in the same way: it fails wherever it is moved to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from whorl.program.atomic import Run
from whorl.program.program import Transition
from whorl.program.state import NOBODY, State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import Ample, Rule, Situation, begins, participants, situation_of
from whorl.reduction.footprint import Footprint, conflict, union_of
from whorl.reduction.scheme import Native, Scheme, SleepSets, Use, because
from whorl.reduction.tables import as_known
from whorl.search.sleep import Name, Sleep, SleepVisit

Select = Callable[[Situation, Sleep], Ample]  # Persistent_Set(s)


class NamedStep(NamedTuple):
    """A step with its runs: one, or more if it begins an atomic sequence with choices in it."""

    name: Name
    parties: tuple[tuple[int, Transition], ...]
    runs: tuple[Run, ...]
    may_sleep: bool

    def shares_process(self, other: NamedStep) -> bool:
        return not {pid for pid, _ in self.parties}.isdisjoint(pid for pid, _ in other.parties)


def everything(situation: Situation, asleep: Sleep) -> Ample:
    """Where sleep sets are alone."""
    return situation.everything


class Sleeping:
    """Which steps of a program's states are taken, and which go to sleep."""

    def __init__(self, analysis: Analysis, select: Select = everything) -> None:
        self.analysis = analysis
        self.select = select
        self._in_conflict: dict[tuple[Footprint, Footprint], bool] = {}

    def visit(self, state: State, sleep: Sleep, stored: Sleep | None) -> SleepVisit:
        """T of Figure 5.2 in its order, each run with the s'.Sleep of where it leads."""
        situation = situation_of(self.analysis, state)
        steps = self.steps(situation)
        if stored is None:
            kept, wanted = sleep, {*map(begins, self.select(situation, sleep).runs)} - sleep
        else:
            kept, wanted = sleep & stored, {*stored} - sleep
        sleeping = [step for step in steps if step.name in kept]
        assert len(sleeping) == len(kept), "what sleeps is executable"
        taken: list[tuple[Run, Sleep]] = []
        for step in steps:
            if step.name not in wanted:
                continue
            still = frozenset(
                other.name for other in sleeping if self.are_independent(state, step, other)
            )
            taken += ((run, still) for run in step.runs)
            if step.may_sleep:
                sleeping.append(step)
        return SleepVisit(kept, tuple(taken), bool(steps))

    def steps(self, situation: Situation) -> list[NamedStep]:
        """The steps of a state, in their order."""
        runs: dict[Name, list[Run]] = {}
        for run in situation.runs:
            runs.setdefault(begins(run), []).append(run)
        may = self.analysis.nothing_reducible is None and not situation.waits_for_timeout
        return [
            NamedStep(
                name, tuple(participants(own[0])), tuple(own), may and all(map(_goes_on, own))
            )
            for name, own in runs.items()
        ]

    def are_independent(self, state: State, step: NamedStep, other: NamedStep) -> bool:
        """Whether two executable steps of a state commute, and leave each other executable; of
        these `other` may sleep.
        """
        if not step.may_sleep or step.shares_process(other):
            return False
        key = self.touched(state, step), self.touched(state, other)
        known = self._in_conflict.get(key)
        if known is None:
            known = self._in_conflict[key] = conflict(*key)
        return not known

    def touched(self, state: State, step: NamedStep) -> Footprint:
        """What the runs of a step may touch, as far as both engines tell processes apart."""
        return union_of(
            self.analysis.touched(transition.way, as_known(self.analysis, state.processes[pid]))
            for pid, transition in step.parties
        )


def _goes_on(run: Run) -> bool:
    """Whether everybody may go on behind a run."""
    return run.state is not None and run.state.holder == NOBODY


def alone(analysis: Analysis, rule: Rule) -> Sleeping:
    """Sleep sets, and nothing else."""
    return Sleeping(analysis)


SCHEME = Scheme(
    name="sleep",
    title="sleep sets alone: all states, by fewer transitions; for safety",
    origin="[Godefroid96], Figure 5.2; [GHP95]",
    function_of="the way of the search",
    formulas=None,
    safety=Use(
        cycles="no state is left out",
        soundness=because(
            "what sleeps commutes with all that was taken since it was taken itself, and is taken"
            " again where a state is met in which it does not sleep"
        ),
        reference=SleepSets(alone),
        native=Native("sleep.h"),
    ),
    any_order=False,
    rule=None,
)
