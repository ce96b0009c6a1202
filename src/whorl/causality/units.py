"""Units of a run: what is taken or left out as a whole, a step or an atomic sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from whorl.program.atomic import stored
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import NOBODY, State


@dataclass(frozen=True, slots=True)
class Unit:
    """Choices that are taken together, `start` to `end` of the run."""

    start: int
    end: int
    choices: tuple[Choice, ...]


def units_of(
    semantics: Semantics, states: Sequence[State], choices: tuple[Choice, ...], loop: int | None
) -> tuple[list[Unit], list[Unit]] | None:
    """The units of a run before its cycle, and of the cycle.

    None if an atomic sequence goes round for ever in it, so that a claim looks into it.
    """
    places = dict(stored(semantics, states))
    if any(state.holder != NOBODY for state in places.values()):
        return None
    ends = sorted({0, *places, len(choices)})
    units = [Unit(start, end, choices[start:end]) for start, end in pairwise(ends)]
    if loop is None:
        return units, []
    return [u for u in units if u.start < loop], [u for u in units if u.start >= loop]
