"""The rows of a layered drawing: the order in each, with few crossings, and the place of each item.

An item is a vertex, or the point where an edge passes a row between its ends. The order is found as
Sugiyama, Tagawa and Toda do ("Methods for visual understanding of hierarchical system structures",
1981): sweeps, in which items go to the mean of their neighbours. The places in a row are those
nearest to the neighbours' that keep the distances: an isotonic regression.
"""

from __future__ import annotations

import math
import statistics
from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

GAP = 16.0  # between two items of a row
ORDERING, PLACING, STRAIGHTENING = 14, 40, 3  # sweeps; more change little


@dataclass(slots=True)
class RowItem:
    """Something in a row, and how far it reaches to each side of its `x`."""

    row: int
    left: float
    right: float
    height: float
    straight: bool = False  # an edge passes: it should not bend
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    x: float = 0.0


def arrange(items: Sequence[RowItem]) -> None:
    """Gives every item its place. `above` and `below` name items of the neighbouring rows."""
    rows: list[list[int]] = [[] for _ in range(max(item.row for item in items) + 1)]
    for number in _walked(items):
        rows[items[number].row].append(number)
    rows = _ordered(items, rows)
    _place(items, rows)
    _straighten(items, rows)


def _walked(items: Sequence[RowItem]) -> list[int]:
    """All items, neighbours near to each other."""
    met: dict[int, None] = {}
    for start in range(len(items)):
        waiting = [start]
        while waiting:
            number = waiting.pop()
            if number not in met:
                met[number] = None
                waiting += reversed(items[number].below)
    return list(met)


# --- the order ------------------------------------------------------------------------------------


def _ordered(items: Sequence[RowItem], rows: list[list[int]]) -> list[list[int]]:
    """The rows in the order with the fewest crossings of those that are met."""
    best, fewest = [list(row) for row in rows], _crossings(items, rows)
    for sweep in range(ORDERING):
        if not fewest:
            break
        down = sweep % 2 == 0
        for row in rows[1:] if down else rows[-2::-1]:
            _sort(items, rows, row, down)
        crossings = _crossings(items, rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _sort(items: Sequence[RowItem], rows: list[list[int]], row: list[int], down: bool) -> None:
    here = items[row[0]].row
    place = {number: n for n, number in enumerate(rows[here - 1 if down else here + 1])}
    own = {number: n for n, number in enumerate(row)}

    def mean(number: int) -> float:
        near = items[number].above if down else items[number].below
        return sum(place[n] for n in near) / len(near) if near else own[number]

    row.sort(key=mean)


def _crossings(items: Sequence[RowItem], rows: list[list[int]]) -> int:
    total = 0
    for upper, lower in pairwise(rows):
        place = {number: n for n, number in enumerate(lower)}
        met: list[int] = []
        for number in upper:
            ends = [place[n] for n in items[number].below]
            total += sum(len(met) - bisect_right(met, end) for end in ends)
            for end in ends:
                insort(met, end)
    return total


# --- the places -----------------------------------------------------------------------------------


def _place(items: Sequence[RowItem], rows: list[list[int]]) -> None:
    for row in rows:
        x = 0.0
        for number in row:
            items[number].x = x + items[number].left
            x += items[number].left + items[number].right + GAP
        for number in row:  # its middle at 0
            items[number].x -= (x - GAP) / 2
    for sweep in range(PLACING):
        both = sweep >= PLACING - 6
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            wanted = [_wanted(items, n, sweep % 2 == 0 or both, sweep % 2 or both) for n in row]
            _put(items, row, wanted)


def _straighten(items: Sequence[RowItem], rows: list[list[int]]) -> None:
    """Puts the items of a line below each other, as far down as there is room for that.

    A line is where an edge passes, and the vertices of which nothing else leads up or down.
    """
    place = {number: n for row in rows for n, number in enumerate(row)}
    for _ in range(STRAIGHTENING):
        for line in sorted(_lines(items), key=len, reverse=True):
            while line:
                low, high, count = -math.inf, math.inf, 0
                for number in line:
                    least, most = _room(items, rows[items[number].row], place[number])
                    if max(low, least) > min(high, most):
                        break
                    low, high, count = max(low, least), min(high, most), count + 1
                part, line = line[: max(count, 1)], line[max(count, 1) :]
                ends = [*items[part[0]].above, *items[part[-1]].below] or part
                wanted = [items[n].x for n in (*part, *ends)]
                x = min(max(statistics.median(wanted), low), high)
                if count:
                    for number in part:
                        items[number].x = x


def _lines(items: Sequence[RowItem]) -> list[list[int]]:
    """The items in maximal chains: each has one below, which has no other above."""

    def following(number: int) -> int | None:
        below = items[number].below
        return below[0] if len(below) == 1 and len(items[below[0]].above) == 1 else None

    inner = {following(number) for number in range(len(items))}
    lines: list[list[int]] = []
    for number in range(len(items)):
        if number not in inner:
            line, at = [number], following(number)
            while at is not None:
                line.append(at)
                at = following(at)
            lines.append(line)
    return lines


def _room(items: Sequence[RowItem], row: Sequence[int], place: int) -> tuple[float, float]:
    """Between which places an item can be moved in its row."""
    item, low, high = items[row[place]], -math.inf, math.inf
    if place:
        before = items[row[place - 1]]
        low = before.x + before.right + GAP + item.left
    if place + 1 < len(row):
        after = items[row[place + 1]]
        high = after.x - after.left - GAP - item.right
    return low, max(low, high)


def _wanted(
    items: Sequence[RowItem], number: int, above: bool | int, below: bool | int
) -> tuple[float, float]:
    """Where an item would be by its neighbours, and how much that matters."""
    item = items[number]
    near = [*(item.above if above else ()), *(item.below if below else ())]
    if not near:
        return item.x, 0.1
    weights = [(1.0 + 2 * item.straight) * (1.0 + 2 * items[n].straight) for n in near]
    total = sum(weights)
    return sum(w * items[n].x for w, n in zip(weights, near, strict=True)) / total, total


def _put(
    items: Sequence[RowItem], row: Sequence[int], wanted: Sequence[tuple[float, float]]
) -> None:
    """The places nearest to those that are wanted, in the order of the row and without overlaps.

    Without the room that the items before it take, the places of a row only have to increase: pool
    adjacent violators.
    """
    taken, offsets = 0.0, []
    for n, number in enumerate(row):
        if n:
            taken += items[row[n - 1]].right + GAP + items[number].left
        offsets.append(taken)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many
    for (place, weight), offset in zip(wanted, offsets, strict=True):
        mean, count = place - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, other_weight, other_count = blocks.pop()
            mean = (mean * weight + other * other_weight) / (weight + other_weight)
            weight, count = weight + other_weight, count + other_count
        blocks.append((mean, weight, count))
    places = [mean for mean, _, count in blocks for _ in range(count)]
    for number, mean, offset in zip(row, places, offsets, strict=True):
        items[number].x = mean + offset
