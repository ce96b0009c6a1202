"""State spaces to be drawn: of a program, or of its product with a claim; whole, within a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from whorl.audit.full import TooLarge
from whorl.program.atomic import Run, runs
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import Fault, State
from whorl.search.product import Move, Node, Product

Place = State | Node  # a state of the program, or of the product


@dataclass(frozen=True, slots=True)
class SpaceEdge:
    """A run of the program from a place. Without a target it ends in a fault; without a run the
    program stays where it is, and the claim alone goes on.
    """

    source: int
    target: int | None
    run: Run | None

    @property
    def choices(self) -> tuple[Choice, ...]:
        return () if self.run is None else tuple(map(Choice.of, self.run.steps))


@dataclass(slots=True)
class StateSpace:
    """Places by number, the initial one first, and the edges between them.

    `accepting` are the places that a claim accepts in, `wrong` those by which it has found a
    violation whatever follows, or where a proposition that it asks for has no value.
    """

    semantics: Semantics
    places: list[Place] = field(default_factory=list)
    edges: list[SpaceEdge] = field(default_factory=list)
    numbers: dict[Place, int] = field(default_factory=dict)
    accepting: set[int] = field(default_factory=set)
    wrong: set[int] = field(default_factory=set)

    def state(self, number: int) -> State:
        place = self.places[number]
        return place.state if isinstance(place, Node) else place

    def add(self, place: Place, most: int) -> int:
        """The number of a place; TooLarge if there are more than `most`."""
        number = self.numbers.get(place)
        if number is None:
            if len(self.places) >= most:
                raise TooLarge
            number = self.numbers[place] = len(self.places)
            self.places.append(place)
        return number

    def stuck(self) -> Iterator[int]:
        """The places where the program can do nothing."""
        moving = {edge.source for edge in self.edges if edge.run is not None}
        for number in range(len(self.places)):
            if number not in moving and not self.semantics.steps(self.state(number)):
                yield number


def program_space(semantics: Semantics, most: int) -> StateSpace:
    """Every state and every run of a program; TooLarge if there are more than `most` states."""
    space = StateSpace(semantics)
    space.add(semantics.initial(), most)
    for source, state in enumerate(space.places):  # grows meanwhile
        assert isinstance(state, State)
        for run in runs(semantics, state):
            target = None if run.state is None else space.add(run.state, most)
            space.edges.append(SpaceEdge(source, target, run))
    return space


def product_space(product: Product, most: int) -> StateSpace:
    """Likewise, of a product."""
    space = StateSpace(product.semantics)
    for first in product.initial():
        space.add(first, most)
    for source, node in enumerate(space.places):  # grows meanwhile
        assert isinstance(node, Node)
        if product.is_accepting(node):
            space.accepting.add(source)
        if product.is_error(node) or _has_no_letter(product, node):
            space.wrong.add(source)
            continue
        for target, run in _product_edges(product, node):
            space.edges.append(SpaceEdge(source, space.add(target, most), run))
    return space


def _has_no_letter(product: Product, node: Node) -> bool:
    try:
        product.letters.read(node.state, node.stuttering, node.claim)
    except Fault:
        return True
    return False


def _product_edges(product: Product, node: Node) -> Iterable[tuple[Node, Run | None]]:
    by_move: dict[Move, list[Run]] = {}
    for run in runs(product.semantics, node.state):
        by_move.setdefault(Move.of(node.state, run), []).append(run)
    for target, move in dict.fromkeys(product.edges(node)):
        taken: Iterable[Run | None] = [None] if move is None else by_move[move]
        for each in taken:
            yield target, each
