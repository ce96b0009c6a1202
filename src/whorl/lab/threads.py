"""The default search for violations of safety on several threads: every interleaving.

A thread begins a state that is stored, looks at the ends of its ample set one after another, in any
order, and decides: it keeps the ample set if the state is fully expanded by it, or if its proviso
holds. Each look is one step: it puts the state into the store, or learns what is known of it. All
other threads may do any number of steps between two of one thread. Sets that were tried before are
left out, as in `visited`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from whorl.lab.instance import Instance
from whorl.lab.walks import path

# What has happened to a state so far.
ABSENT, WAITING, BEGUN, DECIDED, ANCHORED = range(5)


@dataclass(frozen=True, slots=True)
class ThreadProviso:
    """When a proper ample set is kept; beside that an end is new, which always will do."""

    open: bool = False  # an end that nobody has begun
    anchored: bool = False  # an end that is anchored
    apart: bool = False  # looking for a state and storing it are two steps
    # Wrong on purpose:
    anybody: bool = False  # something new that anybody has found
    unfinished: bool = False  # another state that is not decided
    late: bool = False  # a state may be begun before it is stored
    popped: bool = False  # anchored is what is decided, some time later
    outside: bool = False  # anchored because of an operation that is not in the ample set
    together: bool = False  # anchored because of each other


THREAD_PROVISOS: Mapping[str, ThreadProviso] = {
    "new": ThreadProviso(),
    "open": ThreadProviso(open=True),
    "anchored": ThreadProviso(anchored=True),
    "wrong-found-any": ThreadProviso(anybody=True),
    "wrong-found-unfinished": ThreadProviso(unfinished=True),
    "wrong-found-late": ThreadProviso(late=True),
    "wrong-anchored-popped": ThreadProviso(anchored=True, popped=True),
    "wrong-anchored-outside": ThreadProviso(anchored=True, outside=True),
    "wrong-anchored-together": ThreadProviso(anchored=True, together=True),
}


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a state; `left` are the ends that its thread has still to look at."""

    stage: int = ABSENT
    stored: bool = False
    left: frozenset[int] = frozenset()
    owed: frozenset[int] = frozenset()  # found absent, and still to be stored
    found: bool = False  # it has found something new, or what its proviso takes for it
    relies: bool = False  # it has seen an end that is anchored
    marked: bool = (
        False  # taken for anchored whatever has happened to it (a mistake, in `gathering`)
    )

    @property
    def anchored(self) -> bool:
        return self.stage == ANCHORED or self.marked


Moment = tuple[Known, ...]  # of each program state
Event = tuple[str, int]  # "begin", "look", ... and the state


