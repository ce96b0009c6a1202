"""The swarm of a task: its verifier, how much memory each search has, and what came of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from whorl import deadline
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.native.code.generate import Generated
from whorl.native.compiler import OPTIMISED, QUICK, Builder, Compilation, Compiler, CompilerError
from whorl.native.embedded.embedding import crashed, refused
from whorl.native.engine import arguments, is_full, larger, reached_by, violations_of
from whorl.native.job import is_most, job_of
from whorl.native.series import Series
from whorl.native.swarm.hunt import Hunted, Quarry, hunt, memory_text
from whorl.native.swarm.listed import LEAST_BITS, ListedSearch, SearchList
from whorl.native.swarm.local import LocalWorkers
from whorl.native.tiers import PATIENCE
from whorl.native.verifier import Outcome, VerifierError
from whorl.search.exploration import Exploration
from whorl.search.limits import Progress
from whorl.task import Task
from whorl.trace.replay import REPLAY_GRACE, REPLAYING

LEAST_STACK = 4  # of the memory of a search, its bit array has at most one part in so many


@dataclass(frozen=True, slots=True)
class SwarmOptions:
    """What is asked of a swarm besides what a task says."""

    workers: int
    seed: int
    searches: int | None = None  # at most
    only: int | None = None  # the number of the one search to do
    bits: int | None = None  # of each; None: as listed


def swarm_native(task: Task, compiler: Compiler, asked: SwarmOptions) -> tuple[Exploration, Hunted]:
    """Does searches of a swarm for violations of safety."""
    task, listed = _sized(task, asked)
    series = Series(task.semantics)
    job = replace(job_of(task), swarm=True)
    room = series.estimated
    while True:
        with deadline.phase("analysing the model"):
            written = series.written(job, room)
        generated = written.generated
        first, last = asked.only or 1, asked.only or asked.searches

        def words(search: ListedSearch, store: str = written.store) -> list[str]:
            said = arguments(task, store)
            at = said.index("--order")
            return [*said[:at], *said[at + 2 :], *search.words]

        quarry = Quarry(
            listed,
            first,
            last,
            asked.workers if asked.only is None else 1,
            task.options.limits,
            _Judge(generated, is_most(room)),
            task.options.report,
        )
        hunted = _hunted(series.builder(compiler), written.text, words, quarry)
        if hunted.full is None:
            break
        room = larger(*room, fair=False)
    result = _exploration(hunted)
    result.reached = reached_by(
        task.program,
        generated.merging,
        {"reached": _bitmap(hunted.reached), "finished": _bitmap(hunted.finished)},
    )
    if hunted.found is not None:
        try:
            with deadline.phase(REPLAYING, grace=REPLAY_GRACE):
                result.violations = violations_of(task, generated, hunted.found[1])
        except deadline.TimeUp as up:
            result.stopped = str(up)
    return result, hunted


@dataclass(frozen=True, slots=True)
class _Judge:
    """Whether what a search found is a violation, and not a verifier that is too small."""

    generated: Generated
    is_most: bool  # there is no larger one

    def __call__(self, outcome: Outcome) -> bool:
        return self.is_most or not is_full(self.generated, outcome)


def _sized(task: Task, asked: SwarmOptions) -> tuple[Task, SearchList]:
    """The task of one worker, and the list of searches whose arrays it has room for."""
    limits, most = task.options.limits, 40
    if limits.memory_bytes is not None:
        share = limits.memory_bytes // asked.workers
        limits = replace(limits, memory_bytes=share)
        most = max((share // LEAST_STACK * 8).bit_length() - 1, LEAST_BITS)
        if asked.bits is not None and asked.bits > most:
            raise WhorlError(
                Diagnostic(
                    "error",
                    f"arrays of 2^{asked.bits} bits do not fit in the memory that there is:"
                    f" {memory_text(share, asked.workers)}",
                    None,
                    f"--bits {most} does, or fewer --workers, or more --memory",
                )
            )
    depth = task.options.limits.depth
    listed = SearchList(asked.seed, asked.bits, min(most, 40), depth)
    limits = replace(limits, depth=None)  # each search has its own
    options = replace(task.options, limits=limits)
    return replace(task, options=options, reduction=task.plan), listed


def _hunted(
    builder: Builder, text: str, words: Callable[[ListedSearch], list[str]], quarry: Quarry
) -> Hunted:
    """The searches: by a quick verifier, until an optimised one is there."""
    try:
        with builder.compilation(text, OPTIMISED) as optimising:
            verifiers = _Verifiers(builder, text, optimising, quarry.report)
            verifiers.best()
            with LocalWorkers(verifiers.best, words) as workers:
                return hunt(quarry, workers)
    except OSError as error:
        why = f"the verifier cannot be run: {error.strerror or error}"
        raise CompilerError(why, []) from None


@dataclass(slots=True)
class _Verifiers:
    """The best verifier that there is by now."""

    builder: Builder
    text: str
    optimising: Compilation
    report: Callable[[Progress], None] | None
    quick: Path | None = None
    optimised: Path | None = None
    began: float = 0.0
    failed: bool = False

    def best(self) -> Path:
        if self.quick is None and self.optimised is None:
            self._begin()
        elif self.optimised is None and not self.failed:
            self._look()
        best = self.optimised or self.quick
        assert best is not None
        return best

    def _begin(self) -> None:
        if self.builder.compiler.has_level or self.builder.found(self.text, OPTIMISED):
            self.optimised = self._built(OPTIMISED)
        else:
            self.quick = self._built(QUICK)
        self.began = time.monotonic()

    def _built(self, level: str) -> Path:
        if self.report is not None and self.builder.found(self.text, level) is None:
            self.report(Progress(doing="compiling"))
        return self.builder.build(self.text, level)

    def _look(self) -> None:
        """Has an optimised one compiled if the swarm goes on, and takes it when it is there."""
        try:
            if self.optimising.process is None:
                if time.monotonic() - self.began > PATIENCE:
                    self.optimising.start()
            elif self.optimising.done:
                self.optimised = self.optimising.result()
        except CompilerError:
            self.failed = True  # the quick one does all


def _exploration(hunted: Hunted) -> Exploration:
    """What the searches were together."""
    result = Exploration(stopped=hunted.stopped, interrupted=hunted.interrupted)
    result.progress = Progress(hunted.states, hunted.transitions, hunted.depth)
    result.seconds = hunted.seconds
    result.memory_bytes = hunted.memory_bytes
    result.store_bytes = hunted.store_bytes
    result.endless = hunted.endless
    return result


def _bitmap(bits: int) -> str:
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little").hex()


def safe_from(error: CompilerError | VerifierError, task: Task) -> WhorlError | None:
    """What to say of an error if the C of the model is to blame for it."""
    embedded = task.program.embedded
    if embedded is None:
        return None
    if isinstance(error, CompilerError):
        return refused(embedded, error)
    return crashed(embedded.span, error.code, error.said)
