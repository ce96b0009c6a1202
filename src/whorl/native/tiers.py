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
from functools import partial
from pathlib import Path

from whorl.native.compiler import OPTIMISED, QUICK, Builder, Compilation, Compiler, CompilerError
from whorl.native.verifier import NotStarted, Outcome, run
from whorl.search.limits import Progress

PATIENCE = 0.5  # seconds of search before optimising begins
Report = Callable[[Progress], None]


def search(
    text: str,
    compiler: Compiler,
    folders: Sequence[Path],
    words: Callable[[float], list[str]],
    report: Report | None,
) -> Outcome:
    """What the verifier of a generated model says.

    `words` is its command line, given how many seconds have been searched in vain.
    """
    builder = Builder(compiler, folders)
    if compiler.has_level or builder.found(text, OPTIMISED) is not None:
        return _run(builder, text, OPTIMISED, partial(words, 0), report)
    with builder.compilation(text, OPTIMISED) as optimising:
        watch = _Watch(optimising, report)
        try:
            return _run(builder, text, QUICK, partial(words, 0), watch)
        except _Optimised:
            spent = watch.seconds
    outcome = _run(builder, text, OPTIMISED, partial(words, spent), report)
    outcome.seconds_before = spent
    return outcome


def _run(
    builder: Builder,
    text: str,
    level: str,
    words: Callable[[], list[str]],
    report: Report | None,
) -> Outcome:
    """Builds a verifier and runs it.

    What another process has removed from the cache meanwhile, or what cannot be executed there, is
    built once more, elsewhere.
    """
    try:
        return run(builder.build(text, level), words(), report)
    except NotStarted:
        builder.do_without_cache()
    verifier = builder.build(text, level)
    try:
        return run(verifier, words(), report)
    except NotStarted as error:
        raise CompilerError(f"the verifier cannot be run: {error}", [str(verifier)]) from None


class _Optimised(Exception):
    """The optimised verifier is there, and the quick one need not go on."""


class _Watch:
    """Called with the progress of a quick verifier; raises `_Optimised` when it is time."""

    def __init__(self, optimising: Compilation, report: Report | None) -> None:
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
                try:
                    self.optimising.start()
                except CompilerError:
                    self.failed = True
        elif not self.failed and self.optimising.done:
            try:
                self.optimising.result()
            except CompilerError:
                self.failed = True
                return
            raise _Optimised
