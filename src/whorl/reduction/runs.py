"""Which transitions a run may take: one with its chain, and an atomic sequence that may follow.

A *run* is what is taken without a stored state between (program/atomic.py). After a transition and
its chain, the process may keep control at a location; from there on all that it can come to while
it keeps control is part of the run. A transition that waits for a timeout is not: it is taken only
where nothing else can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from whorl.program.program import ProcessType, Transition
from whorl.reduction.accesses import comes_last
from whorl.reduction.gather import Value, gather

Chain = Callable[[ProcessType, Transition], Sequence[Transition]]


class Runs:
    """The runs of a program's processes. `chain`: what an engine takes together with a transition,
    without a state between.
    """

    def __init__(self, chain: Chain) -> None:
        self.chain = chain

    def taken(self, process: ProcessType, transition: Transition) -> list[Transition]:
        """A transition with its chain."""
        return [transition, *self.chain(process, transition)]

    def kept(self, process: ProcessType, transition: Transition) -> list[int]:
        """Where the process has control after a transition and its chain, if it keeps it."""
        last = self.taken(process, transition)[-1]
        return [last.target] if last.atomic else []

    def gather(
        self, process: ProcessType, own: Callable[[Transition], Value], nothing: Value
    ) -> dict[int, Value]:
        """Of each location at which control is kept: the union of `own` over all that a run may
        still take from there.
        """
        kept = [at for t in process.transitions() for at in self.kept(process, t)]

        def successors(location: int) -> list[int]:
            inner = going_on(process, location)
            return [at for t in inner for at in self.kept(process, t)]

        def here(location: int) -> Value:
            total = nothing
            for transition in going_on(process, location):
                for taken in self.taken(process, transition):
                    total |= own(taken)
            return total

        return gather(kept, successors, here, nothing)

    def region(self, process: ProcessType, transition: Transition) -> list[Transition]:
        """All that the run of a transition may take, `transition` first.

        The rest may come again in a loop, and then `transition` does too.
        """
        transitions = self.taken(process, transition)
        met: set[int] = set()
        waiting = self.kept(process, transition)
        while waiting:
            location = waiting.pop()
            if location in met:
                continue
            met.add(location)
            for inner in going_on(process, location):
                transitions += self.taken(process, inner)
                waiting += self.kept(process, inner)
        return transitions


def going_on(process: ProcessType, location: int) -> Iterator[Transition]:
    """The transitions of a location that do not wait for a timeout."""
    for transition in process.locations.get(location, ()):
        if not comes_last(process, transition):
            yield transition
