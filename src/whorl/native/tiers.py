"""Runs a verifier that compiles in a moment, and an optimised one where a search goes on.

Most models are small: the time to their verdict is that of the compiler. So the first verifier is
compiled with little optimisation. If it has not ended after a while, an optimised one is compiled
beside it, and once that is there it begins the search anew. Both search in the same way, so it does
not matter which one comes to the end. Where the optimised one is there from before, it is used at
once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from whorl.native.compiler import (
    OPTIMISED,
    QUICK,
    Compilation,
    Compiler,
    CompilerError,
    build,
    kept,
)
from whorl.native.verifier import Outcome, run
from whorl.search.limits import Progress

PATIENCE = 0.5  # seconds of search before optimising begins


def search(
    text: str,
    compiler: Compiler,
    folders: Sequence[Path],
    words: Callable[[float], list[str]],
    report: Callable[[Progress], None] | None,
) -> Outcome:
    """What the verifier of a generated model says.

    `words` is its command line, given how many seconds have been searched in vain.
    """
    if compiler.has_level or kept(text, compiler, OPTIMISED) is not None:
        return run(build(text, compiler, folders), words(0), report)
    quick = build(text, compiler, folders, QUICK)
    with Compilation(text, compiler, folders, OPTIMISED) as optimising:
        watch = _Watch(optimising, report)
        try:
            return run(quick, words(0), watch)
        except _Optimised as optimised:
            verifier = optimised.verifier
    spent = watch.seconds
    outcome = run(verifier, words(spent), report)
    outcome.seconds_before = spent
    return outcome


class _Optimised(Exception):
    """The optimised verifier is there, and the quick one need not go on."""

    def __init__(self, verifier: Path) -> None:
        super().__init__()
        self.verifier = verifier


class _Watch:
    """Called with the progress of a quick verifier; raises `_Optimised` when it is time."""

    def __init__(self, optimising: Compilation, report: Callable[[Progress], None] | None) -> None:
        self.optimising = optimising
        self.report = report
        self.began = time.monotonic()
        self.started = False
        self.failed = False  # if there is no optimised one, the quick one goes on to its end

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def __call__(self, progress: Progress) -> None:
        if self.report is not None:
            self.report(progress)
        if not self.started:
            if self.seconds > PATIENCE:
                self.started = True
                with suppress(OSError):
                    self.optimising.start()
        elif self.optimising.done and not self.failed:
            try:
                verifier = self.optimising.result()
            except (CompilerError, OSError):
                self.failed = True
                return
            raise _Optimised(verifier)
