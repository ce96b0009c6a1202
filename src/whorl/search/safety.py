"""Safety: visits every reachable state once and notes what is wrong with it or on the way to it.

`explore` is the basic depth-first search (Nalumasu and Gopalakrishnan, Figure 2) or, for shortest
counterexamples, a breadth-first one. Both store the states between atomic sequences, so that an
atomic sequence counts as one step of a counterexample's length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from whorl.memory import peak_bytes
from whorl.program.atomic import Run, runs
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.search.exploration import ASSERTION, END_STATE, Exploration, Options, Violation
from whorl.trace.trace import Choice

CHECK_EVERY = 256  # states between two looks at the clock and the memory


def explore(semantics: Semantics, options: Options) -> Exploration:
    """Searches the states of a program; stops at the first violation unless told otherwise."""
    search = _Search(semantics, options)
    try:
        if options.shortest:
            search.breadth_first()
        else:
            search.depth_first()
    except _Stop as stop:
        search.result.stopped = stop.reason
    except KeyboardInterrupt:
        search.result.stopped = "it was interrupted"
    search.result.seconds = search.result.progress.seconds
    search.result.memory_bytes = peak_bytes()
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

    def breadth_first(self) -> None:
        """Visits states by the number of runs to them, so that the first violation is shortest."""
        first = self.semantics.initial()
        progress = self.result.progress
        progress.transitions = 1
        self.add(first, None)
        queue = deque([(first, 0)])
        limit = self.options.limits.depth
        while queue:
            state, depth = queue.popleft()
            progress.depth = max(progress.depth, depth)
            moved = False
            for run in runs(self.semantics, state):
                moved = True
                self.look_at(state, run)
                if self.done():
                    return
                if run.state is None:
                    continue
                progress.transitions += 1
                if run.state in self.origin:
                    continue
                if limit is not None and depth + 1 > limit:
                    self.result.truncated = True
                    continue
                self.add(run.state, (state, run))
                queue.append((run.state, depth + 1))
            if not moved:
                self.check_end(state)
                if self.done():
                    return

    def done(self) -> bool:
        return bool(self.result.violations) and not self.options.all_errors

    # --- what is wrong ---------------------------------------------------------------------------

    def add(self, state: State, origin: tuple[State, Run] | None) -> None:
        progress = self.result.progress
        limit = self.options.limits.states
        if limit is not None and progress.states >= limit:
            raise _Stop(f"the limit of {limit:,} states was reached")
        self.origin[state] = origin
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
                    last = tuple(map(Choice.of, run.steps[: position + 1]))
                    self.result.violations.append(
                        Violation(failure.kind, (*self.path(state), *last))
                    )
        self.result.endless = self.result.endless or run.endless

    def check_end(self, state: State) -> None:
        if not self.options.end_states or self.semantics.is_valid_end(state):
            return
        key = (END_STATE, "", 0)
        if key not in self.known:
            self.known.add(key)
            self.result.violations.append(Violation(END_STATE, self.path(state)))

    def path(self, state: State) -> tuple[Choice, ...]:
        """The choices by which `state` was first reached."""
        pieces: list[Run] = []
        origin = self.origin[state]
        while origin is not None:
            before, run = origin
            pieces.append(run)
            origin = self.origin[before]
        return tuple(Choice.of(step) for run in reversed(pieces) for step in run.steps)
