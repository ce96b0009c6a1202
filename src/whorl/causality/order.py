"""Races of a run: pairs of units of different processes whose order matters.

The second unit is taken without the first one, as Flanagan and Godefroid reverse races ("Dynamic
partial-order reduction", 2005). What lies between the two is taken before it as far as that can be;
the first unit and the rest of what lies between come after it, if they still can. If no such run,
and no sub-run of what then follows, shows the violation, their order matters: that one process came
before the other is a part of why it happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whorl.causality.subruns import Subruns
from whorl.causality.units import Unit
from whorl.causality.walking import At

MOST_TRIED = 100_000  # points for all pairs
LEAST_TRIED = 100  # points for a pair
FARTHEST = 50  # units from the first one to the second
MOST_DELAYED = 5  # units that come after the second one


def races(subruns: Subruns, along: Sequence[At]) -> Iterator[tuple[int, int]]:
    """The places of two units whose order matters: of each first one, the nearest second one.

    `along` as in `Subruns.needs`. Pairs of which that could not be decided are left out.
    """
    each = max(MOST_TRIED // (len(subruns.stem) + 1), LEAST_TRIED)
    most = subruns.points + MOST_TRIED
    subruns.walker.rest()
    for first in range(len(subruns.stem)):
        if subruns.points > most or subruns.walker.is_tired:
            return
        second = _second(subruns, along[first], first, each)
        if second is not None:
            yield first, second


def _second(subruns: Subruns, at: At, first: int, most: int) -> int | None:
    stem = subruns.stem
    delayed = [stem[first]]
    for place in range(first + 1, min(len(stem), first + FARTHEST)):
        unit = stem[place]
        if _processes(unit) & _processes(delayed[0]):
            return None
        following: At | bool = False
        if not any(_processes(unit) & _processes(other) for other in delayed[1:]):
            following = subruns.take(at, unit)
        if following is True or (isinstance(following, At) and subruns.shown_at(following)):
            return None  # it happens without the first unit
        if not isinstance(following, At):
            delayed.append(unit)
            if len(delayed) > MOST_DELAYED:
                return None
            continue
        at = following
        shown = [subruns.shows(point, place + 1, most) for point in _points(subruns, at, delayed)]
        if shown and not any(each is not False for each in shown):
            return place
    return None


def _points(subruns: Subruns, at: At, units: Sequence[Unit]) -> list[At]:
    """Where sub-runs of the units lead; none, if one of them shows the violation."""
    points = {at: None}
    for unit in units:
        for point in tuple(points):
            after = subruns.take(point, unit)
            if after is True or (isinstance(after, At) and subruns.shown_at(after)):
                return []
            if isinstance(after, At):
                points[after] = None
    return list(points)


def _processes(unit: Unit) -> set[int]:
    return {pid for choice in unit.choices for pid in (choice.pid, choice.partner) if pid >= 0}
