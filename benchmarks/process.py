"""Runs a command and says what it cost."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process used, in seconds. `cpu` is user time and system time; so `system` is in it."""

    cpu: float
    system: float
    wall: float
    memory_bytes: int  # the most that was resident at a time

    def __add__(self, other: Cost) -> Cost:
        memory = max(self.memory_bytes, other.memory_bytes)
        return Cost(
            self.cpu + other.cpu, self.system + other.system, self.wall + other.wall, memory
        )


@dataclass(frozen=True, slots=True)
class Ran:
    cost: Cost
    output: str
    status: int


def run(
    command: Sequence[str | Path],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """Runs a command to its end; the cost is that of it and of the processes it waited for."""
    with tempfile.TemporaryFile(mode="w+", errors="replace") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        cost = Cost(usage.ru_utime + usage.ru_stime, usage.ru_stime, wall, usage.ru_maxrss * 1024)
        return Ran(cost, output.read(), process.returncode)
