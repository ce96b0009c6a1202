"""The live line on standard error that says how far a search has come."""

from __future__ import annotations

import shutil
import time

from whorl.cli.terminal import OutputStream, is_live
from whorl.diagnostics import visible
from whorl.figures import bytes_text, count_text
from whorl.memory import resident_bytes
from whorl.search.limits import Progress

REDRAW_SECONDS = 0.1


class ProgressLine:
    """Shows progress on a terminal, redrawn in place; elsewhere it shows nothing."""

    def __init__(self, output: OutputStream, wanted: bool = True, which: str = "") -> None:
        self.which = which  # of several checks
        self.output = output
        self.live = wanted and is_live(output.stream)
        self.drawn = False
        self.next_time = time.monotonic() + REDRAW_SECONDS

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if not self.live or (now < self.next_time and not progress.doing):
            return
        self.next_time = now + REDRAW_SECONDS
        width = shutil.get_terminal_size().columns
        memory = progress.memory_bytes or resident_bytes()
        text = progress_text(progress, memory)
        line = (f"{visible(self.which)}: {text}" if self.which else text)[: max(1, width - 1)]
        self.drawn = True  # before the line is, for an interrupt may come in between
        self.output.write(f"\r{self.output.style.paint(line, 'faint')}\x1b[K")
        self.output.flush()

    def erase(self) -> None:
        if self.drawn:
            self.output.write("\r\x1b[K")
            self.output.flush()
            self.drawn = False


def progress_text(progress: Progress, memory: int) -> str:
    what = f"{visible(progress.about)}: " if progress.about else ""
    if progress.doing or not progress.states:
        return what + (progress.doing or "searching")
    rate = progress.states / max(progress.seconds, 1e-9)
    size = f", {bytes_text(memory)}" if memory else ""
    workers = f", {progress.workers}" if progress.workers else ""
    return (
        f"{what}{count_text(progress.states)} states,"
        f" {count_text(progress.transitions)} transitions, depth {progress.depth:,},"
        f" {count_text(round(rate))} states/s{size}{workers}"
    )
