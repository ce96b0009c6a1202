"""Checks a model as the editor has it, by `whorl check` in a process that can be ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from whorl.diagnostics import Source

GRACE = 10.0  # seconds after its time limit until a check is ended from outside
PATIENCE = 5.0  # seconds that a check has to end when it is asked to


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What a check found, in words, and the page of the counterexample if there is one."""

    verdict: str
    summary: str
    page: Path | None


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """A model to check: its files as the editor has them, and what to check of it."""

    sources: Sequence[Source]  # the model itself first
    claim: str | None
    timeout: float
    include_dirs: Sequence[Path] = ()
    defines: Mapping[str, str] | None = None
    options: Sequence[str] = ()


async def check(request: CheckRequest, folder: Path) -> CheckOutcome:
    """The outcome of a check. The page is left in `folder`; whoever cancels this ends the check."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        model = _copy(request.sources, Path(place))
        page = Path(tempfile.mkdtemp(dir=folder)) / f"{model.stem}-{request.claim or 'model'}.html"
        command = _command(request, model, page)
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(request.timeout + GRACE):
                printed, complaint = await process.communicate()
        except TimeoutError:
            return CheckOutcome("inconclusive", "the time is over", None)
        finally:
            if process.returncode is None:
                await _end(process)
    return _outcome(printed, complaint, page)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ends a check. Asked to, it ends what it has started; if it does not, all of it is killed."""
    try:
        process.terminate()
        async with asyncio.timeout(PATIENCE):
            await process.wait()
    except (TimeoutError, ProcessLookupError):
        pass
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _copy(sources: Sequence[Source], place: Path) -> Path:
    """Writes the texts of the editor, where they find one another; the model's file."""
    first = Path(sources[0].name)
    model = place / (first.name if first.suffix else "model.pml")
    model.write_text(sources[0].text, encoding="utf-8")
    for header in sources[1:]:
        path = Path(header.name)
        if path.is_relative_to(first.parent):
            copy = place / path.relative_to(first.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(header.text, encoding="utf-8")
    return model


def _command(request: CheckRequest, model: Path, page: Path) -> list[str]:
    folders = [Path(request.sources[0].name).parent, *request.include_dirs]
    return [
        *(sys.executable, "-m", "whorl", "check", "--json", "--html", str(page)),
        *("--timeout", str(request.timeout)),
        *(f"-I{folder}" for folder in folders),
        *(f"-D{name}={value}" for name, value in (request.defines or {}).items()),
        *(() if request.claim is None else ("--claim", request.claim)),
        *request.options,
        str(model),
    ]


def _outcome(printed: bytes, complaint: bytes, page: Path) -> CheckOutcome:
    """What a check printed, understood."""
    try:
        data = json.loads(printed)
    except ValueError:
        said = complaint.decode("utf-8", "replace").strip().splitlines()
        return CheckOutcome("error", said[-1] if said else "the check ended without a result", None)
    if "error" in data:
        messages = data["error"] if isinstance(data["error"], list) else [data["error"]]
        texts = [m.get("message", "") if isinstance(m, dict) else str(m) for m in messages]
        return CheckOutcome("error", "; ".join(texts), None)
    lines = [
        f"{each['name']}: {each['verdict']}" + (f" ({each['why']})" if each.get("why") else "")
        for each in data["properties"]
    ]
    figures = data["statistics"]
    lines.append(f"{figures['states']:,} states, {figures['seconds']:.2f} s")
    return CheckOutcome(data["verdict"], "\n".join(lines), page if page.is_file() else None)
