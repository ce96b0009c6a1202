"""Programs that whorl runs: compilers, and where what they make is kept."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from whorl.doctor.finding import Finding, ok, problem, warning
from whorl.figures import bytes_text, counted
from whorl.native import cache
from whorl.native.compiler import OPTIMISED, QUICK, Builder, CompilerError, find_compiler

PATIENCE = 20.0  # seconds for a program to say its version
LITTLE_ROOM = 256 << 20
_INSTALL = "install gcc or clang, or pip install 'whorl[zig]'"
_TINY = '#include <stdio.h>\nint main(void) { puts("whorl"); return 0; }\n'


def compiler() -> Iterator[Finding]:
    """The compiler that a check would use, and whether it compiles with our flags."""
    found = find_compiler(cached=False)
    if found is None:
        said = "none: only the reference engine can search, which is slow"
        yield warning("C compiler", said, _INSTALL)
        return
    version = _first_line([*found.command, "--version"]) or "of unknown version"
    chosen = " ($WHORL_CC)" if os.environ.get("WHORL_CC") else ""
    said = f"{shlex.join(found.command)}{chosen}: {version}"
    level = OPTIMISED if found.has_level else QUICK
    try:
        verifier = (builder := Builder(found)).build(_TINY, level)
        printed = _first_line([str(verifier)])
    except CompilerError as error:
        hint = "WHORL_CC names another one" if not chosen else "unset WHORL_CC, or correct it"
        if "no folder to compile in" in str(error):
            hint = "TMPDIR and WHORL_CACHE say where to compile"
        why = (error.said.strip().splitlines() or [error.why])[0]
        yield problem("C compiler", f"{said}; {error.why}: {why}", hint)
        return
    del builder
    if printed == "whorl":
        yield ok("C compiler", said)
    else:
        hint = (
            "is this a cross compiler, or may programs not run from the folder for temporary ones?"
        )
        yield problem("C compiler", f"{said}; what it makes does not run", hint)


def other_compilers() -> Iterator[Finding]:
    """Compilers that whorl could use besides."""
    have = [name for name in ("gcc", "clang") if shutil.which(name) is not None]
    have += ["zig, from the package ziglang"] if find_spec("ziglang") is not None else []
    said = f"{', '.join(have)} (WHORL_CC names one to take)" if have else "none"
    yield ok("other compilers", said)


def cache_folder() -> Iterator[Finding]:
    """Where compiled verifiers are kept, and how much room there is."""
    folder = cache.location()
    why = cache.problem(folder)
    if why is None and folder is not None and not os.access(folder, os.W_OK | os.X_OK):
        why = "it cannot be written to"
    if folder is None or why is not None:
        said = f"{folder or 'none'}: not used, as {why}; every check compiles anew"
        yield warning("cache", said, "WHORL_CACHE names another folder")
        return
    count, size = cache.usage(folder)
    room = shutil.disk_usage(folder).free
    said = f"{folder}: {counted(count, 'verifier')}, {bytes_text(size)}; {bytes_text(room)} free"
    if room < LITTLE_ROOM:
        yield warning("cache", said, "make room, or name another folder with WHORL_CACHE")
    else:
        yield ok("cache", said)


def spin() -> Iterator[Finding]:
    """Spin, which whorl does without."""
    path = shutil.which("spin")
    if path is None:
        yield ok("spin", "not installed; whorl does not need it")
    else:
        yield ok("spin", f"{path}: {_first_line([path, '-V']) or 'of unknown version'}")


def _first_line(command: Sequence[str]) -> str | None:
    """The first line that a program prints; None where it cannot be run."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[0] if lines else None