class Threads:
    """All runs of the search with the ample sets of an instance, on so many threads."""

    def __init__(self, instance: Instance, proviso: ThreadProviso, most: int | None = None) -> None:
        program = instance.program
        self.proviso = proviso
        self.states = program.states
        self.most = len(self.states) if most is None else most
        self.full = [instance.is_full(q, 0) for q in self.states]
        self.ends = [self._ends(instance, q, instance.amp(q, 0)) for q in self.states]
        self.all_ends = [self._ends(instance, q, program.enabled(q)) for q in self.states]

    @staticmethod
    def _ends(instance: Instance, state: int, operations: frozenset[int]) -> frozenset[int]:
        """Where phase 1 comes to after these operations."""
        return frozenset(path(instance, instance.program.step(state, o))[1] for o in operations)

    @property
    def start(self) -> Moment:
        return (Known(WAITING, stored=True), *(Known() for _ in self.states[1:]))

    def run(self, starts: Iterable[Moment]) -> tuple[Moment, tuple[Event, ...]] | None:
        """A run that begins with one of these moments and ends with every stored state expanded by
        its ample set: where it begins, and its events."""
        before: dict[Moment, tuple[Moment, Event] | None] = dict.fromkeys(starts)
        todo = list(before)
        while todo:
            now = todo.pop()
            if all(k.stage == ABSENT or (k.stage >= DECIDED and k.stored) for k in now):
                return _way(before, now)
            for event, then in self._moves(now):
                if then not in before:
                    before[then] = now, event
                    todo.append(then)
        return None

    def _moves(self, now: Moment) -> Iterator[tuple[Event, Moment]]:
        under_way = sum(k.stage == BEGUN for k in now)
        for q, known in enumerate(now):
            if known.stage == WAITING and under_way < self.most:
                begun = replace(known, stage=BEGUN, left=self.ends[q])
                yield ("begin", q), _with(now, q, begun)
            if known.stage != ABSENT and not known.stored:
                yield ("store", q), _with(now, q, replace(known, stored=True))
            if known.stage == BEGUN:
                for end in known.left:
                    yield ("look", q), self._looked(now, q, end)
                for end in known.owed:
                    yield ("put", q), _put(now, q, end)
                if not known.left | known.owed:
                    yield from self._decided(now, q)
        if self.proviso.anchored:
            yield from self._anchored(now)

    def _looked(self, now: Moment, q: int, end: int) -> Moment:
        """The thread at q looks at an end, and puts it into the store if it is not there."""
        known, other = replace(now[q], left=now[q].left - {end}), now[end]
        if other.stored:
            found = (
                (self.proviso.open and other.stage == WAITING)
                or (self.proviso.unfinished and end != q and other.stage < DECIDED)
                or known.found
            )
            relies = known.relies or (self.proviso.anchored and other.anchored)
            return _with(now, q, replace(known, found=found, relies=relies))
        known = replace(known, found=True)
        if self.proviso.apart:
            return _with(now, q, replace(known, owed=known.owed | {end}))
        now = _with(now, q, known)
        stage = max(now[end].stage, WAITING)
        return _with(now, end, replace(now[end], stage=stage, stored=not self.proviso.late))

    def _decided(self, now: Moment, q: int) -> Iterator[tuple[Event, Moment]]:
        known = now[q]
        found = known.found or (self.proviso.anybody and any(k.found for k in now))
        if self.full[q] or known.relies:
            yield ("decide", q), _with(now, q, replace(known, stage=ANCHORED, relies=False))
        elif found:
            yield ("decide", q), _with(now, q, replace(known, stage=DECIDED, relies=False))

    def _anchored(self, now: Moment) -> Iterator[tuple[Event, Moment]]:
        anchored = {q for q, k in enumerate(now) if k.anchored}
        decided = [q for q, k in enumerate(now) if k.stage == DECIDED]
        ends = self.all_ends if self.proviso.outside else self.ends
        for q in decided:
            if self.proviso.popped or ends[q] & anchored:
                yield ("anchor", q), _with(now, q, replace(now[q], stage=ANCHORED))
        sizes = range(1, len(decided) + 1) if self.proviso.together else ()
        for group in (set(c) for size in sizes for c in combinations(decided, size)):
            if all(ends[q] & (anchored | group) for q in group):
                then = tuple(
                    replace(k, stage=ANCHORED) if q in group else k for q, k in enumerate(now)
                )
                yield ("anchor", min(group)), then


def _with(now: Moment, state: int, known: Known) -> Moment:
    return (*now[:state], known, *now[state + 1 :])


def _put(now: Moment, q: int, end: int) -> Moment:
    """Stores what was looked for before; somebody may have done so in between."""
    now = _with(now, q, replace(now[q], owed=now[q].owed - {end}))
    return _with(now, end, replace(now[end], stage=max(now[end].stage, WAITING), stored=True))


def _way(
    before: Mapping[Moment, tuple[Moment, Event] | None], now: Moment
) -> tuple[Moment, tuple[Event, ...]]:
    events = []
    while (step := before[now]) is not None:
        now, event = step
        events.append(event)
    return now, tuple(reversed(events))


def begun(instance: Instance, name: str) -> tuple[int, ...] | None:
    """The states in the order in which a run begins them; None if no run has these ample sets."""
    threads = Threads(instance, THREAD_PROVISOS[name])
    run = threads.run([threads.start])
    return None if run is None else tuple(q for what, q in run[1] if what == "begin")


def threaded(instance: Instance, name: str) -> str | None:
    """Whether a search on several threads with the proviso of this name can end with the
    instance's ample sets."""
    if begun(instance, name) is None:
        return f"no search on several threads has these ample sets: proviso '{name}'"
    return None
