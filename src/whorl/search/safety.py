"""Safety: visits every reachable state once and notes what is wrong with it or on the way to it.

`explore` is the basic depth-first search (Nalumasu and Gopalakrishnan, Figure 2) or, for shortest
counterexamples, a breadth-first one. Both store the states between atomic sequences, so that an
atomic sequence counts as one step of a counterexample's length.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress

from whorl.program.atomic import Run, runs
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.search import sleep, two_phase
from whorl.search.exploration import END_STATE, Exploration, Options, Violation
from whorl.search.sleep import Sleepers
from whorl.search.two_phase import Phases, Ways
from whorl.search.watch import Watch

Select = Callable[[State, Container[State]], Iterable[Run]]


def explore(
    semantics: Semantics,
    options: Options,
    select: Select | Phases | Sleepers | None = None,
) -> Exploration:
    """Searches the states of a program; stops at the first violation unless told otherwise.

    `select` gives the runs to take from a state, if not all (`reduction.safety`); it is told which
    states are on the stack of a depth-first search. With `Phases` the search is that of
    `two_phase.py`, with `Sleepers` that of `sleep.py`.
    """
    watch = Watch(options)
    semantics.look = watch.look
    search = _Search(semantics, watch, None if isinstance(select, Phases | Sleepers) else select)
    with watch.over():
        if isinstance(select, Phases):
            search.two_phase(select)
        elif isinstance(select, Sleepers):
            sleep.depth_first(search, select)
        elif options.shortest:
            search.breadth_first()
        else:
            search.depth_first()
    return watch.result


class _Search:
    def __init__(
        self,
        semantics: Semantics,
        watch: Watch,
        select: Select | None,
    ) -> None:
        self.semantics = semantics
        self.watch = watch
        self.select = select
        # How each state was first reached: from which state, by which run.
        self.origin: dict[State, tuple[State, Run] | None] = {}
        self.on_stack: set[State] = set()

    def runs(self, state: State) -> Iterator[Run]:
        if self.select is None:
            return runs(self.semantics, state)
        return iter(self.select(state, self.on_stack))

    # --- the two orders --------------------------------------------------------------------------

    def depth_first(self) -> None:
        watch = self.watch
        first = self.start()
        self.on_stack.add(first)
        stack: list[tuple[State, Iterator[Run], int]] = [(first, self.runs(first), 0)]
        moved = [False]
        while stack:
            state, waiting, depth = stack[-1]
            run = next(waiting, None)
            if run is None:
                stack.pop()
                self.on_stack.remove(state)
                if not moved.pop():
                    self.check_end(state)
                    if watch.is_done:
                        return
                continue
            moved[-1] = True
            self.look_at(state, run)
            if watch.is_done:
                return
            if run.state is None:
                continue
            watch.transition()
            if run.state in self.origin:
                continue
            below = depth + len(run.steps)
            if watch.too_deep(below):
                continue
            self.add(run.state, (state, run))
            self.on_stack.add(run.state)
            stack.append((run.state, self.runs(run.state), below))
            moved.append(False)

    def breadth_first(self) -> None:
        """Visits states by the number of runs to them, so that the first violation is shortest.

        A run that fails goes one further than to the state that it begins in. So of the states at
        the same depth all are looked at before it counts: one of them may be an invalid end state.
        """
        watch = self.watch
        depth = 0
        level = [self.start()]
        while level:
            failing: list[Violation] = []
            following: list[State] = []
            for state in level:
                moved = False
                for run in self.runs(state):
                    moved = True
                    failing += self.failures(state, run)
                    if run.state is None:
                        continue
                    watch.transition()
                    if run.state in self.origin or watch.too_deep(depth + 1):
                        continue
                    self.add(run.state, (state, run))
                    following.append(run.state)
                if not moved:
                    self.check_end(state)
                    if watch.is_done:
                        return
            for violation in failing:
                watch.report(violation)
                if watch.is_done:
                    return
            level = following
            depth += 1

    def two_phase(self, phases: Phases) -> None:
        """As Two phase is printed; there is no automaton, and so no accepting state."""
        graph = _Phased(self, phases)
        with suppress(_Enough):
            two_phase.find(graph, self.watch)

    # --- states, and what is wrong ---------------------------------------------------------------

    def start(self) -> State:
        first = self.semantics.initial()
        self.watch.transition()
        self.add(first, None)
        return first

    def add(self, state: State, origin: tuple[State, Run] | None) -> None:
        self.watch.state()
        self.origin[state] = origin

    def look_at(self, state: State, run: Run) -> None:
        for violation in self.failures(state, run):
            self.watch.report(violation)
            if self.watch.is_done:
                return

    def failures(self, state: State, run: Run) -> Iterator[Violation]:
        for failure, last in self.watch.failing(run):
            yield Violation(failure.kind, (*self.path(state), *last), message=failure.message)

    def check_end(self, state: State) -> None:
        if not self.watch.options.end_states or self.semantics.is_valid_end(state):
            return
        if self.watch.is_new(END_STATE):
            self.watch.report(Violation(END_STATE, self.path(state)))

    def path(self, state: State) -> tuple[Choice, ...]:
        """The choices by which `state` was first reached."""
        pieces: list[Run] = []
        origin = self.origin[state]
        while origin is not None:
            before, run = origin
            pieces.append(run)
            origin = self.origin[before]
        return tuple(Choice.of(step) for run in reversed(pieces) for step in run.steps)


class _Enough(Exception):
    """A violation was found, and one is enough."""


class _Phased:
    """The states of a program, for `two_phase.find`; what fails is reported on the way."""

    def __init__(self, search: _Search, phases: Phases) -> None:
        self.search = search
        self.phases = phases
        self.selective = phases.selective

    def initial(self) -> Iterable[State]:
        first = self.search.semantics.initial()
        self.search.origin[first] = None
        return [first]

    def ways(self, state: State, place: int) -> Ways[State] | None:
        step = self.phases.step(state, place)
        if step is None:
            return None
        return Ways(step.place, tuple(self.taken(state, [step.run])), step.listed)

    def everything(self, state: State) -> Iterable[State]:
        moved = False
        for run in runs(self.search.semantics, state):
            moved = True
            yield from self.taken(state, [run])
        if not moved:
            self.search.check_end(state)
            self.look()

    def taken(self, state: State, taken: Iterable[Run]) -> Iterator[State]:
        for run in taken:
            self.search.look_at(state, run)
            self.look()
            if run.state is not None:
                self.search.origin.setdefault(run.state, (state, run))
                yield run.state

    def look(self) -> None:
        if self.search.watch.is_done:
            raise _Enough

    def is_accepting(self, state: State) -> bool:
        return False

    def is_error(self, state: State) -> bool:
        return False
