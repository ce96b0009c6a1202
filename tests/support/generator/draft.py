"""A Draft: what is known of a program so far, and ways to draw what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from support.generator.profiles import Profile
from support.generator.vocabulary import Body, Chan, Inline, Proctype, Var

T = TypeVar("T")


class Draft:
    """A program in the making. Every choice lists the simplest alternative first, to shrink."""

    def __init__(self, draw: st.DrawFn, profile: Profile) -> None:
        self.draw = draw
        self.profile = profile
        self.globals: list[Var] = []
        self.channels: list[Chan] = []
        self.inlines: list[Inline] = []
        self.proctypes: list[Proctype] = []
        self.finished: list[Body] = []
        self.spawns = False
        self.records = False

    def flip(self, percent: int = 50) -> bool:
        return self.draw(st.integers(0, 99)) >= 100 - percent

    def number(self, lo: int, hi: int) -> int:
        return self.draw(st.integers(lo, hi))

    def pick(self, options: Sequence[T]) -> T:
        return options[self.number(0, len(options) - 1)] if len(options) > 1 else options[0]

    def pick_weighted(self, options: Sequence[tuple[T, int]]) -> T:
        point = self.number(0, sum(weight for _, weight in options) - 1)
        for option, weight in options:
            if point < weight:
                return option
            point -= weight
        raise AssertionError("weights are positive")

    def repeat(self, least: int, most: int) -> Iterator[int]:
        for index in range(most):
            if index >= least and not self.flip(75):
                return
            yield index
