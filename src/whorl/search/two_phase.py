"""Two phase as it is printed: Figure 5 of the Two phase paper, and Figure 8 around it.

    phase1(in)                                   Twophase(s)
      s := in; list := {s}; path := {}             (path, s) := phase1(s)
      foreach process P do                         if s not in Vr then
        while deterministic(s, P)                    Vr := Vr + all states in path
          olds := s; s := t(olds)                    foreach enabled transition t do
          path := path + {(olds, t, s)}                if t(s) not in Vr then Twophase(t(s))
          if s in list goto NEXT_PROC              else
          list := list + {s}                         Vr := Vr + all states in path
      NEXT_PROC

`all states in path` has the state in which phase 1 begins, even if it goes nowhere. With selective
caching (section 5.1) Vr gets the state where phase 1 ends and no other, and list only those that
are entered by a step down, which the graph says. The paper counts Vr or list: `states` are those
in Vr, `largest_list` is how many a list has had, beside them, with the state where it begins.

On the fly s is a product state. The paper says nothing of an automaton that can move in several
ways: here, as in the laboratory (lab/two_phase.py), phase 1 follows every one of them, one after
the other. As the search leaves an accepting state, dfs2 looks for a way back to it (Figure 8): it
goes on from there as dfs1 did, with a set V2 in place of Vr. States in the middle of a path are
seeds, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, runtime_checkable

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.search.graph import Lasso, N
from whorl.search.watch import Watch


class OwnStep(NamedTuple):
    """The step of a deterministic process: its place in the order of processes, and whether list
    gets the state that it leads to.
    """

    place: int
    run: Run
    listed: bool


@runtime_checkable
class Phases(Protocol):
    """Phase 1 of a program."""

    selective: bool

    def step(self, state: State, place: int) -> OwnStep | None:
        """That of the first process from this place on in the order that is deterministic."""
        ...


class Ways(NamedTuple, Generic[N]):
    """The step of phase 1 from a node, which may lead to several."""

    place: int
    targets: tuple[N, ...]
    listed: bool


class PhasedGraph(Protocol[N]):
    """What is searched."""

    selective: bool

    def initial(self) -> Iterable[N]: ...

    def ways(self, node: N, place: int) -> Ways[N] | None:
        """What phase 1 does in a node; None: it has ended."""
        ...

    def everything(self, node: N) -> Iterable[N]:
        """Where all transitions lead: phase 2."""
        ...

    def is_accepting(self, node: N) -> bool: ...

    def is_error(self, node: N) -> bool: ...


@dataclass(slots=True)
class _Entry(Generic[N]):
    """A node on the stack."""

    node: N
    start: int  # where on the stack its phase 1 began
    list: set[N]  # of this phase 1
    adds: bool  # it is in list because of this entry
    place: int = 0  # of the process that moves; only in phase 1
    ends: bool = False  # phase 1 ends here
    is_expanded: bool = True
    listed: bool = True  # list gets what follows
    waiting: Iterator[N] = field(default_factory=lambda: iter(()))


def find(graph: PhasedGraph[N], watch: Watch) -> Lasso[N] | None:
    """A run through an accepting node again and again, or to an error; None if there is none."""
    search = _TwoPhase(graph, watch)
    for root in graph.initial():
        watch.transition()
        lasso = search.dfs1(root)
        if lasso is not None:
            return lasso
    return None


class _TwoPhase(Generic[N]):
    def __init__(self, graph: PhasedGraph[N], watch: Watch) -> None:
        self.graph = graph
        self.watch = watch
        self.visited: set[N] = set()  # Vr, or V1
        self.visited_again: set[N] = set()  # V2
        self.stack: list[_Entry[N]] = []

    def dfs1(self, root: N) -> Lasso[N] | None:
        lasso = self.begin(root, self.visited)
        while lasso is None and self.stack:
            entry = self.stack[-1]
            target = next(entry.waiting, None)
            if target is not None:
                self.watch.transition()
                lasso = self.go(entry, target, self.visited)
                continue
            if self.is_seed(entry):
                lasso = self.dfs2(entry)
            self.leave()
        return lasso

    def dfs2(self, entry: _Entry[N]) -> Lasso[N] | None:
        base, seed = len(self.stack), entry.node
        self.visited_again.add(seed)
        entry.waiting = self.following(entry)
        while len(self.stack) >= base:
            top = self.stack[-1]
            target = next(top.waiting, None)
            if target is not None:
                self.watch.transition()
                if target == seed:
                    nodes = [e.node for e in self.stack]
                    return Lasso.of(nodes[: base - 1], nodes[base - 1 :])
                lasso = self.go(top, target, self.visited_again)
                if lasso is not None:
                    return lasso
            elif len(self.stack) == base:
                break
            else:
                self.leave()
        return None

    def is_seed(self, entry: _Entry[N]) -> bool:
        """Whether dfs2 is called for the state that dfs1 leaves."""
        return (
            entry.is_expanded
            and self.graph.is_accepting(entry.node)
            and entry.node not in self.visited_again
        )

    # --- the stack -------------------------------------------------------------------------------

    def go(self, entry: _Entry[N], target: N, visited: set[N]) -> Lasso[N] | None:
        """Takes a transition from the entry on top."""
        if entry.ends:
            return None if target in visited else self.begin(target, visited)
        again = target in entry.list
        adds = entry.listed and not again
        below = _Entry(target, entry.start, entry.list, adds, entry.place + again)
        return self.push(below, visited)

    def begin(self, node: N, visited: set[N]) -> Lasso[N] | None:
        """Twophase(node): phase 1 begins."""
        return self.push(_Entry(node, len(self.stack), set(), True), visited)

    def push(self, entry: _Entry[N], visited: set[N]) -> Lasso[N] | None:
        if self.watch.too_deep(len(self.stack)):
            return None
        self.stack.append(entry)
        if entry.adds:
            entry.list.add(entry.node)
            self.watch.listed(len(entry.list))
        if self.graph.is_error(entry.node):
            return Lasso(tuple(e.node for e in self.stack), ())
        ways = self.graph.ways(entry.node, entry.place)
        if ways is not None:
            entry.place, entry.listed = ways.place, ways.listed
            entry.waiting = iter(ways.targets)
            return None
        entry.ends = True
        entry.is_expanded = entry.node not in visited
        self.store(entry, visited)
        if entry.is_expanded:
            entry.waiting = self.following(entry)
        return None

    def store(self, entry: _Entry[N], visited: set[N]) -> None:
        """Vr := Vr + all states in path."""
        path = [entry] if self.graph.selective else self.stack[entry.start :]
        for stored in path:
            if stored.node not in visited:
                if visited is self.visited:
                    self.watch.state()
                visited.add(stored.node)

    def following(self, entry: _Entry[N]) -> Iterator[N]:
        if entry.ends:
            return iter(self.graph.everything(entry.node))
        ways = self.graph.ways(entry.node, entry.place)
        assert ways is not None
        return iter(ways.targets)

    def leave(self) -> None:
        entry = self.stack.pop()
        if entry.adds:
            entry.list.discard(entry.node)
