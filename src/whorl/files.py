"""Files that a user names: those to write are written whole, or not at all."""

from __future__ import annotations

from pathlib import Path

from whorl.diagnostics import Diagnostic, WhorlError

MODEL_SUFFIXES = (".pml", ".prom", ".promela", ".pr")


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
            path.resolve().unlink(missing_ok=True)
        if not isinstance(error, OSError | ValueError):
            raise
        why = getattr(error, "strerror", None) or str(error)
        message = f"cannot write '{path}': {why}; there is no {what}"
        raise WhorlError(Diagnostic("error", message)) from None


def is_file(name: str) -> bool:
    """Whether there is a file of that name."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False
