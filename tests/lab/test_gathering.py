"""Searches that one thread begins and several go on with: every moment at which the others come."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from math import prod
from random import Random

import pytest

from lab.test_default import instances, is_persistent, programs, squares, subsets
from whorl.lab import visited, walks
from whorl.lab.gathering import (
    RIGHT,
    WRONG_CHANGES,
    Alone,
    Entry,
    Gathering,
    GatheringRules,
    expanded,
)
from whorl.lab.gathering_facts import TITLES, right, smallest, wrong
from whorl.lab.instance import FiniteProgram, Instance
from whorl.lab.small_programs import EVERYTHING, in_a_line, small_instances, with_bystanders
from whorl.lab.threads import ANCHORED, DECIDED, WAITING


def with_sets(program: FiniteProgram, *sets: set[int]) -> Instance:
    rests = frozenset(product(program.states, repeat=2))
    ample = tuple((frozenset(one),) for one in sets)
    return Instance(program, EVERYTHING, ample, (("rests", rests),))


# --- what is expected ----------------------------------------------------------------------------


def test_nothing_goes_wrong() -> None:
    outcomes = list(right(small=True))
    assert [o.wrong for o in outcomes if o.wrong is not None] == []
    assert [o.selectors for o in outcomes] == [4, 95, 1398, 4932]
    assert all(o.moments > o.selectors > o.ends > 0 for o in outcomes)


@pytest.mark.slow
def test_nothing_goes_wrong_within_the_bounds_of_the_page() -> None:
    assert all(outcome.wrong is None for outcome in right())


def test_what_is_wrong_on_purpose_is_found() -> None:
    outcomes = list(wrong())
    assert (
        {outcome.name for outcome in outcomes} == WRONG_CHANGES.keys() == TITLES.keys() - {"right"}
    )
    for outcome in outcomes:
        assert outcome.wrong is not None, outcome.name
        assert ("come", 0) in outcome.events
        assert visited.loss(outcome.wrong, expanded(outcome.events))
        assert visited.closed(outcome.wrong) is not None
        assert Gathering(outcome.wrong).run() is None  # the mistake made the difference


@pytest.mark.slow
def test_the_same_search_for_losses_finds_none_where_nothing_is_wrong() -> None:
    assert smallest("right").wrong is None


def test_others_that_come_allow_just_what_closed_states_do() -> None:
    """Whatever phase 1 does. So exploring does not leave anything out, either."""
    ends = 0
    for instance in instances(2, 2):
        if walks.ends(instance) is None and all(
            row[0] or not instance.program.enabled(q) for q, row in enumerate(instance.ample)
        ):
            may_be = Gathering(instance).run() is not None
            assert may_be == (visited.closed(instance) is None), instance
            ends += may_be
    assert ends > 900


@pytest.mark.slow
def test_processes_that_wait_for_each_other_lose_nothing() -> None:
    random = Random(95)
    ended = mistakes = 0
    for _ in range(3000):
        program = squares(random, random.choice((2, 3)))
        if len(program.states) > 6:
            continue
        sets = [
            random.choice(
                [s for s in subsets(program.enabled(q)) if s and is_persistent(program, q, s)]
                or [program.enabled(q)]
            )
            for q in program.states
        ]
        instance = with_sets(program, *map(set, sets))
        run = Gathering(instance).run()
        assert (run is not None) == (visited.closed(instance) is None)
        if run is not None:
            ended += 1
            assert not visited.loss(instance, expanded(run))
        elif (run := Gathering(instance, GatheringRules(expanded=True)).run()) is not None:
            mistakes += bool(visited.loss(instance, expanded(run)))
    assert ended > 500
    assert mistakes > 5


# --- one thread alone ----------------------------------------------------------------------------


def test_a_state_of_the_log_may_lead_up_and_not_down() -> None:
    """A finds B and C. B may be kept for C, which is above it; C may not be kept for B."""
    program = FiniteProgram((0,) * 3, ((1, 2), (2, 1), (2, 1)))
    search = Gathering(with_sets(program, {0, 1}, {0}, {1}))
    log = (Entry(0, -1, expanded=True, anchored=True), Entry(1, 0), Entry(2, 0))
    moves = dict(search._moves(Alone(log)))
    assert moves.keys() == {("expand", 1)}
    then = moves["expand", 1]
    assert then.log[1] == Entry(1, 0, expanded=True)  # and it is not anchored
    known = search.changed(then)
    assert [one.stage for one in known] == [ANCHORED, DECIDED, WAITING]
    assert not known[2].anchored
    # Below C nothing is closed: C is put off, until it is expanded fully or others come.
    assert ("expand", 2) not in dict(search._moves(then))


def test_what_is_closed_is_anchored_and_so_is_what_found_it() -> None:
    program = FiniteProgram((0,) * 3, ((1, None), (2, 1), (2, None)))
    search = Gathering(with_sets(program, {0}, {0}, {0}))
    log = (Entry(0, -1, expanded=True), Entry(1, 0, expanded=True), Entry(2, 1, expanded=True))
    ((event, then),) = search._moves(Alone(log))
    assert event == ("close", 2)
    assert then == Alone((replace(log[0], anchored=True), replace(log[1], anchored=True)),
                         frozenset([2]))  # fmt: skip


def test_the_others_may_come_at_every_moment() -> None:
    """A chain of three states: none, one, two or three are expanded; and up to three are closed."""
    program = FiniteProgram((0,) * 3, ((1,), (2,), (None,)))
    search = Gathering(with_sets(program, {0}, {0}, set()), RIGHT)
    assert search.run() is not None
    assert search.moments == 7


# --- small programs ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1, 2), (2, 2), (1, 3)])
def test_every_program_is_there_once_up_to_names(size: tuple[int, int]) -> None:
    operations, states = size
    seen = [(one.program.next, one.ample) for one in small_instances(*size)]
    every: set[object] = set()
    for rows, ample in seen:
        named = {
            renamed(rows, ample, (0, *rest), of)
            for rest in permutations(range(1, states))
            for of in permutations(range(operations))
        }
        assert not every & named
        every |= named
    empty = frozenset[int]()
    selectors = sum(
        prod(len([s for s in subsets(p.enabled(q)) if s] or [empty]) for q in p.states)
        for p in programs(operations, states)
    )
    assert len(every) == selectors


def renamed(
    rows: tuple[tuple[int | None, ...], ...],
    ample: tuple[tuple[frozenset[int], ...], ...],
    states: tuple[int, ...],
    operations: tuple[int, ...],
) -> object:
    steps = {(states[q], operations[o], None if r is None else states[r])
             for q, row in enumerate(rows) for o, r in enumerate(row)}  # fmt: skip
    sets = {(states[q], frozenset(operations[o] for o in one)) for q, (one,) in enumerate(ample)}
    return frozenset(steps), frozenset(sets)


def test_bystanders_stay_where_they_are() -> None:
    instance = with_sets(FiniteProgram((0, 0), ((1,), (None,))), {0}, set())
    lines = [in_a_line(one) for one in with_bystanders(instance)]
    assert lines == ["A -> a B", "A -> a B, b A", "A -> a B; B -> b B", "A -> a B, b A; B -> b B"]
