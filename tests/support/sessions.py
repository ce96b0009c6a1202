"""The sessions in the documentation: runs their commands, compares or rewrites what they print.

A session is a block of the language `console`: commands after `$`, what they print below. Its files
are code blocks with `<!-- file: NAME -->` before them, or hidden ones: `<!-- file: NAME`, lines,
`-->`. All sessions of a page run in one folder, in order; `examples` is there. A line `...` stands
for any lines. Times, memory and rates may differ.

`PYTHONPATH=src:tests python -m support.sessions` writes what the commands print today into the
pages, but for blocks with `...`.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_PART = re.compile(
    r"^<!-- file: (?P<hidden>\S+)\n(?P<lines>.*?)^-->\n"
    r"|^<!-- file: (?P<file>\S+) -->\n+```\w*\n(?P<text>.*?)^```\n"
    r"|^```console\n(?P<session>.*?)^```\n",
    re.MULTILINE | re.DOTALL,
)
_FIGURES = re.compile(
    r"; [\d.]+ s, [\d.]+ .?B, [\d,]+ states/s|time: [\d.]+ s of CPU| +[\d.]+ s +[\d.]+ .?B"
)
ANYTHING = "..."


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a session and the lines that it is said to print."""

    text: str
    output: str

    def agrees(self, printed: str) -> bool:
        shown = _FIGURES.sub("; FIGURES", self.output)
        pattern = re.escape(shown).replace(re.escape(f"{ANYTHING}\n"), "(?s:.*)")
        return re.fullmatch(pattern, _FIGURES.sub("; FIGURES", printed)) is not None


def commands(session: str) -> Iterator[Command]:
    lines = session.splitlines(keepends=True)
    while lines:
        text = lines.pop(0)
        assert text.startswith("$ "), f"a command expected: {text}"
        while not _is_whole(text):
            text += lines.pop(0)
        output = ""
        while lines and not lines[0].startswith("$ "):
            output += lines.pop(0)
        yield Command(text.removeprefix("$ ").removesuffix("\n"), output)


def _is_whole(text: str) -> bool:
    """Whether no quotation is left open."""
    try:
        shlex.split(text)
    except ValueError:
        return False
    return True


class Folder:
    """Where the sessions of a page run, with `whorl` and `python3` on the path."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "examples").symlink_to(ROOT / "examples")
        (path / "docs" / "img").mkdir(parents=True)
        (path / ".bin").mkdir()
        for name, options in (("whorl", " -m whorl"), ("python3", "")):
            script = path / ".bin" / name
            script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{options} "$@"\n')
            script.chmod(script.stat().st_mode | stat.S_IXUSR)
        self.environment = dict(os.environ) | {
            "PATH": f"{path / '.bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "PYTHONIOENCODING": "utf-8",
        }

    def run(self, command: str) -> str:
        """What a command prints, on both of its outputs."""
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.path,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        printed = done.stdout.decode()
        assert "Traceback" not in printed, f"$ {command}\n{printed}"
        return printed


def disagreements(page: Path, folder: Path) -> Iterator[str]:
    """The commands of a page that print something else than it says."""
    place = Folder(folder)
    for part in _PART.finditer(page.read_text(encoding="utf-8")):
        if not _is_file(part, folder):
            for command in commands(part["session"]):
                printed = place.run(command.text)
                if not command.agrees(printed):
                    yield f"$ {command.text}\n{printed}--- but {page.name} has\n{command.output}"


def rewritten(page: Path, folder: Path) -> str:
    """The page with what its commands print today."""
    place = Folder(folder)

    def part_now(part: re.Match[str]) -> str:
        if _is_file(part, folder):
            return part[0]
        shown = ""
        for command in commands(part["session"]):
            printed = place.run(command.text)
            kept = command.agrees(printed) or f"\n{ANYTHING}\n" in f"\n{command.output}"
            shown += f"$ {command.text}\n{command.output if kept else printed}"
        return f"```console\n{shown}```\n"

    return _PART.sub(part_now, page.read_text(encoding="utf-8"))


def write_files(page: Path, folder: Path) -> None:
    """Writes the files that a page has for its sessions."""
    for part in _PART.finditer(page.read_text(encoding="utf-8")):
        _is_file(part, folder)


def _is_file(part: re.Match[str], folder: Path) -> bool:
    """Whether a part of a page is a file for its sessions; then it is there afterwards."""
    name = part["hidden"] or part["file"]
    if name is None:
        return False
    (folder / name).write_text(part["lines"] or part["text"], encoding="utf-8")
    return True


if __name__ == "__main__":
    for path in PAGES:
        with tempfile.TemporaryDirectory() as temporary:
            path.write_text(rewritten(path, Path(temporary)), encoding="utf-8")
