"""Cycles that are made of the units of a lasso's cycle, in rounds that may leave some out.

The points are (n, at): n units of a round are behind, and the claim is in one state. From a point
the next unit is taken or left out; after the last one a round begins anew. A run shows the
violation if it goes for ever through a strongly connected component in which something moves and
the claim accepts; a fair one, if also no process is passed over that could move all the time there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from whorl.causality.goals import Goal
from whorl.causality.units import Unit
from whorl.causality.walking import At, Walker
from whorl.program.state import State
from whorl.property.components import components

MOST_POINTS = 5_000  # of rounds from one state
MOST_IN_ALL = 100_000


class Point(NamedTuple):
    """How far a round has come, with the claim in one state."""

    behind: int
    at: At


@dataclass(frozen=True, slots=True)
class Around:
    """A way from one point to the next: who moves, if anybody does."""

    target: Point
    movers: frozenset[int]


class TooManyPoints(Exception):
    """There are more points than are looked at."""


class CycleUnits:
    """The units of a cycle, and whether rounds of them show a violation."""

    def __init__(self, walker: Walker, goal: Goal, units: Sequence[Unit], fair: bool) -> None:
        self.walker = walker
        self.goal = goal
        self.units = units
        self.fair = fair
        self.points = 0
        self._rounds: dict[int | None, _Rounds] = {}

    def shown(self, at: At, left_out: int | None = None) -> bool | None:
        """Whether some rounds from there show it, in which a unit is always left out, if given.

        None: there are too many points to tell.
        """
        rounds = self._rounds.setdefault(left_out, _Rounds(self, left_out))
        try:
            return rounds.show(at)
        except TooManyPoints:
            return None


class _Rounds:
    """The graph of the points that rounds lead to."""

    def __init__(self, cycle: CycleUnits, left_out: int | None) -> None:
        self.cycle = cycle
        self.walker = cycle.walker
        self.left_out = left_out
        self.ways: dict[Point, list[Around]] = {}
        self.left = 0  # points that may still be looked at
        self.known: dict[Point, bool] = {}  # whether the violation is shown from there
        self.ending: set[Point] = set()  # from where the next unit shows it, without a cycle

    def show(self, at: At) -> bool:
        if not at.is_read or not self.cycle.units:
            return False
        self.left = MOST_POINTS
        points = [Point(0, at._replace(claims=frozenset([claim]))) for claim in sorted(at.claims)]
        new = [point for point in points if point not in self.known]
        for component in components(new, self._targets):
            shown = self._is_shown(component)
            self.known |= dict.fromkeys(component, shown)
        return any(self.known[point] for point in points)

    def _is_shown(self, component: list[Point]) -> bool:
        beyond = (way.target for point in component for way in self.ways[point])
        return (
            any(point in self.ending for point in component)
            or any(self.known.get(target, False) for target in beyond)
            or self._is_accepted(component)
        )

    def _targets(self, point: Point) -> Iterator[Point]:
        targets = (way.target for way in self._from(point))
        return (target for target in targets if target not in self.known)

    def _from(self, point: Point) -> list[Around]:
        if point not in self.ways:
            if self.left == 0 or self.cycle.points >= MOST_IN_ALL or self.walker.is_tired:
                raise TooManyPoints
            self.left -= 1
            self.cycle.points += 1
            self.ways[point] = list(self._expand(point))
        return self.ways[point]

    def _expand(self, point: Point) -> Iterator[Around]:
        units = self.cycle.units
        following = (point.behind + 1) % len(units)
        yield Around(Point(following, point.at), frozenset())
        if point.behind == self.left_out:
            return
        at, movers = point.at, set[int]()
        for choice in units[point.behind].choices:
            taken = self.walker.take(at, choice)
            if taken is None:
                return
            step, at = taken
            movers |= {step.pid} if step.partner is None else {step.pid, step.partner[0]}
        if self.cycle.goal.at(at):
            self.ending.add(point)
        if at.stopped:
            return
        for claim in sorted(at.claims):
            after = at._replace(claims=frozenset([claim]))
            yield Around(Point(following, after), frozenset(movers))

    def _is_accepted(self, component: list[Point]) -> bool:
        """Whether a run may stay in the component, and shows the violation then."""
        inside = set(component)
        movers: set[int] = set()
        for point in component:
            for way in self.ways[point]:
                if way.target in inside:
                    movers |= way.movers
        if not movers:
            return False
        read = [point.at for point in component if point.at.is_read]
        if not any(self.walker.is_accepting(at, claim) for at in read for claim in at.claims):
            return False
        return not self.cycle.fair or self._is_fair({at.state for at in read}, movers)

    def _is_fair(self, states: set[State], movers: set[int]) -> bool:
        """Whether every process that could always move does move."""
        steps = self.walker.semantics.steps
        waiting = set.intersection(*({step.pid for step in steps(state)} for state in states))
        return waiting <= movers
