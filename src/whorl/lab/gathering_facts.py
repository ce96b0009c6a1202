"""What the change from one thread to several rests on: every small program, every moment.

A search is right if it leaves links without a cycle, whatever the ample sets (`visited.closed`):
then nothing that can be executed is put off for ever, as the search for counterexamples
has it (`closed.rules`). One that is wrong on purpose has to lose something, with persistent sets.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from whorl.lab import visited
from whorl.lab.definitions import c1
from whorl.lab.gathering import RIGHT, WRONG_CHANGES, Gathering, expanded
from whorl.lab.instance import Instance
from whorl.lab.small_programs import small_instances, with_bystanders
from whorl.lab.threads import Event

TITLES = {
    "right": "anchored are closed states, and what is known to be",
    "open": "what is stored and not expanded is anchored, too",
    "expanded": "what is expanded and not closed is anchored, too",
    "linked": "a state that is kept for one that is closed before is anchored at once",
    "finding": "a state that finds something new is anchored at once",
    "below": "what is below a closed state in the log is anchored, not only what found it",
}


@dataclass(frozen=True, slots=True)
class GatheringOutcome:
    """What came of a search on programs of one size."""

    name: str
    operations: int
    states: int
    selectors: int
    moments: int  # at which the others came
    ends: int  # selectors with which a search can end
    wrong: Instance | None
    events: tuple[Event, ...]
    seconds: float


def right(small: bool = False) -> Iterator[GatheringOutcome]:
    """What must not go wrong: all selectors, and of the largest programs the persistent ones."""
    for operations, states in [(2, 1), (2, 2), (3, 2), (2, 3)]:
        yield _explored(operations, states, small_instances(operations, states))
    if not small:
        yield _explored(2, 4, (one for one in small_instances(2, 4) if c1(one) is None))


def _explored(operations: int, states: int, instances: Iterator[Instance]) -> GatheringOutcome:
    start = time.process_time()
    count = moments = ends = 0
    wrong, events = None, tuple[Event, ...]()
    for instance in instances:
        search = Gathering(instance)
        run = search.run()
        count += 1
        moments += search.moments
        if run is None:
            continue
        ends += 1
        if visited.closed(instance) is not None:
            wrong, events = instance, run
            break
    seconds = time.process_time() - start
    return GatheringOutcome(
        "right", operations, states, count, moments, ends, wrong, events, seconds
    )


def smallest(name: str) -> GatheringOutcome:
    """A change that is wrong, and a small program that shows it: all others are tried before."""
    start = time.process_time()
    count = moments = ends = 0
    change = WRONG_CHANGES.get(name, RIGHT)
    for states in (1, 2, 3):
        for plain in small_instances(2, states):
            for instance in with_bystanders(plain) if visited.closed(plain) is not None else ():
                if c1(instance) is not None:
                    continue
                search = Gathering(instance, change)
                run = search.run()
                count += 1
                moments += search.moments
                ends += run is not None
                if run is not None and visited.loss(instance, expanded(run)):
                    seconds = time.process_time() - start
                    operations = len(instance.program.operations)
                    return GatheringOutcome(
                        name, operations, states, count, moments, ends, instance, run, seconds
                    )
    seconds = time.process_time() - start
    return GatheringOutcome(name, 3, 3, count, moments, ends, None, (), seconds)


def wrong() -> Iterator[GatheringOutcome]:
    """What must go wrong."""
    yield from map(smallest, WRONG_CHANGES)
