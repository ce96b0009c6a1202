"""What a search for cycles works on: a graph with accepting nodes, made while it is walked.

The searches know nothing of programs. `product` makes the graph of a program and a claim; tests
make theirs from lists. A node is any value that can be stored.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

N = TypeVar("N", bound=Hashable)


class Graph(Protocol[N]):
    """Where to begin, where each node leads, and which nodes matter."""

    def initial(self) -> Iterable[N]: ...

    def successors(self, node: N, stack: Container[N]) -> Iterable[N]:
        """The selected successors of `node`.

        `stack` has the nodes on the stack of the search that asks, `node` among them: the
        reductions of the papers look at it. Ours do not, nor does a graph that is not reduced.
        """
        ...

    def is_accepting(self, node: N) -> bool: ...

    def is_error(self, node: N) -> bool:
        """Whether reaching `node` is wrong by itself (error(s) in the figures)."""
        ...


@dataclass(frozen=True, slots=True)
class Lasso(Generic[N]):
    """The run `prefix` followed by `cycle` again and again.

    Without a cycle it is a finite path, and its last node is an error.
    """

    prefix: tuple[N, ...]
    cycle: tuple[N, ...]

    @staticmethod
    def of(prefix: Sequence[N], cycle: Sequence[N]) -> Lasso[N]:
        """The lasso that enters the cycle where the prefix first reaches it."""
        places = {node: place for place, node in enumerate(cycle)}
        for length, node in enumerate(prefix):
            if node in places:
                entry = places[node]
                return Lasso(tuple(prefix[:length]), (*cycle[entry:], *cycle[:entry]))
        return Lasso(tuple(prefix), tuple(cycle))

    @property
    def nodes(self) -> tuple[N, ...]:
        return (*self.prefix, *self.cycle)


class Selection(Generic[N]):
    """A graph whose successors stay as they were selected at first.

    The remedy of Holzmann, Peled and Yannakakis, section 5.2: the second search of a nested one
    takes the selection of the first, whatever is on its own stack. (They keep the number of the
    selection in the state; here the selection itself is kept.)
    """

    def __init__(self, graph: Graph[N]) -> None:
        self.graph = graph
        self.selected: dict[N, tuple[N, ...]] = {}

    def initial(self) -> Iterable[N]:
        return self.graph.initial()

    def successors(self, node: N, stack: Container[N]) -> Iterable[N]:
        if node not in self.selected:
            self.selected[node] = tuple(self.graph.successors(node, stack))
        return self.selected[node]

    def is_accepting(self, node: N) -> bool:
        return self.graph.is_accepting(node)

    def is_error(self, node: N) -> bool:
        return self.graph.is_error(node)


class Stack(Generic[N]):
    """The nodes on a depth-first search's path, each with the successors still to be looked at."""

    def __init__(self, graph: Graph[N]) -> None:
        self.graph = graph
        self.frames: dict[N, Iterator[N]] = {}  # in the order of the path

    def __contains__(self, node: object) -> bool:
        return node in self.frames

    def __bool__(self) -> bool:
        return bool(self.frames)

    def __len__(self) -> int:
        return len(self.frames)

    def push(self, node: N) -> None:
        assert node not in self.frames
        self.frames[node] = iter(())
        self.frames[node] = iter(self.graph.successors(node, self))

    @property
    def top(self) -> N:
        return next(reversed(self.frames))

    def next(self) -> N | None:
        """The next successor of the top; None if there is none left."""
        return next(self.frames[self.top], None)

    def pop(self) -> N:
        return self.frames.popitem()[0]

    @property
    def path(self) -> tuple[N, ...]:
        return tuple(self.frames)

    def split(self, node: N) -> tuple[tuple[N, ...], tuple[N, ...]]:
        """The path before `node`, and from `node` on."""
        path = self.path
        place = path.index(node)
        return path[:place], path[place:]
