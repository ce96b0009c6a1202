"""Signals: figures so far and exit status 3, and nobody is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.machine import WAIT, children, command, executes, runs, wait_for


@contextmanager
def started(*words: str | Path, before: str = "") -> Iterator[subprocess.Popen[str]]:
    """A whorl command under way, and of which nothing is left afterwards."""
    line = ["sh", "-c", f'{before}\nexec "$@"', "sh", *command(*words)]
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            for pid in [process.pid, *children(process.pid)]:
                if runs(pid):
                    os.kill(pid, signal.SIGKILL)


def searching(process: subprocess.Popen[str], cache: Path) -> int:
    """Waits until the verifier has told some figures; its process."""

    def verifiers() -> list[int]:
        return [pid for pid in children(process.pid) if executes(pid, cache)]

    wait_for(lambda: bool(verifiers()))
    time.sleep(0.4)
    return verifiers()[0]


LIMITS = ("--memory", "800M", "--timeout", "60")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_search_that_is_ended(cache: Path, large: Path, number: signal.Signals) -> None:
    with started("check", *LIMITS, large) as process:
        verifier = searching(process, cache)
        process.send_signal(number)
        out, err = process.communicate(timeout=WAIT)
        assert process.returncode == 3, out + err
        assert "it was interrupted" in out
        assert " states, " in out
        assert err == ""
        assert not runs(verifier)
    assert all(entry.is_file() for entry in cache.iterdir())


def test_a_claim_is_not_begun_after_an_interrupt(cache: Path, large: Path) -> None:
    large.write_text(large.read_text() + "ltl first { []<>(x == 1) }\n")
    with started("check", *LIMITS, large) as process:
        searching(process, cache)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=WAIT)
        assert process.returncode == 3
        assert "? first         not all states were seen: it was interrupted" in out


def interrupt_a_compiler(number: signal.Signals, *words: str | Path) -> None:
    """Sends a signal while a check compiles: it ends, and so does the compiler."""
    with started("check", *words) as process:
        wait_for(lambda: len(children(process.pid)) >= 2)
        at_work = children(process.pid)
        process.send_signal(number)
        _, err = process.communicate(timeout=WAIT)
        assert (process.returncode, err) == (3, "whorl: interrupted\n")
        wait_for(lambda: not any(map(runs, at_work)))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_compiler_that_is_at_work(
    cache: Path, small: Path, compiler: Callable[[str], Path], number: signal.Signals
) -> None:
    compiler("#!/bin/sh\ntouch $TMPDIR/left\nsleep 60 &\nwait\n")
    interrupt_a_compiler(number, small)
    assert not list(cache.iterdir())
    assert not list((cache.parent / "tmp").iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_compiler_that_is_at_work_for_many_properties(
    cache: Path, small: Path, compiler: Callable[[str], Path], number: signal.Signals
) -> None:
    small.write_text(small.read_text() + "".join(f"ltl p{n} {{ [] (x <= {n}) }}\n" for n in (1, 2)))
    compiler("#!/bin/sh\ngrep -q WHORL_CLAIMS $TMPDIR/model.c || exit 1\nsleep 60 &\nwait\n")
    interrupt_a_compiler(number, "--no-cache", small)
    assert not cache.exists()
    assert not list((cache.parent / "tmp").iterdir())


def test_a_verifier_does_not_outlive_whorl(cache: Path, large: Path) -> None:
    with started("check", *LIMITS, large) as process:
        verifier = searching(process, cache)
        process.kill()
        process.wait(WAIT)
        wait_for(lambda: not runs(verifier))


def test_a_verifier_that_is_killed_is_no_bug(cache: Path, large: Path) -> None:
    with started("check", *LIMITS, large) as process:
        os.kill(searching(process, cache), signal.SIGKILL)
        out, err = process.communicate(timeout=WAIT)
        assert (process.returncode, err) == (3, "")
        assert "the verifier was killed from outside (SIGKILL" in out
        figures = next(line for line in out.splitlines() if " states, " in line)
        assert not figures.startswith("0 ")


def test_a_signal_that_is_to_be_ignored_is(cache: Path, large: Path) -> None:
    """As under `nohup`, or of a job in the background."""
    with started("check", *LIMITS, large, before="trap '' HUP INT") as process:
        searching(process, cache)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=WAIT)
        assert process.returncode == 3
        assert "it was interrupted" in out


def catches(pid: int, number: signal.Signals) -> bool:
    """Whether a process has a handler for a signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    mask = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(mask.split()[1], 16) >> (number - 1) & 1)


def solves(pid: int) -> bool:
    """Whether the laboratory's solver is at work, and not for a moment only."""
    for _ in range(10):
        if catches(pid, signal.SIGTERM):
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 3), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)],
)
def test_the_laboratory_ends_in_the_middle_of_a_search(number: signal.Signals, code: int) -> None:
    pytest.importorskip("pysat")
    words = (
        "lab",
        "--scheme",
        "two-phase-ample",
        "--automaton",
        "b3",
        "--operations",
        "5",
        "--states",
        "6",
    )
    with started(*words) as process:
        wait_for(lambda: catches(process.pid, signal.SIGTERM))
        wait_for(lambda: solves(process.pid))  # which takes it minutes
        process.send_signal(number)
        out, err = process.communicate(timeout=WAIT)
        # Between two calls of the solver Python hears of every signal itself.
        assert process.returncode in (code, 3), out + err
        assert out == ""
        assert err == ("whorl: interrupted\n" if process.returncode == 3 else "")
