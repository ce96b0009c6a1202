"""The dialogue of an interactive simulation, answer by answer."""

from __future__ import annotations

import io

import pytest

from whorl.api import load
from whorl.cli.interactive import HELP, Session
from whorl.cli.terminal import OutputStream
from whorl.program.semantics import Semantics, Step
from whorl.simulate.simulation import Simulation, SimulationEnd

MODEL = """byte x;
active proctype P() {
    if
    :: x = 1
    :: x = 2
    fi;
    x = x + 10;
    assert(x != 12)
}"""


def dialogue(
    answers: str, limit: int = 100, model: str = MODEL
) -> tuple[Simulation, str, SimulationEnd]:
    """The run that comes of these answers, what was on the screen, and why it ended."""
    simulation = Simulation(Semantics(load(model).program, verbose=True))
    screen = io.StringIO()
    session = Session(simulation, OutputStream(screen, "never"), io.StringIO(answers))
    *steps, end = session.events(limit)
    assert all(isinstance(step, Step) for step in steps)
    assert isinstance(end, SimulationEnd)
    return simulation, screen.getvalue(), end


def texts(simulation: Simulation) -> list[str]:
    return [step.transition.text for step in simulation.taken]


@pytest.mark.parametrize(
    ("answers", "taken", "reason"),
    [
        ("1\n1\n1\n1\n", ["x = 1", "x = x + 10", "assert(x != 12)", "-end-"], "ended"),
        ("2\n1\n1\n", ["x = 2", "x = x + 10", "assert(x != 12)"], "failure"),
        ("2\nq\n", ["x = 2"], "user"),
        ("2\nquit\n", ["x = 2"], "user"),
        ("", [], "user"),
        ("1\nu\n2\n1\nq\n", ["x = 2", "x = x + 10"], "user"),
        ("1\n1\nu\nu\n2\nq\n", ["x = 2"], "user"),
        ("u\nundo\n2\nq\n", ["x = 2"], "user"),
        ("0\n3\n-1\nx\n2\nq\n", ["x = 2"], "user"),
        ("s\n?\nhelp\n2\nq\n", ["x = 2"], "user"),
        (" 2 \nq\n", ["x = 2"], "user"),
    ],
)
def test_answers(answers: str, taken: list[str], reason: str) -> None:
    simulation, _, end = dialogue(answers)
    assert (texts(simulation), end.reason) == (taken, reason)


def test_enter_takes_a_step_at_random() -> None:
    taken = {texts(dialogue("\nq\n")[0])[0] for _ in range(40)}
    assert taken == {"x = 1", "x = 2"}


def test_a_step_that_is_taken_back_does_not_count() -> None:
    simulation, _, end = dialogue("1\nu\n2\nu\n1\n", limit=1)
    assert (texts(simulation), end.reason) == (["x = 1"], "steps")


def test_what_is_shown() -> None:
    _, shown, _ = dialogue("h\ns\n1\ns\nq\n")
    lines = shown.splitlines()
    assert lines[0] == HELP
    assert lines.count(HELP) == 2
    assert "  1) P:0 line 4: x = 1" in lines
    assert "  2) P:0 line 5: x = 2" in lines
    assert shown.count("step 1-2> ") == 3
    assert [line for line in lines if line.startswith("  x = ")] == ["  x = 0", "  x = 1"]


def test_both_sides_of_a_handshake_are_listed() -> None:
    model = "chan c = [0] of { bit };\nactive proctype P() { c!1 }\nactive proctype R() { c?_ }"
    _, shown, _ = dialogue("q\n", model=model)
    assert "  1) P:0 line 2: c!1  → R:1 line 3: c?_" in shown.splitlines()
