"""A diagram: the vertices and arcs of a graph with their texts, and how each is to look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum


class Appearance(Enum):
    """How a vertex or an arc looks; the value is its class in the picture."""

    END = "end"  # of a vertex: a thick border with corners
    ACCEPTING = "accepting"  # a double border
    PROGRESS = "progress"
    INSIDE = "inside"  # an atomic sequence
    WRONG = "wrong"  # with corners, and a cross before its name
    PART = "part"  # expanded in part only
    PASSED = "passed"  # not stored
    LEFT_OUT = "left-out"  # dashed; of an arc, too
    ATOMIC = "atomic"  # of an arc: thick
    FAILING = "failing"  # thick and red
    ON_LASSO = "on-lasso"  # thick and red


@dataclass(frozen=True, slots=True)
class Vertex:
    """`text` are the lines in it, `about` is what a reader sees who points at it."""

    text: tuple[str, ...]
    about: str = ""
    looks: frozenset[Appearance] = frozenset()


@dataclass(frozen=True, slots=True)
class Arc:
    """Likewise, from the vertex `source` to the vertex `target`."""

    source: int
    target: int
    text: tuple[str, ...] = ()
    about: str = ""
    looks: frozenset[Appearance] = frozenset()


@dataclass(frozen=True, slots=True)
class Diagram:
    """A graph to be drawn. `legend` says what looks mean; those that do not occur are not shown.

    `deep`: it is read along its longest ways, as control flow is, and not by distance. `frame`: it
    is laid out as this one, which begins with all that it has itself.
    """

    caption: str
    initial: int
    vertices: Sequence[Vertex]
    arcs: Sequence[Arc]
    legend: dict[Appearance, str] = field(default_factory=dict)
    deep: bool = False
    frame: Diagram | None = None

    def meant(self) -> Iterator[tuple[Appearance, str]]:
        """The looks that occur, with what they mean."""
        shown = frozenset[Appearance]().union(
            *(vertex.looks for vertex in self.vertices), *(arc.looks for arc in self.arcs)
        )
        for look, text in self.legend.items():
            if look in shown:
                yield look, text
