"""Finds a C compiler and runs it: a verifier is compiled once for the same text (cache.py)."""

from __future__ import annotations

import contextlib
import functools
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
from pathlib import Path

from whorl import deadline
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native import cache

RUNTIME = Path(__file__).parent / "runtime"
FLAGS = ("-std=c11", "-fwrapv", "-DNDEBUG", "-w")
THREADS = ("-pthread",)
THREADED = "#define WHORL_THREADS 1\n"  # how the text of a verifier for several threads begins
SHARED = ("-shared", "-fPIC")
PARTITION = "#define WHORL_PARTITION 1\n"  # and that of a library for a worker (native/cluster)
OPTIMISED = "-O2"
QUICK = "-Og"  # compiles in a third of the time, and searches three quarters as fast
FIRST_LINES = 12  # of what a compiler says, that are shown
MOST_SAID = 4000  # bytes of it that are read


@dataclass(frozen=True, slots=True)
class Compiler:
    """A command that compiles C, and where it was found."""

    command: tuple[str, ...]
    name: str
    added: tuple[str, ...] = ()  # options that the user wants
    cached: bool = True  # whether what it makes is kept for another time

    @property
    def has_level(self) -> bool:
        """Whether the user says how much to optimise: then all verifiers are compiled so."""
        return any(word.startswith("-O") for word in self.added)

    def arguments(
        self,
        model: Path,
        verifier: Path,
        folders: Sequence[Path] = (),
        level: str = OPTIMISED,
        added: Sequence[str] = (),
    ) -> list[str]:
        """The whole command. What the user adds to the command comes last, and so it counts.

        `folders` are where the C of a model looks for what it includes. `added`: for this text.
        """
        looked = [word for folder in folders for word in ("-I", str(folder.absolute()))]
        files = ["-I", str(RUNTIME), *looked, "-o", str(verifier), str(model)]
        return [*self.command, *FLAGS, *added, level, *files, *self.added]


class CompilerError(Exception):
    """There is no verifier: the compiler failed, or could not be run; with its command."""

    def __init__(self, why: str, command: Sequence[str], said: str = "") -> None:
        shown = said.splitlines()[:FIRST_LINES]
        super().__init__("\n".join([why, *shown, f"the command was: {shlex.join(command)}"]))
        self.why = why
        self.said = said


def find_compiler(cached: bool = True) -> Compiler | None:
    """`$WHORL_CC`, else the system's, else the one in the package ziglang; None: there is none."""
    wanted = os.environ.get("WHORL_CC")
    if wanted:
        try:
            command = shlex.split(wanted)
        except ValueError:  # a quotation without an end
            command = []
        if not command or shutil.which(command[0]) is None:
            raise WhorlError(
                Diagnostic(
                    "error",
                    f"WHORL_CC is '{wanted}', but there is no such program",
                    None,
                    "unset it, or name a C compiler",
                )
            )
        return Compiler((command[0],), wanted, tuple(command[1:]), cached)
    for name in ("cc", "gcc", "clang"):
        path = shutil.which(name)
        if path is not None:
            return Compiler((path,), name, cached=cached)
    if importlib.util.find_spec("ziglang") is not None:
        # Where little is optimised it would look for undefined behaviour, which takes time.
        plain = "-fno-sanitize=undefined"
        return Compiler((sys.executable, "-m", "ziglang", "cc", plain), "ziglang", cached=cached)
    return None


class Builder:
    """Compiles generated models, and finds those that were compiled before.

    A verifier that could not be kept in the cache is there as long as its builder.
    """

    def __init__(self, compiler: Compiler, folders: Sequence[Path] = ()) -> None:
        self.compiler = compiler
        self.folders = folders
        self.cache = cache.opened() if compiler.cached else None
        self.made: dict[str, tuple[Path, cache.WorkFolder]] = {}  # by key, what is not kept

    def found(self, text: str, level: str) -> Path | None:
        """The verifier of a generated model if it has been compiled before."""
        key = _key(text, self.compiler, level)
        if key in self.made:
            return self.made[key][0]
        return None if self.cache is None else cache.find(self.cache, key)

    def build(self, text: str, level: str = OPTIMISED) -> Path:
        """The verifier of a generated model; compiled unless it was before."""
        verifier = self.found(text, level)
        if verifier is not None:
            return verifier
        with self.compilation(text, level) as compilation:
            return compilation.result()

    def compilation(self, text: str, level: str) -> Compilation:
        return Compilation(self, text, level)

    def taken(self, key: str, work: cache.WorkFolder, made: Path) -> Path:
        """Where a verifier that was just compiled is from now on."""
        verifier = made if self.cache is None else cache.keep(self.cache, key, made)
        if verifier == made:
            self.made[key] = (verifier, work)
        return verifier

    def do_without_cache(self) -> None:
        """What is in the cache cannot be run, or goes away: from now on nothing is kept."""
        self.cache = None


