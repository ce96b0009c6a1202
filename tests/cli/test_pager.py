"""The pager: on a terminal, where the report is longer than the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
LONG = "byte x; init { do :: x < 20 -> x++ :: else -> break od; assert(x == 0) }"
SHORT = "init { assert(false) }"


def on_terminal(*words: str | Path, rows: int = 24, **environment: str) -> tuple[int, str]:
    """The exit status, and what came to a terminal of so many rows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 200, 0, 0))
    known = {name: text for name, text in os.environ.items() if name not in ("LINES", "COLUMNS")}
    with subprocess.Popen(
        [sys.executable, "-m", "whorl", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**known, "TERM": "xterm", "NO_COLOR": "1", **environment},
    ) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                read = os.read(ours, 65536)
            except OSError:  # nobody writes any more
                break
            if not read:
                break
            said += read
    os.close(ours)
    return process.returncode, said.decode().replace("\r\n", "\n")


def test_a_long_report(write: Run) -> None:
    """The pager has it all; what the pager writes is what is seen, and the status stays."""
    status, said = on_terminal("check", write(LONG), PAGER="sed 's/^/P /'")
    assert status == 1
    assert all(line.startswith("P ") for line in said.splitlines())
    assert "P ✗ assertions" in said
    assert said.splitlines()[-1].endswith("violated (assertions)")


@pytest.mark.parametrize("options", [("--no-pager",), ("--json",), ("--quiet",)])
def test_where_it_is_not_wanted(write: Run, options: tuple[str, ...]) -> None:
    _, said = on_terminal("check", write(LONG), *options, PAGER="sed 's/^/P /'", rows=1)
    assert said
    assert "P " not in said


def test_a_short_report_is_not_paged(write: Run) -> None:
    _, said = on_terminal("check", write(SHORT), PAGER="sed 's/^/P /'", rows=60)
    assert "violated" in said
    assert "P " not in said


def test_a_pager_that_is_not_there(write: Run) -> None:
    status, said = on_terminal("check", write(LONG), PAGER="no-such-pager-anywhere")
    assert status == 1
    assert said.splitlines()[-1].endswith("violated (assertions)")


def test_a_pager_that_is_left_early(write: Run) -> None:
    status, said = on_terminal("check", write(LONG), PAGER="head -n 1")
    assert status == 1
    assert len(said.splitlines()) == 1


def test_not_without_a_terminal(whorl: Run, write: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "sed 's/^/P /'")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LINES", "5")
    assert "P " not in whorl("check", write(LONG)).out
