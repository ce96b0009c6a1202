"""Effort that is counted and not timed, so that a formula has the same automaton everywhere."""

from __future__ import annotations

from dataclasses import dataclass


class TooMuchWork(Exception):
    """What was granted is spent."""


@dataclass(slots=True)
class Work:
    """How many operations on labels may still be done; on many propositions one counts for more."""

    left: int

    def spend(self, operations: int, propositions: int) -> None:
        self.left -= operations * (1 + (1 << propositions >> 10))
        if self.left < 0:
            raise TooMuchWork
