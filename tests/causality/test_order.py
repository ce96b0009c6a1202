"""Races: pairs of steps whose order matters, by hand and by trying every run with them swapped."""

from __future__ import annotations

import pytest

import whorl
from support.explanations import FORMULAS, Found, looping, movers, straight

LOST_UPDATE = """
byte n, done;
active [2] proctype P() { byte t; t = n; n = t + 1; done++ }
active proctype Q() { done == 2; assert(n == 2) }
"""


def test_a_lost_update() -> None:
    """One process reads before the other one writes."""
    trace = whorl.check(LOST_UPDATE, explain=True).trace
    assert trace is not None
    assert trace.explanation is not None
    pairs = [(trace.steps[a - 1], trace.steps[b - 1]) for a, b in trace.explanation.races]
    assert ("t = n", "n = t + 1") in [(a.text, b.text) for a, b in pairs]
    assert all(a.pid != b.pid for a, b in pairs)


def test_the_order_of_steps_that_have_nothing_in_common_does_not_matter() -> None:
    text = """
    byte x, y;
    active proctype A() { x = 1 }
    active proctype B() { y = 1 }
    active proctype C() { (x && y); assert(false) }
    """
    trace = whorl.check(text, explain=True).trace
    assert trace is not None
    assert trace.explanation is not None
    assert trace.explanation.races == ()


def expected_races(found: Found) -> set[tuple[int, int]]:
    """Of each unit, the first later one of another process for which the order matters."""
    pairs = set()
    for first in range(len(found.stem)):
        for second in range(first + 1, len(found.stem)):
            if movers(found.stem[first]) & movers(found.stem[second]):
                break
            if found.order_matters(first, second):
                pairs.add((first, second))
                break
    return pairs


def compare(found: Found) -> int:
    said = found.trace.explanation
    assert said is not None
    numbers = {
        (max(found.numbers(first)), min(found.numbers(second)))
        for first, second in expected_races(found)
    }
    assert set(said.races) == numbers
    return len(numbers)


@pytest.mark.parametrize("end_states", [False, True])
def test_every_pair_of_a_run_that_ends(end_states: bool) -> None:
    pairs = 0
    for seed in range(150):
        found = Found.of(straight(seed), end_states=end_states)
        if found is not None and len(found.units) <= 8:
            pairs += compare(found)
    assert pairs > 5


def test_every_pair_before_a_cycle() -> None:
    looked_at = 0
    for seed in range(60):
        found = Found.of(looping(seed), FORMULAS[seed % len(FORMULAS)])
        if found is not None and 2 <= len(found.stem) <= 5 and len(found.around) <= 2:
            looked_at += 1
            compare(found)
    assert looked_at > 5
