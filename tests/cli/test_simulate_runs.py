"""`whorl simulate --runs`: what it prints, its exit status, and the command that shows a run."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
Run = Callable[..., Any]

SOMETIMES = """#ifndef N
#define N 3
#endif
byte x; active proctype p() { if :: x = 1 :: x = N fi; assert(x != 3) }"""


def test_the_same_seed_gives_the_same_statistics(whorl: Run, write: Run) -> None:
    model = write(SOMETIMES)
    first = whorl("simulate", "--runs", "50", "--seed", "3", model)
    assert first.status == 1
    assert first.out == whorl("simulate", "--runs", "50", "--seed", "3", model).out
    assert first.out != whorl("simulate", "--runs", "50", "--seed", "900", model).out
    assert "Random runs prove nothing" in first.out


def test_the_command_shows_a_run_that_fails(whorl: Run, write: Run) -> None:
    found = whorl("simulate", "--runs", "50", "--seed", "3", "-DN=3", write(SOMETIMES))
    (command,) = re.findall(r"^  (whorl simulate .*)$", found.out, re.MULTILINE)
    words = shlex.split(command)
    assert "-DN=3" in words
    shown = whorl(*words[1:])
    assert shown.status == 1
    steps = re.search(r"a shortest run that fails: (\d+) steps", found.out)
    assert steps is not None
    assert f"Stopped after {steps[1]} steps: assertion violated" in shown.out


def test_every_command_in_json_ends_as_it_is_counted(whorl: Run) -> None:
    model = EXAMPLES / "peterson_broken.pml"
    data = whorl("simulate", "--json", "--runs", "40", "--seed", "1", "--steps", "70", model).data
    assert data["runs"] == data["asked"] == sum(o["runs"] for o in data["outcomes"]) == 40
    assert data["violating"] == sum(o["runs"] for o in data["outcomes"] if o["violated"])
    assert {o["reason"] for o in data["outcomes"]} == {"failure", "steps"}
    for outcome in data["outcomes"]:
        shown = whorl(*shlex.split(outcome["shortest"]["command"])[1:])
        assert outcome["message"] in shown.out
        assert f"Stopped after {outcome['shortest']['steps']} steps" in shown.out


def test_status_0_where_nothing_fails(whorl: Run, write: Run) -> None:
    found = whorl("simulate", "--runs", "5", write("init { skip }"))
    assert found.status == 0
    assert "100.0 %  every process has ended" in found.out
    assert "steps: 2 to 2, median 2" in found.out
    assert "statements executed: 1 of 1" in found.out


@pytest.mark.parametrize("other", [["--trail", "t"], ["-i"], ["--print-only"]])
def test_options_of_one_run_are_refused(whorl: Run, write: Run, other: list[str]) -> None:
    found = whorl("simulate", "--runs", "5", *other, write("init { skip }"))
    assert found.status == 2
    assert "--runs takes many runs" in found.err


def test_an_interrupt_gives_the_statistics_so_far(tmp_path: Path) -> None:
    model = tmp_path / "model.pml"
    model.write_text("bit x; init { do :: x = 1 - x od }")
    command = [sys.executable, "-m", "whorl", "simulate", "--runs", "1000000", "--steps", "20"]
    with subprocess.Popen([*command, model], stdout=subprocess.PIPE, text=True) as process:
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 3
    assert re.search(r"random runs? of 1,000,000, then interrupted", out)
