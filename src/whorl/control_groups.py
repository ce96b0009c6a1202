"""The control groups of this process, which limit what it may use, as folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MEMBERSHIP = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")


def folders(
    controller: str, membership: Path = MEMBERSHIP, groups: Path = GROUPS
) -> Iterator[tuple[int, Path]]:
    """The folder of each group that this process is in, with the version of its files.

    Version 1 may be there beside version 2, and the groups around a group count as well. A folder
    need not be there.
    """
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and controllers == "":
            version, roots = 2, [groups, groups / "unified"]
        elif controller in controllers.split(","):
            version, roots = 1, [groups / controller, groups / controllers]
        else:
            continue
        inside = [*Path(path.lstrip("/")).parents, Path(path.lstrip("/"))]
        yield from ((version, root / part) for root in roots for part in inside)
