"""A search for violations of safety that one thread begins, and that several go on with.

While it is alone the thread has a log: what is stored and not closed, each entry above the one that
found it. It keeps a proper ample set that finds something new, or leads to a state that is closed
before: one that is closed, or whose entry is above in the log. An entry is anchored once it is
expanded fully, or once something that it has found is anchored or closed.

Then the others come. Of what is stored all is anchored but for those in the log of which that is
not known; from there on it is the search of `threads`. They may come at any moment, and here they
do: the searches of one thread are explored, and each of their moments is a beginning for several.

More is possible here than in the runtime (`search/anchored.h`), never less. The thread expands what
is in its log in any order, not only what is on top: batches step over entries, and what is tried in
vain is expanded later. Entries are closed in the order of the log alone. Any state may be anchored
as soon as an end of its ample set is, not only by what it has found, and by anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations

from whorl.lab.instance import Instance
from whorl.lab.threads import (
    ANCHORED,
    DECIDED,
    THREAD_PROVISOS,
    WAITING,
    Event,
    Known,
    Moment,
    Threads,
)

NOBODY = -1  # has found the initial state


@dataclass(frozen=True, slots=True)
class GatheringRules:
    """What is anchored when the others come; all of these are wrong on purpose."""

    open: bool = False  # what is stored and not expanded
    expanded: bool = False  # what is expanded, though it is not closed
    linked: bool = False  # what was kept for a state that is closed before it
    finding: bool = False  # what has found something new
    below: bool = False  # what is below a closed state in the log, whoever found that


RIGHT = GatheringRules()


@dataclass(frozen=True, slots=True)
class Entry:
    state: int
    finder: int  # its place
    expanded: bool = False
    anchored: bool = False


@dataclass(frozen=True, slots=True)
class Alone:
    """One thread: the log, and what is closed."""

    log: tuple[Entry, ...]
    closed: frozenset[int] = frozenset()

    @property
    def stored(self) -> frozenset[int]:
        return self.closed.union(entry.state for entry in self.log)

    def anchor(self, place: int) -> Alone:
        """The entry is anchored, and so is what found it, and so on."""
        log = list(self.log)
        while place != NOBODY and not log[place].anchored:
            log[place] = replace(log[place], anchored=True)
            place = log[place].finder
        return replace(self, log=tuple(log))


Before = dict[Alone, tuple[Alone, Event] | None]


class Gathering:
    """All runs of the search with the ample sets of an instance, and all moments to come."""

    def __init__(
        self, instance: Instance, change: GatheringRules = RIGHT, most: int | None = None
    ) -> None:
        self.threads = Threads(instance, THREAD_PROVISOS["anchored"], most)
        self.change = change
        self.moments = 0  # at which the others may come

    def run(self) -> tuple[Event, ...] | None:
        """The events of a run that ends with every stored state expanded by its ample set."""
        before = self._alone()
        starts: dict[Moment, Alone] = {}
        for now in before:
            starts.setdefault(self.changed(now), now)
        self.moments = len(before)
        events = self.threads.run(starts)
        if events is None:
            return None
        start, after = events
        return (*_way(before, starts[start]), ("come", 0), *after)

    def _alone(self) -> Before:
        start = Alone((Entry(0, NOBODY),))
        before: Before = {start: None}
        todo = [start]
        while todo:
            now = todo.pop()
            for event, then in self._moves(now):
                if then not in before:
                    before[then] = now, event
                    todo.append(then)
        return before

    def _moves(self, now: Alone) -> Iterator[tuple[Event, Alone]]:
        if now.log and now.log[-1].expanded:
            yield ("close", now.log[-1].state), self._closed(now)
        for place, entry in enumerate(now.log):
            if not entry.expanded:
                for then in self._expanded(now, place):
                    yield ("expand", entry.state), then

    def _closed(self, now: Alone) -> Alone:
        """The topmost entry is closed; what found it is anchored."""
        *log, top = now.log
        then = Alone(tuple(log), now.closed | {top.state})
        if self.change.below:
            for place in range(len(log)):
                then = then.anchor(place)
        return then.anchor(top.finder)

    def _expanded(self, now: Alone, place: int) -> Iterator[Alone]:
        """The entry is expanded for good, if its ample set may be kept; what is new comes in any
        order."""
        state = now.log[place].state
        ends, full = self.threads.ends[state], self.threads.full[state]
        new = ends - now.stored
        above = {entry.state for entry in now.log[place + 1 :]}
        if not (full or new or ends & (now.closed | above)):
            return
        entry = replace(now.log[place], expanded=True)
        log = (*now.log[:place], entry, *now.log[place + 1 :])
        anchored = full or (self.change.finding if new else self.change.linked)
        for order in permutations(sorted(new)):
            then = replace(now, log=(*log, *(Entry(end, place) for end in order)))
            yield then.anchor(place) if anchored else then

    def changed(self, now: Alone) -> Moment:
        """What the others know of each state when they come now."""
        known = [Known() for _ in self.threads.states]
        for state in now.closed:
            known[state] = Known(ANCHORED, stored=True)
        for entry in now.log:
            if not entry.expanded:
                marked = self.change.open or entry.anchored
                known[entry.state] = Known(WAITING, stored=True, marked=marked)
            else:
                anchored = self.change.expanded or entry.anchored
                known[entry.state] = Known(ANCHORED if anchored else DECIDED, stored=True)
        return tuple(known)


def _way(before: Before, now: Alone) -> tuple[Event, ...]:
    events = []
    while (step := before[now]) is not None:
        now, event = step
        events.append(event)
    return tuple(reversed(events))


def expanded(events: Iterable[Event]) -> tuple[int, ...]:
    """The states in the order in which a run expands them, alone or on several threads."""
    return tuple(state for what, state in events if what in ("expand", "begin"))


WRONG_CHANGES: Mapping[str, GatheringRules] = {
    "open": GatheringRules(open=True),
    "expanded": GatheringRules(expanded=True),
    "linked": GatheringRules(linked=True),
    "finding": GatheringRules(finding=True),
    "below": GatheringRules(below=True),
}
