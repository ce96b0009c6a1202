"""SI normal form (Siegel, Definition 12 and Appendix A): what it is, and how to reach it.

Partial-order reduction on the fly that looks at the search stack is wrong for some automata with a
stutter-invariant language, and right for those in this form (Theorem 1). A state of the form knows
the letter by which it was entered, and repeating that letter changes nothing but acceptance.

Letters are those that the automaton tells apart. To an automaton whose labels are `p && q` and its
negation there are two, not the four that its propositions make: a program is labelled with the
class of its letter, which changes no more often than the letter itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from whorl.property.automaton import Buchi, Edge, full
from whorl.property.letters import classes, first_letter, tells_apart
from whorl.property.operations import MOST_STATES, explored

# --- Definition 12 -------------------------------------------------------------------------------


def is_si_normal_form(buchi: Buchi) -> bool:
    """Whether the automaton is in SI normal form."""
    return why_not_si_normal_form(buchi) is None


def why_not_si_normal_form(buchi: Buchi) -> str | None:
    """What Definition 12 asks for and the automaton does not have; None if it is in the form."""
    labels = tells_apart(buchi)
    entering = [0] * len(buchi.edges)  # the letters that lead to each state
    for out in buchi.edges:
        for edge in out:
            entering[edge.target] |= edge.label
    if entering[buchi.initial]:
        return "the initial state has incoming edges"
    for state in buchi.states:
        label = entering[state]
        if state == buchi.initial:
            continue
        if _several(label, labels):
            return f"state {state} is entered by different letters"
        # A state without incoming edges may take any letter as its own.
        own = [label] if label else classes(labels, len(buchi.propositions))
        reasons = [_why_not(buchi, state, first_letter(part)) for part in own]
        if all(reasons):
            return reasons[0]
    return None


def _why_not(buchi: Buchi, state: int, letter: int) -> str | None:
    """Conditions 2 to 4 of a state for its letter a_s."""
    again = list(buchi.successors(state, letter))
    if len(again) != 1:
        return f"state {state} has {len(again)} edges with the letter that enters it"
    if again[0] == state:
        return None
    if state not in buchi.accepting:
        return f"state {state} is not accepting and does not loop with the letter that enters it"
    twin = again[0]  # the only candidate for s#
    if twin in buchi.accepting:
        return f"state {state} does not loop, and state {twin} after it is accepting"
    if _joined(buchi.edges[state]) != _joined(buchi.edges[twin]):
        return f"state {state} does not loop, and state {twin} after it has other edges"
    return None


def _several(letters: int, labels: tuple[int, ...]) -> bool:
    """Whether some of the labels tell some of these letters apart."""
    return any(letters & label and letters & ~label for label in labels)


def _same(letter: int, other: int, labels: tuple[int, ...]) -> bool:
    """Whether none of the labels tells two letters apart."""
    return letter == other or not _several(1 << letter | 1 << other, labels)


def _joined(edges: tuple[Edge, ...]) -> dict[int, int]:
    """The label to each target."""
    labels: dict[int, int] = {}
    for edge in edges:
        labels[edge.target] = labels.get(edge.target, 0) | edge.label
    return labels


# --- Theorem 2 -----------------------------------------------------------------------------------


class StateKind(IntEnum):
    """The third component of a state of the construction, and a number for s_init."""

    MOVED = 0  # (q, a, 0): the original went to q by a
    STAYED = 1  # (q, a, 1): q is accepting, and a was read again
    FOREVER = 2  # (a, 2): only a follows, and the original accepts that
    INITIAL = 3


# q (-1 where there is none), a (-1 where there is none) and the kind
NormalState = tuple[int, int, StateKind]

S_INIT: NormalState = (-1, -1, StateKind.INITIAL)


class LazyNormalForm:
    """The automaton of Theorem 2, state by state as it is asked for.

    Nothing in it depends on the number of letters, each of which stands for its class. It has no
    state (q, a, k) from which nothing is accepted: such a one goes together with its s#, which has
    the same edges. For an automaton whose language is not stutter-invariant, it accepts the words
    whose stutter-free form the original accepts.
    """

    def __init__(self, original: Buchi) -> None:
        self.for_ever = for_ever(original)
        self.labels = tells_apart(original)
        self.original = useful_moves(original, self.for_ever, self.labels)

    @property
    def initial(self) -> NormalState:
        return S_INIT

    def successors(self, state: NormalState, letter: int) -> Iterator[NormalState]:
        """The states that `letter` may lead to; the equations are those of Appendix A."""
        q, a, kind = state
        if kind is StateKind.INITIAL:  # (8), (9)
            yield from self._moved(self.original.initial, letter)
        elif not _same(letter, a, self.labels):
            if kind is not StateKind.FOREVER:  # (10), (14), (16), (17)
                yield from self._moved(q, letter)
        elif kind is StateKind.MOVED and q in self.original.accepting:  # (12)
            yield q, a, StateKind.STAYED
        else:  # (11), (13), (15)
            yield state

    def _moved(self, q: int, letter: int) -> Iterator[NormalState]:
        for target in self.original.successors(q, letter):
            yield target, letter, StateKind.MOVED
        if self.for_ever[q] >> letter & 1:
            yield -1, letter, StateKind.FOREVER

    def is_accepting(self, state: NormalState) -> bool:
        q, _, kind = state
        return kind is StateKind.FOREVER or (
            kind is StateKind.MOVED and q in self.original.accepting
        )


def for_ever(buchi: Buchi) -> tuple[int, ...]:
    """Of each state the letters, as a label, that it accepts when they are repeated for ever."""
    accepted = [0] * len(buchi.edges)
    for goal in buchi.accepting:
        leads = [0] * len(buchi.edges)  # the letters whose repetition leads to the goal
        changed = True
        while changed:
            changed = False
            for state, out in enumerate(buchi.edges):
                letters = leads[state]
                for edge in out:
                    at_goal = edge.label if edge.target == goal else 0
                    letters |= at_goal | (edge.label & leads[edge.target])
                changed |= letters != leads[state]
                leads[state] = letters
        for state in buchi.states:
            accepted[state] |= leads[goal] & (leads[state] if state != goal else -1)
    return tuple(accepted)


def useful_moves(buchi: Buchi, for_ever: tuple[int, ...], labels: tuple[int, ...]) -> Buchi:
    """The automaton with those letters on its edges after which the normal form accepts something.

    From (q, a, 0) it may go on by letters that `labels` tell apart from a. It accepts something if
    that can lead to a letter that is repeated for ever, or again and again through accepting
    states: the greatest set of states from which such a one can be reached whose successor is in it
    (Emerson and Lei).
    """

    def leading_to(reached: list[int]) -> list[int]:
        """The letters a of each q from whose (q, a, 0) such a (q', b, 0), or (b, 2), follows."""
        before = []
        for out, ends in zip(buchi.edges, for_ever, strict=True):
            following = ends
            for edge in out:
                following |= edge.label & reached[edge.target]
            several = _several(following, labels)
            before.append(everything if several else everything & ~following if following else 0)
        return before

    everything = full(len(buchi.propositions))
    again = [everything] * len(buchi.edges)
    while True:
        goal = [a if q in buchi.accepting else 0 for q, a in enumerate(leading_to(again))]
        reached = [0] * len(buchi.edges)
        while (more := [g | b for g, b in zip(goal, leading_to(reached), strict=True)]) != reached:
            reached = more
        if reached == again:
            break
        again = reached
    edges = tuple(
        tuple(Edge(e.label & again[e.target], e.target) for e in out if e.label & again[e.target])
        for out in buchi.edges
    )
    return Buchi(buchi.propositions, buchi.initial, edges, buchi.accepting)


def si_normal_form(buchi: Buchi, limit: int = MOST_STATES) -> Buchi:
    """The automaton of Theorem 2: the states that can be reached and accept something."""
    lazy = LazyNormalForm(buchi)
    letters = classes(lazy.labels, len(buchi.propositions))

    def successors(state: NormalState) -> Iterator[tuple[int, NormalState]]:
        for label in letters:
            for target in lazy.successors(state, first_letter(label)):
                yield label, target

    return explored(buchi.propositions, S_INIT, successors, lazy.is_accepting, limit)


# --- for a search --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NormalForm:
    """The automaton of Theorem 2 as a search walks it beside a program, without the letters.

    In the product a state (q, a, k) is met where the program is in some state p, and a is the
    letter of the state before p. What comes next depends on one thing about a: whether it is the
    letter of p too. So (q, k) and that answer will do, however many letters there are: what is left
    of the product is bisimilar to it, and a reduction that keeps cycles from ignoring steps there
    does so in the product itself.

    `moves` has a state for s_init and for each (q, k), and the edges for letters that are not a;
    `again` says where a itself leads. The search's states are those of `moves`, and then once more
    for "the letter is a": see `entered`. `labels` tell the letters apart.
    """

    moves: Buchi
    again: tuple[int, ...]
    labels: tuple[int, ...]

    def same(self, letter: int, other: int) -> bool:
        """Whether two letters are one to the automaton."""
        return _same(letter, other, self.labels)

    @property
    def initial(self) -> int:
        return self.moves.initial

    @property
    def size(self) -> int:
        return 2 * len(self.again)

    @property
    def forever(self) -> int:
        """The state from which only the letter before may follow."""
        return self.initial - 1

    def successors(self, state: int, letter: int) -> Iterator[int]:
        """Where `letter` leads, before it is known what is read next."""
        if state < len(self.again):
            yield from self.moves.successors(state, letter)
        else:
            yield self.again[state - len(self.again)]

    def entered(self, state: int, same: bool) -> int | None:
        """A successor, where the program goes on to a state with the same letter, or another.

        None if the run cannot go on from there.
        """
        if same:
            return state + len(self.again)
        return None if state == self.forever else state

    def is_accepting(self, state: int) -> bool:
        return state % len(self.again) in self.moves.accepting

    def met_as(self, state: NormalState, letter: int) -> int | None:
        """What a state of Theorem 2 is to the search where the program's state has this letter."""
        q, a, kind = state
        if kind is StateKind.INITIAL:
            return self.initial
        if kind is StateKind.FOREVER:
            return self.entered(self.forever, self.same(a, letter))
        moved = q if kind is StateKind.MOVED else self.again[q]
        return self.entered(moved, self.same(a, letter))


def normal_form(buchi: Buchi) -> NormalForm:
    """The SI normal form of an automaton, for a search."""
    labels, repeated = tells_apart(buchi), for_ever(buchi)
    buchi = useful_moves(buchi, repeated, labels)
    stayed = {q: len(buchi.edges) + n for n, q in enumerate(sorted(buchi.accepting))}
    forever = len(buchi.edges) + len(stayed)
    edges = [
        (*out, Edge(label, forever)) if label else out
        for out, label in zip(buchi.edges, repeated, strict=True)
    ]
    edges += [edges[q] for q in stayed]
    again = (*(stayed.get(q, q) for q in buchi.states), *stayed.values(), forever, forever + 1)
    moves = (*edges, (), edges[buchi.initial])
    accepting = buchi.accepting | {forever}
    return NormalForm(Buchi(buchi.propositions, forever + 1, moves, accepting), again, labels)
