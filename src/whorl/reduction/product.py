"""Reduced products: what is left of a product when a scheme selects the runs of the program.

Each class here is a graph for the searches of `search/`, as the product itself is. A run is
selected by the state that it leads to: two runs from q to the same q' make one edge. Runs that end
in a fault are taken where everything is: none is in a proper ample set.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from whorl.program.atomic import Run
from whorl.program.choice import Choice
from whorl.program.state import State
from whorl.reduction.scheme import Phase1, SelectiveScheme, StateScheme
from whorl.reduction.stack import Choosing, Keep
from whorl.search.product import Move, Node, Product
from whorl.search.two_phase import Phases, Ways


class ReducedByState:
    """P' (x) B: the ample set is a function of the program state."""

    def __init__(self, product: Product, scheme: StateScheme) -> None:
        self.product = product
        self.scheme = scheme
        self.selected: dict[State, Ends] = {}

    def initial(self) -> Iterable[Node]:
        return self.product.initial()

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        if self.product.is_error(node):
            return
        for target, move in self.product.edges(node):
            if move is None or _end(move) in self.ample(node.state):
                yield target

    def ample(self, state: State) -> Ends:
        ends = self.selected.get(state)
        if ends is None:
            ends = self.selected[state] = _ends(state, self.scheme.ample(state).runs)
        return ends

    def is_accepting(self, node: Node) -> bool:
        return self.product.is_accepting(node)

    def is_error(self, node: Node) -> bool:
        return self.product.is_error(node)

    def program_state(self, node: Node) -> State:
        return self.product.program_state(node)

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        return self.product.choices(node, target)


@dataclass(slots=True)
class ReducedByStack:
    """The product as a scheme leaves it that looks at the stack.

    `all_targets`: one ample set for all moves s' of the automaton (V1), or one for each (V0). What
    was chosen is kept for the second search, unless `choosing.keep` is NOTHING. `chosen` has the
    selection numbers by q, s and s', for the audit.
    """

    product: Product
    choosing: Choosing
    all_targets: bool
    chosen: dict[tuple[State, int, int], int] = field(default_factory=dict)
    _ends: dict[tuple[State, int], Ends] = field(default_factory=dict)

    def initial(self) -> Iterable[Node]:
        return self.product.initial()

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        if self.product.is_error(node):
            return
        edges = list(self.product.edges(node))
        moved = [target for target, move in edges if move is not None]
        ample: dict[int, Ends] = {}
        for claim in dict.fromkeys(target.claim for target in moved):
            looked_at = [t for t in moved if self.all_targets or t.claim == claim]
            number = self.select(node, claim, looked_at, stack)
            ample[claim] = self.selected(node.state, number)
        for target, move in edges:
            if move is None or _end(move) in ample[target.claim]:
                yield target

    def select(self, node: Node, claim: int, looked_at: list[Node], stack: Container[Node]) -> int:
        key = node.state, node.claim, claim
        if key in self.chosen and self.choosing.keep is not Keep.NOTHING:
            return self.chosen[key]

        def closes(state: State) -> bool:
            return any(target.state == state and target in stack for target in looked_at)

        number = self.choosing.choose(node.state, closes)
        self.chosen[key] = number
        return number

    def selected(self, state: State, number: int) -> Ends:
        key = state, number
        ends = self._ends.get(key)
        if ends is None:
            ends = self._ends[key] = _ends(state, self.choosing.selected(state, number).runs)
        return ends

    def is_accepting(self, node: Node) -> bool:
        return self.product.is_accepting(node)

    def is_error(self, node: Node) -> bool:
        return self.product.is_error(node)

    def program_state(self, node: Node) -> State:
        return self.product.program_state(node)

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        return self.product.choices(node, target)


