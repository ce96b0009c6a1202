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
from whorl.reduction.schemes import Reduction, reduced
from whorl.search.acceptance import Walk, find_violation
from whorl.search.exploration import Options
from whorl.search.product import Node, Product


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
    walks: list[_Noted] = []

    def reduce(reducible: Product) -> Walk[Node]:
        walk = reduced(reducible, reduction)
        walks.append(_Noted(reducible if walk is None else walk))
        return walks[0]

    options = Options(all_errors=True, infinite_runs=product.infinite_runs)
    find_violation(product.semantics, product.claim, options, reduce)
    noted = walks[0]
    known = {(space.places[e.source], space.places[e.target or 0]) for e in space.edges}
    found = VisitedSpace()
    found.stored = {space.numbers[node] for node in noted.nodes if node in space.numbers}
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
