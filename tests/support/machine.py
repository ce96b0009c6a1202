"""What the fault tests share: whorl as a process of its own, and what is left when it has ended."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

WHORL = [sys.executable, "-m", "whorl"]
SMALL = "byte x; init { x = 1; assert(x == 1) }\n"
LARGE = "int x, y, z; active proctype P() { do :: x++ :: y++ :: z++ od }\n"  # no end in sight
WAIT = 30.0  # seconds, on a machine that does much else


def command(*words: str | Path) -> list[str]:
    return [*WHORL, *map(str, words)]


def finish(*words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs a whorl command to its end, with more of an environment."""
    return subprocess.run(
        command(*words),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **more},
    )


def in_shell(before: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """The same, after the shell has done something: set a limit, ignored a signal."""
    line = f"{before}\nexec {shlex.join(command(*words))}"
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, timeout=120, check=False
    )


@contextlib.contextmanager
def memory_group(size: int) -> Iterator[Path]:
    """A control group of the kernel's with a limit of memory, for whoever joins it (`joined`)."""
    for parent, limit in _own_groups():
        made = parent / f"whorl-test-{os.getpid()}"
        try:
            made.mkdir()
        except OSError:
            continue
        try:
            (made / limit).write_text(str(size))
        except OSError:
            made.rmdir()
            continue
        try:
            yield made
        finally:
            wait_for(lambda found=made: not (found / "cgroup.procs").read_text())  # type: ignore[misc]
            made.rmdir()
        return
    pytest.skip("this machine lets nobody make a control group with a limit of memory")


def _own_groups() -> Iterator[tuple[Path, str]]:
    """The memory groups of this process, where another may be made, and what a limit is called."""
    groups = Path("/sys/fs/cgroup")
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            yield groups / path.lstrip("/"), "memory.max"
        elif "memory" in controllers.split(","):
            yield groups / "memory" / path.lstrip("/"), "memory.limit_in_bytes"


def joined(group: Path) -> str:
    """What a shell does to go into a control group."""
    return f"echo $$ > {shlex.quote(str(group / 'cgroup.procs'))} || exit 77"


def mounted(options: str, folder: Path, after: str, *words: str | Path) -> str:
    """What a command prints where a tmpfs is mounted on a folder, seen by nobody else."""
    unshare = shutil.which("unshare")
    mount = f"mount -t tmpfs -o {options} none {folder}"
    private = [str(unshare), "--user", "--map-root-user", "--mount", "sh", "-c"]
    if unshare is None or subprocess.run([*private, mount], capture_output=True).returncode:
        pytest.skip("this machine lets nobody mount a tmpfs in a namespace of their own")
    line = f"{mount} && {after} {{ {shlex.join(command(*words))}; echo status $?; }} 2>&1"
    ran = subprocess.run([*private, line], capture_output=True, text=True, timeout=120, check=False)
    return ran.stdout + ran.stderr


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run, and those that they have."""
    started: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                state, parent = _stat(int(entry))
                if state not in "ZX":
                    started.setdefault(parent, []).append(int(entry))
    found = list(started.get(pid, []))
    for child in found:
        found += started.get(child, [])
    return found


def runs(pid: int) -> bool:
    try:
        return _stat(pid)[0] not in "ZX"
    except OSError:
        return False


def _stat(pid: int) -> tuple[str, int]:
    """The state of a process, and who started it."""
    state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    return state, int(parent)


def executes(pid: int, folder: Path) -> bool:
    """Whether a process executes a program in a folder."""
    try:
        return str(folder) in os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return False


def wait_for(what: Callable[[], bool]) -> None:
    ends = time.monotonic() + WAIT
    while not what():
        assert time.monotonic() < ends, "it does not come"
        time.sleep(0.02)
