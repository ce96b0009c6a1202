"""What the figures were measured on."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import whorl
from benchmarks.process import run

LATENCY = Path(__file__).with_name("latency.c")


@dataclass(frozen=True, slots=True)
class Machine:
    processor: str
    cores: int
    memory_gb: int
    compiler: str
    spin: str
    whorl: str
    python: str
    date: str
    latency_ns: float  # of a load from main memory
    overlapped_ns: float  # the same, where as many as possible overlap
    load: float = 0.0  # how many processes ran or waited to run, as it began

    @property
    def is_shared(self) -> bool:
        """Whether others wanted all of it."""
        return self.load >= self.cores


def look() -> Machine:
    load = os.getloadavg()[0]
    return Machine(
        processor(),
        os.cpu_count() or 1,
        round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        _first_line("cc", "--version"),
        _first_line("spin", "-V"),
        whorl.__version__,
        platform.python_version(),
        datetime.date.today().isoformat(),
        *latency(),
        load,
    )


def latency() -> tuple[float, float]:
    """How long a load from main memory takes, alone and where many overlap.

    The best of three runs, because others may disturb it.
    """
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        program = Path(name) / "latency"
        subprocess.run(["cc", "-O2", "-o", program, LATENCY], check=True)
        figures = [run([program]).output.split() for _ in range(3)]
        return min(float(f[0]) for f in figures), min(float(f[1]) for f in figures)


def processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    family = re.search(r"^cpu family\s*: (\d+)$", text, re.MULTILINE)
    model = re.search(r"^model\s*: (\d+)$", text, re.MULTILINE)
    name = found[1] if found else platform.machine()
    if family and model:
        name += f" (family {family[1]}, model {model[1]})"
    return name + (", in a virtual machine" if " hypervisor" in text else "")


def _first_line(*command: str) -> str:
    ran = run(command)
    return ran.output.strip().splitlines()[0] if ran.output.strip() else "?"
