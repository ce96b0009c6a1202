"""Searches for accepting cycles on several threads: every interleaving, on one graph.

    first(s)                                        second(s)
      s is cyan, for this thread                      s is pink, for this thread
      for each successor t of s, in any order         for each successor t of s, in any order
        if t is neither cyan nor blue: first(t)         if t is cyan: report a cycle
      s is blue, for all                                if t is neither pink nor red: second(t)
      if s is accepting: nothing is pink; second(s);
        wait until all accepting pink nodes but s are red; what is pink is red, for all
      s is no longer cyan

That is CNDFS (Evangelista, Laarman, Petrucci and van de Pol, "Improved multi-core nested
depth-first search", ATVA 2012). Where components are weak, all of their nodes accepting or none,
there is no second search: if t is cyan, and s or t accepting, that is a cycle. `CycleRules` has
what differs from this, right or wrong.

A step of a thread reads or writes one bit that others see, with all that it does alone beside it.
Threads are alike, so that what differs in their names is seen once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from whorl.lab.small_graphs import SmallGraph, members

MISSED, FALSE, STUCK = "missed a cycle", "no cycle", "waits for ever"


@dataclass(frozen=True, slots=True)
class CycleRules:
    """Which search it is, and what is wrong with it."""

    weak: bool = False  # there is no second search
    early: bool = False  # the first search reports cycles as if components were weak, too
    cyan_first: bool = False  # the first search asks whether a node is cyan before it asks for blue
    blue_last: bool = False  # a node is blue once the second search from it is done
    # Wrong on purpose:
    shared_cyan: bool = False  # a node is cyan for all threads
    blue_on_entry: bool = False
    no_waiting: bool = False
    waits_for_itself: bool = False
    red_on_entry: bool = False
    one_will_do: bool = False  # the search ends as soon as one thread has nothing left


class Frame(NamedTuple):
    node: int
    left: int  # the successors that have still to be looked at


class Worker(NamedTuple):
    """A thread: the stacks of both searches, what is pink, and whether that is becoming red."""

    first: tuple[Frame, ...]
    second: tuple[Frame, ...] | None = None
    pink: int = 0
    reddens: bool = False


class CycleMoment(NamedTuple):
    blue: int
    red: int
    workers: tuple[Worker, ...]


Step = (
    CycleMoment | str
)  # what comes of a step: a cycle that is reported is "" if it is one, or FALSE


@dataclass(frozen=True, slots=True)
class Explored:
    """Whether some interleaving goes wrong, and how many moments were seen."""

    wrong: str | None
    moments: int


class CycleThreads:
    """The runs of a search on a graph."""

    def __init__(self, graph: SmallGraph, rules: CycleRules, threads: int) -> None:
        self.graph = graph
        self.rules = rules
        self.threads = threads

    def explore(self) -> Explored:
        worker = Worker((Frame(0, self.graph.successors[0]),))
        start = CycleMoment(int(self.rules.blue_on_entry), 0, (worker,) * self.threads)
        seen, todo = {start}, [start]
        while todo:
            now = todo.pop()
            if self._is_over(now) and self.graph.has_cycle:
                return Explored(MISSED, len(seen))
            moves = list(self._moves(now))
            if not moves and any(worker.first for worker in now.workers):
                return Explored(STUCK, len(seen))
            for then in moves:
                if then == FALSE:
                    return Explored(FALSE, len(seen))
                if isinstance(then, CycleMoment) and then not in seen:
                    seen.add(then)
                    todo.append(then)
        return Explored(None, len(seen))

    def _is_over(self, now: CycleMoment) -> bool:
        enough = any if self.rules.one_will_do else all
        return enough(not worker.first for worker in now.workers)

    def _moves(self, now: CycleMoment) -> Iterator[Step]:
        for i, worker in enumerate(now.workers):
            if not worker.first or (i and worker == now.workers[i - 1]):
                continue
            others = now.workers[:i] + now.workers[i + 1 :]
            cyan = self._cyan(now.workers if self.rules.shared_cyan else (worker,))
            for step in self._steps(now.blue, now.red, worker, cyan):
                if isinstance(step, str):
                    yield step
                else:
                    blue, red, then = step
                    yield CycleMoment(blue, red, tuple(sorted((*others, then), key=_order)))

    @staticmethod
    def _cyan(workers: tuple[Worker, ...]) -> int:
        return sum({1 << frame.node for worker in workers for frame in worker.first})

    def _steps(
        self, blue: int, red: int, worker: Worker, cyan: int
    ) -> Iterator[str | tuple[int, int, Worker]]:
        """What a thread may do next: the bits that all see, and the thread after it."""
        first, second, pink, reddens = worker
        if second is None:
            if first[-1].left:
                yield from self._look(blue, red, worker, cyan)
            else:
                yield self._leave(blue, red, worker)
        elif second:
            if second[-1].left:
                yield from self._look_again(blue, red, worker, cyan)
            else:
                yield blue, red, worker._replace(second=second[:-1])
        elif not reddens:
            others = pink & self.graph.accepting
            if not self.rules.waits_for_itself:
                others &= ~(1 << first[-1].node)
            if not others & ~red or self.rules.no_waiting:
                yield blue, red, worker._replace(reddens=True)
        elif pink:
            for node in members(pink):
                yield blue, red | 1 << node, worker._replace(pink=pink & ~(1 << node))
        else:
            yield blue | 1 << first[-1].node, red, Worker(first[:-1])

    def _look(
        self, blue: int, red: int, worker: Worker, cyan: int
    ) -> Iterator[str | tuple[int, int, Worker]]:
        """The first search looks at a successor."""
        node, left = worker.first[-1]
        reports = self.rules.weak or self.rules.early
        for t in members(left):
            bit = 1 << t
            below = (*worker.first[:-1], Frame(node, left & ~bit))
            ends = (1 << node | bit) & self.graph.accepting
            passed_by = blue & bit and not self.rules.cyan_first
            if reports and cyan & bit and ends and not passed_by:
                yield self._report(worker, t)
            elif (cyan | blue) & bit:
                yield blue, red, Worker(below)
            else:
                entered = blue | bit if self.rules.blue_on_entry else blue
                yield entered, red, Worker((*below, Frame(t, self.graph.successors[t])))

    def _leave(self, blue: int, red: int, worker: Worker) -> tuple[int, int, Worker]:
        """The first search has looked at all successors."""
        node = worker.first[-1].node
        bit = 1 << node
        if self.rules.weak or not self.graph.accepting & bit:
            return blue | bit, red, Worker(worker.first[:-1])
        second = (Frame(node, self.graph.successors[node]),)
        left = blue if self.rules.blue_last else blue | bit
        entered = red | bit if self.rules.red_on_entry else red
        return left, entered, Worker(worker.first, second, bit)

    def _look_again(
        self, blue: int, red: int, worker: Worker, cyan: int
    ) -> Iterator[str | tuple[int, int, Worker]]:
        """The second search looks at a successor."""
        first, second, pink, _ = worker
        assert second is not None
        node, left = second[-1]
        for t in members(left):
            bit = 1 << t
            below = (*second[:-1], Frame(node, left & ~bit))
            if cyan & bit:
                yield self._report(worker, t)
            elif (pink | red) & bit:
                yield blue, red, Worker(first, below, pink)
            else:
                above = (*below, Frame(t, self.graph.successors[t]))
                entered = red | bit if self.rules.red_on_entry else red
                yield blue, entered, Worker(first, above, pink | bit)

    def _report(self, worker: Worker, node: int) -> str:
        """A thread reports its stack from a node on; whether that is an accepting cycle."""
        stack = [frame.node for frame in worker.first]
        stack += [frame.node for frame in (worker.second or ())[1:]]
        cycle = stack[stack.index(node) :] if node in stack else []
        return "" if cycle and self.graph.is_accepting_cycle(cycle) else FALSE


def _order(worker: Worker) -> tuple[object, ...]:
    return worker.first, worker.second or (), worker.second is None, worker.pink, worker.reddens
