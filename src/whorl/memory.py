"""How much memory this process uses, how much it may use, and what would refuse it more."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from whorl import control_groups

_PAGE = os.sysconf("SC_PAGE_SIZE")
_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")
SHARE = 0.8  # of what the machine could still give
_ENDLESS = 1 << 60  # what version 1 of control groups says where there is no limit, or more

# By version of control groups: the limit, what is used, and what of that can be had again.
_FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}

# What the shell calls the limits that the system sets on the memory of a process.
_PROCESS_LIMITS = (
    ("RLIMIT_AS", "address-space limit", "ulimit -v"),
    ("RLIMIT_DATA", "limit on data", "ulimit -d"),
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most memory that a search may use; unless that was set, of what it is a share."""

    size: int
    share_of: str | None = None


def resident_bytes() -> int:
    """The memory that this process has now; where that is not told, the most it ever had."""
    try:
        return int(_STATM.read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return peak_bytes()


def peak_bytes() -> int:
    """The most memory that this process ever had; 0 where that is not told, as in a browser."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def default_limit() -> Allowance | None:
    """What a search may use unless it is told: most of what is free; None where that is not known.

    Where the machine swaps, a search is as good as stopped, and everything else with it. Where a
    control group is full the kernel kills. Where the address space is, allocations fail.
    """
    bounds = [(available_bytes(), "what was free"), (group_bytes(), "what its control group left")]
    bounds += [(size, f"the {name}, {word}") for size, name, word in process_limits()]
    known = [Allowance(int(size * SHARE), what) for size, what in bounds if size is not None]
    return min(known, key=lambda allowance: allowance.size, default=None)


def refusal() -> str:
    """Why the system has refused memory, in words: the limit that it goes by, if there is one."""
    limits = sorted(process_limits())
    for size, name, word in limits:
        return f"the {name} of {size_text(size)} ({word}) was reached"
    return "the system gave no more memory"


def size_text(count: int) -> str:
    """A number of bytes, in words."""
    return f"{count / 2**20:,.0f} MB" if count >= 2**20 else f"{count:,} bytes"


def available_bytes() -> int | None:
    """The memory that the machine could still give; None where that is not told."""
    try:
        for line in _MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        pass
    return None


def group_bytes(
    membership: Path = control_groups.MEMBERSHIP, groups: Path = control_groups.GROUPS
) -> int | None:
    """What the control groups of this process leave to it; None where none has a limit."""
    folders = control_groups.folders("memory", membership, groups)
    left = (_left_to(folder, *_FILES[version]) for version, folder in folders)
    return min((size for size in left if size is not None), default=None)


def _left_to(group: Path, limit: str, usage: str, reclaimable: str) -> int | None:
    """What a control group leaves; what it has read from files can be had again."""
    try:
        most = int((group / limit).read_text())
        used = int((group / usage).read_text())
    except (OSError, ValueError):  # not there, or "max"
        return None
    if most >= _ENDLESS:
        return None
    try:
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        used -= int(stat.get(reclaimable, 0))
    except (OSError, ValueError):
        pass
    return max(most - used, 0)


def process_limits() -> list[tuple[int, str, str]]:
    """The limits that the system sets on the memory of a process: how much, and their names."""
    try:
        import resource
    except ImportError:  # in a browser nothing is limited
        return []
    limits = [
        (resource.getrlimit(getattr(resource, which))[0], name, word)
        for which, name, word in _PROCESS_LIMITS
    ]
    return [limit for limit in limits if limit[0] != resource.RLIM_INFINITY]
