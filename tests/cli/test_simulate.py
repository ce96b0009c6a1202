"""`whorl simulate`: random, guided by a trail, and interactive."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
BROKEN = EXAMPLES / "peterson_broken.pml"

PRINTS = 'init { byte i; for (i : 1 .. 3) { printf("%d,", i) }; printf("done\\n") }'
DEADLOCK = "chan c = [0] of { byte };\nactive proctype p() { c!1 }"
CHOICE = """
byte x;
active proctype p() {
    if
    :: x = 1
    :: x = 2
    :: x = 3
    fi;
    printf("x is %d\\n", x);
    assert(x != 3)
}
"""

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "options", "status", "said"),
    [
        (PRINTS, [], 0, "every process has ended"),
        (DEADLOCK, [], 1, "not every one is at a valid end"),
        ("init { end: false }", [], 0, "each one is at a valid end"),
        ("init { assert(false) }", [], 1, "assertion violated: false"),
        ("byte a[2]; init { byte i = 2; a[i] = 1 }", [], 1, "array bounds"),
        ("init { do :: skip od }", ["--steps", "7"], 0, "the limit of steps"),
    ],
)
def test_why_it_stops(
    whorl: Run, write: Run, text: str, options: list[str], status: int, said: str
) -> None:
    found = whorl("simulate", *options, write(text))
    assert found.status == status
    assert re.search(rf"^Stopped after \d+ steps?: .*{said}", found.out, re.MULTILINE)


def test_a_seed_gives_the_same_run(whorl: Run) -> None:
    model = EXAMPLES / "alternating_bit.pml"
    first = whorl("simulate", "--steps", "60", model).out
    seed = re.match(r"random simulation, --seed (\d+)\n", first)
    assert seed is not None
    assert whorl("simulate", "--steps", "60", "--seed", seed[1], model).out == first
    others = {whorl("simulate", "--steps", "60", "--seed", n, model).out[40:] for n in "1234"}
    assert len(others) > 1


def test_print_only(whorl: Run, write: Run) -> None:
    found = whorl("simulate", "--print-only", write(PRINTS))
    assert (found.status, found.out, found.err) == (0, "1,2,3,done\n", "")
    found = whorl("simulate", "--print-only", write("init { assert(false) }"))
    assert (found.status, found.out) == (1, "")
    assert "assertion violated" in found.err


def test_embedded_c_is_refused(whorl: Run, write: Run) -> None:
    found = whorl("simulate", write("init { c_code { x(); } }"))
    assert found.status == 2
    assert "embedded C" in found.err


# --- trails --------------------------------------------------------------------------------------


def test_a_trail_leads_to_the_violation(whorl: Run, tmp_path: Path) -> None:
    trail = tmp_path / "a b.trail"
    checked = whorl("check", "--json", "--shortest", BROKEN, "--trail", trail).data
    found = whorl("simulate", "--json", BROKEN, "--trail", trail)
    assert found.status == 1
    assert found.data["outcome"]["reason"] == "failure"
    assert found.data["steps"] == checked["trace"]["steps"]
    assert found.data["final"] == checked["trace"]["final"]


def test_a_trail_brings_its_defines(whorl: Run, tmp_path: Path, write: Run) -> None:
    model = write("byte x = N; init { assert(x != 4) }")
    trail = tmp_path / "t"
    assert whorl("check", "-DN=4", model, "--trail", trail).status == 1
    assert whorl("simulate", model, "--trail", trail).status == 1
    assert whorl("simulate", "-DN=3", model, "--trail", trail).status == 0


def test_a_trail_of_an_end_state(whorl: Run, tmp_path: Path) -> None:
    model, trail = EXAMPLES / "philosophers.pml", tmp_path / "t"
    whorl("check", model, "--trail", trail)
    found = whorl("simulate", model, "--trail", trail)
    assert found.status == 1
    assert "no process can move" in found.out


UNFAIR = """
bit x;
byte y;
active proctype p() { do :: x = 1 - x od }
active proctype q() { y = 1 }
"""


def test_a_trail_of_a_lasso(whorl: Run, tmp_path: Path, write: Run) -> None:
    model, trail = write(UNFAIR), tmp_path / "t"
    checked = whorl("check", "--ltl", "<> (y == 1)", model, "--trail", trail)
    rules = [line for line in checked.out.splitlines() if "──" in line]
    assert len(rules) == 2
    kept = json.loads(trail.read_text())
    assert (kept["property"], kept["formula"]) == ("formula", "<> (y == 1)")
    found = whorl("simulate", model, "--trail", trail)
    assert found.status == 1
    assert [line for line in found.out.splitlines() if "──" in line] == rules
    assert "formula: a run does not satisfy <> (y == 1)" in found.out
    data = whorl("simulate", "--json", model, "--trail", trail).data
    assert data["cycle"] == kept["cycle"]
    assert data["outcome"]["reason"] == "property"


def test_a_trail_of_a_run_that_stays(whorl: Run, tmp_path: Path, write: Run) -> None:
    model, trail = write("byte x; active proctype p() { x = 1 }"), tmp_path / "t"
    whorl("check", "--ltl", "[]<> (x == 0)", model, "--trail", trail)
    found = whorl("simulate", model, "--trail", trail)
    assert found.status == 1
    assert "the program stays as it is for ever" in found.out


def test_a_trail_of_a_finite_run_that_violates_a_formula(
    whorl: Run, tmp_path: Path, write: Run
) -> None:
    model, trail = write(UNFAIR), tmp_path / "t"
    whorl("check", "--ltl", "[] (x == 0)", model, "--trail", trail)
    assert json.loads(trail.read_text())["cycle"] is None
    found = whorl("simulate", model, "--trail", trail)
    assert found.status == 1
    assert "formula: a run does not satisfy" in found.out


@pytest.mark.parametrize("cycle", [1, 3])
def test_a_cycle_that_does_not_close(whorl: Run, tmp_path: Path, write: Run, cycle: int) -> None:
    model, trail = write(UNFAIR), tmp_path / "t"
    whorl("check", "--ltl", "[]<> (y == 0)", model, "--trail", trail)
    data = json.loads(trail.read_text())
    data["cycle"], data["choices"] = cycle, data["choices"][:2]
    trail.write_text(json.dumps(data))
    found = whorl("simulate", model, "--trail", trail)
    assert found.status == 2
    assert f"its cycle, from step {cycle} on, does not close" in found.err


def test_a_trail_that_does_not_fit(whorl: Run, tmp_path: Path) -> None:
    trail = tmp_path / "t"
    whorl("check", "--shortest", BROKEN, "--trail", trail)
    data = json.loads(trail.read_text())
    data["choices"][3] = [0, 4]
    trail.write_text(json.dumps(data))
    found = whorl("simulate", BROKEN, "--trail", trail)
    assert found.status == 2
    assert "its step 4 cannot be taken" in found.err


@pytest.mark.parametrize(
    "change",
    [
        {"format": "spin"},
        {"version": 99},
        {"choices": [[1]]},
        {"choices": [[1, "x"]]},
        {"choices": None},
        {"defines": 3},
        {"cycle": 99},
        {"cycle": "x"},
    ],
)
def test_a_trail_that_is_none(whorl: Run, tmp_path: Path, change: dict[str, Any]) -> None:
    trail = tmp_path / "t"
    whorl("check", BROKEN, "--trail", trail)
    trail.write_text(json.dumps({**json.loads(trail.read_text()), **change}))
    found = whorl("simulate", BROKEN, "--trail", trail)
    assert found.status == 2
    assert "is no trail of whorl" in found.err


def test_a_trail_of_spin(whorl: Run, tmp_path: Path, write: Run) -> None:
    model = write("byte x; active proctype P() { x = 1; x = 2; assert(x == 1) }")
    path = tmp_path / "model.pml.trail"
    path.write_text("1:0:0\n2:0:1\n3:0:2\n")
    found = whorl("simulate", model, "--trail", path)
    assert found.status == 1
    assert "Stopped after 3 steps: assertion violated: (x==1)" in found.out
    path.write_text("1:0:0\n")
    found = whorl("simulate", model, "--trail", path)
    assert found.status == 0
    assert "Stopped after 1 step: the trail ends here" in found.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1:0:0\n2:0:7\n", "process 0 cannot do statement 7 as step 2"),
        ("1:3:0\n", "process 3 cannot do statement 0 as step 1"),
        ("1:0:0\nmore\n", "line 2 is not of the form depth:pid:id"),
        ("-9:0:0\n1:0:0\n", "line 1 has the depth -9, which is not known"),
    ],
)
def test_a_trail_of_spin_that_does_not_fit(
    whorl: Run, tmp_path: Path, write: Run, text: str, said: str
) -> None:
    path = tmp_path / "model.pml.trail"
    path.write_text(text)
    found = whorl("simulate", write("init { byte x; x = 1; x = 2 }"), "--trail", path)
    assert found.status == 2
    assert said in found.err


def test_trail_files_that_cannot_be_read(whorl: Run, tmp_path: Path) -> None:
    assert "cannot read" in whorl("simulate", BROKEN, "--trail", tmp_path / "none").err
    (tmp_path / "t").write_bytes(b"\xff\x00")
    assert "is no trail of whorl" in whorl("simulate", BROKEN, "--trail", tmp_path / "t").err


def test_a_changed_model_is_mentioned(whorl: Run, tmp_path: Path, write: Run) -> None:
    trail = tmp_path / "t"
    whorl("check", write("init { assert(false) }"), "--trail", trail)
    found = whorl("simulate", write("init { assert(0) }"), "--trail", trail)
    assert "warning: the model's text is not the one" in found.err


# --- interactive ---------------------------------------------------------------------------------


@pytest.fixture
def interact(whorl: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(model: Path, answers: str, *options: str) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        return whorl("simulate", "-i", model, *options)

    return run


def test_chosen_steps_are_taken(interact: Run, write: Run) -> None:
    model = write(CHOICE)
    for option in (1, 2, 3):
        found = interact(model, f"{option}\n1\n1\n1\n")
        assert f"{option}) p:0 line {4 + option}: x = {option}" in found.out
        assert f"→ x is {option}" in found.out
        assert found.status == (1 if option == 3 else 0)
        assert found.err == ""


def test_undo_state_and_quit(interact: Run, write: Run) -> None:
    found = interact(write(CHOICE), "u\n1\ns\nu\n9\n2\nq\n")
    assert found.status == 0
    assert "there is no step to take back" in found.out
    assert "'9' is none of the steps" in found.out
    shown = [line for line in found.out.splitlines() if line == "  x = 1"]
    assert shown, "the answer s shows the state"
    assert found.out.count("1) p:0 line 5") == 2, "after u the first choice is there again"
    assert "Stopped after 1 step: you stopped it" in found.out
    assert found.last == "  x = 2"


def test_the_end_of_the_answers_is_the_end(interact: Run, write: Run) -> None:
    found = interact(write(CHOICE), "\n")
    assert found.status == 0
    assert "Stopped after 1 step: you stopped it" in found.out


def test_interactive_json_keeps_the_dialogue_apart(interact: Run, write: Run) -> None:
    found = interact(write(CHOICE), "2\nq\n", "--json")
    assert [step["text"] for step in found.data["steps"]] == ["x = 2"]
    assert "step 1-3>" in found.err


def test_a_real_pipe(write: Run) -> None:
    words = [sys.executable, "-m", "whorl", "simulate", "-i", str(write(CHOICE))]
    ran = subprocess.run(words, input="3\n\n\n", capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "step 1-3> 3\n" in ran.stdout


def test_standard_input_cannot_be_both(whorl: Run) -> None:
    assert whorl("simulate", "-i", "-").status == 2


# --- JSON ----------------------------------------------------------------------------------------


def test_json(whorl: Run, write: Run) -> None:
    data = whorl("simulate", "--json", "--seed", "5", write(PRINTS)).data
    assert data["seed"] == 5
    assert data["output"] == "1,2,3,done\n"
    assert data["outcome"] == {
        "reason": "ended",
        "message": "every process has ended",
        "violated": False,
    }
    assert [s["number"] for s in data["steps"]] == list(range(1, len(data["steps"]) + 1))
    assert data["final"] == {"processes": [], "values": []}


def test_the_cycle_of_a_trail_counts_the_steps_that_are_shown(whorl: Run, tmp_path: Path) -> None:
    """Leaving the atomic loop of `init` is a choice, but not a step to show."""
    model, trail = EXAMPLES / "token_ring.pml", tmp_path / "t"
    checked = whorl("check", "--claim", "enters", "--full-trace", model, "--trail", trail)
    rules = [line for line in checked.out.splitlines() if "──" in line]
    found = whorl("simulate", model, "--trail", trail)
    assert [line for line in found.out.splitlines() if "──" in line] == rules
    data = whorl("simulate", "--json", model, "--trail", trail).data
    assert f"Stopped after {len(data['steps'])} steps" in found.out
    assert rules[-1].endswith(f"after step {data['cycle'] - 1} ──")