class SelectivelyCached:
    """Selective caching: only states where phase 1 ends are nodes, and the first one.

    A run and the phase 1 after it are one edge. The letter does not change on the way, so what the
    automaton reads is stutter-equivalent to what it would read step by step.
    """

    def __init__(self, product: Product, scheme: SelectiveScheme) -> None:
        self.product = product
        self.scheme = scheme
        self.selected: dict[State, Ends] = {}
        self.known: dict[State, Phase1] = {}
        self.remembered = 0  # the most states that one phase 1 had to remember

    def phase_1(self, state: State) -> Phase1:
        phase = self.known.get(state)
        if phase is None:
            phase = self.known[state] = self.scheme.phase_1(state)
            self.remembered = max(self.remembered, phase.remembered)
        return phase

    def initial(self) -> Iterable[Node]:
        return self.product.initial()

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        if self.product.is_error(node):
            return
        met: set[Node] = set()
        for target, move in self.product.edges(node):
            if move is not None:
                if _end(move) not in self.ample(node.state):
                    continue
                if not move.stops:
                    target = target._replace(state=self.arrive(target.state))
            if target not in met:
                met.add(target)
                yield target

    def ample(self, state: State) -> Ends:
        ends = self.selected.get(state)
        if ends is None:
            ends = self.selected[state] = _ends(state, self.scheme.stored(state).runs)
        return ends

    def arrive(self, state: State) -> State:
        """Where phase 1 leads from a state; what fails on the way is noted."""
        phase1 = self.phase_1(state)
        for run in phase1.path:
            self.product.watch.note(run)
        return phase1.end

    def is_accepting(self, node: Node) -> bool:
        return self.product.is_accepting(node)

    def is_error(self, node: Node) -> bool:
        return self.product.is_error(node)

    def program_state(self, node: Node) -> State:
        return self.product.program_state(node)

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        if self.is_error(target) or target.stuttering or self.product.stays(node):
            return self.product.choices(node, target)
        for run in self.scheme.stored(node.state).runs:
            if run.state is not None and self.phase_1(run.state).end == target.state:
                return _choices((run, *self.phase_1(run.state).path))
        raise AssertionError("the target is no successor of the node")


class ReducedByWay:
    """The product of a search with phases of its own (search/two_phase.py): what is left of it
    depends on the way of the search.
    """

    def __init__(self, product: Product, phases: Phases) -> None:
        self.product = product
        self.phases = phases
        self.selective = phases.selective

    def initial(self) -> Iterable[Node]:
        return self.product.initial()

    def ways(self, node: Node, place: int) -> Ways[Node] | None:
        """The step of phase 1, along every move of the automaton; without one, phase 1 ends."""
        if node.stuttering or self.product.is_error(node):
            return None
        step = self.phases.step(node.state, place)
        if step is None:
            return None
        end = step.run.state, False
        edges = self.product.edges(node)
        taken = tuple(target for target, move in edges if move is None or _end(move) == end)
        return Ways(step.place, taken, step.listed) if taken else None

    def everything(self, node: Node) -> Iterable[Node]:
        return self.product.successors(node, ())

    def successors(self, node: Node, stack: Container[Node]) -> Iterable[Node]:
        return self.product.successors(node, stack)

    def is_accepting(self, node: Node) -> bool:
        return self.product.is_accepting(node)

    def is_error(self, node: Node) -> bool:
        return self.product.is_error(node)

    def program_state(self, node: Node) -> State:
        return self.product.program_state(node)

    def choices(self, node: Node, target: Node) -> tuple[Choice, ...]:
        return self.product.choices(node, target)


Ends = frozenset[tuple[State, bool]]  # where some runs end, and whether by a fault


def _ends(state: State, selected: Iterable[Run]) -> Ends:
    return frozenset(_end(Move.of(state, run)) for run in selected)


def _end(move: Move) -> tuple[State, bool]:
    return move.state, move.stops


def _choices(path: Iterable[Run]) -> tuple[Choice, ...]:
    return tuple(Choice.of(step) for run in path for step in run.steps)
