"""Explicit programs, and the conditions on ample sets straight from their definitions.

This follows Siegel's sections 2, 3 and 6 word by word (Definitions 1 to 11, C0 to C3, C3', C3_1,
C3_1'). Nothing here is fast: it is what the schemes are judged by, on programs of a few states. A
condition is a function that gives the places where it does not hold: none of them, it holds.

A product state is (q, s); an ample selector gives amp(q, s). In V0 the transition from (q, s) to
(q', s') is taken if its operation is in amp(q, s'), in V1 if it is in amp(q, s).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from whorl.property.automaton import Buchi

Q: TypeAlias = Any  # a program state: any value that can be a key
S: TypeAlias = Any  # one of the automaton
Op: TypeAlias = Any
X: TypeAlias = tuple[Q, S]  # a product state
Selector = Callable[[Q, S], frozenset[Op]]
V0, V1 = "v0", "v1"
FULL, REDUCED = "full", "reduced"


class Reader(Protocol):
    """An automaton as far as its moves go."""

    @property
    def initial(self) -> S: ...

    def successors(self, state: S, letter: int) -> Iterable[S]: ...


@dataclass(frozen=True, slots=True)
class Explicit:
    """A finite state program with its interpretation (Definition 1, and L).

    `following[q][op]` is op(q), for every q; `letter[q]` is L(q), or -1 if some proposition has no
    value there. An operation that leads to `crash` ends the program there and then: it is an error,
    and every order of it is one. In a state that is `held` one process keeps control: what others
    could do has to be done before, or once control is free.
    """

    initial: Q
    following: Mapping[Q, Mapping[Op, Q]]
    letter: Mapping[Q, int]
    crash: Q | None = None
    held: frozenset[Q] = frozenset()
    _pairs: dict[tuple[Op, Op], bool] = field(default_factory=dict, repr=False, compare=False)

    @property
    def states(self) -> Iterable[Q]:
        return self.following

    @property
    def operations(self) -> set[Op]:
        return {op for enabled in self.following.values() for op in enabled}

    def en(self, q: Q) -> frozenset[Op]:
        """Definition 2."""
        return frozenset(self.following.get(q, ()))

    def independent(self, a: Op, b: Op) -> bool:
        """The largest relation of Definition 10."""
        known = self._pairs.get((a, b))
        if known is None:
            both = (q for q, enabled in self.following.items() if a in enabled and b in enabled)
            known = a != b and all(self.commute(q, a, b) for q in both)
            self._pairs[a, b] = self._pairs[b, a] = known
        return known

    def commute(self, q: Q, a: Op, b: Op) -> bool:
        """Whether a and b, both enabled in q, may be taken in either order there."""
        after_a, after_b = self.following[q][a], self.following[q][b]
        if self.crash is not None and self.crash in (after_a, after_b):
            # The one that crashes does so after the other too.
            return (
                after_a != self.crash or after_b == self.crash or self.crashes(after_b, a)
            ) and (after_b != self.crash or after_a == self.crash or self.crashes(after_a, b))
        if after_a in self.held or after_b in self.held:
            # The one that keeps control does so after the other too.
            return (after_a not in self.held or self.holds(after_b, a)) and (
                after_b not in self.held or self.holds(after_a, b)
            )
        then_b, then_a = self.following[after_a].get(b), self.following[after_b].get(a)
        return then_b is not None and then_b == then_a

    def holds(self, q: Q, op: Op) -> bool:
        return q in self.held or self.following[q].get(op) in self.held

    def crashes(self, q: Q, op: Op) -> bool:
        return self.following[q].get(op) == self.crash

    def invisible(self, op: Op) -> bool:
        """Definition 11."""
        return all(
            self.letter[q] == self.letter[enabled[op]]
            for q, enabled in self.following.items()
            if op in enabled and enabled[op] != self.crash
        )


# --- conditions ----------------------------------------------------------------------------------


def c0(program: Explicit, over: Iterable[X], amp: Selector) -> list[X]:
    """C0: where something is enabled, something is ample."""
    return [(q, s) for q, s in over if program.en(q) and not amp(q, s)]


def c1(program: Explicit, over: Iterable[X], amp: Selector) -> list[tuple[X, Q, Op, Op]]:
    """C1: what depends on an ample operation does not occur before an ample one does.

    Each violation is (q, s), a state that is reached from q by operations that are not ample, one
    more such operation that is enabled there, and the ample one that it depends on.
    """
    violations: list[tuple[X, Q, Op, Op]] = []
    for q, s in over:
        ample = amp(q, s)
        if not ample or ample == program.en(q):
            continue
        for r in without(program, q, ample):
            for op in program.en(r) - ample:
                for alpha in ample:
                    if not program.independent(op, alpha):
                        violations.append(((q, s), r, op, alpha))
    return violations


def without(program: Explicit, q: Q, ample: frozenset[Op]) -> Iterator[Q]:
    """The states that are reached from q without an operation of `ample`."""
    met, waiting = {q}, [q]
    while waiting:
        r = waiting.pop()
        yield r
        for op, after in program.following.get(r, {}).items():
            if op not in ample and after not in met:
                met.add(after)
                waiting.append(after)


def c2(program: Explicit, over: Iterable[X], amp: Selector) -> list[tuple[X, Op]]:
    """C2: a proper ample set has invisible operations alone."""
    return [
        ((q, s), op)
        for q, s in over
        if amp(q, s) != program.en(q)
        for op in amp(q, s)
        if not program.invisible(op)
    ]


# --- products ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExplicitProduct:
    """The reachable part of a product: its edges, and which of them come of a full ample set."""

    initial: X
    edges: Mapping[X, tuple[tuple[X, bool], ...]]  # where to, and whether the ample set was full

    def closes(self, start: Iterable[X], proper_only: bool) -> list[X]:
        """Product states on a cycle of the part reached from `start`; or on one whose edges all
        come of proper ample sets.
        """
        return [x for x in start if x in self._beyond(x, proper_only)]

    def _beyond(self, x: X, proper_only: bool) -> set[X]:
        met: set[X] = set()
        waiting = [x]
        while waiting:
            for y, full in self.edges.get(waiting.pop(), ()):
                if y not in met and not (proper_only and full):
                    met.add(y)
                    waiting.append(y)
        return met


def product(
    program: Explicit, automaton: Reader, amp: Selector | None = None, scheme: str = V1
) -> ExplicitProduct:
    """P (x) B (Definition 7), or what `amp` leaves of it (equation 2, or section 6)."""
    initial = program.initial, automaton.initial
    return ExplicitProduct(initial, _edges(program, automaton, amp, scheme, [initial]))


def _edges(
    program: Explicit,
    automaton: Reader,
    amp: Selector | None,
    scheme: str,
    start: Iterable[X],
) -> dict[X, tuple[tuple[X, bool], ...]]:
    assert scheme in (V0, V1)
    edges: dict[X, tuple[tuple[X, bool], ...]] = {}
    waiting = list(start)
    while waiting:
        x = waiting.pop()
        if x in edges:
            continue
        q, s = x
        outgoing: list[tuple[X, bool]] = []
        letter = program.letter[q]
        for t in automaton.successors(s, letter) if letter >= 0 else ():
            ample = program.en(q)
            if amp is not None:
                ample = amp(q, t if scheme == V0 else s)
            full = ample == program.en(q)
            outgoing += [((program.following[q][op], t), full) for op in ample]
        edges[x] = tuple(dict.fromkeys(outgoing))
        waiting += [y for y, _ in outgoing]
    return edges


def accepts(space: ExplicitProduct, automaton: Buchi) -> bool:
    """Whether the language is not empty: an accepting state on a cycle."""
    accepting = [x for x in space.edges if x[1] in automaton.accepting]
    return bool(space.closes(accepting, proper_only=False))


def c3_cycles(
    program: Explicit, automaton: Reader, amp: Selector, scheme: str = V1, over: str = REDUCED
) -> list[X]:
    """C3' (V0) and C3_1' (V1): every cycle of the reduced product has a full ample set.

    The search knows the states that the reduced product reaches; Siegel's Alloy model ranges over
    those of the full product. `over` says which are meant.
    """
    start: Iterable[X] = [(program.initial, automaton.initial)]
    if over == FULL:
        start = product(program, automaton).edges
    space = ExplicitProduct(
        (program.initial, automaton.initial), _edges(program, automaton, amp, scheme, start)
    )
    return space.closes(space.edges, proper_only=True)


def c3_every_search(space: ExplicitProduct) -> list[tuple[X, X]]:
    """C3 and C3_1 for every depth-first search: the edges that break it in some of them.

    An edge from x back to y, of a proper ample set, is seen with y on the stack in some search if
    and only if some path without repetition leads through y to x: that path is the stack.
    """
    violations: set[tuple[X, X]] = set()

    def follow(path: list[X]) -> None:
        x = path[-1]
        for y, full in space.edges[x]:
            if y in path:
                if not full:
                    violations.add((x, y))
            else:
                follow([*path, y])

    follow([space.initial])
    return sorted(violations, key=repr)


def c3_some_search(space: ExplicitProduct) -> bool:
    """C3 and C3_1 as Siegel has them: *there is* a depth-first search without such an edge."""

    def goes_on(stack: tuple[X, ...], met: frozenset[X]) -> bool:
        x = stack[-1]
        if any((y, False) in space.edges[x] for y in stack):
            return False
        left = {y for y, _ in space.edges[x]} - met
        if left:
            return any(goes_on((*stack, y), met | {y}) for y in left)
        return len(stack) == 1 or goes_on(stack[:-1], met)

    return goes_on((space.initial,), frozenset((space.initial,)))
