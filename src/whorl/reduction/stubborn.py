"""Stubborn sets: candidates of single transitions, where `candidates` takes processes as a whole.

A stubborn set (Valmari, "Stubborn sets for reduced state space generation", 1990) has members that
are executable and members that are not, of all that processes can still do. It needs

- of an executable member: everything that does not commute with it, its siblings among that;
- of one that is not: a *necessary enabling set*, of which something has to happen first. There are
  several, and one of them is enough: what may change a condition of its guard that is false; what
  leads its process to its location; where its process is there, what may change its guard at all.
  So what others can only do with a lock is not in the way as long as they have to wait for it.

Nothing outside such a set can interfere with its executable members before one of them is taken:
these are an ample set by C0 and C1. Since siblings are together, they are all that some processes
can do.

A set is found by closing what one process can do: executable members come first, since there is no
choice; then, of the set that each other one may need, the one that adds the fewest steps. That is
greedy, and may miss the smallest set (Geldenhuys, Hansen and Valmari, "Exploring the scope for
partial order reduction", 2009, compare ways to choose).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from whorl.program.atomic import Run
from whorl.program.program import ReceiveAction, SendAction, Transition, Way
from whorl.program.state import LOCATION, TYPE, Fault, WorkingState
from whorl.reduction.accesses import comes_last
from whorl.reduction.candidates import Ample, Situation, begins, participants
from whorl.reduction.footprint import Footprint

Member = tuple[int, Way]  # a pid, and a transition of its process
Members = frozenset[Member]


def stubborn_sets(
    situation: Situation, allowed: Callable[[Run], bool], avoid: frozenset[int] = frozenset()
) -> list[Ample]:
    """The proper ample sets of a state that are stubborn, do without some processes, and whose runs
    are all `allowed`.

    One at most for each process.
    """
    begun = [{pid for pid, _ in participants(run)} for run in situation.runs]
    able: set[int] = set().union(*begun)
    not_allowed = (p for p, run in zip(begun, situation.runs, strict=True) if not allowed(run))
    excluded = avoid.union(*not_allowed)
    # Who can shake hands with one of these cannot move without it.
    refused = excluded.union(*(pids for pids in begun if not pids.isdisjoint(excluded)))
    needs = _Needs(situation)
    sets: dict[frozenset[int], Ample] = {}
    for pid in sorted(able - refused):
        moving = _Closing(needs, refused).closed(pid)
        chosen = tuple(run for run in situation.runs if run.steps[0].pid in moving)
        if chosen and len(chosen) < len(situation.runs):
            sets[moving] = Ample(chosen, tuple(sorted(moving)), full=False)
    return list(sets.values())


class _Closing:
    """A stubborn set in the making."""

    def __init__(self, needs: _Needs, refused: frozenset[int]) -> None:
        self.needs = needs
        self.enabled = needs.situation.enabled
        self.refused = refused
        self.members: set[Member] = set()
        self.moving: set[int] = set()  # processes: what they can do now is in the set
        self.waiting: set[Member] = set()  # members for which nothing has been chosen

    def closed(self, pid: int) -> frozenset[int]:
        """The processes that can move in the set of one of them; none if there is no such set."""
        self.add(self.needs.steps(pid))
        while self.waiting and self.moving.isdisjoint(self.refused):
            member = min(self.waiting)
            self.waiting.remove(member)
            self.add(min(self.needs.sets(member), key=self.cost))
        return frozenset(self.moving if self.moving.isdisjoint(self.refused) else ())

    def add(self, members: Members) -> None:
        """Adds members, and with those that are executable what they need."""
        more = [members]
        while more:
            for pid, way in more.pop() - self.members:
                self.members.add((pid, way))
                if way not in self.enabled[pid]:
                    self.waiting.add((pid, way))
                else:
                    self.moving.add(pid)
                    more += self.needs.sets((pid, way))

    def cost(self, members: Members) -> tuple[bool, int, bool]:
        """What it costs to add some: processes that are refused, steps, anything at all."""
        new = members - self.members
        moving = {pid for pid, way in new if way in self.enabled[pid]}
        steps = sum(self.needs.begun[pid] for pid in moving)
        return not moving.isdisjoint(self.refused), steps, bool(new)


class _Needs:
    """What each member of a set would need, in one state.

    `all` is what processes can still do. A member has several sets of which it needs one: if it is
    executable there is no choice.
    """

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.analysis = situation.analysis
        self.facts = situation.analysis.enabling
        self.processes = situation.state.processes
        self.store = WorkingState(situation.state)
        self.touched: dict[Member, Footprint] = {}
        self.here: list[Members] = []
        for pid, record in enumerate(self.processes):
            for way in self.analysis.ahead((record[TYPE], record[LOCATION])):
                self.touched[pid, way] = self.facts.touched(way, record)
            process = self.analysis.program.processes[record[TYPE]]
            at = (t for t in situation.transitions(pid) if not comes_last(process, t))
            self.here.append(frozenset((pid, t.way) for t in at))
        self.all = frozenset(self.touched)
        self.begun = [0] * len(self.processes)  # steps that each process begins
        for begin in set(map(begins, situation.runs)):
            self.begun[begin[0]] += 1
        self._dependent: dict[tuple[Footprint, bool, bool], list[Member]] = {}
        self._sets: dict[Member, list[Members]] = {}

    def steps(self, pid: int) -> Members:
        """What a process can execute now."""
        return frozenset((pid, way) for way in self.situation.enabled[pid])

    def sets(self, member: Member) -> list[Members]:
        """The sets of which a member needs one; those that seldom grow are first."""
        if member not in self._sets:
            self._sets[member] = list(self.needed(member))
        return self._sets[member]

    # --- what a member needs ---------------------------------------------------------------------

    def needed(self, member: Member) -> Iterator[Members]:
        pid, way = member
        record = self.processes[pid]
        transition = self.analysis.transitions[way]
        if way in self.situation.enabled[pid]:
            stays = self.stays(pid, transition, enabled=True)
            yield self.here[pid] | self.others(pid, self.touched[member], ends=not stays)
            return
        again = (self.own(pid, self.facts.returning(way)) & self.here[pid]) - {member}
        if not self.facts.may_handshake(way):
            yield from self.channel(member, again)
            yield from self.conditions(member, again)
        if member not in self.here[pid]:
            yield self.own(pid, self.facts.arrivals(way))
        elif self.facts.may_handshake(way):
            yield again | self.before_handshake(member)
        else:
            stays = self.stays(pid, transition, enabled=False)
            waited_for = self.analysis.waited_for(way, record)
            yield again | self.others(pid, waited_for, ends=not stays)

    def conditions(self, member: Member, again: Members) -> Iterator[Members]:
        """For each condition of a guard that is false: what may make it true.

        Of one that looks at its process's own variables that is known only where the process is
        there: they stay as they are until it moves.
        """
        pid, way = member
        record = self.processes[pid]
        for condition in self.facts.conditions(way):
            if condition.is_local and member not in self.here[pid]:
                continue
            try:
                if condition.value(self.store, record):
                    continue
            except Fault:
                continue
            reads = self.analysis.resolve(condition.reads, record)
            if condition.is_local:
                yield again | self.others(pid, reads)
            else:
                yield frozenset(self.dependent(reads))

    def channel(self, member: Member, again: Members) -> Iterator[Members]:
        """Of a send to a channel that is full: who receives; of a receive from an empty one: who
        sends. Where it may become another channel, what may make it one.
        """
        pid, way = member
        record = self.processes[pid]
        action = self.facts.on_channel(way)
        if action is None:
            return
        process = self.analysis.program.processes[record[TYPE]]
        fixed = self.analysis.fixed.expr(action.channel, process)
        if not fixed and member not in self.here[pid]:
            return
        buffer = self.analysis.channel_of(self.situation.state, record, action.channel)
        if buffer is None:
            return
        count, capacity, bit = buffer
        if isinstance(action, SendAction) and count == capacity:
            waited_for = Footprint(send_tests=bit)
        elif isinstance(action, ReceiveAction) and count == 0:
            waited_for = Footprint(receive_tests=bit)
        else:
            return
        moving = frozenset(self.dependent(waited_for, same=False))
        if not fixed:
            chosen_by = frozenset(self.analysis.accesses.expr(action.channel, process))
            moving |= again | self.others(pid, self.analysis.resolve(chosen_by, record))
        yield moving

    def before_handshake(self, member: Member) -> Members:
        """What may come before a handshake for which a process is waiting.

        Somebody comes to where the other half of it is; or, where somebody is there and they do not
        match, moves on or is given other values.
        """
        pid, _ = member
        members: set[Member] = set()
        for other in self.others(pid, self.touched[member]):
            members.add(other)
            who, way = other
            if other in self.here[who]:
                members |= self.here[who]
                members.update(self.dependent(self.touched[other]))
            else:
                members |= self.own(who, self.facts.arrivals(way))
        return frozenset(members - {member})

    # --- dependency ------------------------------------------------------------------------------

    def own(self, pid: int, ways: Iterable[Way]) -> Members:
        return frozenset((pid, way) for way in ways) & self.all

    def others(self, pid: int, touched: Footprint, ends: bool = True) -> Members:
        return frozenset(
            member for member in self.dependent(touched, ends=ends) if member[0] != pid
        )

    def dependent(
        self, touched: Footprint, *, same: bool = True, ends: bool = True
    ) -> list[Member]:
        """What touches the same things (`same`), or the other end of the same channels (`ends`)."""
        key = touched, same, ends
        if key not in self._dependent:
            self._dependent[key] = [
                member
                for member, theirs in self.touched.items()
                for conflict, opposite in [self.facts.relation(touched, theirs)]
                if (same and conflict) or (ends and opposite)
            ]
        return self._dependent[key]

    def stays(self, pid: int, transition: Transition, *, enabled: bool) -> bool:
        state = self.situation.state
        return self.analysis.stays_as_it_is(state, self.processes[pid], transition, enabled)
