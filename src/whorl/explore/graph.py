"""The part of the state graph that was seen: the states that were visited, and their successors.

Equal states are one node, whichever path led there, so that a cycle closes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from whorl.explore.visits import Visit
from whorl.program.choice import Choice
from whorl.program.state import State
from whorl.trace.trail import numbers_of

MOST_SHOWN = 300  # nodes: those around the current one


@dataclass(frozen=True, slots=True)
class SeenEdge:
    """A step between two nodes; `choices` has what only passes control on after it, too."""

    target: int
    choices: tuple[Choice, ...]
    text: str
    wrong: bool


@dataclass(slots=True)
class SeenNode:
    """A state that is known: `visited` if a path led through it, `expanded` if all that follows it
    is known, too.
    """

    visit: Visit  # the first that led there
    depth: int
    dead: bool  # a fault, or an invalid end state
    visited: bool = False
    expanded: bool = False
    edges: dict[tuple[Choice, ...], SeenEdge] = field(default_factory=dict)
    before: dict[int, bool] = field(default_factory=dict)  # whether all steps from there fail

    @property
    def wrong(self) -> bool:
        """Whether something is wrong with it, or with every step that is known to lead there."""
        return self.dead or (self.depth > 0 and bool(self.before) and all(self.before.values()))


class SeenGraph:
    """Grows by one visit at a time."""

    def __init__(self) -> None:
        self.nodes: list[SeenNode] = []
        self.numbers: dict[State | tuple[State, Choice], int] = {}

    def number(self, visit: Visit, depth: int) -> int:
        """The number of the node of a visit, which is new or known."""
        key: State | tuple[State, Choice] = visit.seen
        if visit.broken:  # what has no state is a node of its own
            assert visit.step is not None
            key = (visit.state, Choice.of(visit.step))
        number = self.numbers.setdefault(key, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(SeenNode(visit, depth, visit.broken))
        node = self.nodes[number]
        node.depth = min(node.depth, depth)
        return number

    def walk(self, visits: Sequence[Visit], depth: int = 0) -> list[int]:
        """The nodes of a path, of which each state that is shown is given, with its steps.

        The first is `depth` steps away from the initial state.
        """
        numbers = [self.number(visit, at) for at, visit in enumerate(visits, depth)]
        for number in numbers:
            self.nodes[number].visited = True
        for number, (visit, following) in zip(numbers, pairwise(visits), strict=False):
            self._connect(number, visit, following)
        return numbers

    def add(self, visit: Visit, depth: int) -> int:
        """The node of a visit, with its successors."""
        number = self.number(visit, depth)
        node = self.nodes[number]
        if not node.expanded:
            node.visited = node.expanded = True
            semantics = visit.narrator.semantics
            stuck = not visit.steps() and not visit.broken
            node.dead = node.dead or (stuck and not semantics.is_valid_end(visit.state))
            for step in visit.steps():
                after = visit.then(step).passed_on()
                self.number(after, depth + 1)
                self._connect(number, visit, after)
        return number

    def targets(self, number: int, visit: Visit) -> list[int]:
        """The nodes that the steps of a visit lead to, in their order."""
        depth = self.nodes[number].depth + 1
        return [self.number(visit.then(step).passed_on(), depth) for step in visit.steps()]

    def _connect(self, number: int, visit: Visit, after: Visit) -> None:
        """Adds the edge between two visits, one of which follows the other."""
        taken = after.way(since=visit)
        choices = tuple(Choice.of(each.step) for each in taken if each.step is not None)
        target = self.number(after, self.nodes[number].depth + 1)
        told = next((each.told for each in taken if each.told is not None), None)
        text = "(goes on)" if told is None else f"{told.who} {told.said}"
        wrong = any(each.step is not None and each.step.failures for each in taken)
        before = self.nodes[target].before
        before[number] = before.get(number, True) and wrong
        self.nodes[number].edges[choices] = SeenEdge(target, choices, text, wrong)

    def around(self, current: int) -> dict[str, Any]:
        """The nodes next to the current one, as far as they fit, and the edges between them."""
        near = {current}
        queue = deque([current])
        while queue and len(near) < MOST_SHOWN:
            node = self.nodes[queue.popleft()]
            for other in (*(edge.target for edge in node.edges.values()), *sorted(node.before)):
                if other not in near and len(near) < MOST_SHOWN:
                    near.add(other)
                    queue.append(other)
        return {
            "nodes": [
                {
                    "id": number,
                    "depth": self.nodes[number].depth,
                    "visited": self.nodes[number].visited,
                    "wrong": self.nodes[number].wrong,
                }
                for number in sorted(near)
            ],
            "edges": [
                {
                    "source": number,
                    "target": edge.target,
                    "text": edge.text,
                    "wrong": edge.wrong,
                    "choices": [numbers_of(choice) for choice in edge.choices],
                }
                for number in sorted(near)
                for edge in self.nodes[number].edges.values()
                if edge.target in near
            ],
            "left_off": len(self.nodes) - len(near),
            "visited": sum(node.visited for node in self.nodes),
        }
