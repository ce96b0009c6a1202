"""`whorl check --watch`: checks again whenever a file of the model changes."""

from __future__ import annotations

import hashlib
import shutil
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from whorl.cli.arguments import STDIN
from whorl.cli.models import models_of
from whorl.cli.points import points, sweeps
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, Source, WhorlError
from whorl.figures import counted
from whorl.files import read_text
from whorl.promela.preprocess import headers_of
from whorl.reports.outcome import ModelOutcome
from whorl.verdict import EXIT_BAD_INPUT

PAUSE = 0.2  # seconds between two looks
MOST_POINTS = 20  # of a sweep, whose headers are looked for

Round = tuple[list[ModelOutcome], int]  # what came of the checks, and the exit status
Contents = dict[Path, str | None]  # a digest of each file; None: there is none to read


def watch(arguments: Namespace, terminal: Terminal, check: Callable[[], Round]) -> int:
    """Checks until a request to end, such as Ctrl-C; the exit status of the last check."""
    if STDIN in arguments.models or arguments.emit_c is not None:
        which = "standard input" if STDIN in arguments.models else "--emit-c"
        message = f"--watch does not go with {which}"
        raise WhorlError(Diagnostic("error", message, None, "give a file, and look at its verdict"))
    arguments.pager = False  # nobody would be there to leave it
    status: int | None = None
    while True:
        before = contents(arguments)
        terminal.heard.clear()
        terminal.err.line(_rule(terminal))
        try:
            outcomes, status = check()
        except WhorlError as error:
            if status is None:
                raise
            terminal.error(error.render(terminal.err.style.color))
            status = EXIT_BAD_INPUT
        else:
            if any(outcome.interrupted for outcome in outcomes):
                return status
        try:
            said = f"watching {counted(len(before), 'file')}; Ctrl-C ends it"
            terminal.out.flush()
            terminal.err.line(terminal.err.style.paint(said, "faint"))
            terminal.err.flush()
            _wait_for_change(arguments, before)
        except KeyboardInterrupt:
            return status


def contents(arguments: Namespace) -> Contents:
    """The files that a check reads, each with what is in it."""
    return {path: _digest(path) for path in dict.fromkeys(_files(arguments))}


def _files(arguments: Namespace) -> Iterator[Path]:
    """The models, the headers that they include, and the automata; of missing ones the names."""
    try:
        names = models_of(arguments.models).names
    except WhorlError:  # a folder without models, so far
        names = ()
    swept = sweeps(arguments.defines, arguments.sweep)
    folders = [Path(folder) for folder in arguments.include_dirs]
    for path in map(Path, names):
        yield path
        try:
            source = Source(str(path), read_text(path))
        except (OSError, ValueError):
            continue
        for point in islice(points(swept), MOST_POINTS):
            defines = dict(arguments.defines) | dict(point)
            yield from headers_of(source, defines, folders, path.parent)
    yield from map(Path, arguments.hoa)


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return None


def _wait_for_change(arguments: Namespace, before: Contents) -> None:
    """Returns when the files differ from `before`, and have been the same for a moment.

    Files whose times and sizes are as before are not read again.
    """
    stamps = None
    while True:
        now = _stamps(arguments, before)
        if now != stamps and contents(arguments) != before:
            break
        stamps = now
        time.sleep(PAUSE)
    last = None
    while last != (last := contents(arguments)):  # an editor may still be writing
        time.sleep(PAUSE)


def _stamps(arguments: Namespace, known: Contents) -> dict[Path, tuple[int, int, int] | None]:
    """What tells a changed file without reading it; new models of a folder are among them."""
    try:
        names = models_of(arguments.models).names
    except WhorlError:
        names = ()
    return {path: _stamp(path) for path in dict.fromkeys([*known, *map(Path, names)])}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _rule(terminal: Terminal) -> str:
    """A line with the time, between one report and the next."""
    style = terminal.err.style
    width = min(shutil.get_terminal_size().columns, 100)
    said = f"{style.symbols.rule * 2} {time.strftime('%H:%M:%S')} "
    return style.paint(said.ljust(width, style.symbols.rule), "faint")
