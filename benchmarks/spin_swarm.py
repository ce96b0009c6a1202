"""Spin as a swarm: bitstate searches as the `swarm` script of its authors sets them up.

Modes, ranges of -w, -m and -k are those of the sample configuration in the script's manual
(http://spinroot.com/swarm): five ways to compile pan, arrays of 2^20 bits and more, depths of 100
to 10,000, two to five hash functions. So many searches run at a time; the first error ends all.
"""

from __future__ import annotations

import itertools
import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from benchmarks.process import run
from benchmarks.spin import SpinFailed

MODES = (
    (),
    ("-DREVERSE",),
    ("-DT_REVERSE",),
    ("-DRANDOMIZE=123",),
    ("-DRANDOMIZE=173573",),
)
LEAST_BITS, MOST_BITS = 20, 32
DEPTHS = (100, 1_000, 10_000)
HASHES = (2, 3, 4, 5)
COMPILE = ("cc", "-w", "-O2", "-DBITSTATE", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=1500")


@dataclass(frozen=True, slots=True)
class SpinSearch:
    """One search: the mode that pan is compiled for, and its arguments."""

    mode: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SwarmCost:
    """What a swarm of either tool took, from the command to the first violation."""

    found: bool
    wall: float
    cpu: float  # of everything: translation, compilers, searches
    searching: float  # of the searches alone, that of the one that found it and of the others
    searches: int


def listed(seed: int) -> Iterator[SpinSearch]:
    """The searches in the order in which they are begun, from small arrays to large ones."""
    numbers = itertools.count(seed * 1_000)
    for bits in range(LEAST_BITS, MOST_BITS + 1):
        for depth, (mode, hashes) in itertools.product(
            reversed(DEPTHS), itertools.product(range(len(MODES)), HASHES)
        ):
            number = next(numbers)
            words = (f"-w{bits}", f"-m{depth}", f"-k{hashes}", f"-h{number % 500}")
            yield SpinSearch(mode, (*words, f"-RS{number}", "-n"))


@dataclass(slots=True)
class SpinSwarm:
    """Runs the searches in a folder of its own, so many at a time."""

    folder: Path
    text: str
    workers: int
    running: dict[int, tuple[subprocess.Popen[bytes], IO[bytes]]] = field(default_factory=dict)
    begun: int = 0
    searching: float = 0.0

    def run(self, seed: int, seconds: float) -> SwarmCost:
        """Until an error is found, or so much CPU time is spent."""
        before, started = _spent(), time.monotonic()
        (self.folder / "model.pml").write_text(self.text, encoding="utf-8")
        self._do("spin", "-a", "model.pml")
        found, searches = False, listed(seed)
        while not found and _spent() - before + sum(map(spent_by, self.running)) < seconds:
            while len(self.running) < self.workers:
                self._begin(next(searches))
            found = self._look()
        self._end()
        return SwarmCost(
            found, time.monotonic() - started, _spent() - before, self.searching, self.begun
        )

    def _do(self, *command: str) -> None:
        ran = run(command, self.folder)
        if ran.status != 0:
            raise SpinFailed(f"{' '.join(command)}\n{ran.output}")

    def _begin(self, search: SpinSearch) -> None:
        pan = self.folder / f"pan{search.mode}"
        if not pan.exists():  # each mode is compiled when it is first asked for
            self._do(*COMPILE, *MODES[search.mode], "-o", pan.name, "pan.c")
        output = (self.folder / f"out{self.begun}").open("w+b")
        self.begun += 1
        process = subprocess.Popen(
            [pan, *search.words], cwd=self.folder, stdout=output, stderr=subprocess.STDOUT
        )
        self.running[process.pid] = (process, output)

    def _look(self) -> bool:
        """Waits for a moment; whether one that has ended found an error."""
        for pid, (process, output) in list(self.running.items()):
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if not ended:
                continue
            process.returncode = os.waitstatus_to_exitcode(status)
            self.searching += usage.ru_utime + usage.ru_stime
            del self.running[pid]
            output.seek(0)
            said = output.read().decode("utf-8", "replace")
            output.close()
            errors = re.search(r"errors: (\d+)", said)
            if errors and int(errors[1]):
                return True
        time.sleep(0.005)
        return False

    def _end(self) -> None:
        for pid, (process, output) in self.running.items():
            os.kill(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.searching += usage.ru_utime + usage.ru_stime
            output.close()
        self.running.clear()


def spent_by(pid: int) -> float:
    """CPU seconds of a process, and of those that it has waited for."""
    try:
        figures = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
    except OSError:
        return 0.0
    return sum(map(int, figures)) / os.sysconf("SC_CLK_TCK")


def _spent() -> float:
    """CPU seconds of the processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
