"""What every search does beside searching: it counts, keeps within limits, and can be stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from whorl import deadline
from whorl.memory import peak_bytes, refusal
from whorl.program.atomic import Run
from whorl.program.choice import Choice
from whorl.program.semantics import Step
from whorl.program.state import Failure
from whorl.search.exploration import ASSERTION, Exploration, Options, Violation
from whorl.search.limits import INTERRUPTED

CHECK_EVERY = 256  # states between two looks at the clock and the memory


class Stop(Exception):
    """A search has to end before it is done; the text says why."""


class Watch:
    """Counts what a search does, and ends it with `Stop` when a limit is passed."""

    def __init__(self, options: Options, result: Exploration | None = None) -> None:
        self.options = options
        self.result = Exploration() if result is None else result
        self.known: set[tuple[str, str, int]] = set()  # violations reported before
        self.searching = False

    @contextmanager
    def over(self) -> Iterator[None]:
        """Around a search: what stops it becomes part of the result, and so does what it took."""
        self.searching = True
        try:
            yield
        except Stop as stop:
            self.result.stopped = str(stop)
        except KeyboardInterrupt:
            self.result.stopped = INTERRUPTED
            self.result.interrupted = True
        except deadline.TimeUp:
            self.result.stopped = deadline.caught()
        except MemoryError:
            self.result.stopped = refusal()
        finally:
            self.searching = False
        self.result.seconds = self.result.progress.seconds
        self.result.memory_bytes = peak_bytes()

    def state(self) -> None:
        """One more state is about to be stored."""
        progress, limit = self.result.progress, self.options.limits.states
        if limit is not None and progress.states >= limit:
            raise Stop(self.options.limits.states_reached)
        progress.states += 1
        if progress.states % CHECK_EVERY == 0:
            self.look()
            if self.options.report is not None:
                self.options.report(progress)

    def look(self) -> None:
        """Looks at the clock and the memory; also in the middle of a long atomic sequence."""
        if not self.searching:
            return
        reason = self.result.progress.exceeded(self.options.limits)
        if reason is not None:
            raise Stop(reason)

    def transition(self) -> None:
        self.result.progress.transitions += 1

    def listed(self, size: int) -> None:
        """The list of a phase 1 has so many states (`two_phase.py`)."""
        self.result.largest_list = max(self.result.largest_list or 0, size)

    def too_deep(self, depth: int) -> bool:
        """Whether the depth limit forbids to go to `depth`; if not, notes that it was reached."""
        limit = self.options.limits.depth
        if limit is not None and depth > limit:
            self.result.truncated = True
            return True
        progress = self.result.progress
        progress.depth = max(progress.depth, depth)
        return False

    # --- what is wrong with a step ---------------------------------------------------------------

    def is_new(self, kind: str, message: str = "", where: int = 0) -> bool:
        """Whether a violation was not yet reported; from now on it was."""
        key = (kind, message, where)
        if key in self.known:
            return False
        self.known.add(key)
        return True

    def failing(self, run: Run) -> Iterator[tuple[Failure, tuple[Choice, ...]]]:
        """The new failures of a run's steps, each with the run's choices up to it."""
        self.reach(run)
        for position, step in enumerate(run.steps):
            for failure in self.wrong(step):
                if self.is_new(failure.kind, failure.message, step.transition.number):
                    yield failure, tuple(map(Choice.of, run.steps[: position + 1]))

    def note(self, run: Run) -> None:
        """Takes note of a run, and of failures on it that are no violations of what is searched."""
        self.reach(run)
        for step in run.steps:
            _, last = step.partner or (step.pid, step.transition)
            self.result.met |= {(failure.kind, last.number) for failure in self.wrong(step)}

    def reach(self, run: Run) -> None:
        """Takes note of the statements that a run executes."""
        result = self.result
        result.endless = result.endless or run.endless
        for step in run.steps:
            result.reached.add(step.transition.number)
            if step.partner is not None:
                result.reached.add(step.partner[1].number)

    def wrong(self, step: Step) -> Iterator[Failure]:
        """What is wrong with a step and counts."""
        for failure in step.failures:
            if failure.kind != ASSERTION or self.options.assertions:
                yield failure

    def report(self, violation: Violation) -> None:
        self.result.violations.append(violation)

    @property
    def is_done(self) -> bool:
        """Whether enough violations were found."""
        return bool(self.result.violations) and not self.options.all_errors
