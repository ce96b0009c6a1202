"""Sticky transitions: some of each process's, so that every cycle of its control flow has one.

If no proper ample set has a sticky transition, every cycle of the reduced graph has a state that is
fully expanded: on a cycle each process that moves comes back to where it was, so it goes round a
cycle of its control flow (design.md, fact 5; Kurshan, Levin, Minea, Peled and Yenigün, "Static
partial order reduction", TACAS 1998, who have the idea; Brunner and Lammich verified a checker that
rests on it). A process that ends and starts again is no exception: whoever starts it moves too, and
of the processes that move on the cycle the one with the least pid is never started.

Which ones are chosen does not matter for soundness, but a state in which a process is about to take
a sticky transition cannot be reduced by that process alone. So a transition has a weight: nothing
if it can never be in a proper ample set anyway (visible, or in conflict with every step), little
where others may hold it up or where there is a choice, most if it touches nothing shared. The set
is found by local ratio (feedback.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from whorl.program.program import ProcessType, Terminate, Transition
from whorl.reduction.accesses import needs_timeout
from whorl.reduction.analysis import Analysis
from whorl.reduction.feedback import feedback
from whorl.reduction.footprint import Footprint, conflict, opposite, union_of, visible
from whorl.reduction.gather import gather


def sticky(analysis: Analysis) -> frozenset[int]:
    """The numbers of the sticky transitions of a program, few and well chosen."""
    cut: set[int] = set()
    met = union_of(analysis.begun(process.index) for process in analysis.program.processes)
    for process in analysis.program.processes:
        weights = weigh(analysis, process, met)
        edges = [
            (t.source, analysis.target(process, t), t.number)
            for t in process.transitions()
            if not isinstance(t.action, Terminate)  # after it there is no process to go round
        ]
        cut |= feedback(edges, weights)
    return frozenset(cut)


@lru_cache(maxsize=2)
def sticky_runs(analysis: Analysis) -> frozenset[int]:
    """The transitions whose run may take a sticky one: these are in no proper ample set."""
    cut = sticky(analysis)
    runs = analysis.runs
    transitions: set[int] = set()
    for process in analysis.program.processes:
        behind = runs.gather(process, lambda inner: inner.number in cut, False)
        for t in process.transitions():
            if any(taken.number in cut for taken in runs.taken(process, t)) or any(
                behind[location] for location in runs.kept(process, t)
            ):
                transitions.add(t.number)
    return frozenset(transitions)


def weigh(analysis: Analysis, process: ProcessType, met: Footprint) -> dict[int, int]:
    """How much is lost if a transition is sticky. `met`: what all of the program may touch."""
    begun = {t.number: _worth(analysis, process, t, met) for t in process.transitions()}
    # A transition inside an atomic sequence is part of every run that may come to it.
    weights = dict.fromkeys(begun, 0)
    runs = analysis.runs
    coming = _coming(analysis, process, begun)
    for transition in process.transitions():
        inner = 0 if needs_timeout(transition.action) else coming.get(transition.source, 0)
        for taken in runs.taken(process, transition):
            weights[taken.number] += begun[transition.number] + inner
    return weights


def _coming(analysis: Analysis, process: ProcessType, begun: Mapping[int, int]) -> dict[int, int]:
    """Of each location inside atomic sequences: what the runs are worth together that come to it.

    Each has a bit in the set of its worth.
    """
    runs = analysis.runs
    coming: dict[int, list[int]] = {}  # backwards: from where control comes to a location
    started: dict[int, dict[int, int]] = {}  # at a location, by worth: the runs that begin so
    for number, transition in enumerate(process.transitions()):
        for location in runs.kept(process, transition):
            worths = started.setdefault(location, {})
            worth = begun[transition.number]
            worths[worth] = worths.get(worth, 0) | 1 << number
            if not needs_timeout(transition.action):
                coming.setdefault(location, []).append(transition.source)
    inside = started.keys()

    def before(location: int) -> list[int]:
        return [source for source in coming.get(location, ()) if source in inside]

    def worth_together(worth: int) -> dict[int, int]:
        sets = gather(inside, before, lambda at: started[at].get(worth, 0), 0)
        return {location: worth * runs.bit_count() for location, runs in sets.items()}

    sums = [worth_together(worth) for worth in set(begun.values())]
    return {location: sum(each[location] for each in sums) for location in inside}


def _worth(analysis: Analysis, process: ProcessType, transition: Transition, met: Footprint) -> int:
    touched = analysis.touched(transition.way, None)
    if touched.everything or visible(touched, analysis.property):
        return 0
    if conflict(touched, met):
        return 1
    worth = 4 if opposite(touched, met) else 8
    siblings = process.locations[transition.source]
    return max(2, worth // len(siblings))
