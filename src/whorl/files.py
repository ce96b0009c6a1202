"""Files that a user names: those to write are written whole, or not at all."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, AnyStr

from whorl.diagnostics import Diagnostic, WhorlError

MODEL_SUFFIXES = (".pml", ".prom", ".promela", ".pr")
MOST_READ = 1 << 26  # characters or bytes; a device such as /dev/zero has no end


def read_text(path: Path) -> str:
    """The text of a file; OSError where it cannot be read, or has no end in sight."""
    with path.open(encoding="utf-8", errors="replace") as file:
        return read_all(file)


def read_all(file: IO[AnyStr]) -> AnyStr:
    """All that is in a file, likewise."""
    text = file.read(MOST_READ + 1)
    if len(text) > MOST_READ:
        raise OSError(errno.EFBIG, f"it has more than {MOST_READ >> 20} million characters")
    return text


def write_file(path: Path, text: str, what: str = "file") -> None:
    """Writes a text; WhorlError where that fails, and then no part of the file is left."""
    data = text.encode("utf-8", "backslashreplace")
    opened = False
    try:
        with path.open("wb") as file:
            opened = True
            file.write(data)
    except BaseException as error:
        if opened and path.is_file():  # neither a device nor a pipe
            with suppress(OSError):  # such as a file of the system
                path.resolve().unlink(missing_ok=True)
        if not isinstance(error, OSError | ValueError):
            raise
        why = getattr(error, "strerror", None) or str(error)
        message = f"cannot write '{path}': {why}; there is no {what}"
        raise WhorlError(Diagnostic("error", message)) from None


def refuse_without_folder(name: str) -> None:
    """WhorlError where the folder of a file to write is missing: it is said before the work.

    And so it is of `-`, which is meant as standard output.
    """
    if name == "-":
        hint = "name a file, /dev/stdout for standard output, or ./- for one of that name"
        raise WhorlError(Diagnostic("error", "'-' is no name of a file here", None, hint))
    if not Path(name).absolute().parent.is_dir():
        raise WhorlError(Diagnostic("error", f"cannot write '{name}': there is no such folder"))


def is_file(name: str) -> bool:
    """Whether there is a file of that name."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def rewrite_file(path: Path, text: str) -> None:
    """Puts a text in place of a file's; WhorlError where that fails, and the file is as it was."""
    target = path.resolve()  # a link stays one
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        mode = target.stat().st_mode
        with beside.open("xb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        beside.chmod(stat.S_IMODE(mode))
        beside.replace(target)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        if not isinstance(error, OSError | ValueError):
            raise
        why = getattr(error, "strerror", None) or str(error)
        message = f"cannot write '{path}': {why}; it is as it was"
        raise WhorlError(Diagnostic("error", message)) from None
