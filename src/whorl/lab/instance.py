"""What the laboratory looks for: a program, a property automaton and an ample selector.

The definitions of Siegel's paper (1 to 8), as plain values. States, operations and automaton states
are numbers; the initial program state is 0. A letter is a number, as in `property.automaton`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.property.automaton import Buchi

Node = tuple[int, int]  # a state of the product: program state, automaton state


@dataclass(frozen=True, slots=True)
class FiniteProgram:
    """A finite state program (Definition 1) with its interpretation L.

    `next[q][o]` is where operation o leads from state q; None where it is not enabled.
    """

    labels: tuple[int, ...]
    next: tuple[tuple[int | None, ...], ...]

    def __post_init__(self) -> None:
        assert len(self.labels) == len(self.next)
        assert all(len(row) == len(self.next[0]) for row in self.next)

    @property
    def states(self) -> range:
        return range(len(self.labels))

    @property
    def operations(self) -> range:
        return range(len(self.next[0]))

    def enabled(self, state: int) -> frozenset[int]:
        """en(q), Definition 2."""
        return frozenset(o for o in self.operations if self.next[state][o] is not None)

    def step(self, state: int, operation: int) -> int:
        """The state after an operation that is enabled."""
        target = self.next[state][operation]
        assert target is not None
        return target

    def steps(self, state: int) -> Iterator[tuple[int, int]]:
        """The enabled operations of a state, each with the state after it."""
        for operation, target in enumerate(self.next[state]):
            if target is not None:
                yield operation, target


@dataclass(frozen=True, slots=True)
class Instance:
    """A program, an automaton and an ample selector: `ample[q][s]` is amp(q, s) (Definition 8).

    `extra` are the relations that a scheme adds, such as the sticky operations: by name, the
    tuples that are in them.
    """

    program: FiniteProgram
    automaton: Buchi
    ample: tuple[tuple[frozenset[int], ...], ...]
    extra: tuple[tuple[str, frozenset[tuple[int, ...]]], ...] = ()

    def __post_init__(self) -> None:
        assert len(self.ample) == len(self.program.states)
        for state in self.program.states:
            assert len(self.ample[state]) == len(self.automaton.states)
            assert all(chosen <= self.program.enabled(state) for chosen in self.ample[state])

    @property
    def initial(self) -> Node:
        return 0, self.automaton.initial

    def amp(self, state: int, automaton_state: int) -> frozenset[int]:
        return self.ample[state][automaton_state]

    def is_full(self, state: int, automaton_state: int) -> bool:
        return self.ample[state][automaton_state] == self.program.enabled(state)


def sets_of(states: range) -> dict[str, frozenset[tuple[int, ...]]]:
    """The relations of sets of states; a set's number has a bit for each state that is in it."""
    sets = range(1 << len(states))
    return {
        "set": frozenset((w,) for w in sets),
        "member": frozenset((q, w) for q in states for w in sets if w >> q & 1),
        "singleton": frozenset((q, 1 << q) for q in states),
    }


def operation_name(operation: int) -> str:
    """a, b, c, ..."""
    return chr(ord("a") + operation) if operation < 26 else f"a{operation}"


def state_name(state: int) -> str:
    """A, B, C, ..."""
    return chr(ord("A") + state) if state < 26 else f"A{state}"


def letter_name(letter: int, propositions: tuple[str, ...]) -> str:
    """The propositions that hold, as a set."""
    return "{" + ",".join(p for i, p in enumerate(propositions) if letter >> i & 1) + "}"
