"""The search of a task by workers of Ray, with what it keeps, and requests to end it."""

from __future__ import annotations

import re
import secrets
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from whorl.native import cache
from whorl.native.cluster.engine import explore_together, planned
from whorl.native.cluster.kept import KeptSearch, opened, refuse_used
from whorl.native.cluster.ray_driver import connected
from whorl.native.cluster.recovery import EnduringSearch
from whorl.native.compiler import Compiler
from whorl.search.exploration import ClusterFigures, Exploration
from whorl.search.limits import LEAST, Limits, Progress
from whorl.task import ClusterOptions, Task

REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def explore_clustered(task: Task, compiler: Compiler) -> Exploration:
    """Does a task with the workers that its options ask for."""
    asked = task.native.cluster
    assert asked is not None
    task = planned(task)
    folder, resumed = _place(task, asked)
    say = _sayer(task)
    with connected(asked.address, asked.workers, say) as cluster, requests() as interrupted:
        workers = asked.workers or cluster.workers
        if resumed is not None and asked.workers is None:
            workers = resumed.search["workers"]
        wanted = asked.checkpoint is not None or asked.resume is not None
        searching = EnduringSearch(cluster.gather, folder, resumed, wanted, say)
        stop = SearchEnd(task.options.limits, interrupted)
        found = explore_together(task, compiler, searching, workers, stop, searching.room)
    return _with_figures(found, searching)


def _place(task: Task, asked: ClusterOptions) -> tuple[Path, KeptSearch | None]:
    """Where to keep what is found, and what is there already."""
    name = re.sub(r"[^\w.-]", "_", task.name)
    if asked.resume is not None:
        folder = asked.resume / name
        # Of several searches some had not begun, or came to their end.
        if folder.exists() or not any(asked.resume.glob("*/search.json")):
            return folder, opened(folder)
        return folder, None
    if asked.checkpoint is not None:
        folder = asked.checkpoint / name
        refuse_used(folder)
        return folder, None
    base = cache.location() or Path(tempfile.gettempdir()) / "whorl"
    stem = re.sub(r"\W", "_", Path(task.program.source.name).stem)
    return base / "cluster" / f"{stem}-{secrets.token_hex(4)}" / name, None


def _sayer(task: Task) -> Callable[[str], None]:
    """Tells of what comes before a search."""
    report = task.options.report
    return lambda doing: None if report is None else report(Progress(doing=doing))


@dataclass(slots=True)
class SearchEnd:
    """Whether a search has to end between two supersteps, and why."""

    limits: Limits
    interrupted: Callable[[], bool]
    began: float = field(default_factory=time.monotonic)

    def __call__(self) -> str | None:
        if self.interrupted():
            return "interrupted"
        left = self.limits.seconds_left(time.monotonic() - self.began)
        return "time" if left is not None and left <= LEAST else None


@contextmanager
def requests() -> Iterator[Callable[[], bool]]:
    """Within it a Ctrl-C is a request, which can be asked for; the next one interrupts."""
    seen = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal seen
        if seen:
            raise KeyboardInterrupt
        seen = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    # Of a command others are requests, too (whorl.__main__).
    found = {number: signal.getsignal(number) for number in REQUESTS}
    before = {number: handler for number, handler in found.items() if callable(handler)}
    for number in before:
        signal.signal(number, note)
    try:
        yield lambda: seen
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _with_figures(found: Exploration, searching: EnduringSearch) -> Exploration:
    """The same with what the workers did. What is kept of a search that is done is removed."""
    keeping, figures = searching.keeping, found.cluster
    assert figures is not None
    assert keeping is not None
    kept = keeping.kept
    found.cluster = ClusterFigures(
        figures.workers,
        figures.supersteps,
        figures.sent,
        figures.sent_bytes,
        figures.spared,
        figures.seconds,
        len(kept.commits),
        kept.states,
        kept.bytes,
        keeping.seconds,
        str(kept.folder.parent) if found.stopped is not None and kept.commits else None,
        keeping.failed,
        tuple(searching.losses),
        keeping.resumed,
    )
    if found.stopped is None or not kept.commits:
        kept.remove()
        _remove_empty(kept.folder.parent)
    return found


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
