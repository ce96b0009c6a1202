"""The command `whorl` in a browser: the page is its terminal.

`worker.js` loads this into Pyodide. It is the command line as it is, with a model in a file and the
reference engine.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict

from whorl.cli.main import main

MODEL = "model.pml"
PAGE = ".page-of-the-playground.html"


class Answer(TypedDict):
    """What a command printed, its exit status, and the page of its counterexample if it has one."""

    status: int
    report: str
    page: str | None


class LiveStream(io.StringIO):
    """A terminal that hands on at once what is drawn in place, which is progress."""

    def __init__(self, show: Callable[[str], object]) -> None:
        super().__init__()
        self.show = show

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not text.startswith("\r"):
            return super().write(text)
        self.show(text.strip("\r").removesuffix("\x1b[K"))
        return len(text)


def check(model: str, options: Sequence[str], more: str, show: Callable[[str], object]) -> Answer:
    """Checks a model with options, and `more` as in a shell; `show` is given the progress."""
    try:
        words = [*options, *shlex.split(more)]
    except ValueError as error:
        return Answer(status=2, report=f"whorl: error: more options: {error}\n", page=None)
    Path(MODEL).write_text(model, encoding="utf-8", errors="replace")
    Path(PAGE).unlink(missing_ok=True)
    ours = ["--engine", "reference", "--html", PAGE, "--no-pager"]
    status, report = run(["check", MODEL, *ours, *words], show)
    page = Path(PAGE).read_text(encoding="utf-8") if Path(PAGE).exists() else None
    return Answer(status=status, report=report, page=page)


def run(words: Sequence[str], show: Callable[[str], object]) -> tuple[int, str]:
    """The exit status of a command, and what it wrote to its two outputs."""
    os.environ.update(TERM="xterm", COLUMNS="100")
    stream = LiveStream(show)
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = stream
    try:
        status = main(words)
    finally:
        sys.stdout, sys.stderr = before
    lines = stream.getvalue().splitlines(keepends=True)
    return status, "".join(line for line in lines if PAGE not in line)
