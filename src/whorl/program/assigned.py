"""Which variables are assigned, by any statement that there is; the others keep their values."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.program.program import Match, Place, Region, Store


def place_slots(place: Place) -> range:
    """The slots that a place may be, whatever its indices."""
    reach = sum((index.length - 1) * index.stride for index in place.indices)
    return range(place.offset, place.offset + reach + 1)


def assigned_slots(parts: Iterable[object], region: Region) -> set[int]:
    """The slots of a region that an assignment or a receive among these parts may write."""
    slots: set[int] = set()
    for part in parts:
        place = part.place if isinstance(part, Store) else None
        if isinstance(part, Match):
            place = part.target
        if place is not None and place.region is region:
            slots.update(place_slots(place))
    return slots
