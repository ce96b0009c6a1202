"""Mutated models through the commands: a verdict, a message, never a crash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 2000, 250))
def test_mutants(first: int) -> None:
    command = [sys.executable, "-m", "support.mutated", str(first), "250"]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
