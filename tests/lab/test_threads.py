"""A search for violations of safety on several threads, and its provisos."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lab.test_default import instances, is_persistent, squares, subsets
from whorl.lab import visited
from whorl.lab.instance import FiniteProgram, Instance
from whorl.lab.schemes import MUTATIONS, SCHEMES
from whorl.lab.threads import THREAD_PROVISOS, ThreadProviso, Threads, begun

NEW, OPEN, ANCHORED = (THREAD_PROVISOS[name] for name in ("new", "open", "anchored"))
APART = ThreadProviso(apart=True)


def still(operations: int, states: int) -> Iterator[Instance]:
    """Every program with every selector of sets that are not empty; phase 1 goes nowhere."""
    rests = frozenset(product(range(states), repeat=2))
    for instance in instances(operations, states):
        if dict(instance.extra)["rests"] == rests and all(
            row[0] or not instance.program.enabled(q) for q, row in enumerate(instance.ample)
        ):
            yield instance


def may_be(instance: Instance, proviso: ThreadProviso, most: int | None = None) -> bool:
    threads = Threads(instance, proviso, most)
    return threads.run([threads.start]) is not None


def test_one_thread_expands_one_state_after_another() -> None:
    count = [0, 0]
    for instance in still(2, 2):
        expected = next(visited.orders(instance, visited.PROVISOS["new"]), None) is not None
        assert may_be(instance, NEW, most=1) == expected
        count[expected] += 1
    assert min(count) > 20


def test_what_one_thread_may_keep_more_may_keep() -> None:
    """And looking and storing in two steps allows just what "begun by nobody" does."""
    more = 0
    for instance in still(2, 2):
        new, open_, anchored = (may_be(instance, proviso) for proviso in (NEW, OPEN, ANCHORED))
        assert new <= open_ <= anchored
        assert may_be(instance, NEW, most=1) <= new
        assert may_be(instance, APART) == open_
        assert anchored == (visited.closed(instance) is None)
        more += anchored > open_
    assert more > 0


@pytest.mark.slow
def test_the_same_of_three_states() -> None:
    more = 0
    for instance in still_of_three():
        new, open_, anchored = (may_be(instance, proviso) for proviso in (NEW, OPEN, ANCHORED))
        assert new <= open_ <= anchored
        assert may_be(instance, APART) == open_
        assert anchored == (visited.closed(instance) is None)
        more += anchored > open_
    assert more > 0


def still_of_three() -> Iterator[Instance]:
    random = Random(3)
    plain = next(still(2, 1))
    for _ in range(4000):
        rows = tuple(tuple(random.choice((None, 0, 1, 2)) for _ in range(3)) for _ in range(3))
        program = FiniteProgram((0, 0, 0), rows)
        ample = tuple(
            (random.choice([s for s in subsets(program.enabled(q)) if s] or [frozenset()]),)
            for q in program.states
        )
        rests = frozenset(product(range(3), repeat=2))
        yield replace(plain, program=program, ample=ample, extra=(("rests", rests),))


def test_two_may_wait_for_one_state_that_nobody_has_begun() -> None:
    """A leads to B and C, and both of them by a to D, which is new to one of them."""
    program = FiniteProgram((0,) * 4, ((1, 2), (3, 1), (3, 2), (3, 3)))
    ample = tuple((frozenset(chosen),) for chosen in ([0, 1], [0], [0], [0, 1]))
    rests = frozenset(product(range(4), repeat=2))
    instance = replace(next(still(2, 1)), program=program, ample=ample, extra=(("rests", rests),))
    assert begun(instance, "new") is None
    assert begun(instance, "open") is not None
    assert may_be(instance, APART)


def test_two_threads_that_wait_for_each_other_keep_nothing() -> None:
    """a goes from A to B and back. B is new to A, and then A is visited and not expanded."""
    program = FiniteProgram((0, 0), ((1, 1), (0, 0)))
    one = (frozenset([0]),)
    rests = frozenset(product(range(2), repeat=2))
    instance = replace(
        next(still(2, 1)), program=program, ample=(one, one), extra=(("rests", rests),)
    )
    assert begun(instance, "new") is begun(instance, "open") is begun(instance, "anchored") is None
    assert begun(instance, "wrong-found-unfinished") == (0, 1)
    assert begun(instance, "wrong-anchored-popped") == (0, 1)
    assert begun(instance, "wrong-found-any") == (0, 1)


def test_the_schemes_have_their_provisos() -> None:
    named = {name: scheme.thread_proviso for name, scheme in {**SCHEMES, **MUTATIONS}.items()}
    assert {name for name in named.values() if name} == set(THREAD_PROVISOS)
    assert named["two-phase-ample-safety"] is named["two-phase-ample-safety-closed"] is None


# --- the search itself ---------------------------------------------------------------------------


class ThreadsRun:
    """Threads that try one persistent set after another, in steps that chance interleaves."""

    def __init__(self, program: FiniteProgram, random: Random, threads: int, rule: str) -> None:
        self.program, self.random, self.rule = program, random, rule
        self.stored, self.executed, self.anchored = {0}, set[int](), set[int]()
        self.popped: dict[int, set[int]] = {}  # accepted, with what was found
        self.waiting = [0]
        workers = [self.worker() for _ in range(threads)]
        idle = 0
        while idle < 200:  # so many steps in which nothing was left to do
            worker = random.choice(workers)
            idle = 0 if next(worker) or self.waiting else idle + 1
        assert len(self.popped) == len(self.stored)

    def worker(self) -> Iterator[bool]:
        while True:
            if self.rule != "new" and self.popped and self.random.random() < 0.5:
                self.anchor(self.random.choice(sorted(self.popped)))
            if not self.waiting:
                yield False
                continue
            state = self.waiting.pop(self.random.randrange(len(self.waiting)))
            yield from self.expand(state)

    def anchor(self, state: int) -> None:
        if self.rule == "popped" or self.popped[state] & self.anchored:
            self.anchored.add(state)

    def expand(self, state: int) -> Iterator[bool]:
        enabled, avoid = self.program.enabled(state), frozenset[int]()
        while True:
            sets = [
                s for s in subsets(enabled - avoid) if s and is_persistent(self.program, state, s)
            ]
            chosen = self.random.choice([*sets, enabled]) if sets else enabled
            ends, kept = set(), chosen == enabled
            for o in sorted(chosen, key=lambda _: self.random.random()):
                yield True
                end = self.program.step(state, o)
                self.executed.add(o)
                ends.add(end)
                if end not in self.stored:
                    self.stored.add(end)
                    self.waiting.append(end)
                    kept = True
                elif self.rule != "new" and end in self.anchored:
                    kept = True
            yield True
            if kept:
                self.popped[state] = ends
                if chosen == enabled:
                    self.anchored.add(state)
                return
            avoid |= chosen

    @property
    def loses(self) -> bool:
        states = self.program.states
        enabled = {o for q in states for o in self.program.enabled(q)}
        deadlocks = {q for q in states if not self.program.enabled(q)}
        return not (enabled <= self.executed and deadlocks <= self.stored)


def test_threads_as_they_are_written_lose_nothing() -> None:
    random = Random(18)
    lost = stored = fewer = 0
    for _ in range(600):
        program = squares(random, random.choice((2, 3)))
        threads = random.choice((1, 2, 3))
        new = ThreadsRun(program, random, threads, "new")
        anchored = ThreadsRun(program, random, threads, "anchored")
        assert not new.loses
        assert not anchored.loses
        stored += len(new.stored)
        fewer += len(anchored.stored)
        lost += ThreadsRun(program, random, threads, "popped").loses
    assert lost > 5
    assert fewer < stored
