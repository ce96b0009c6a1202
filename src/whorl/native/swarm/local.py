"""Runs searches of a swarm on this machine: each is a process that leads a group of its own.

A Ctrl-C of the terminal does not reach them. Whoever gives them out ends them.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from whorl.native.compiler import end_group
from whorl.native.swarm.listed import ListedSearch
from whorl.native.verifier import FROM_OUTSIDE, SAID, Outcome, hear, no_figures, scratch

_CHUNK = 1 << 16


@dataclass(slots=True)
class Running:
    """A search that runs, and what its verifier has said so far."""

    search: ListedSearch
    command: list[str]
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    outcome: Outcome = field(default_factory=Outcome)
    rest: bytes = b""  # of a line that has not been said to its end

    def read(self) -> bool:
        """Reads what there is to read; whether there may be more."""
        assert self.process.stdout is not None
        said = os.read(self.process.stdout.fileno(), _CHUNK)
        *lines, self.rest = (self.rest + said).split(b"\n")
        for line in lines:
            hear(line.decode("utf-8", "replace"), self.outcome)
        return bool(said)

    def end(self) -> None:
        """Has said everything; VerifierError if that is without figures, and nobody is to blame."""
        code = self.process.wait()
        if self.outcome.figures:
            return
        if -code in FROM_OUTSIDE:
            self.outcome.cut("killed", -code)
            return
        self.errors.seek(0)
        raise no_figures(self.command, code, self.errors.read(SAID).decode("utf-8", "replace"))


class LocalWorkers:
    """Processes that search: `verifier` is what to run, `words` its command line for a search."""

    def __init__(
        self, verifier: Callable[[], Path], words: Callable[[ListedSearch], list[str]]
    ) -> None:
        self._verifier = verifier
        self._words = words
        self._running: dict[int, Running] = {}  # by the number of the search
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> LocalWorkers:
        return self

    def __exit__(self, *raised: object) -> None:
        for each in list(self._running.values()):
            end_group(each.process)
            self._forget(each)
        self._selector.close()

    @property
    def running(self) -> list[Outcome]:
        """What the searches that run have said so far."""
        return [each.outcome for each in self._running.values()]

    def start(self, search: ListedSearch) -> None:
        """OSError if the verifier cannot be run."""
        command = [str(self._verifier()), *self._words(search)]
        errors = scratch()
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                process_group=0,
            )
        except OSError:
            errors.close()
            raise
        each = Running(search, command, process, errors)
        self._running[search.number] = each
        assert process.stdout is not None
        self._selector.register(process.stdout, selectors.EVENT_READ, each)

    def ended(self, seconds: float) -> Iterator[tuple[ListedSearch, Outcome]]:
        """Waits so long at most until something is said; the searches that came to their end."""
        for key, _ in self._selector.select(seconds):
            each: Running = key.data
            if each.read():
                continue
            try:
                each.end()
            finally:
                self._forget(each)
            yield each.search, each.outcome

    def stop(self) -> None:
        """Asks all of them to end, with their figures."""
        for each in self._running.values():
            with contextlib.suppress(ProcessLookupError, PermissionError):  # it has just ended
                os.killpg(each.process.pid, signal.SIGINT)

    def stopped(self, seconds: float) -> Iterator[tuple[ListedSearch, Outcome]]:
        """Those that end within so many seconds after they were asked to; the others are killed."""
        self.stop()
        until = time.monotonic() + seconds
        while self._running and (left := until - time.monotonic()) > 0:
            yield from self.ended(left)
        for each in list(self._running.values()):
            end_group(each.process)
            each.outcome.cut("killed", signal.SIGKILL)
            self._forget(each)
            yield each.search, each.outcome

    def _forget(self, each: Running) -> None:
        assert each.process.stdout is not None
        del self._running[each.search.number]
        self._selector.unregister(each.process.stdout)
        each.process.stdout.close()
        each.errors.close()
