"""Safety: visits every reachable state once and notes what is wrong with it or on the way to it.

`explore` is the basic depth-first search (Nalumasu and Gopalakrishnan, Figure 2) or, for shortest
counterexamples, a search by length of the run. Both store the states between atomic sequences.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from whorl.program.atomic import Run, runs
from whorl.program.semantics import Semantics, Step
from whorl.program.state import State
from whorl.search.limits import Limits, Progress

CHECK_EVERY = 256  # states between two looks at the clock and the memory

END_STATE = "end state"
ASSERTION = "assertion"


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong, and the steps that lead there."""

    kind: str
    message: str
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Exploration:
    """What a search found. `stopped` says why it did not look at everything; None: it did."""

    progress: Progress = field(default_factory=Progress)
    violations: list[Violation] = field(default_factory=list)
    stopped: str | None = None
    truncated: bool = False  # the depth limit cut some runs short
    endless: Run | None = None  # an atomic sequence that can go round for ever
    reached: set[int] = field(default_factory=set)  # numbers of the transitions that were taken


@dataclass(frozen=True, slots=True)
class Options:
    """What to look for and how far to look."""

    assertions: bool = True
    end_states: bool = True
    shortest: bool = False
    all_errors: bool = False
    limits: Limits = field(default_factory=Limits)
    report: Callable[[Progress], None] | None = None


def explore(semantics: Semantics, options: Options) -> Exploration:
    """Searches the states of a program; stops at the first violation unless told otherwise."""
    search = _Search(semantics, options)
    try:
        if options.shortest:
            search.by_length()
        else:
            search.depth_first()
    except _Stop as stop:
        search.result.stopped = stop.reason
    except KeyboardInterrupt:
        search.result.stopped = "it was interrupted"
    return search.result


class _Stop(Exception):
    def __init__(self, reason: str) -> None:
        self.reason = reason


class _Search:
    def __init__(self, semantics: Semantics, options: Options) -> None:
        self.semantics = semantics
        self.options = options
        self.result = Exploration()
        # How each state was first reached: from which state, by which run.
        self.origin: dict[State, tuple[State, Run] | None] = {}
        self.known: set[tuple[str, str, int]] = set()  # violations reported before

    # --- the two orders --------------------------------------------------------------------------

    def depth_first(self) -> None:
        first = self.semantics.initial()
        progress = self.result.progress
        progress.transitions = 1
        self.add(first, None)
        stack: list[tuple[State, Iterator[Run], int]] = [(first, runs(self.semantics, first), 0)]
        moved = [False]
        limit = self.options.limits.depth
        while stack:
            state, waiting, depth = stack[-1]
            run = next(waiting, None)
            if run is None:
                stack.pop()
                if not moved.pop():
                    self.check_end(state)
                    if self.done():
                        return
                continue
            moved[-1] = True
            self.look_at(state, run)
            if self.done():
                return
            if run.state is None:
                continue
            progress.transitions += 1
            if run.state in self.origin:
                continue
            below = depth + len(run.steps)
            if limit is not None and below > limit:
                self.result.truncated = True
                continue
            progress.depth = max(progress.depth, below)
            self.add(run.state, (state, run))
            stack.append((run.state, runs(self.semantics, run.state), below))
            moved.append(False)

    def by_length(self) -> None:
        """Visits states by the number of steps to them, so that the first violation is shortest."""
        first = self.semantics.initial()
        progress = self.result.progress
        progress.transitions = 1
        self.add(first, None)
        best: int | None = None
        depths = {first: 0}
        queue: list[tuple[int, int, State]] = [(0, 0, first)]
        serial = 0
        limit = self.options.limits.depth
        while queue:
            depth, _, state = heapq.heappop(queue)
            if depths[state] < depth:
                continue
            if best is not None and depth >= best and not self.options.all_errors:
                break
            progress.depth = max(progress.depth, depth)
            moved = False
            for run in runs(self.semantics, state):
                moved = True
                before = len(self.result.violations)
                self.look_at(state, run)
                for found in self.result.violations[before:]:
                    best = min(best or len(found.steps), len(found.steps))
                if run.state is None:
                    continue
                progress.transitions += 1
                below = depth + len(run.steps)
                if run.state in depths and depths[run.state] <= below:
                    continue
                if limit is not None and below > limit:
                    self.result.truncated = True
                    continue
                if run.state not in depths:
                    self.add(run.state, (state, run))
                else:
                    self.origin[run.state] = (state, run)
                depths[run.state] = below
                serial += 1
                heapq.heappush(queue, (below, serial, run.state))
            if not moved:
                before = len(self.result.violations)
                self.check_end(state)
                if len(self.result.violations) > before:
                    best = min(best or depth, depth)
        self.result.violations.sort(key=lambda violation: len(violation.steps))
        if not self.options.all_errors:
            del self.result.violations[1:]

    def done(self) -> bool:
        return bool(self.result.violations) and not self.options.all_errors

    # --- what is wrong ---------------------------------------------------------------------------

    def add(self, state: State, origin: tuple[State, Run] | None) -> None:
        self.origin[state] = origin
        progress = self.result.progress
        progress.states += 1
        if progress.states % CHECK_EVERY == 0:
            reason = progress.exceeded(self.options.limits)
            if reason is not None:
                raise _Stop(reason)
            if self.options.report is not None:
                self.options.report(progress)

    def look_at(self, state: State, run: Run) -> None:
        reached = self.result.reached
        for position, step in enumerate(run.steps):
            reached.add(step.transition.number)
            if step.partner is not None:
                reached.add(step.partner[1].number)
            for failure in step.failures:
                if failure.kind == ASSERTION and not self.options.assertions:
                    continue
                where = step.transition.number
                key = (failure.kind, failure.message, where)
                if key not in self.known:
                    self.known.add(key)
                    steps = (*self.path(state), *run.steps[: position + 1])
                    self.result.violations.append(Violation(failure.kind, failure.message, steps))
        if run.endless and self.result.endless is None:
            self.result.endless = run

    def check_end(self, state: State) -> None:
        if not self.options.end_states or self.semantics.is_valid_end(state):
            return
        key = (END_STATE, "", 0)
        if key not in self.known:
            self.known.add(key)
            message = "no process can move, and not every one is at a valid end"
            self.result.violations.append(Violation(END_STATE, message, self.path(state)))

    def path(self, state: State) -> tuple[Step, ...]:
        """The steps by which `state` was first reached."""
        pieces: list[Run] = []
        origin = self.origin[state]
        while origin is not None:
            before, run = origin
            pieces.append(run)
            origin = self.origin[before]
        return tuple(step for run in reversed(pieces) for step in run.steps)
