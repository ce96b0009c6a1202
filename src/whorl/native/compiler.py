"""Finds a C compiler, and keeps what it made: a verifier is compiled once for the same text."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Diagnostic, WhorlError

RUNTIME = Path(__file__).parent / "runtime"
FLAGS = ("-std=c11", "-O2", "-fwrapv", "-DNDEBUG", "-w")
KEPT = 200  # compiled verifiers; the ones used longest ago go first


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C, and where it was found."""

    command: tuple[str, ...]
    name: str
    added: tuple[str, ...] = ()  # options that the user wants

    def arguments(self, model: Path, verifier: Path, folders: Sequence[Path] = ()) -> list[str]:
        """The whole command. What the user adds to the command comes last, and so it counts.

        `folders` are where the C of a model looks for what it includes.
        """
        looked = [word for folder in folders for word in ("-I", str(folder.absolute()))]
        files = ["-I", str(RUNTIME), *looked, "-o", str(verifier), str(model)]
        return [*self.command, *FLAGS, *files, *self.added]


class CompilerError(Exception):
    """The compiler refused what we generated: a bug of ours, with what it said."""


def find_compiler() -> Compiler | None:
    """`$WHORL_CC`, else the system's, else the one in the package ziglang; None: there is none."""
    wanted = os.environ.get("WHORL_CC")
    if wanted:
        command = shlex.split(wanted)
        if not command or shutil.which(command[0]) is None:
            raise WhorlError(
                Diagnostic(
                    "error",
                    f"WHORL_CC is '{wanted}', but there is no such program",
                    None,
                    "unset it, or name a C compiler",
                )
            )
        return Compiler((command[0],), wanted, tuple(command[1:]))
    for name in ("cc", "gcc", "clang"):
        found = shutil.which(name)
        if found is not None:
            return Compiler((found,), name)
    if importlib.util.find_spec("ziglang") is not None:
        return Compiler((sys.executable, "-m", "ziglang", "cc"), "ziglang")
    return None


def cache_folder() -> Path:
    """Where verifiers are kept: `$WHORL_CACHE`, else the user's cache folder."""
    chosen = os.environ.get("WHORL_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "whorl"


def build(text: str, compiler: Compiler, folders: Sequence[Path] = ()) -> Path:
    """The verifier of a generated model; compiled unless it was before."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"whorl-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
    verifier = folder / _key(text, compiler)
    if verifier.exists():
        with contextlib.suppress(OSError):
            os.utime(verifier)
        return verifier
    with tempfile.TemporaryDirectory(dir=folder) as work:
        model, made = Path(work) / "model.c", Path(work) / "verifier"
        model.write_text(text, encoding="utf-8")
        outcome = subprocess.run(
            compiler.arguments(model, made, folders),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if outcome.returncode != 0 or not made.exists():
            raise CompilerError(f"{compiler.name} failed:\n{outcome.stderr[:4000]}")
        made.replace(verifier)
    _prune(folder)
    return verifier


def preprocessed(text: str, compiler: Compiler, folders: Sequence[Path]) -> bytes:
    """What the compiler's preprocessor makes of `text`; nothing where it finds a mistake."""
    with tempfile.TemporaryDirectory() as work:
        model, made = Path(work) / "model.c", Path(work) / "model.i"
        model.write_text(text, encoding="utf-8")
        command = [*compiler.arguments(model, made, folders), "-E", "-P"]
        subprocess.run(command, capture_output=True, check=False)
        return made.read_bytes() if made.exists() else b""


def _key(text: str, compiler: Compiler) -> str:
    """A name for the verifier of `text`: all that it is made of goes into it."""
    digest = hashlib.sha256(text.encode())
    for header in sorted(RUNTIME.glob("*.h")):
        digest.update(header.name.encode())
        digest.update(header.read_bytes())
    digest.update("\0".join([*compiler.command, *FLAGS, *compiler.added]).encode())
    found = shutil.which(compiler.command[0])
    if found is not None:
        about = os.stat(found)
        digest.update(f"{about.st_size} {about.st_mtime_ns}".encode())
    return digest.hexdigest()[:40]


def _prune(folder: Path) -> None:
    """Removes the verifiers used longest ago."""
    with contextlib.suppress(OSError):
        kept = sorted((f for f in folder.iterdir() if f.is_file()), key=lambda f: f.stat().st_mtime)
        for old in kept[:-KEPT]:
            old.unlink(missing_ok=True)
