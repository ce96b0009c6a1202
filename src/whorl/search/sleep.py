"""Depth first with sleep sets, where states are matched (Godefroid's LNCS 1032, Figure 5.2).

    Initialize: Stack is empty; H is empty; s0.Sleep := {}; push (s0) onto Stack;
    Loop: while Stack is not empty do
      pop (s) from Stack;
      if s is NOT already in H then
        enter s in H; T := Persistent_Set(s) - s.Sleep
      else
        T := {t | t in H(s).Sleep and t not in s.Sleep};
        s.Sleep := s.Sleep and H(s).Sleep; H(s).Sleep := s.Sleep
      for all t in T do
        s' := succ(s) after t;
        s'.Sleep := {t' in s.Sleep | (t, t') are independent in s};
        push (s') onto Stack;
        s.Sleep := s.Sleep + {t}

What sleeps in a state was taken before, elsewhere, and commutes with all that was taken since:
where it leads is reached, too. So it is not taken. A state that is met again with something awake
that has slept each time before is visited again, for that alone; without this, states are lost.

Ours goes into a state as soon as it is met, as all our depth-first searches do, instead of
pushing all successors first: the figure is right whatever is popped next (decision 0053). `visit`,
which has T and what sleeps after each t, is in reduction/sleep.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from whorl.program.atomic import Run
from whorl.program.state import State
from whorl.search.watch import Watch

Name = tuple[int, ...]  # of a step: what tells it from others in a state, and in those after it
Sleep = frozenset[Name]


class SleepVisit(NamedTuple):
    """What is done with a state that is met: the runs to take, and what sleeps where each leads.

    `kept` is H(s).Sleep from now on. `moves`: the state has steps, perhaps all of them asleep.
    """

    kept: Sleep
    taken: tuple[tuple[Run, Sleep], ...]
    moves: bool = True


@runtime_checkable
class Sleepers(Protocol):
    """What says which steps are taken, and which go to sleep."""

    def visit(self, state: State, sleep: Sleep, stored: Sleep | None) -> SleepVisit:
        """The visit to a state in which some steps sleep; `stored` is H(s).Sleep, if it is in H."""
        ...


class SleepSearch(Protocol):
    """What stores states and reports what is wrong with them: that of safety.py."""

    watch: Watch

    def start(self) -> State: ...

    def add(self, state: State, origin: tuple[State, Run] | None) -> None: ...

    def look_at(self, state: State, run: Run) -> None: ...

    def check_end(self, state: State) -> None: ...


def depth_first(search: SleepSearch, sleepers: Sleepers) -> None:
    """Visits states until no step that should be taken is left."""
    watch = search.watch
    table: dict[State, Sleep] = {}  # H
    stack: list[tuple[State, Iterator[tuple[Run, Sleep]], int]] = []

    def enter(state: State, sleep: Sleep, depth: int) -> None:
        visit = sleepers.visit(state, sleep, table.get(state))
        table[state] = visit.kept
        if visit.taken:
            stack.append((state, iter(visit.taken), depth))
        elif not visit.moves:
            search.check_end(state)

    def enough() -> bool:
        return watch.is_done

    enter(search.start(), frozenset(), 0)
    while stack and not enough():
        state, waiting, depth = stack[-1]
        taken = next(waiting, None)
        if taken is None:
            stack.pop()
            continue
        run, sleep = taken
        search.look_at(state, run)
        if enough() or run.state is None:
            continue
        watch.transition()
        below = depth + len(run.steps)
        stored = table.get(run.state)
        if (stored is not None and stored <= sleep) or watch.too_deep(below):
            continue
        if stored is None:
            search.add(run.state, (state, run))
        enter(run.state, sleep, below)
