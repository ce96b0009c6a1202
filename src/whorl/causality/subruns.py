"""Sub-runs: runs that are made of some of the units of a run, in their order.

A unit is a step, or an atomic sequence: what lies between two states that a claim reads. The units
of a lasso's cycle may come in any number of rounds, each of which may leave out others.

A unit is *needed* if no sub-run without it shows the same violation. That is decided from the
points (n, at) to which sub-runs of the first n units lead: forwards, which of them there are, and
backwards, from which of them the violation can be shown by units after the n-th. Unit n is needed
if from no point (n - 1, at) it can be shown after leaving it out. Where there are too many points,
each unit is left out of the run itself, and the others are taken as far as they can be, with few
other ones left out: what shows the violation so is not needed, what does not is undecided.

The idea of leaving parts out is Zeller and Hildebrandt's ("Simplifying and isolating
failure-inducing input", 2002); there, too, what remains is minimal only one part at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whorl.causality.cycles import CycleUnits
from whorl.causality.goals import Goal
from whorl.causality.units import Unit
from whorl.causality.walking import At, Walker

MOST_POINTS = 40_000  # of all sub-runs together
MOST_TRIED = 300_000  # points, where each unit is left out by itself, for all units together

TAKE, LEAVE_OUT, DONE = range(3)  # what comes next at a point


@dataclass(frozen=True, slots=True)
class Needs:
    """Which units are needed, by their place: None where that is undecided."""

    units: tuple[bool | None, ...]
    points: int  # that were looked at
    complete: bool  # all of them


class Subruns:
    """The sub-runs of `stem`, then perhaps rounds of a cycle, and whether they show `goal`."""

    def __init__(
        self, walker: Walker, goal: Goal, stem: Sequence[Unit], cycle: CycleUnits | None
    ) -> None:
        self.walker = walker
        self.goal = goal
        self.stem = stem
        self.cycle = cycle
        self.points = 0
        self.barren: set[tuple[int, At]] = set()  # from there nothing is shown
        self._shown: dict[At, bool] = {}

    # --- a unit ----------------------------------------------------------------------------------

    def take(self, at: At, unit: Unit) -> At | bool:
        """Where a unit leads; True if it shows the violation, False if it cannot be taken."""
        for choice in unit.choices:
            taken = self.walker.take(at, choice)
            if taken is None:
                return False
            step, at = taken
            if self.goal.by_step(step):
                return True
        return at

    def is_hopeless(self, at: At) -> bool:
        """Whether the claim has given up on what it has read."""
        return self.walker.claim is not None and not at.claims

    def shown_at(self, at: At) -> bool:
        """Whether a run that has come there shows the violation, without any unit more."""
        if at not in self._shown:
            self._shown[at] = self.goal.at(at)
        return self._shown[at]

    def shown_in(self, at: At, left_out: int | None = None) -> bool | None:
        """Whether rounds of the cycle show it from there; None: too many points to tell."""
        return self.cycle is not None and self.cycle.shown(at, left_out)

    # --- which units are needed ------------------------------------------------------------------

    def needs(self, along: Sequence[At]) -> Needs:
        """Which units are needed, those of the cycle last.

        `along` are the points of the run itself: `along[n]` is that after n units.
        """
        met = self._forwards()
        if met is None:
            return self._tried(along)
        return self._decided(met)

    def _forwards(self) -> tuple[dict[At, int], int] | None:
        """To which points sub-runs lead, each with how many units that takes at least.

        Also how many units it takes to show the violation; more than there are: it takes a cycle.
        None: there are too many points.
        """
        start = self.walker.start()
        met = {start: 0}
        shown = 0 if self.shown_at(start) else len(self.stem) + 1
        for n, unit in enumerate(self.stem, 1):
            for point in tuple(met):
                after = self.take(point, unit)
                if after is True or (isinstance(after, At) and self.shown_at(after)):
                    shown = min(shown, n)
                elif isinstance(after, At) and not self.is_hopeless(after):
                    met.setdefault(after, n)
            self.points += len(met)
            if self.points > MOST_POINTS or self.walker.is_tired:
                return None
        return met, shown

    def _decided(self, forwards: tuple[dict[At, int], int]) -> Needs:
        met, shown = forwards
        count = len(self.stem)
        needed: list[bool | None] = [False] * count
        in_cycle = {at: self.shown_in(at) for at in met}
        fertile = {at for at, there in in_cycle.items() if there}  # from there it can be shown
        complete = None not in in_cycle.values()
        for n in range(count, 0, -1):
            before = [at for at, first in met.items() if first < n]
            without = shown < n or any(at in fertile for at in before)
            needed[n - 1] = False if without else (True if complete else None)
            fertile |= {at for at in before if self._leads(at, self.stem[n - 1], fertile)}
        rounds = [self._decided_round(met, shown, n) for n in range(self._rounds)]
        return Needs((*needed, *rounds), self.points, complete and None not in rounds)

    def _leads(self, at: At, unit: Unit, fertile: set[At]) -> bool:
        """Whether a unit shows the violation from there, or leads to where it can be shown."""
        after = self.take(at, unit)
        if not isinstance(after, At):
            return after
        return after in fertile or self.shown_at(after)

    @property
    def _rounds(self) -> int:
        return 0 if self.cycle is None else len(self.cycle.units)

    def _decided_round(self, met: dict[At, int], shown: int, unit: int) -> bool | None:
        """Whether a unit of the cycle is needed."""
        if shown <= len(self.stem):
            return False
        found = [self.shown_in(at, unit) for at in met]
        return False if True in found else (None if None in found else True)

    # --- where there are too many points ---------------------------------------------------------

    def _tried(self, along: Sequence[At]) -> Needs:
        """Leaves each unit out of the run itself, the last one first; see `shows`."""
        self.walker.rest()
        count, left = len(self.stem), MOST_TRIED
        tried: list[bool | None] = [None] * count
        for n in range(count - 1, -1, -1):
            before = self.points
            if left > 0 and self.shows(along[n], n + 1, max(left // (n + 1), count - n)):
                tried[n] = False
            left -= self.points - before
        rounds = [self.shown_in(along[count], unit) for unit in range(self._rounds)]
        tried += [False if shown else None for shown in rounds]
        return Needs(tuple(tried), self.points, complete=False)

    def shows(self, at: At, n: int, most: int) -> bool | None:
        """Whether some sub-run of the units after the n-th shows the violation from there.

        None if that is not known after so many points. Units are taken rather than left out.
        """
        if self.shown_at(at) or self.is_hopeless(at):
            return self.shown_at(at)
        unknown = False
        path = [(n, at, TAKE)]
        while path:
            n, at, stage = path.pop()
            if stage == TAKE and (n, at) in self.barren:
                continue
            if n == len(self.stem):
                found = self.shown_in(at)
                if found:
                    return True
                unknown = unknown or found is None
            elif stage == TAKE:
                most, self.points = most - 1, self.points + 1
                if most < 0 or self.walker.is_tired:
                    return None
                path.append((n, at, LEAVE_OUT))
                after = self.take(at, self.stem[n])
                if after is True or (isinstance(after, At) and self.shown_at(after)):
                    return True
                if isinstance(after, At) and not self.is_hopeless(after):
                    path.append((n + 1, after, TAKE))
                continue
            elif stage == LEAVE_OUT:
                path += [(n, at, DONE), (n + 1, at, TAKE)]
                continue
            if not unknown:
                self.barren.add((n, at))
        return None if unknown else False
