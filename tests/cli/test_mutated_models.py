"""Mutated models through the commands: a verdict, a message, never a crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def run(first: int, count: int) -> None:
    command = [sys.executable, "-m", "support.mutated", str(first), str(count)]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_few() -> None:
    run(2, 4)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 4100, 250))
def test_thousands(first: int) -> None:
    run(first, 250)
