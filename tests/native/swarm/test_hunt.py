"""How searches are given out, and what ends them; with workers that only pretend."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from whorl.native.swarm import hunt as module
from whorl.native.swarm.hunt import FOUND, RECENT, SATURATED, Hunted, Quarry, hunt
from whorl.native.swarm.listed import ListedSearch, SearchList
from whorl.native.verifier import NOTHING_TOLD, WAIT_AFTER_INTERRUPT, FoundViolation, Outcome
from whorl.search.limits import INTERRUPTED, Limits, Progress

FULL = -7  # the site of a verifier that is too small


def figures(**other: Any) -> dict[str, Any]:
    whole = {"stopped": None, "states": 10, "collision": 0.0, "sample": [1, 2, 3], "reached": "01"}
    return {**NOTHING_TOLD, "cpu_seconds": 0.5, **whole, **other}


class Pretended:
    """Workers whose searches end when they are asked for, with what `say` makes of them."""

    def __init__(self, say: Callable[[ListedSearch], Outcome | None]) -> None:
        self.say = say
        self.begun: list[ListedSearch] = []
        self.open: list[ListedSearch] = []
        self.most = 0
        self.graces: list[float] = []

    @property
    def running(self) -> list[Outcome]:
        return [Outcome(told={**NOTHING_TOLD, "states": 5}) for _ in self.open]

    def start(self, search: ListedSearch) -> None:
        self.begun.append(search)
        self.open.append(search)
        self.most = max(self.most, len(self.open))

    def ended(self, seconds: float) -> Iterator[tuple[ListedSearch, Outcome]]:
        assert seconds <= module.TICK
        for search in list(self.open):
            said = self.say(search)
            if said is not None:
                self.open.remove(search)
                yield search, said
                return
        time.sleep(0.001)

    def stopped(self, seconds: float) -> Iterator[tuple[ListedSearch, Outcome]]:
        self.graces.append(seconds)
        while self.open:
            yield self.open.pop(), Outcome(figures=figures(stopped="interrupted"))


def of(say: Callable[[ListedSearch], Outcome | None], **other: Any) -> tuple[Hunted, Pretended]:
    workers = Pretended(say)
    asked: dict[str, Any] = {"first": 1, "last": None, "workers": 3, "limits": Limits()}
    judge = {"is_violation": lambda outcome: outcome.violations[0].site != FULL}
    return hunt(Quarry(SearchList(1), **{**asked, **judge, **other}), workers), workers


def fresh(search: ListedSearch, **other: Any) -> Outcome:
    """A search that sees something that no other has seen."""
    return Outcome(figures=figures(sample=[search.number], **other))


def test_the_list_is_done_from_its_beginning_to_its_end() -> None:
    hunted, workers = of(fresh, last=20)
    assert [search.number for search in workers.begun] == list(range(1, 21))
    assert workers.begun[4] == SearchList(1)[5]
    assert workers.most == 3
    assert (hunted.done, hunted.cut, hunted.found) == (20, 0, None)
    assert hunted.stopped == "all 20 searches that were asked for were done"
    assert (hunted.states, hunted.cpu_seconds, hunted.seen.states) == (200, 10.0, 20)


def test_one_search_of_the_list() -> None:
    hunted, workers = of(fresh, first=7, last=7)
    assert [search.number for search in workers.begun] == [7]
    assert hunted.stopped == "the search that was asked for was done"
    assert hunted.done == 1


def test_a_violation_ends_the_others() -> None:
    def say(search: ListedSearch) -> Outcome | None:
        if search.number != 5:
            return fresh(search) if search.number < 4 else None
        return Outcome([FoundViolation(3, ())], figures(stopped="violation"))

    hunted, workers = of(say)
    assert hunted.stopped == FOUND
    assert hunted.found is not None
    assert hunted.found[0].number == 5
    assert not workers.open
    assert (hunted.done, hunted.cut) == (4, 2)


def test_a_verifier_that_is_too_small_has_found_nothing() -> None:
    full = Outcome([FoundViolation(FULL, ())], figures(stopped="violation"))
    hunted, workers = of(lambda search: full)
    assert hunted.full is full
    assert hunted.found is None
    assert not workers.open


def test_saturation() -> None:
    hunted, _ = of(lambda search: Outcome(figures=figures()))
    assert hunted.stopped == SATURATED
    assert hunted.new_lately == 0.0
    assert hunted.done == RECENT + 1  # the first one saw something new


@pytest.mark.parametrize(
    "other",
    [
        {"collision": 0.5},  # the array was full
        {"truncated": True},  # no run went on
        {"stopped": "memory"},
    ],
)
def test_what_had_no_room_saturates_nothing(other: dict[str, Any]) -> None:
    hunted, _ = of(lambda search: Outcome(figures=figures(**other)), last=40)
    assert hunted.stopped == "all 40 searches that were asked for were done"
    largest = SearchList(1, bits=20, most_bits=20)
    if "collision" in other:  # there is no larger one
        hunted = hunt(
            Quarry(largest, 1, 40, 1, Limits(), lambda outcome: True),
            Pretended(lambda search: Outcome(figures=figures(**other))),
        )
        assert hunted.stopped == SATURATED


def test_something_new_every_now_and_then_is_no_saturation() -> None:
    def say(search: ListedSearch) -> Outcome:
        return fresh(search) if search.number % 10 == 0 else Outcome(figures=figures())

    assert of(say, last=60)[0].stopped != SATURATED


def test_the_time_limit() -> None:
    hunted, _ = of(lambda search: None, limits=Limits(seconds=0.05))
    assert hunted.stopped == "the time limit of 0.05 s was reached"
    assert (hunted.done, hunted.cut) == (0, 3)
    hunted, _ = of(lambda search: fresh(search, stopped="time"), limits=Limits(seconds=100))
    assert hunted.stopped == "the time limit of 100 s was reached"


def test_no_memory_to_begin_with() -> None:
    limits = Limits(memory_bytes=1 << 20)
    hunted, _ = of(lambda search: fresh(search, stopped="memory", states=0), limits=limits)
    assert hunted.stopped == "the memory limit of 1 MB was reached"
    hunted, _ = of(lambda search: fresh(search, stopped="memory"), limits=limits, last=5)
    assert hunted.cut == 5  # others may have enough


def test_workers_that_are_killed_again_and_again() -> None:
    def say(search: ListedSearch) -> Outcome:
        outcome = Outcome()
        outcome.cut("killed", 9)
        return fresh(search) if search.number in (3, 6) else outcome

    hunted, workers = of(say, workers=1)
    assert hunted.killed == 7
    assert hunted.stopped == "3 searches one after the other were killed from outside"
    assert workers.begun[-1].number == 9


def test_ctrl_c_ends_it_with_figures() -> None:
    def say(search: ListedSearch) -> Outcome | None:
        if search.number == 4:
            os.kill(os.getpid(), signal.SIGINT)
            return None
        return fresh(search)

    before = signal.getsignal(signal.SIGINT)
    hunted, workers = of(say)
    assert hunted.interrupted
    assert hunted.stopped == INTERRUPTED
    assert not workers.open
    assert workers.graces == [WAIT_AFTER_INTERRUPT]
    assert hunted.done >= 3
    assert signal.getsignal(signal.SIGINT) is before


def test_progress_says_how_far_it_is() -> None:
    told: list[Progress] = []
    of(fresh, last=5, report=told.append)
    assert told[-1].about.startswith("5 searches done, 0 running, 5 different states, coverage at")
    assert told[0].states == 10 + 2 * 5  # what was done, and what runs has told so far
    assert told[0].memory_bytes == 0


def test_what_was_executed_is_that_of_all() -> None:
    bitmaps = {1: "01", 2: "0080", 3: "02"}
    hunted, _ = of(lambda search: fresh(search, reached=bitmaps[search.number]), last=3)
    assert hunted.reached == 0b1000000000000011
