"""Candidates: the proper ample sets that a program state has by C0, C1 and C2.

A candidate is what a set S of processes can do now. It satisfies C1 if nothing that the other
processes can ever do, as long as S stands still, is in conflict with a transition of S at its
present location, whether that is executable now or not. S is found by closing a process under such
conflicts: the connected component of the processes that depend on it.

Godefroid calls such sets persistent ("Partial-Order Methods", LNCS 1032), and looks likewise at
what a process can still reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from whorl.program.atomic import Run, runs
from whorl.program.program import Transition, Way
from whorl.program.state import LOCATION, NOBODY, TYPE, Fault, State, WorkingState
from whorl.reduction.accesses import comes_last
from whorl.reduction.analysis import Analysis
from whorl.reduction.footprint import conflict, opposite
from whorl.reduction.safe import is_safe

KEPT = 1000  # situations


class Rule(Enum):
    """Which sets of processes are tried, and in which order."""

    PROCESS = "process"  # one process on which no other depends
    SAFE = "safe"  # one process whose transitions are all safe: Figure 3 of the Two phase paper
    COMPONENT = "component"  # one process or all that depend on it, those with least to do first
    LOCAL = "local"  # one process whose statements touch nothing shared
    SPIN = "spin"  # one process that Spin's verifiers take for safe (spin_rule.py)
    STUBBORN = "stubborn"  # components; if none is a single step, stubborn sets (stubborn.py) too

    @property
    def is_of_one(self) -> bool:
        """Whether one process after the other is tried, in an order that may be said."""
        return self in (Rule.PROCESS, Rule.SAFE, Rule.LOCAL, Rule.SPIN)


class ProcessOrder(Enum):
    """In which order processes are tried."""

    DESCENDING = "descending"  # last pid first, as in Spin
    ASCENDING = "ascending"

    def of(self, pids: Iterable[int]) -> list[int]:
        return sorted(pids, reverse=self is ProcessOrder.DESCENDING)


@dataclass(frozen=True, slots=True)
class Ample:
    """The runs to take from a state: a candidate's, or everything that is enabled."""

    runs: tuple[Run, ...]
    processes: tuple[int, ...] = ()  # whose runs they are, if they are not all
    full: bool = True

    @property
    def steps(self) -> int:
        """How many first steps its runs have."""
        return len(set(map(begins, self.runs)))


class Situation:
    """One state: what is enabled in it, and who depends on whom."""

    def __init__(self, analysis: Analysis, state: State) -> None:
        self.analysis = analysis
        self.state = state
        self.runs = tuple(runs(analysis.semantics, state))
        self.enabled: list[set[Way]] = [set() for _ in state.processes]
        for run in self.runs:
            first = run.steps[0]
            self.enabled[first.pid].add(first.transition.way)
            if first.partner is not None:
                self.enabled[first.partner[0]].add(first.partner[1].way)
        self._closed: dict[int, frozenset[int]] = {}

    @property
    def everything(self) -> Ample:
        return Ample(self.runs)

    @cached_property
    def waits_for_timeout(self) -> bool:
        """Whether what is enabled here is so only because of a timeout."""
        if not self.analysis.uses_timeout:
            return False
        everyone = range(len(self.state.processes))
        return not self.analysis.semantics.steps_of(WorkingState(self.state), everyone)

    def transitions(self, pid: int) -> tuple[Transition, ...]:
        record = self.state.processes[pid]
        process = self.analysis.program.processes[record[TYPE]]
        return process.locations.get(record[LOCATION], ())

    def depends(self, pid: int, other: int) -> bool:
        """Whether process `other` may ever do something that concerns what `pid` does next."""
        return self.reason(pid, other) is not None

    def reason(self, pid: int, other: int) -> Transition | None:
        """A transition at which `pid` is that depends on what `other` can still do."""
        analysis = self.analysis
        record = self.state.processes[pid]
        future = analysis.future(self.state.processes[other])
        for transition in self.transitions(pid):
            if comes_last(analysis.program.processes[record[TYPE]], transition):
                continue  # not before something of the candidate was taken
            enabled = transition.way in self.enabled[pid]
            touched = (analysis.touched if enabled else analysis.waited_for)(transition.way, record)
            if conflict(touched, future):
                return transition
            if opposite(touched, future) and not analysis.stays_as_it_is(
                self.state, record, transition, enabled
            ):
                return transition
        return None

    def closed(self, pid: int) -> frozenset[int]:
        """The processes that depend on `pid`, or on one that does, and so on."""
        known = self._closed.get(pid)
        if known is None:
            outside = set(range(len(self.state.processes))) - {pid}
            members, waiting = {pid}, [pid]
            while waiting and outside:
                member = waiting.pop()
                added = {other for other in outside if self.depends(member, other)}
                outside -= added
                members |= added
                waiting += sorted(added)
            known = self._closed[pid] = frozenset(members)
        return known

    def only_run(self, pid: int) -> Run | None:
        """The one run of process `pid`, if it is deterministic: section 2 of the Two phase paper.

        All its transitions at its location are safe and exactly one run is enabled; invisible too.
        """
        own = [run for run in self.runs if run.steps[0].pid == pid]
        if len(own) != 1 or own[0].state is None:
            return None
        if self.state.holder != NOBODY or own[0].state.holder != NOBODY:
            return None
        return None if self.is_visible(own[0]) or self.closed(pid) != {pid} else own[0]

    def is_visible(self, run: Run) -> bool:
        """Whether the run may change a proposition."""
        processes = self.state.processes
        return any(
            self.analysis.is_visible(transition, processes[pid])
            for pid, transition in participants(run)
        )


