"""Runs a compiled verifier and reads what it says: a line of JSON for each event."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whorl.search.limits import Progress
from whorl.trace.trace import Choice

WAIT_AFTER_INTERRUPT = 10.0  # seconds for the verifier to give its figures
SAID = 2000  # bytes of its standard error that matter


class VerifierError(Exception):
    """The verifier ended without its figures: a bug of ours, never a verdict.

    `code` is how it ended, `said` what it wrote to its standard error.
    """

    def __init__(self, message: str, code: int = 0, said: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.said = said


@dataclass(slots=True)
class Found:
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

    violations: list[Found] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)  # its last line
    seconds_before: float = 0.0  # of another one, which it took over from


def run(
    verifier: Path, arguments: Sequence[str], report: Callable[[Progress], None] | None
) -> Outcome:
    """Runs a verifier to its end. Ctrl-C makes it stop and give the figures so far."""
    errors = tempfile.TemporaryFile()  # noqa: SIM115 (no pipe: the C of a model may say a lot)
    process = subprocess.Popen(
        [str(verifier), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    outcome = Outcome()
    with errors, process:
        assert process.stdout is not None
        try:
            try:
                _listen(process, outcome, report)
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT)  # it may have had one from the terminal already
                _listen(process, outcome, None)
            code = process.wait(WAIT_AFTER_INTERRUPT)
            errors.seek(0)
            said = errors.read(SAID).decode("utf-8", "replace")
        finally:
            if process.poll() is None:
                process.kill()
    if not outcome.figures:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        command = " ".join([str(verifier), *arguments])
        raise VerifierError(
            f"the verifier ended with {how} and no figures\n{said}\nto reproduce: {command}",
            code,
            said,
        )
    return outcome


def _listen(
    process: subprocess.Popen[str],
    outcome: Outcome,
    report: Callable[[Progress], None] | None,
) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            raise VerifierError(f"the verifier said what is no JSON: {line[:200]!r}") from None
        match event["type"]:
            case "progress":
                if report is not None:
                    report(_progress(event))
            case "violation":
                choices = tuple(Choice(*numbers) for numbers in event["choices"])
                outcome.violations.append(Found(event["site"], choices, event.get("loop")))
            case "done":
                outcome.figures = event


def _progress(event: dict[str, Any]) -> Progress:
    progress = Progress(event["states"], event["transitions"], event["depth"])
    progress.started -= event["seconds"]
    progress.memory_bytes = event["memory_bytes"]
    return progress
