"""What is reckoned from samples, where the truth is known."""

from __future__ import annotations

import random

import pytest

from whorl.native.swarm import sample
from whorl.native.swarm.sample import OF_ONE, SeenStates


def sampled(states: set[int]) -> list[int]:
    """What a search that has seen these states hands over; a state is its hash."""
    return sorted(states)[:OF_ONE]


def space(count: int, seed: int) -> list[int]:
    draw = random.Random(seed)
    return [draw.getrandbits(64) for _ in range(count)]


def test_nothing_is_known_of_nothing() -> None:
    seen = SeenStates()
    assert (seen.states, seen.sampled, seen.error, seen.is_exact) == (0, 0, 0.0, True)
    assert seen.coverage_at_most is None


def test_few_states_are_counted() -> None:
    states = space(1000, 1)
    seen = SeenStates()
    assert seen.add(sampled(set(states[:700]))) == 700
    assert seen.add(sampled(set(states[300:]))) == 300
    assert seen.add(sampled(set(states[200:900]))) == 0
    assert (seen.states, seen.error, seen.is_exact, seen.searches) == (1000, 0.0, True, 3)


@pytest.mark.parametrize("seed", range(5))
def test_many_states_are_estimated(seed: int) -> None:
    states = space(60_000, seed)
    seen, union = SeenStates(), set[int]()
    for begin in range(0, 50_000, 10_000):
        part = set(states[begin : begin + 20_000])
        union |= part
        seen.add(sampled(part))
    assert not seen.is_exact
    assert 0.01 < seen.error < 0.04
    assert abs(seen.states / len(union) - 1) < 4 * seen.error


def test_a_small_search_among_large_ones_counts_for_what_it_is() -> None:
    states = space(60_000, 9)
    seen = SeenStates()
    seen.add(sampled(set(states[:100])))
    seen.add(sampled(set(states)))
    assert abs(seen.states / 60_000 - 1) < 4 * seen.error
    assert seen.add(sampled(set(states[:100]))) == 0


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "KEPT", 3000)
    states = space(80_000, 4)
    seen = SeenStates()
    for begin in range(0, 80_000, 8_000):
        seen.add(sampled(set(states[begin : begin + 8_000])))
    assert 2000 < seen.sampled <= 3000
    assert abs(seen.states / 80_000 - 1) < 4 * seen.error


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_of_coverage_is_one(seed: int) -> None:
    """Searches that see likely states mostly: the bound is above the truth, and not always at 1."""
    draw = random.Random(seed)
    states = space(30_000, seed)
    chances = [draw.random() ** 3 for _ in states]
    seen, union = SeenStates(), set[int]()
    for _ in range(5):
        part = {s for s, chance in zip(states, chances, strict=True) if draw.random() < chance / 2}
        union |= part
        seen.add(sampled(part))
    assert seen.coverage_at_most is not None
    truth = len(union) / len(states)
    assert truth < seen.coverage_at_most + 0.03
    assert seen.coverage_at_most < 0.95


def test_searches_that_have_nothing_in_common_cover_little() -> None:
    states = space(50_000, 2)
    seen = SeenStates()
    for begin in range(0, 50_000, 10_000):
        seen.add(sampled(set(states[begin : begin + 10_000])))
    assert seen.coverage_at_most is not None
    assert seen.coverage_at_most < 0.01


def test_searches_that_agree_cover_all() -> None:
    states = set(space(5_000, 3))
    seen = SeenStates()
    for _ in range(4):
        seen.add(sampled(states))
    assert seen.coverage_at_most == 1.0
