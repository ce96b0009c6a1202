"""Where the command line writes: streams with or without colour, that may fail at any time."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

from whorl.diagnostics import Diagnostic, visible_lines
from whorl.trace.style import ASCII, UNICODE, Style
from whorl.verdict import EXIT_BAD_INPUT, EXIT_CODES, HOLDS, INCONCLUSIVE

_NEEDED = "✓✗…→╭│╰"
_COLOR = re.compile(r"(\x1b\[[0-9;]*m)")


class OutputStream:
    """A stream to write to; None: a closed one. After it has failed, writing does nothing.

    `lost` says why it failed. It stays None where the reader has gone (`| head`), who has read what
    it wanted.
    """

    def __init__(self, stream: TextIO | None, color: str = "auto") -> None:
        self.stream = stream
        self.closed = False
        self.lost: str | None = None
        self.encoding = getattr(stream, "encoding", None) or "utf-8"
        symbols = UNICODE if _can_show(_NEEDED, self.encoding) else ASCII
        self.style = Style(_wants_color(stream, color), symbols)

    def line(self, text: str = "") -> None:
        """A line; control characters of file names and models are not written as they are."""
        self.write(f"{self._visible(text)}\n")

    def lines(self, text: str) -> None:
        """A text that ends its last line itself."""
        self.line(text.removesuffix("\n"))

    def write(self, text: str) -> None:
        """The text just as it is."""
        if self.closed or not text:
            return
        if self.stream is None:
            self.abandon("it is closed")
            return
        safe = text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        try:
            self.stream.write(safe)
        except ConnectionError:
            self.abandon()
        except (OSError, ValueError) as error:
            self.abandon(_reason(error))

    def flush(self) -> None:
        if self.closed or self.stream is None:
            return
        try:
            self.stream.flush()
        except ConnectionError:
            self.abandon()
        except (OSError, ValueError) as error:
            self.abandon(_reason(error))

    def abandon(self, why: str | None = None) -> None:
        """Gives the stream up, so that Python does not complain about it at exit."""
        self.closed = True
        self.lost = why
        if self.stream is None:
            return
        try:
            descriptor = self.stream.fileno()
        except (OSError, ValueError):
            return
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)

    def safe(self, text: str) -> str:
        """The line as `line` writes it."""
        return self._visible(text).encode(self.encoding, "backslashreplace").decode(self.encoding)

    def _visible(self, text: str) -> str:
        """The text without control characters, but for line ends and colours of our own."""
        pieces = _COLOR.split(text) if self.style.color else [text]
        pieces[::2] = map(visible_lines, pieces[::2])
        return "".join(pieces)


class Terminal:
    """Standard output for results, standard error for everything else.

    `verdict` is what was found, in one line: standard error has it where standard output fails.
    With `json`, standard output has errors in JSON, and nothing else.
    """

    def __init__(self, color: str = "auto", json: bool = False) -> None:
        self.out = OutputStream(sys.stdout, color)
        self.err = OutputStream(sys.stderr, color)
        self.json = json
        self.verdict = ""
        self.heard: set[str] = set()  # warnings and errors: each is said once

    def warn(self, warning: Diagnostic) -> None:
        """A warning, unless it was said of another check."""
        for text in self.unheard([warning.render(self.err.style.color)]):
            self.err.line(text)

    def unheard(self, texts: Iterable[str]) -> list[str]:
        """Those of the texts that were not said of another check; from now on they are."""
        new = [text for text in dict.fromkeys(texts) if text not in self.heard]
        self.heard.update(new)
        return new

    def error(self, text: str) -> None:
        """What must be heard: on standard output where standard error fails."""
        self.out.flush()  # what was said before comes first
        self.err.line(text)
        self.err.flush()
        if self.err.lost is not None and not self.json:
            self.out.line(text)

    def finish(self, status: int) -> int:
        """Writes what is left; the exit status, which is 2 for a result that could not be written.

        A violation that was found stays one.
        """
        self.out.flush()
        if self.out.lost is not None:
            if self.verdict:
                self.err.line(self.verdict)
            problem = Diagnostic("error", f"cannot write to standard output: {self.out.lost}")
            self.err.line(problem.render(self.err.style.color))
            if status in (EXIT_CODES[HOLDS], EXIT_CODES[INCONCLUSIVE]):
                status = EXIT_BAD_INPUT
        self.err.flush()
        return status


def occupy_descriptors() -> None:
    """Opens the descriptors 0, 1 and 2 where they are closed: no file of ours must be one."""
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)


def is_live(stream: TextIO | None) -> bool:
    """Whether somebody watches, on a terminal that can redraw a line."""
    if stream is None or not stream.isatty():
        return False
    return os.environ.get("TERM", "") not in ("", "dumb")


def _wants_color(stream: TextIO | None, color: str) -> bool:
    if color != "auto":
        return color == "always"
    return is_live(stream) and not os.environ.get("NO_COLOR")


def _can_show(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
