"""How many cores this process may use."""

from __future__ import annotations

import os
from pathlib import Path

from whorl import control_groups


def cores(
    membership: Path = control_groups.MEMBERSHIP, groups: Path = control_groups.GROUPS
) -> int:
    """The cores that the system lets it run on, or as many as its control groups give it time for.

    A part of a core counts as one.
    """
    try:
        allowed = len(os.sched_getaffinity(0))
    except (AttributeError, OSError):  # not Linux
        allowed = os.cpu_count() or 1
    folders = control_groups.folders("cpu", membership, groups)
    quotas = [_quota(version, folder) for version, folder in folders]
    return min([allowed, *(quota for quota in quotas if quota is not None)])


def _quota(version: int, folder: Path) -> int | None:
    """How many cores a control group may keep busy; None if it has no limit."""
    try:
        if version == 2:
            quota, period = (folder / "cpu.max").read_text().split()
        else:
            quota = (folder / "cpu.cfs_quota_us").read_text()
            period = (folder / "cpu.cfs_period_us").read_text()
        time, of = int(quota), int(period)
    except (OSError, ValueError):  # not there, or "max"
        return None
    return -(-time // of) if time > 0 and of > 0 else None
