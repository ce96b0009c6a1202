"""Runs a compiled verifier and reads what it says: a line of JSON for each event."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from whorl import deadline
from whorl.program.choice import Choice
from whorl.search.limits import Progress

WAIT_AFTER_INTERRUPT = 10.0  # seconds for the verifier to give its figures
GRACE = 1.0  # seconds for it to end by itself after the time limit
SAID = 2000  # bytes of its standard error that matter

# What somebody else sends: the user, a script, the kernel where memory or time is short.
FROM_OUTSIDE = {
    signal.SIGKILL,
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGXCPU,
}

# The figures of a verifier before it has told any.
NOTHING_TOLD: dict[str, Any] = {
    "states": 0,
    "transitions": 0,
    "depth": 0,
    "seconds": 0.0,
    "memory_bytes": 0,
    "store_bytes": None,
    "truncated": False,
    "endless": False,
    "met": [],
    "reached": "",
    "finished": "",
    "crowded": False,
    "reduced": False,
}


class VerifierError(Exception):
    """The verifier ended without its figures: a bug of ours, never a verdict.

    `code` is how it ended, `said` what it wrote to its standard error.
    """

    def __init__(self, message: str, code: int = 0, said: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.said = said


@dataclass(slots=True)
class FoundViolation:
    """A violation, as the verifier tells it.

    `site` is -1 for an invalid end state, -2 for a run that the claim accepts; of that, `loop` is
    where the choices come again (None: the claim has come to its end).
    """

    site: int
    choices: tuple[Choice, ...]
    loop: int | None = None


@dataclass(slots=True)
class Outcome:
    """All that a verifier said."""

    violations: list[FoundViolation] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)  # its last line
    told: dict[str, Any] = field(default_factory=dict)  # its last progress
    seconds_before: float = 0.0  # of another one, which it took over from

    def cut(self, stopped: str, number: int) -> None:
        """It was ended, by a signal of that number: the figures are those that it told last."""
        self.figures = {**NOTHING_TOLD, **self.told, "stopped": stopped, "signal": number}


class NotStarted(Exception):
    """The verifier is not there, or cannot be executed where it is."""


def run(
    verifier: Path, arguments: Sequence[str], report: Callable[[Progress], None] | None
) -> Outcome:
    """Runs a verifier to its end. Ctrl-C makes it stop and give the figures so far.

    One that is ended from outside gives the figures that it told last.
    """
    errors = scratch()  # no pipe: the C of a model may say a lot
    command = [str(verifier), *arguments]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        errors.close()
        raise NotStarted(error.strerror or str(error)) from None
    outcome = Outcome()
    with errors, process, _Patience(process) as patience:
        try:
            try:
                _listen(process, outcome, report)
            except KeyboardInterrupt:
                patience.allow("interrupted", WAIT_AFTER_INTERRUPT)
                process.send_signal(signal.SIGINT)  # it may have had one from the terminal already
                _listen(process, outcome, None)
            code = process.wait()
            errors.seek(0)
            said = errors.read(SAID).decode("utf-8", "replace")
        finally:
            if process.poll() is None:
                process.kill()
    if not outcome.figures:
        stopped = patience.ended or ("killed" if -code in FROM_OUTSIDE else None)
        if stopped is None:
            raise no_figures(command, code, said)
        outcome.cut(stopped, -code)
    return outcome


def no_figures(command: Sequence[str], code: int, said: str) -> VerifierError:
    """What a verifier is to be told of that has ended without its figures."""
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    text = f"the verifier ended with {how} and no figures\n{said}\nto reproduce: "
    return VerifierError(text + " ".join(command), code, said)


class _Patience:
    """Kills a verifier that does not end when it should: the C of a model may go on for ever."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.ended: str | None = None  # why it was killed
        self.timer: threading.Timer | None = None

    def __enter__(self) -> _Patience:
        left = deadline.left()
        if left is not None:
            self.allow("time", left + GRACE)
        return self

    def __exit__(self, *raised: object) -> None:
        if self.timer is not None:
            self.timer.cancel()

    def allow(self, why: str, seconds: float) -> None:
        """So many seconds from now on, and no more."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = threading.Timer(seconds, self._kill, (why,))
        self.timer.daemon = True
        self.timer.start()

    def _kill(self, why: str) -> None:
        self.ended = why
        self.process.kill()


def scratch() -> IO[bytes]:
    """A file without a name to write to; where there is no room for one, nothing is kept."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return open(os.devnull, "r+b")


def _listen(
    process: subprocess.Popen[str],
    outcome: Outcome,
    report: Callable[[Progress], None] | None,
) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if not line.endswith("\n"):  # it was ended in the middle of it
            return
        if hear(line, outcome) and report is not None:
            report(_progress(outcome.told))


def hear(line: str, outcome: Outcome) -> bool:
    """Takes note of a line that a verifier has printed; whether it was of its progress."""
    try:
        event = json.loads(line)
    except json.JSONDecodeError:
        raise VerifierError(f"the verifier said what is no JSON: {line[:200]!r}") from None
    match event["type"]:
        case "progress":
            outcome.told = event
            return True
        case "violation" if "cut" not in event:  # a limit was hit while it was being told
            choices = tuple(Choice(*numbers) for numbers in event["choices"])
            outcome.violations.append(FoundViolation(event["site"], choices, event.get("loop")))
        case "done":
            outcome.figures = event
    return False


def _progress(event: dict[str, Any]) -> Progress:
    progress = Progress(event["states"], event["transitions"], event["depth"])
    progress.started -= event["seconds"]
    progress.memory_bytes = event["memory_bytes"]
    return progress