class Compilation:
    """A compiler that is at work once it is started, until the block ends at the latest."""

    def __init__(self, builder: Builder, text: str, level: str) -> None:
        self.builder = builder
        self.text = text
        self.level = level
        self.work: cache.WorkFolder | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.command: list[str] = list(builder.compiler.command)

    def __enter__(self) -> Compilation:
        return self

    def __exit__(self, *raised: object) -> None:
        if self.process is not None:
            end_group(self.process)
        if self.work is not None and all(w is not self.work for _, w in self.builder.made.values()):
            self.work.remove()

    def start(self) -> None:
        """CompilerError if the compiler cannot be run at all."""
        compiler, folders = self.builder.compiler, self.builder.folders
        try:
            self.work = cache.WorkFolder(self.builder.cache)
            model, made, errors = self._files(self.work)
            added = _added_for(self.text)
            self.command = compiler.arguments(model, made, folders, self.level, added)
            model.write_text(self.text, encoding="utf-8")
            with errors.open("wb") as stream:
                self.process = subprocess.Popen(
                    self.command,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=stream,
                    env={**os.environ, "TMPDIR": str(self.work.path)},  # nothing is left over
                    process_group=0,  # with all that it starts
                )
        except OSError as error:
            why = f"{compiler.name} cannot be run: {error.strerror or error}"
            raise CompilerError(why, self.command) from None

    @staticmethod
    def _files(work: cache.WorkFolder) -> tuple[Path, Path, Path]:
        return work.path / "model.c", work.path / "verifier", work.path / "errors"

    @property
    def done(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def result(self) -> Path:
        """Waits for the verifier, which is kept; CompilerError if there is none."""
        if self.process is None:
            self.start()
        assert self.process is not None
        assert self.work is not None
        with deadline.phase("compiling the verifier", watches=True):
            code = deadline.wait(self.process)
        _, made, errors = self._files(self.work)
        if code != 0 or not made.exists():
            how = f"signal {-code}" if code < 0 else f"exit status {code}"
            said = ""
            with contextlib.suppress(OSError):
                said = errors.read_bytes()[:MOST_SAID].decode("utf-8", "replace")
            raise CompilerError(f"{self.builder.compiler.name} failed ({how})", self.command, said)
        key = _key(self.text, self.builder.compiler, self.level)
        return self.builder.taken(key, self.work, made)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a process that leads a group, with all that it started."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has just ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def preprocessed(text: str, compiler: Compiler, folders: Sequence[Path]) -> bytes:
    """What the compiler's preprocessor makes of `text`; nothing where it finds a mistake."""
    with tempfile.TemporaryDirectory() as work:
        model, made = Path(work) / "model.c", Path(work) / "model.i"
        model.write_text(text, encoding="utf-8")
        command = [*compiler.arguments(model, made, folders), "-E", "-P"]
        with contextlib.suppress(subprocess.TimeoutExpired):
            left = deadline.left()
            subprocess.run(command, capture_output=True, check=False, timeout=left)
        return made.read_bytes() if made.exists() else b""


def _added_for(text: str) -> tuple[str, ...]:
    """Options of the compiler that a text asks for by how it begins."""
    if text.startswith(THREADED):
        return THREADS
    return SHARED if text.startswith(PARTITION) else ()


def _key(text: str, compiler: Compiler, level: str) -> str:
    """A name for the verifier of `text`: all that it is made of goes into it."""
    digest = hashlib.sha256(text.encode())
    digest.update(_runtime())
    digest.update("\0".join([*compiler.command, *FLAGS, level, *compiler.added]).encode())
    path = shutil.which(compiler.command[0])
    if path is not None:
        about = os.stat(path)
        digest.update(f"{about.st_size} {about.st_mtime_ns}".encode())
    return digest.hexdigest()[:40]


@functools.cache
def _runtime() -> bytes:
    """A digest of the runtime's files."""
    digest = hashlib.sha256()
    for header in sorted(RUNTIME.rglob("*.h")):
        digest.update(header.name.encode())
        digest.update(header.read_bytes())
    return digest.digest()
