"""Runs a verifier that compiles in a moment, and an optimised one where a search goes on.

Most models are small: the time to their verdict is that of the compiler. So the first verifier is
compiled with little optimisation. If it has not ended after a while, an optimised one is compiled
beside it, and once that is there it begins the search anew. Both search in the same way, so it does
not matter which one comes to the end; but the optimised one may do so on several threads. Where
the optimised one is there from before, it is used at once. A quick one may be for several claims
(weave.py), an optimised one is for a single one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from whorl.native.compiler import OPTIMISED, QUICK, Builder, Compilation, CompilerError
from whorl.native.verifier import NotStarted, Outcome, run
from whorl.search.limits import Progress

PATIENCE = 0.5  # seconds of search before optimising begins
Report = Callable[[Progress], None]
Words = Callable[[float], list[str]]


@dataclass(slots=True)
class ClaimGroup:
    """Claims that have one quick verifier."""

    text: str
    count: int
    failed: bool = False  # it could not be compiled, or not be run


@dataclass(frozen=True, slots=True)
class Final:
    """What the optimised verifier is compiled from, where that is not as the quick one is."""

    text: str
    words: Words


@dataclass(frozen=True, slots=True)
class Shared:
    """A verifier for a group of claims, and which of them is to be searched for."""

    group: ClaimGroup
    number: int


def alone() -> Shared | None:
    """There is no verifier for others, too."""
    return None


def search(
    text: str,
    builder: Builder,
    words: Words,
    report: Report | None,
    shared: Callable[[], Shared | None] = alone,
    final: Final | None = None,
) -> Outcome:
    """What the verifier of a generated model says.

    `words` is its command line, given how many seconds have been searched in vain. `shared` is a
    verifier that searches just as that of `text`, and is for others as well.
    """
    final = Final(text, words) if final is None else final
    if builder.compiler.has_level or builder.found(final.text, OPTIMISED) is not None:
        return _run(builder, final.text, OPTIMISED, partial(final.words, 0), report)
    with builder.compilation(final.text, OPTIMISED) as optimising:
        watch = _Watch(optimising, report)
        try:
            return _quick(builder, text, words, watch, shared)
        except _Optimised:
            spent = watch.seconds
    outcome = _run(builder, final.text, OPTIMISED, partial(final.words, spent), report)
    outcome.seconds_before = spent
    return outcome


def _quick(
    builder: Builder,
    text: str,
    words: Words,
    watch: _Watch,
    shared: Callable[[], Shared | None],
) -> Outcome:
    """What a quick verifier says: one that is there, else the shared one, else its own."""
    verifier = None if builder.found(text, QUICK) is not None else shared()
    if verifier is not None and not verifier.group.failed:
        group, chosen = verifier.group, ["--claim", str(verifier.number)]
        begin = partial(watch.begin, lambda spent: words(spent) + chosen)
        try:
            return _run(builder, group.text, QUICK, begin, watch, group.count)
        except CompilerError:
            group.failed = True  # each one's own may be better off
    return _run(builder, text, QUICK, partial(watch.begin, words), watch)


def _run(
    builder: Builder,
    text: str,
    level: str,
    words: Callable[[], list[str]],
    report: Report | None,
    claims: int = 1,
) -> Outcome:
    """Builds a verifier, for so many claims, and runs it.

    What another process has removed from the cache meanwhile, or what cannot be executed there, is
    built once more, elsewhere.
    """
    if report is not None and builder.found(text, level) is None:
        also = "" if claims == 1 else f" for {claims} properties at once"
        report(Progress(doing=f"compiling{also}"))
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
        self.began = time.monotonic()  # of the search, once it has begun
        self.started = False
        self.failed = False  # if there is no optimised one, the quick one goes on to its end

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def begin(self, words: Words) -> list[str]:
        """The search begins now, with these words."""
        self.began = time.monotonic()
        return words(0)

    def __call__(self, progress: Progress) -> None:
        if self.report is not None:
            self.report(progress)
        if progress.doing:  # it does not search yet
            return
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
