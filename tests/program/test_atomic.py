"""Runs: what lies between two stored states, with atomic sequences by hand."""

from __future__ import annotations

import pytest

from support.stepping import Stepping, words
from whorl.program.atomic import LOOK_EVERY, Run, runs, stored
from whorl.program.state import NOBODY, State

Q = " active proctype Q() { y = 1; y = 2 }"


def ways(text: str, path: str = "") -> dict[str, Run]:
    """The runs from the state after some steps, by those of their steps that have a text."""
    run = Stepping(text, path)
    found = list(runs(run.semantics, run.state))
    named = {
        " | ".join(words(step) for step in each.steps if step.transition.text): each
        for each in found
    }
    assert len(named) == len(found)
    return named


@pytest.mark.parametrize(
    ("process", "expected"),
    [
        ("x = 1; x = 2", {"0 x = 1"}),
        ("atomic { x = 1; x = 2 }; x = 3", {"0 x = 1 | 0 x = 2"}),
        (
            "atomic { if :: x = 1 :: x = 2 fi; if :: x = 3 :: x = 4 fi; x = 5 }",
            {f"0 x = {one} | 0 x = {two} | 0 x = 5" for one in (1, 2) for two in (3, 4)},
        ),
        ("atomic { x = 1; y == 1; x = 2 }", {"0 x = 1"}),
        ("atomic { x == 1; x = 2 }", set()),
        ("d_step { x = 1; x = 2 }", {"0 d_step"}),
        ("atomic { x = 1; goto L }; L: x = 2", {"0 x = 1 | 0 goto L"}),
    ],
)
def test_an_atomic_sequence_is_one_run(process: str, expected: set[str]) -> None:
    model = f"byte x, y; active proctype P() {{ {process} }}{Q}"
    assert set(ways(model)) == expected | {"1 y = 1"}


def test_no_stored_state_is_inside_of_one() -> None:
    for each in ways(
        "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2 } }" + Q
    ).values():
        assert each.state is not None
        assert each.state.holder == NOBODY
        assert not each.endless


def test_a_sequence_that_waits_goes_on_as_one_run() -> None:
    model = "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2; x = 3 } }" + Q
    assert set(ways(model, "0 x = 1 | 1 y = 1")) == {"0 y == 1 | 0 x = 2 | 0 x = 3", "1 y = 2"}


def test_it_goes_on_with_the_receiver() -> None:
    model = """chan c = [0] of { bit }; byte x, y;
    active proctype P() { atomic { x = 1; c!1; x = 2 } }
    active proctype R() { atomic { c?_; y = 1; y = 2 } }"""
    assert set(ways(model)) == {"0 x = 1 | 0 c!1 / 1 c?_ | 1 y = 1 | 1 y = 2"}


def test_a_sequence_without_end() -> None:
    """Its run ends where it comes back to; from there only the holder goes on."""
    text = "bit x; byte y; active proctype P() { atomic { do :: x = 1 - x od } }" + Q
    found = ways(text)
    (endless,) = [each for each in found.values() if each.endless]
    assert endless.state is not None
    assert endless.state.holder == 0
    assert all(each.steps[0].pid == 1 for each in found.values() if not each.endless)
    run = Stepping(text)
    following = list(runs(run.semantics, endless.state))
    assert [step.pid for each in following for step in each.steps] == [0] * sum(
        len(each.steps) for each in following
    )
    assert {each.state for each in following} == {endless.state}


def test_a_fault_within_a_sequence() -> None:
    model = "byte x; active proctype P() { atomic { x = 1; x = 5 / (x - 1); x = 2 } }"
    (found,) = ways(model).values()
    assert [words(step) for step in found.steps] == ["0 x = 1", "0 x = 5 / (x - 1)"]
    assert found.state is None
    start = Stepping(model)
    before = Stepping(model, "0 x = 1")
    assert found.end(start.state) == before.state._replace(holder=NOBODY)


def test_a_fault_as_the_first_step() -> None:
    model = "byte x; active proctype P() { x = 5 / x }"
    (found,) = ways(model).values()
    assert found.state is None
    assert found.end(Stepping(model).state) == Stepping(model).state


def test_the_clock_is_looked_at_on_the_way() -> None:
    run = Stepping(
        f"int x; init {{ atomic {{ do :: x < {2 * LOOK_EVERY} -> x++ :: else -> break od }} }}"
    )
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1

    run.semantics.look = look
    assert len(list(runs(run.semantics, run.state))) == 1
    assert looks >= 4  # two steps a round


def states(text: str, path: str) -> list[State]:
    steps = path.split(" | ")
    return [Stepping(text, " | ".join(steps[: n + 1])).state for n in range(len(steps))]


def test_which_states_of_a_path_are_stored() -> None:
    model = "byte x, y; active proctype P() { x = 7; atomic { x = 1; y == 1; x = 2; x = 3 } }" + Q
    passed = states(model, "0 x = 7 | 0 x = 1 | 1 y = 1 | 0 y == 1 | 0 x = 2 | 0 x = 3")
    found = list(stored(Stepping(model).semantics, passed))
    assert [place for place, _ in found] == [0, 1, 2, 5]
    assert [state for _, state in found] == [
        passed[n]._replace(holder=NOBODY) for n in (0, 1, 2, 5)
    ]


def test_a_state_to_which_a_sequence_comes_back_is_stored_with_its_holder() -> None:
    model = "bit x; active proctype P() { atomic { do :: x = 1 - x od } }"
    passed = states(model, " | ".join(["0 x = 1 - x"] * 5))
    found = list(stored(Stepping(model).semantics, passed))
    assert [place for place, _ in found] == [2, 4]
    assert all(state.holder == 0 for _, state in found)
