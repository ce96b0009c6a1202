"""What a search with a reduction visits of a state space: as the search itself says.

For safety it is the graph that the verifier stored, without merging of steps, which the audit reads
(`audit.stored`); the reference engine's where there is no compiler. With a claim it is what the
reference engine walks of the product.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from whorl.audit.judge import Configuration, Judge, watching
from whorl.diagrams.space import Place, SpaceEdge, StateSpace
from whorl.native.compiler import Compiler
from whorl.program.choice import Choice
from whorl.program.semantics import Step
from whorl.program.state import State
from whorl.reduction.plan import Plan
from whorl.reduction.product import ReducedByWay
from whorl.reduction.schemes import Reduction, reduced
from whorl.search.acceptance import PhasedWalk, Walk, find_violation
from whorl.search.exploration import Options
from whorl.search.product import Node, Product
from whorl.search.two_phase import Ways


@dataclass(slots=True)
class VisitedSpace:
    """The parts of a space that a search visited, by number.

    `passed` are places that it went through and did not store. `shortcuts` are edges of its own, to
    places of its own, too: a claim that reads fewer letters may be elsewhere.
    """

    stored: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    edges: set[int] = field(default_factory=set)  # by their position in `StateSpace.edges`
    shortcuts: list[tuple[Place, Place, tuple[Choice, ...]]] = field(default_factory=list)


def visited_for_safety(
    space: StateSpace, plan: Plan, compiler: Compiler | None, most: int
) -> VisitedSpace:
    """What a search for violations of safety stores."""
    how = Configuration(
        "reference" if compiler is None else "native",
        plan.reduction,
        safety=True,
        merge=False,
        drop_dead=False,
    )
    judge = Judge(space.semantics.program, watching((), ()), compiler, most)
    found = VisitedSpace()
    outgoing = _outgoing(space.edges)
    for state, taken in judge.stored(how).walked.items():
        start = space.numbers[state]
        found.stored.add(start)
        for steps in taken:
            _follow(outgoing, found, start, steps)
    found.passed -= found.stored
    return found


Outgoing = dict[tuple[int, tuple[Choice, ...]], tuple[int, int | None]]


def _outgoing(edges: Sequence[SpaceEdge]) -> Outgoing:
    """The edges by source and choices: their numbers and targets."""
    return {(e.source, e.choices): (number, e.target) for number, e in enumerate(edges)}


def _follow(outgoing: Outgoing, found: VisitedSpace, start: int, steps: Sequence[Step]) -> None:
    """Takes note of the edges that one run of a search is made of."""
    at: int | None = start
    piece: tuple[Choice, ...] = ()
    for step in steps:
        assert at is not None
        piece = (*piece, Choice.of(step))
        if (at, piece) in outgoing:
            number, at = outgoing[at, piece]
            found.edges.add(number)
            if at is not None:
                found.passed.add(at)
            piece = ()
    assert not piece, "a run of a search is made of runs of the program"


# --- with a claim ---------------------------------------------------------------------------------


def visited_for_claim(space: StateSpace, product: Product, reduction: Reduction) -> VisitedSpace:
    """What a search for a run that the claim accepts stores, if it goes on to the end."""
    walks: list[_Noted | _NotedPhases] = []

    def reduce(reducible: Product) -> Walk[Node] | PhasedWalk[Node]:
        walk = reduced(reducible, reduction)
        if isinstance(walk, ReducedByWay):
            walks.append(_NotedPhases(walk))
        else:
            walks.append(_Noted(reducible if walk is None else walk))
        return walks[0]

    options = Options(all_errors=True, infinite_runs=product.infinite_runs)
    find_violation(product.semantics, product.claim, options, reduce)
    noted = walks[0]
    known = {(space.places[e.source], space.places[e.target or 0]) for e in space.edges}
    found = VisitedSpace()
    found.stored = {space.numbers[node] for node in noted.nodes if node in space.numbers}
    if isinstance(noted, _NotedPhases):
        passed = {space.numbers[node] for node in noted.passed if node in space.numbers}
        found.passed = passed - found.stored
    found.edges = {
        number
        for number, e in enumerate(space.edges)
        if (space.places[e.source], space.places[e.target or 0]) in noted.pairs
    }
    found.shortcuts = [
        (node, target, noted.walk.choices(node, target))
        for node, target in noted.pairs
        if (node, target) not in known
    ]
    return found


class _Noted:
    """A walk that takes note of where it leads; nothing is accepting, so that it does not stop."""

    def __init__(self, walk: Walk[Node]) -> None:
        self.walk = walk
        self.nodes: dict[Node, None] = {}
        self.pairs: dict[tuple[Node, Node], None] = {}

    def initial(self) -> Iterable[Node]:
        for node in self.walk.initial():
            self.nodes[node] = None
            yield node

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        for target in self.walk.successors(node, stack):
            self.nodes[target] = None
            self.pairs[node, target] = None
            yield target

    def is_accepting(self, node: Node) -> bool:
        return False

    def is_error(self, node: Node) -> bool:
        return False

    def program_state(self, node: Node) -> State:
        return self.walk.program_state(node)

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        return self.walk.choices(node, target)


class _NotedPhases:
    """The same of a walk in two phases: with selective caching what it passes is not stored."""

    def __init__(self, walk: ReducedByWay) -> None:
        self.walk = walk
        self.selective = walk.selective
        self.nodes: dict[Node, None] = {}
        self.passed: dict[Node, None] = {}
        self.pairs: dict[tuple[Node, Node], None] = {}

    def initial(self) -> Iterable[Node]:
        return self.walk.initial()

    def ways(self, node: Node, place: int) -> Ways[Node] | None:
        ways = self.walk.ways(node, place)
        noted = self.passed if ways is not None and self.selective else self.nodes
        noted[node] = None
        for target in () if ways is None else ways.targets:
            self.pairs[node, target] = None
        return ways

    def everything(self, node: Node) -> Iterable[Node]:
        for target in self.walk.everything(node):
            self.pairs[node, target] = None
            yield target

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        return self.everything(node)

    def is_accepting(self, node: Node) -> bool:
        return False

    def is_error(self, node: Node) -> bool:
        return False

    def program_state(self, node: Node) -> State:
        return self.walk.program_state(node)

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        return self.walk.choices(node, target)
