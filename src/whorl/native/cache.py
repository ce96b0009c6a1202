"""The cache of compiled verifiers: a folder of programs that only this user can have put there.

An entry is named KEY-CHECK. The key is a digest of all that the verifier is made of; the check is
one of the key and of the file itself, so that a file that is damaged, or that is another's, is
never run. A cache that cannot be trusted or used is done without: verifiers are then compiled in a
temporary folder and removed after use.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

KEPT = 200  # compiled verifiers; the ones used longest ago go first
ROOM = 16 << 20  # bytes that must be free where something is compiled
WORK = "whorl-work-"  # how the name of a folder begins in which something is compiled
_ENTRY = re.compile(r"[0-9a-f]{40}(-[0-9a-f]{40})?")  # without a check: of earlier versions
_LOCK = "lock"
_YOUNG = 60.0  # seconds in which a folder may still be without its lock
_NOEXEC = getattr(os, "ST_NOEXEC", 0)  # not every system has it


def location() -> Path | None:
    """Where verifiers are kept: `$WHORL_CACHE`, else the user's cache folder, if there is one."""
    chosen = os.environ.get("WHORL_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "whorl"
    except RuntimeError:  # there is no home
        return None


def problem(folder: Path | None) -> str | None:
    """Why verifiers cannot be kept in a folder; None if they can. It is made if need be."""
    if folder is None:
        return "there is no home folder"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = folder.stat()
        if about.st_uid != os.getuid():
            return "it belongs to another user"
        if about.st_mode & 0o022:
            folder.chmod(stat.S_IMODE(about.st_mode) & ~0o022)
        if os.statvfs(folder).f_flag & _NOEXEC:
            return "programs in it cannot be executed"
    except OSError as error:
        return error.strerror or str(error)
    return None


def opened() -> Path | None:
    """The folder of the cache, if it can be used."""
    folder = location()
    return folder if problem(folder) is None else None


def find(folder: Path, key: str) -> Path | None:
    """The verifier kept under a key. One that cannot be trusted is removed."""
    for entry in _entries(folder):
        if not entry.name.startswith(f"{key}-"):
            continue
        with contextlib.suppress(OSError):
            if _is_ours(entry) and entry.name == _name(key, entry):
                with contextlib.suppress(OSError):
                    os.utime(entry)
                return entry
        forget(entry)
    return None


def keep(folder: Path, key: str, made: Path) -> Path:
    """Moves a verifier into the cache; where it is then, which is where it was if that fails."""
    try:
        made.chmod(0o700)
        kept = folder / _name(key, made)
        made.replace(kept)
    except OSError:
        return made
    prune(folder)
    return kept


def forget(entry: Path) -> None:
    with contextlib.suppress(OSError):
        entry.unlink(missing_ok=True)


def prune(folder: Path) -> None:
    """Removes the verifiers used longest ago, and what runs that were killed have left."""
    dated = []
    for entry in _entries(folder):
        with contextlib.suppress(OSError):  # another process may have removed it
            dated.append((entry.stat().st_mtime, entry))
    for _, old in sorted(dated)[:-KEPT]:
        forget(old)
    for left in leftovers():
        shutil.rmtree(left, ignore_errors=True)


def leftovers() -> Iterator[Path]:
    """The folders in which nobody compiles any more."""
    for place in (location(), *_temporary()):
        if place is None:
            continue
        with contextlib.suppress(OSError):
            for work in place.glob(f"{WORK}*"):
                about = work.lstat()
                mine = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid()
                if mine and about.st_mtime < time.time() - _YOUNG and _is_free(work):
                    yield work


def clear() -> int:
    """Removes every verifier and every leftover; how many verifiers there were."""
    folder, count = location(), 0
    for entry in [] if folder is None else _entries(folder):
        forget(entry)
        count += not entry.exists()
    for left in leftovers():
        shutil.rmtree(left, ignore_errors=True)
    return count


def usage(folder: Path) -> tuple[int, int]:
    """How many verifiers are kept, and how many bytes they take."""
    sizes = []
    for entry in _entries(folder):
        with contextlib.suppress(OSError):
            sizes.append(entry.stat().st_size)
    return len(sizes), sum(sizes)


class WorkFolder:
    """A folder to compile in, removed when nobody refers to it any more or at the end.

    It is locked: a run that is killed releases the lock, and a later one removes the folder.
    """

    def __init__(self, cache: Path | None) -> None:
        self.path, self._lock = _made(cache)
        self.remove = weakref.finalize(self, _remove, self.path, self._lock)


def _made(cache: Path | None) -> tuple[Path, int]:
    """A new folder where there is room and programs can be executed, and the lock on it."""
    said = []
    for place in (cache, *_temporary()):
        if place is None:
            continue
        work = None
        try:
            _refuse_unfit(place)
            work = Path(tempfile.mkdtemp(prefix=WORK, dir=place))
            lock = os.open(work / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if work is not None:
                shutil.rmtree(work, ignore_errors=True)
            said.append(f"{place}: {error.strerror or error}")
            continue
        with contextlib.suppress(OSError):  # a file system without locks
            _lock(lock)
        return work, lock
    raise OSError(f"there is no folder to compile in ({'; '.join(said)})")


def _lock(handle: int) -> None:
    """Takes a lock, or raises OSError where another process has it."""
    import fcntl  # not there in a browser, which compiles nothing

    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _refuse_unfit(place: Path) -> None:
    about = os.statvfs(place)
    if about.f_flag & _NOEXEC:
        raise OSError("programs in it cannot be executed")
    if about.f_blocks and about.f_bavail * about.f_frsize < ROOM:
        raise OSError("it is full")


def _remove(folder: Path, lock: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)


def _is_free(work: Path) -> bool:
    """Whether no process has the lock of a work folder."""
    try:
        lock = os.open(work / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return True  # its maker was killed before it had one
    try:
        _lock(lock)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def _temporary() -> list[Path]:
    """The folders for temporary files, the usual one first."""
    places = [Path(name) for name in ("/tmp", "/var/tmp", "/dev/shm")]
    with contextlib.suppress(OSError):
        places.insert(0, Path(tempfile.gettempdir()))
    return list(dict.fromkeys(place for place in places if place.is_dir()))


def _entries(folder: Path) -> list[Path]:
    try:
        return [entry for entry in folder.iterdir() if _ENTRY.fullmatch(entry.name)]
    except OSError:
        return []


def _is_ours(entry: Path) -> bool:
    """Whether a file is one that only this user can have written and may execute."""
    about = entry.lstat()
    mine = stat.S_ISREG(about.st_mode) and about.st_uid == os.getuid()
    return mine and not about.st_mode & 0o022 and bool(about.st_mode & stat.S_IXUSR)


def _name(key: str, file: Path) -> str:
    digest = hashlib.sha256(key.encode())
    digest.update(file.read_bytes())
    return f"{key}-{digest.hexdigest()[:40]}"
