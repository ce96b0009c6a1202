"""`--timeout` is for the whole command, whatever it is doing."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import whorl
from support.machine import SMALL
from whorl import deadline
from whorl.cli import main

MACROS = "#define M0 1+1\n" + "".join(f"#define M{i} M{i - 1}+M{i - 1}\n" for i in range(1, 40))
FORMULA = " && ".join(f"([]<>p{i} -> []q{i})" for i in range(8))
BITS = ", ".join(f"p{i}, q{i}" for i in range(8))


def busy() -> None:
    while True:
        pass


def test_a_phase_is_ended_and_says_so() -> None:
    began = time.monotonic()
    with (
        deadline.within(0.1),
        pytest.raises(deadline.TimeUp, match=r"limit of 0.1 s was reached while being busy"),
        deadline.phase("being busy"),
    ):
        busy()
    assert time.monotonic() - began < 5


def test_in_another_thread() -> None:
    said = []

    def work() -> None:
        with deadline.within(0.1):
            try:
                with deadline.phase("being busy"):
                    busy()
            except deadline.TimeUp as up:
                said.append(str(up))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert said == ["the time limit of 0.1 s was reached while being busy"]


def test_nothing_is_raised_outside_of_a_phase() -> None:
    with deadline.within(0.02):
        time.sleep(0.2)
        sum(range(100_000))
        with pytest.raises(deadline.TimeUp), deadline.phase("too late"):
            pytest.fail("it has begun")
        sum(range(100_000))


def test_what_is_swallowed_is_raised_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "AGAIN", 0.05)

    def swallow() -> None:
        try:
            busy()
        except BaseException:
            busy()

    with deadline.within(0.05), pytest.raises(deadline.TimeUp), deadline.phase("swallowing"):
        swallow()


def test_a_shorter_time_inside_of_a_longer_one() -> None:
    with deadline.within(100):
        with deadline.within(1000):
            left = deadline.left()
            assert left is not None
            assert left <= 100
        with deadline.within(1):
            left = deadline.left()
            assert left is not None
            assert left <= 1
    assert deadline.left() is None


def test_a_phase_inside_of_another() -> None:

    def work() -> None:
        with deadline.phase("in the inner one"):
            pass
        busy()

    with (
        deadline.within(0.2),
        pytest.raises(deadline.TimeUp, match="while in the outer one"),
        deadline.phase("in the outer one"),
    ):
        work()


def test_a_process_is_not_waited_for_too_long() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        with (
            deadline.within(0.1),
            pytest.raises(deadline.TimeUp, match="while waiting"),
            deadline.phase("waiting", watches=True),
        ):
            deadline.wait(process)
        process.kill()
    with subprocess.Popen(["true"]) as process, deadline.within(60):
        assert deadline.wait(process) == 0


# Hypothesis listens to the garbage collector; a TimeUp there is lost, and comes again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("text", "options"),
    [
        (f"{MACROS}int x; init {{ x = M39 }}", []),
        (f"int x; init {{ x = {'+'.join(['x'] * 100_000)} }}", []),
        (f"bit {BITS}; init {{ skip }}", ["--ltl", f"!({FORMULA})"]),
    ],
    ids=["macros", "operands", "formula"],
)
def test_models_that_would_take_hours(
    text: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model.pml"
    model.write_text(text)
    began = time.monotonic()
    assert main(["check", "--timeout", "0.4", *options, str(model)]) == 3
    assert time.monotonic() - began < 8
    said = capsys.readouterr()
    assert "the time limit of 0.4 s was reached while " in said.out + said.err


@pytest.mark.parametrize(
    ("function", "doing"),
    [
        ("whorl.promela.frontend.preprocess", "preprocessing the model"),
        ("whorl.promela.frontend.parse", "parsing the model"),
        ("whorl.promela.frontend.resolve", "analysing the model"),
        ("whorl.api.lower", "analysing the model"),
        ("whorl.property.translate.translate", "translating the formula of formula"),
        ("whorl.task.plan", "analysing the model"),
        ("whorl.native.job.generate", "analysing the model"),
    ],
)
def test_each_phase(function: str, doing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(function, lambda *_, **__: busy())
    result = whorl.check(SMALL, ltl="[] (x < 2)", timeout=0.5)
    assert (result.verdict, result.statistics.complete) == ("inconclusive", False)
    assert f"the time limit of 0.5 s was reached while {doing}" in result.properties[0].why


def test_included_files_that_include_others_twice(tmp_path: Path) -> None:
    for i in range(40):
        again = f'#include "{i + 1}.h"\n' * 2 if i < 39 else ""
        (tmp_path / f"{i}.h").write_text(again)
    model = tmp_path / "model.pml"
    model.write_text('#include "0.h"\ninit { skip }\n')
    result = whorl.check(model, timeout=0.3)
    assert (result.verdict, result.exit_code) == ("inconclusive", 3)
    assert "while preprocessing the model" in result.properties[0].why


def test_a_compiler_that_takes_too_long(cache: Path, compiler: Callable[[str], Path]) -> None:
    compiler("#!/bin/sh\nsleep 60\n")
    result = whorl.check(SMALL + "ltl { [] (x < 2) }\n", timeout=0.5)
    assert result.verdict == "inconclusive"
    assert not result.statistics.complete
    first, *_, last = result.properties
    assert "the time limit of 0.5 s was reached while compiling" in first.why
    assert "the time limit of 0.5 s was reached" in last.why  # nothing else was begun
    assert not list(cache.iterdir())


def test_a_replay_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whorl.findings.REPLAY_GRACE", 0.0)
    monkeypatch.setattr("whorl.findings.replay", lambda *_: busy())
    result = whorl.check("init { assert(false) }", engine="reference", timeout=0.5)
    assert result.verdict == "inconclusive"
    assert "while replaying a violation that was found" in result.properties[0].why
    assert result.statistics.states > 0


def test_c_that_goes_on_for_ever(system_compiler: None, monkeypatch: pytest.MonkeyPatch) -> None:
    model = "init { c_code { for (volatile int i = 0;; ) i = 0; } }"
    monkeypatch.setattr("whorl.native.verifier.GRACE", 0.1)
    for engine in ("native", "reference"):
        result = whorl.check(model, allow_embedded_c=True, engine=engine, timeout=3)
        assert result.verdict == "inconclusive"
        assert "the time limit of 3 s was reached" in result.properties[0].why


def test_enough_time_changes_nothing() -> None:
    assert whorl.check(SMALL, timeout=1000).verdict == "holds"


def test_a_profiler_works_after_a_deadline() -> None:
    """Python 3.11 goes round for ever if it is told of something raised that is taken back."""
    text = (
        "import cProfile\n"
        "from whorl import deadline\n"
        "with deadline.within(60), deadline.phase('working'):\n"
        "    pass\n"
        "with cProfile.Profile():\n"
        "    deadline.left()\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True, timeout=60)
