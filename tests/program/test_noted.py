"""What a step looks at, and what it changes, in parts of a state."""

from __future__ import annotations

import pytest

import whorl
from support.stepping import Stepping
from whorl.program.noted import CHANNEL, COUNT, GLOBAL, PROCESS, Part, read_by, written
from whorl.program.semantics import Semantics


def parts_read(text: str, who: int) -> set[tuple[str, int]]:
    """What the first step of process `who` reads."""
    semantics = Semantics(whorl.load(text).program)
    state = semantics.initial()
    step = next(step for step in semantics.steps(state) if step.pid == who)
    return read_by(semantics, state, step) - {(PROCESS, who)}


@pytest.mark.parametrize(
    ("statement", "read"),
    [
        ("x = 1", set()),
        ("x++", {(GLOBAL, 0)}),
        ("a[x] = 1", {(GLOBAL, 0)}),
        ("x = a[1]", {(GLOBAL, 2)}),
        ("if :: x == 0 -> skip :: y == 0 -> skip fi", {(GLOBAL, 0)}),
        ("if :: x == 1 -> skip :: else fi", {(GLOBAL, 0)}),
        ("c!y", {(GLOBAL, 3), (GLOBAL, 4), (CHANNEL, 0), (CHANNEL, COUNT)}),
        ("r!y", {(GLOBAL, 3), (GLOBAL, 5), (CHANNEL, 1), (CHANNEL, COUNT), (PROCESS, 1)}),
        ("run Q()", {(PROCESS, COUNT)}),
    ],
)
def test_what_a_step_looks_at(statement: str, read: set[tuple[str, int]]) -> None:
    text = f"""
    byte x; byte a[2]; byte y; chan c = [1] of {{ byte }}; chan r = [0] of {{ byte }};
    proctype Q() {{ skip }}
    active proctype P() {{ {statement} }}
    active proctype R() {{ r?_ }}
    """
    assert parts_read(text, 0) == read


def test_what_a_step_changes() -> None:
    semantics = Semantics(whorl.load("byte x, y; active proctype P() { y = 1 }").program)
    state = semantics.initial()
    (step,) = semantics.steps(state)
    assert step.state is not None
    assert written(state, step.state) == {(GLOBAL, 1), (PROCESS, 0)}


@pytest.mark.parametrize(
    ("model", "path", "changed"),
    [
        ("byte x; init { x = 0 }", "0 x = 0", {(PROCESS, 0)}),
        (
            "chan c = [1] of { bit }; active [2] proctype P() { c!1 }",
            "1 c!1",
            {(PROCESS, 1), (CHANNEL, 0)},
        ),
        (
            """chan c = [0] of { bit }; byte x;
            active proctype P() { c!1 } active proctype Q() { c?x }""",
            "0 c!1 / 1 c?x",
            {(PROCESS, 0), (PROCESS, 1), (GLOBAL, 1)},
        ),
        (
            "proctype P() { chan c = [1] of { bit }; skip } init { run P() }",
            "0 run P()",
            {(PROCESS, 0), (PROCESS, 1), (PROCESS, COUNT), (CHANNEL, 0), (CHANNEL, COUNT)},
        ),
        (
            "active [2] proctype P() { skip }",
            "1 skip | 1 -end-",
            {(PROCESS, 1), (PROCESS, COUNT)},
        ),
    ],
)
def test_what_the_last_step_changes(model: str, path: str, changed: set[Part]) -> None:
    before = Stepping(model, " | ".join(path.split(" | ")[:-1]))
    assert written(before.state, Stepping(model, path).state) == changed


def test_what_is_read_is_all_that_matters() -> None:
    """With another value in a part that it does not read, a step is possible and does the same."""
    run = Stepping("byte x, y, z; init { x = y + 1 }")
    (step,) = run.steps()
    read = read_by(run.semantics, run.state, step)
    assert (GLOBAL, 1) in read
    for part in range(3):
        values = list(run.state.globals)
        values[part] = 9
        (other,) = run.semantics.steps(run.state._replace(globals=tuple(values)))
        assert other.state is not None
        assert (other.state.globals[0] == 1) == ((GLOBAL, part) not in read)
