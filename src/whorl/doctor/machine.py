"""What `whorl doctor` looks at besides programs: Python, the package, memory, the shell."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import whorl
from whorl.cores import cores
from whorl.doctor.finding import Finding, ok, warning
from whorl.memory import available_bytes, default_limit, group_bytes, process_limits, size_text

HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
LITTLE_MEMORY = 512 << 20
NEEDED_BY_DEVELOPERS = ("dev", "docs")  # extras that no user of whorl misses


def python() -> Iterator[Finding]:
    version = platform.python_version()
    yield ok("python", f"{platform.python_implementation()} {version}, {sys.executable or '?'}")


def installation() -> Iterator[Finding]:
    yield ok("whorl", f"{whorl.__version__}, {Path(whorl.__file__).parent}")


def memory() -> Iterator[Finding]:
    """What a search may use, and which limits there are."""
    known = [(available_bytes(), "free"), (group_bytes(), "left by the control group")]
    known += [(size, f"{name} ({word})") for size, name, word in process_limits()]
    parts = [f"{size_text(size)} {what}" for size, what in known if size is not None]
    allowance = default_limit()
    if allowance is None:
        hint = "give --memory with a check, so that the machine does not swap"
        yield warning("memory", "it is not known how much is free", hint)
        return
    said = f"a search may use {size_text(allowance.size)} ({', '.join(parts)})"
    if allowance.size < LITTLE_MEMORY:
        hint = "end other programs, or raise the limit; --store bitstate needs least"
        yield warning("memory", said, hint)
    else:
        yield ok("memory", said)


def processors() -> Iterator[Finding]:
    """How many threads a search has, where nobody says how many."""
    usable, there = cores(), os.cpu_count() or 1
    of = f" of {there}" if usable < there else ""
    yield ok("cores", f"a large search may use {usable}{of}")


def huge_pages(setting: Path = HUGE_PAGES) -> Iterator[Finding]:
    """Whether the system gives large pages to a search, which touches memory at random."""
    try:
        chosen = re.search(r"\[(\w+)\]", setting.read_text())
    except OSError:
        return  # not Linux
    if chosen is not None and chosen[1] == "never":
        hint = f"echo madvise > {setting}, as root, makes searches of large models faster"
        yield warning("huge pages", "switched off", hint)
    else:
        yield ok("huge pages", chosen[1] if chosen is not None else "unknown")


def extras() -> Iterator[Finding]:
    """The extras that the package says it has, and what of them is not installed."""
    try:
        about = metadata.metadata("whorl")
        required = metadata.requires("whorl") or []
    except metadata.PackageNotFoundError:
        yield warning(
            "extras", "whorl runs from a folder and is not installed", "pip install . in a clone"
        )
        return
    for extra in about.get_all("Provides-Extra") or []:
        if extra in NEEDED_BY_DEVELOPERS:
            continue
        missing = [name for name in packages_of(extra, required) if not _is_installed(name)]
        if missing:
            hint = f"pip install 'whorl[{extra}]', if you need it"
            yield ok(f"extra {extra}", f"not installed ({', '.join(missing)}): {hint}")
        else:
            yield ok(f"extra {extra}", "installed")


def packages_of(extra: str, required: list[str]) -> list[str]:
    """The names of the packages that an extra needs, of the requirements in the metadata."""
    wanted = re.compile(rf"""extra\s*==\s*["']{re.escape(extra)}["']""")
    names = [re.match(r"[\w.-]+", line) for line in required if wanted.search(line)]
    return [name[0] for name in names if name is not None]


def _is_installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


# Where completion may have been installed: files of its own, or a line in what the shell reads.
_PLACES = {
    "bash": (
        (".local/share/bash-completion/completions/whorl", "/etc/bash_completion.d/whorl"),
        (".bashrc", ".bash_profile", ".profile"),
    ),
    "zsh": (("/usr/share/zsh/site-functions/_whorl",), (".zshrc", ".zprofile")),
    "fish": ((".config/fish/completions/whorl.fish",), (".config/fish/config.fish",)),
}


def completion(environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """Whether the user's shell has been told how to complete whorl's commands."""
    shell = Path(environment.get("SHELL", "")).name
    if shell not in _PLACES:
        return
    home = Path(environment.get("HOME") or "/")
    own, read = _PLACES[shell]
    found = next((name for name in own if (home / name).is_file()), None)
    found = found or next((name for name in read if _mentions(home / name)), None)
    if found is not None:
        yield ok("completion", f"{shell}: {home / found}")
    else:
        how = "| source" if shell == "fish" else ""
        line = f"whorl completion {shell} {how}".strip()
        line = line if how else f'eval "$({line})"'
        yield ok("completion", f"{shell}: not found; {line} in {read[0]} installs it")


def _mentions(path: Path) -> bool:
    try:
        return "whorl completion" in path.read_text(errors="replace")
    except OSError:
        return False
