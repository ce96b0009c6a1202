"""The default search for violations of safety, in plain Python: in every order, with its proviso.

A state that is stored is expanded once, by its ample set: that is the last one that the search
tries in it. Sets that were tried before led to nothing new, so they stored nothing. Which state is
expanded next is open: batches, queues and stacks are orders among others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from whorl.lab.definitions import explicit
from whorl.lab.instance import Instance, state_name
from whorl.lab.walks import path, relation
from whorl.reduction import abstract


@dataclass(frozen=True, slots=True)
class Moment:
    """A state is expanded: what is stored and what is still to be expanded, without the state."""

    state: int
    stored: frozenset[int]
    waiting: frozenset[int]
    after: frozenset[int]  # the states after its operations
    ends: frozenset[int]  # where phase 1 comes to from these
    tried: frozenset[int]  # the same of a set that was tried before (a mutation)
    found: bool  # whether anything new was found before

    @property
    def new(self) -> frozenset[int]:
        return self.ends - self.stored


Proviso = Callable[[Moment], bool]  # whether a proper ample set may be taken

PROVISOS: Mapping[str, Proviso] = {
    "new": lambda at: bool(at.new),
    "wrong-new-self": lambda at: bool(at.new) or at.state in at.ends,
    "wrong-new-before-walk": lambda at: bool(at.after - at.stored),
    "wrong-new-any": lambda at: bool(at.new) or at.found,
    "wrong-new-once": lambda at: at.tried <= at.stored and bool(at.new | at.tried),
}


def _onward(instance: Instance, targets: Iterable[int]) -> frozenset[int]:
    """Where phase 1 comes to from these states."""
    return frozenset(path(instance, r)[1] for r in targets)


def _after(instance: Instance, state: int) -> frozenset[int]:
    """The states after the operations of an ample set."""
    return frozenset(instance.program.step(state, o) for o in instance.amp(state, 0))


def orders(instance: Instance, proviso: Proviso | None) -> Iterator[tuple[int, ...]]:
    """The orders in which a search can expand what it stores, with these ample sets."""
    program = instance.program
    after = {q: _after(instance, q) for q in program.states}
    before = {
        q: _onward(instance, (program.step(q, o) for o in _tried(instance, q)))
        for q in program.states
    }

    def go_on(stored: frozenset[int], expanded: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        waiting = stored.difference(expanded)
        if not waiting:
            yield expanded
        for q in sorted(waiting):
            grown = len(stored) > 1
            ends = _onward(instance, after[q])
            at = Moment(q, stored, waiting - {q}, after[q], ends, before[q], grown)
            if instance.is_full(q, 0) or proviso is None or proviso(at):
                yield from go_on(stored | ends, (*expanded, q))

    yield from go_on(frozenset([0]), ())


def closed(instance: Instance) -> str | None:
    """Whether states can be closed in an order that allows these ample sets.

    They can if each leads, by its ample set and those of others, to one that is fully expanded.
    """
    stored = next(orders(instance, None))
    ends = {q: _onward(instance, _after(instance, q)) for q in stored}
    done = {q for q in stored if instance.is_full(q, 0)}
    while more := {q for q in stored if q not in done and ends[q] & done}:
        done |= more
    left = sorted(set(stored) - done)
    return f"none after {state_name(left[0])} is closed before it" if left else None


def _tried(instance: Instance, state: int) -> frozenset[int]:
    """A set that was tried in a state before its ample set."""
    return frozenset(o for q, o in relation(instance, "tried") if q == state)


def tried(instance: Instance) -> str | None:
    """Whether the sets that were tried before are persistent, and others than the ample sets."""
    program = instance.program
    for q in program.states:
        chosen = _tried(instance, q)
        if not chosen <= program.enabled(q) or chosen & instance.amp(q, 0):
            return f"a set that was tried in {state_name(q)} is none"
        if list(abstract.c1(explicit(program), [(q, 0)], lambda at, _: _tried(instance, at))):
            return f"C1: a set that was tried in {state_name(q)}"
    return None


@dataclass(frozen=True, slots=True)
class Loss:
    """What a reduced search does not see, though the program has it."""

    operations: frozenset[int]  # that can be executed
    deadlocks: frozenset[int]  # states in which nothing can

    def __bool__(self) -> bool:
        return bool(self.operations or self.deadlocks)


def loss(instance: Instance, order: tuple[int, ...]) -> Loss:
    """Every state of a program can be reached, so all of its operations can be executed."""
    program = instance.program
    executed: set[int] = set()
    for q in order:
        for o in instance.amp(q, 0) | _tried(instance, q):
            executed.add(o)
            executed.update(p for _, p in path(instance, program.step(q, o))[0])
    operations = frozenset(o for q in program.states for o in program.enabled(q))
    deadlocks = frozenset(q for q in program.states if not program.enabled(q))
    return Loss(operations - executed, deadlocks.difference(order))


def searched(instance: Instance, name: str | None) -> str | None:
    """Whether a search with the proviso of this name can end with the instance's ample sets."""
    proviso = None if name is None else PROVISOS[name]
    if next(orders(instance, proviso), None) is None:
        return f"no search has these ample sets: proviso '{name}'"
    return None
