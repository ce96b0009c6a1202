"""Short walks: they meet the processes that a program starts, and count them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from whorl.api import load
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.program.walks import estimate, starting_walk

WORKERS = """chan c = [1] of { byte };
proctype W() { chan own = [1] of { bit }; false }
init { byte i; do :: i < 3 -> run W(); i++ :: else -> break od }"""


def semantics(text: str) -> Semantics:
    return Semantics(load(text).program)


def walk(text: str) -> list[State]:
    return list(starting_walk(semantics(text)))


def test_a_program_that_starts_nobody_is_not_walked_through() -> None:
    assert len(walk("byte x; active [2] proctype P() { do :: x++ od }")) == 1


def test_all_who_are_started_are_met() -> None:
    states = walk(WORKERS)
    assert max(len(state.processes) for state in states) == 4
    following = semantics(WORKERS)
    for before, after in pairwise(states):
        assert after in [step.state for step in following.steps(before)]


def test_who_starts_others_goes_first() -> None:
    """The first process could go round for ever before init starts the last one."""
    states = walk(
        "byte x; proctype W() { false } active proctype P() { do :: x++ od } init { run W() }"
    )
    assert len(states[1].processes) == 3


@pytest.mark.parametrize(
    ("text", "processes", "channels"),
    [
        ("init { skip }", 1, 0),
        ("chan c = [1] of { bit }; active [3] proctype P() { skip }", 3, 1),
        (WORKERS, 4, 4),
    ],
)
def test_how_many_there_are(text: str, processes: int, channels: int) -> None:
    assert estimate(semantics(text)) == (processes, channels)
    assert estimate(semantics(text)) == estimate(semantics(text))
