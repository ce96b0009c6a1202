"""`pv`: Two phase as it is printed, and as the Protocol Verifier had it ([NG98], Figures 5 and 8).

Phase 1 goes over the processes once, in their order, and takes the steps of each as long as it is
deterministic: its control state is internal (all transitions there are local), all of them are safe
(safe.py), and exactly one is enabled. The search around it is search/two_phase.py.

Where phase 1 ends depends on where it began: a loop of deterministic steps ends where it was
entered, and a process that others let go on only later is not asked again. So the states that are
fully expanded depend on the way of the search and, on the fly, on the automaton's choices: with a
nondeterministic one a violation can be missed (design fact 6, docs/decisions/0045). `two-phase` has
a phase 1 that is a function of the program state.

The figure leaves the order of processes open: as in Spin's search the last process comes first,
unless `--process-order` says otherwise. With selective caching `list` gets a state that is
not after the one before it in an order of states. PV compares bits; here the process that has moved
is compared, its location and then its variables: states that only channels tell apart are equal.

Two things are ours: a step that faults is never deterministic, and nor is one that a proposition
sees, even if it is of a local variable or a location.
"""

from __future__ import annotations

from whorl.program.atomic import Run
from whorl.program.state import LOCATION, NOBODY, State
from whorl.reduction.analysis import Analysis
from whorl.reduction.candidates import ProcessOrder, Situation, situation_of
from whorl.reduction.safe import is_safe
from whorl.reduction.scheme import (
    Native,
    OwnSearch,
    PropertyFacts,
    Rules,
    Scheme,
    Soundness,
    Use,
    because,
    refused,
)
from whorl.search.two_phase import OwnStep


class Pv:
    """Phase 1 of Figure 5, for one program and property."""

    def __init__(self, analysis: Analysis, order: ProcessOrder, selective: bool) -> None:
        self.analysis = analysis
        self.order = order
        self.selective = selective

    def step(self, state: State, place: int) -> OwnStep | None:
        """The step of the first process from a place on in the order that is deterministic."""
        if self.analysis.nothing_reducible is not None or state.holder != NOBODY:
            return None
        situation = situation_of(self.analysis, state)
        if situation.waits_for_timeout:
            return None
        pids = self.order.of(range(len(state.processes)))
        for at in range(place, len(pids)):
            run = deterministic(situation, pids[at])
            if run is not None:
                return OwnStep(at, run, not self.selective or not _ascends(state, run, pids[at]))
        return None


def deterministic(situation: Situation, pid: int) -> Run | None:
    """The only enabled run of a process, if it is deterministic in the state."""
    own = [run for run in situation.runs if run.steps[0].pid == pid]
    if len(own) != 1 or own[0].state is None or own[0].state.holder != NOBODY:
        return None
    if situation.is_visible(own[0]) or not is_safe(situation, pid):
        return None
    return own[0]


def _ascends(state: State, run: Run, pid: int) -> bool:
    """Whether the step of a process leads to a state that comes later in the order of states."""
    assert run.state is not None
    return run.state.processes[pid][LOCATION:] > state.processes[pid][LOCATION:]


# --- the record -----------------------------------------------------------------------------------


def soundness(facts: PropertyFacts) -> Soundness:
    if (refusal := refused(facts)) is not None:
        return refusal
    depends = "where phase 1 ends depends on where it began, and so"
    if facts.deterministic:
        return Soundness(
            False,
            f"{depends} the second search may go another way than the first; no program that"
            " shows it is known (`whorl lab --two-phase`)",
        )
    return Soundness(
        False,
        f"{depends} on the automaton's choices: a violation may be missed, as one is in"
        " `whorl lab --scheme pv --automaton b2`",
    )


CYCLES = "where phase 1 ends, wherever it began, all is taken"
NATIVE = Native("pv.h", sticky_on_the_way=True)
SCHEME = Scheme(
    name="pv",
    title="Two phase as it is printed: one pass over the processes, then everything",
    origin="[NG98], Figures 5 and 8",
    function_of="the way of the search",
    formulas=Use(
        cycles=CYCLES,
        soundness=soundness,
        reference=OwnSearch(),
        native=NATIVE,
    ),
    safety=Use(
        cycles=CYCLES,
        soundness=because(
            "from every state on the way safe steps, which concern nobody else, lead to one where"
            " all is taken"
        ),
        reference=OwnSearch(),
        native=NATIVE,
    ),
    any_order=False,
    rule=None,
    caches=("all", "selective"),
    laboratory={
        "pv": Rules(
            "phase 1 of Figure 5: where it ends depends on where it began, so on q and s",
            ("c0", "processes", "phase-1", "safe-persistent", "source", "cycles-reduced"),
        )
    },
)
