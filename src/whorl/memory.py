"""How much memory this process uses, and how much the machine has."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")
SHARE = 0.8  # of what the machine could still give


def resident_bytes() -> int:
    """The memory that this process has now; where that is not told, the most it ever had."""
    try:
        return int(_STATM.read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return peak_bytes()


def peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def default_limit() -> int | None:
    """What a search may use unless it is told: most of what is free; None where that is not known.

    Where the machine swaps, a search is as good as stopped, and everything else with it.
    """
    free = available_bytes()
    return None if free is None else int(free * SHARE)


def available_bytes() -> int | None:
    """The memory that the machine could still give; None where that is not told."""
    try:
        for line in _MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        pass
    return None
