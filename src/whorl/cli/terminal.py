"""Where the command line writes: a stream with or without colour, that may close at any time."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from whorl.trace.style import ASCII, UNICODE, Style

_NEEDED = "✓✗…→╭│╰"


class Output:
    """A stream to write to. Once its reader has gone (`| head`), writing does nothing."""

    def __init__(self, stream: TextIO, color: str = "auto") -> None:
        self.stream = stream
        self.closed = False
        self.encoding = getattr(stream, "encoding", None) or "utf-8"
        symbols = UNICODE if _can_show(_NEEDED, self.encoding) else ASCII
        self.style = Style(_wants_color(stream, color), symbols)

    def line(self, text: str = "") -> None:
        self.write(f"{text}\n")

    def write(self, text: str) -> None:
        if self.closed:
            return
        safe = text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        try:
            self.stream.write(safe)
        except BrokenPipeError:
            self.abandon()

    def flush(self) -> None:
        if self.closed:
            return
        try:
            self.stream.flush()
        except BrokenPipeError:
            self.abandon()

    def abandon(self) -> None:
        """Gives the stream up, so that Python does not complain about it at exit."""
        self.closed = True
        try:
            descriptor = self.stream.fileno()
        except (OSError, ValueError):
            return
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)


class Terminal:
    """Standard output for results, standard error for everything else."""

    def __init__(self, color: str = "auto") -> None:
        self.out = Output(sys.stdout, color)
        self.err = Output(sys.stderr, color)

    def flush(self) -> None:
        self.out.flush()
        self.err.flush()


def is_live(stream: TextIO) -> bool:
    """Whether somebody watches, on a terminal that can redraw a line."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _wants_color(stream: TextIO, color: str) -> bool:
    if color != "auto":
        return color == "always"
    return is_live(stream) and not os.environ.get("NO_COLOR")


def _can_show(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
