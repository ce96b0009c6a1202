"""Clauses that count: at most so many of some variables are true."""

from __future__ import annotations

from collections.abc import Sequence

from whorl.lab.grounding import Clauses


def at_most(clauses: Clauses, variables: Sequence[int], most: int) -> None:
    """A row of counters: `counted[k]` is true if more than k of the variables so far are."""
    counted: list[int] = []
    for variable in variables:
        following = [clauses.new() for _ in range(most)]
        for k, counter in enumerate(following):
            if k < len(counted):
                clauses.add(-counted[k], counter)
            if k == 0:
                clauses.add(-variable, counter)
            elif counted:
                clauses.add(-variable, -counted[k - 1], counter)
        if most == 0:
            clauses.add(-variable)
        elif counted:
            clauses.add(-variable, -counted[most - 1])
        counted = following