def situation_of(analysis: Analysis, state: State) -> Situation:
    """The situation in a state. Some are kept: phase 1 comes by the same states again and again."""
    known = analysis.situations.get(state)
    if known is None:
        if len(analysis.situations) == KEPT:
            analysis.situations.clear()
        known = analysis.situations[state] = Situation(analysis, state)
    return known


def participants(run: Run) -> list[tuple[int, Transition]]:
    """The processes that a run begins with, and by which transition each takes part."""
    first = run.steps[0]
    parties = [(first.pid, first.transition)]
    if first.partner is not None:
        parties.append(first.partner)
    return parties


def begins(run: Run) -> tuple[int, ...]:
    """What tells the first step of a run from others."""
    return tuple(n for pid, transition in participants(run) for n in (pid, transition.number))


Allowed = Callable[[Run], bool]


def candidates(
    situation: Situation,
    rule: Rule = Rule.COMPONENT,
    check_visible: bool = True,
    allowed: Allowed | None = None,
    order: ProcessOrder = ProcessOrder.DESCENDING,
) -> list[Ample]:
    """The proper ample sets of a state, best first; `allowed` must hold of each of their runs.

    Those of one process come in `order`. Of components that with the fewest steps is the best, and
    of these that of the lowest pid.
    Without `check_visible` C2 is left out, as it may be for safety properties.
    """
    sets = _sets(situation, rule, check_visible, allowed, frozenset(), order)
    return [ample for ample in sets if not _stops_others(ample)]


def tries(
    situation: Situation,
    rule: Rule = Rule.COMPONENT,
    check_visible: bool = True,
    allowed: Allowed | None = None,
) -> Iterator[Ample]:
    """The best candidate; if that will not do, the best without any of its processes; and so on.

    So does the native engine, which learns what a set is worth by taking its runs.
    """
    avoid: frozenset[int] = frozenset()
    while sets := _sets(situation, rule, check_visible, allowed, avoid):
        best = sets[0]
        if not _stops_others(best):
            yield best
        avoid |= set(best.processes)


def _stops_others(ample: Ample) -> bool:
    """Whether a set is no ample set by what its runs do.

    A run that ends in a fault is in no proper ample set: it stops all processes where they are, so
    what the others can still do would be lost behind it. The other way round nothing is lost: what
    goes before a fault, and does not concern it, leaves it as it was. A run that keeps control may
    keep it for ever, and is in none for the same reason.
    """
    return any(run.state is None or run.state.holder != NOBODY for run in ample.runs)


def _sets(
    situation: Situation,
    rule: Rule,
    check_visible: bool,
    allowed: Allowed | None,
    avoid: frozenset[int],
    order: ProcessOrder = ProcessOrder.DESCENDING,
) -> list[Ample]:
    """Candidates by what their runs begin with, that do without some processes; best first."""
    analysis = situation.analysis
    if analysis.nothing_reducible is not None or situation.waits_for_timeout:
        return []
    if situation.state.holder != NOBODY:
        return []

    def is_allowed(run: Run) -> bool:
        if check_visible and situation.is_visible(run):
            return False
        return allowed is None or allowed(run)

    one = rule.is_of_one
    pids = [pid for pid, enabled in enumerate(situation.enabled) if enabled]
    if one:
        pids = order.of(pids)
    by_members: dict[frozenset[int], Ample] = {}
    for pid in pids:
        members = _members(situation, pid, rule)
        if members in by_members or not members.isdisjoint(avoid) or (one and members != {pid}):
            continue
        chosen = tuple(run for run in situation.runs if run.steps[0].pid in members)
        if not chosen or len(chosen) == len(situation.runs):
            continue
        if rule is Rule.LOCAL and not _is_local(situation, pid):
            continue
        if rule is Rule.SPIN and not _is_safe_in_spin(situation, pid):
            continue
        if not all(map(is_allowed, chosen)):
            continue
        by_members[members] = Ample(chosen, tuple(sorted(members)), full=False)
    sets = list(by_members.values())
    if one:
        return sets
    if rule is Rule.STUBBORN and all(ample.steps > 1 for ample in sets):
        from whorl.reduction.stubborn import stubborn_sets  # which needs what is here

        known = {ample.runs for ample in sets}
        stubborn = stubborn_sets(situation, is_allowed, avoid)
        sets += [ample for ample in stubborn if ample.runs not in known]
    return sorted(sets, key=lambda ample: ample.steps)


def _members(situation: Situation, pid: int, rule: Rule) -> frozenset[int]:
    """The processes that go first together with `pid`; none, if it is no candidate at all."""
    if rule is Rule.SAFE:
        return frozenset({pid} if is_safe(situation, pid) else ())
    return situation.closed(pid)


def _is_local(situation: Situation, pid: int) -> bool:
    record = situation.state.processes[pid]
    return all(
        situation.analysis.touched(transition.way, record).touches_nothing
        for transition in situation.transitions(pid)
    )


def _is_safe_in_spin(situation: Situation, pid: int) -> bool:
    state, record = situation.state, situation.state.processes[pid]
    safe = situation.analysis.spin_rule.safe.get((record[TYPE], record[LOCATION]))
    if safe is None or (safe.last and pid + 1 < len(state.processes)):
        return False
    evaluator, at = situation.analysis.semantics.evaluator, WorkingState(state)
    try:
        return all(evaluator.value(query)(at, record) for query in safe.queries)
    except Fault:  # a channel that was never made
        return False
