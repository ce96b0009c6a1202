"""Finds a C compiler, and keeps what it made: a verifier is compiled once for the same text."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from whorl.diagnostics import Diagnostic, WhorlError

RUNTIME = Path(__file__).parent / "runtime"
FLAGS = ("-std=c11", "-fwrapv", "-DNDEBUG", "-w")
OPTIMISED = "-O2"
QUICK = "-Og"  # compiles in a third of the time, and searches three quarters as fast
KEPT = 200  # compiled verifiers; the ones used longest ago go first


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C, and where it was found."""

    command: tuple[str, ...]
    name: str
    added: tuple[str, ...] = ()  # options that the user wants

    @property
    def has_level(self) -> bool:
        """Whether the user says how much to optimise: then all verifiers are compiled so."""
        return any(word.startswith("-O") for word in self.added)

    def arguments(
        self, model: Path, verifier: Path, folders: Sequence[Path] = (), level: str = OPTIMISED
    ) -> list[str]:
        """The whole command. What the user adds to the command comes last, and so it counts.

        `folders` are where the C of a model looks for what it includes.
        """
        looked = [word for folder in folders for word in ("-I", str(folder.absolute()))]
        files = ["-I", str(RUNTIME), *looked, "-o", str(verifier), str(model)]
        return [*self.command, *FLAGS, level, *files, *self.added]


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
        # Where little is optimised it would look for undefined behaviour, which takes time.
        plain = "-fno-sanitize=undefined"
        return Compiler((sys.executable, "-m", "ziglang", "cc", plain), "ziglang")
    return None


def cache_folder() -> Path:
    """Where verifiers are kept: `$WHORL_CACHE`, else the user's cache folder."""
    chosen = os.environ.get("WHORL_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "whorl"


def build(
    text: str, compiler: Compiler, folders: Sequence[Path] = (), level: str = OPTIMISED
) -> Path:
    """The verifier of a generated model; compiled unless it was before."""
    verifier = kept(text, compiler, level)
    if verifier is not None:
        return verifier
    with Compilation(text, compiler, folders, level) as compilation:
        return compilation.result()


def kept(text: str, compiler: Compiler, level: str) -> Path | None:
    """The verifier of a generated model if it has been compiled before."""
    verifier = _folder() / _key(text, compiler, level)
    if not verifier.exists():
        return None
    with contextlib.suppress(OSError):
        os.utime(verifier)
    return verifier


class Compilation:
    """A compiler that is at work once it is started, until the block ends at the latest."""

    def __init__(self, text: str, compiler: Compiler, folders: Sequence[Path], level: str) -> None:
        self.text = text
        self.compiler = compiler
        self.verifier = _folder() / _key(text, compiler, level)
        self.work = tempfile.TemporaryDirectory(dir=self.verifier.parent)
        self.model, self.made, self.errors = (
            Path(self.work.name) / name for name in ("model.c", "verifier", "errors")
        )
        self.command = compiler.arguments(self.model, self.made, folders, level)
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Compilation:
        return self

    def __exit__(self, *raised: object) -> None:
        if self.process is not None and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):  # it has just ended
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.work.cleanup()

    def start(self) -> None:
        self.model.write_text(self.text, encoding="utf-8")
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                env={**os.environ, "TMPDIR": self.work.name},  # nothing is left if it is killed
                process_group=0,  # with all that it starts
            )

    @property
    def done(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def result(self) -> Path:
        """Waits for the verifier, which is kept; CompilerError if there is none."""
        if self.process is None:
            self.start()
        assert self.process is not None
        if self.process.wait() != 0 or not self.made.exists():
            said = self.errors.read_bytes().decode("utf-8", "replace")
            raise CompilerError(f"{self.compiler.name} failed:\n{said[:4000]}")
        self.made.replace(self.verifier)
        _prune(self.verifier.parent)
        return self.verifier


def _folder() -> Path:
    """Where verifiers are kept, made if need be."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"whorl-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def preprocessed(text: str, compiler: Compiler, folders: Sequence[Path]) -> bytes:
    """What the compiler's preprocessor makes of `text`; nothing where it finds a mistake."""
    with tempfile.TemporaryDirectory() as work:
        model, made = Path(work) / "model.c", Path(work) / "model.i"
        model.write_text(text, encoding="utf-8")
        command = [*compiler.arguments(model, made, folders), "-E", "-P"]
        subprocess.run(command, capture_output=True, check=False)
        return made.read_bytes() if made.exists() else b""


def _key(text: str, compiler: Compiler, level: str) -> str:
    """A name for the verifier of `text`: all that it is made of goes into it."""
    digest = hashlib.sha256(text.encode())
    digest.update(_runtime())
    digest.update("\0".join([*compiler.command, *FLAGS, level, *compiler.added]).encode())
    found = shutil.which(compiler.command[0])
    if found is not None:
        about = os.stat(found)
        digest.update(f"{about.st_size} {about.st_mtime_ns}".encode())
    return digest.hexdigest()[:40]


@cache
def _runtime() -> bytes:
    """A digest of the runtime's files."""
    digest = hashlib.sha256()
    for header in sorted(RUNTIME.glob("*.h")):
        digest.update(header.name.encode())
        digest.update(header.read_bytes())
    return digest.digest()


def _prune(folder: Path) -> None:
    """Removes the verifiers used longest ago."""
    with contextlib.suppress(OSError):
        kept = sorted((f for f in folder.iterdir() if f.is_file()), key=lambda f: f.stat().st_mtime)
        for old in kept[:-KEPT]:
            old.unlink(missing_ok=True)
