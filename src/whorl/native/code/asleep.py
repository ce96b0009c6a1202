"""Writes which steps are independent as C: the tables of runtime/reduction/sleep_sets.h."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from whorl.native.code.stubborn import Class
from whorl.native.code.tables import table
from whorl.reduction.accesses import comes_last
from whorl.reduction.analysis import Analysis
from whorl.reduction.footprint import Footprint, conflict
from whorl.reduction.tables import LAST_INDEX, Tables, shared_cells

MOST = 1024  # footprints; where there are more, processes of a type are not told apart
ANYTHING = Footprint(everything=1)
WORD = 64

Row = list[Footprint]  # of a place: what the transition of each index touches


def text(analysis: Analysis, made: Tables, classes: Sequence[Class]) -> list[str]:
    """What each transition touches, as a number, and which of these are in conflict.

    `classes` are in the order of their kinds.
    """
    rows = list(_rows(analysis, made, classes, told_apart=True))
    if _different(rows) > MOST:
        rows = list(_rows(analysis, made, classes, told_apart=False))
    if _different(rows) > MOST:
        rows = [[ANYTHING for _ in row] for row in rows]
    numbers, conflicts = _conflicts(touched for row in rows for touched in row)
    words = 1 + (len(conflicts) - 1) // WORD
    masks = [mask >> WORD * word & (1 << WORD) - 1 for mask in conflicts for word in range(words)]
    return [
        f"#define WHORL_CONFLICT_WORDS {words}",
        table("uint32_t", "whorl_touched_at", accumulate(map(len, rows), initial=0)),
        table("uint16_t", "whorl_touched", (numbers[t] for row in rows for t in row)),
        "static const uint64_t whorl_conflicts[] = "
        f"{{{', '.join(f'UINT64_C({mask:#x})' for mask in masks)}}};",
    ]


def _rows(
    analysis: Analysis, made: Tables, classes: Sequence[Class], *, told_apart: bool
) -> Iterator[Row]:
    """A row for each kind; location 0, of processes that are not there, has none."""
    shared = shared_cells(analysis)
    for each in classes:
        yield []
        for location in each.locations:
            here = each.process.locations.get(location, ())
            indices = [made.indices[t.number] for t in here]
            row = [ANYTHING] * (1 + max(indices, default=-1))
            for index, transition in zip(indices, here, strict=True):
                if index < LAST_INDEX and not comes_last(each.process, transition):
                    record = each.record if told_apart else None
                    row[index] = analysis.touched(transition.way, record).within(shared)
            yield row


def _different(rows: Iterable[Row]) -> int:
    return len({touched for row in rows for touched in row})


def _conflicts(footprints: Iterable[Footprint]) -> tuple[dict[Footprint, int], list[int]]:
    """A number for each footprint, and for each number those in conflict with it, as bits.

    Footprints that are in conflict with the same ones have one number.
    """
    known = list(dict.fromkeys([ANYTHING, *footprints]))
    against = [tuple(conflict(a, b) for b in known) for a in known]
    numbers: dict[tuple[bool, ...], int] = {}
    for row in against:
        numbers.setdefault(row, len(numbers))
    number_of = {touched: numbers[row] for touched, row in zip(known, against, strict=True)}
    masks = []
    for row in numbers:
        mask = 0
        for other, in_conflict in zip(known, row, strict=True):
            mask |= in_conflict << number_of[other]
        masks.append(mask)
    return number_of, masks
