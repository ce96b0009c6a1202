"""SI normal form (Siegel, Definition 12 and Appendix A): what it is, and how to reach it.

Partial-order reduction on the fly that looks at the search stack is wrong for some automata with a
stutter-invariant language, and right for those in this form (Theorem 1). A state of the form knows
the letter by which it was entered, and repeating that letter changes nothing but acceptance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from whorl.property.automaton import Buchi, Edge
from whorl.property.components import components
from whorl.property.letters import classes, first_letter
from whorl.property.operations import MOST_STATES, explored, useful

# --- Definition 12 -------------------------------------------------------------------------------


def is_si_normal_form(buchi: Buchi) -> bool:
    """Whether the automaton is in SI normal form."""
    return why_not_si_normal_form(buchi) is None


def why_not_si_normal_form(buchi: Buchi) -> str | None:
    """What Definition 12 asks for and the automaton does not have; None if it is in the form."""
    names = buchi.propositions
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
        if label & (label - 1):
            return f"state {state} is entered by different letters"
        # A state without incoming edges may take any letter as its own.
        own = [label] if label else classes((e.label for e in buchi.edges[state]), len(names))
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


def _joined(edges: tuple[Edge, ...]) -> dict[int, int]:
    """The label to each target."""
    labels: dict[int, int] = {}
    for edge in edges:
        labels[edge.target] = labels.get(edge.target, 0) | edge.label
    return labels


# --- Theorem 2 -----------------------------------------------------------------------------------


class Kind(IntEnum):
    """The third component of a state of the construction, and a number for s_init."""

    MOVED = 0  # (q, a, 0): the original went to q by a
    STAYED = 1  # (q, a, 1): q is accepting, and a was read again
    FOREVER = 2  # (a, 2): only a follows, and the original accepts that
    INITIAL = 3


# q (-1 where there is none), a (-1 where there is none) and the kind
NormalState = tuple[int, int, Kind]

S_INIT: NormalState = (-1, -1, Kind.INITIAL)


@dataclass(slots=True)
class LazyNormalForm:
    """The automaton of Theorem 2, state by state as it is asked for.

    Nothing in it depends on the number of letters. For an automaton whose language is not
    stutter-invariant, it accepts the words whose stutter-free form the original accepts.
    """

    original: Buchi
    _forever: dict[int, frozenset[int]] = field(default_factory=dict)  # by letter

    @property
    def initial(self) -> NormalState:
        return S_INIT

    def successors(self, state: NormalState, letter: int) -> Iterator[NormalState]:
        """The states that `letter` may lead to; the equations are those of Appendix A."""
        q, a, kind = state
        if kind is Kind.INITIAL:  # (8), (9)
            yield from self._moved(self.original.initial, letter)
        elif letter != a:
            if kind is not Kind.FOREVER:  # (10), (14), (16), (17)
                yield from self._moved(q, letter)
        elif kind is Kind.MOVED and q in self.original.accepting:  # (12)
            yield q, a, Kind.STAYED
        else:  # (11), (13), (15)
            yield state

    def _moved(self, q: int, letter: int) -> Iterator[NormalState]:
        for target in self.original.successors(q, letter):
            yield target, letter, Kind.MOVED
        if q in self.accepting_for_ever(letter):
            yield -1, letter, Kind.FOREVER

    def is_accepting(self, state: NormalState) -> bool:
        q, _, kind = state
        return kind is Kind.FOREVER or (kind is Kind.MOVED and q in self.original.accepting)

    def accepting_for_ever(self, letter: int) -> frozenset[int]:
        """The states of the original from which it accepts the letter for ever."""
        if letter not in self._forever:
            found: set[int] = set()
            original = self.original

            def step(state: int) -> Iterator[int]:
                return original.successors(state, letter)

            for component in components(original.states, step):
                inside = set(component)
                targets = {target for state in component for target in step(state)}
                cycle = bool(targets & inside)
                if targets & found or (cycle and inside & original.accepting):
                    found |= inside
            self._forever[letter] = frozenset(found)
        return self._forever[letter]


def si_normal_form(buchi: Buchi, *, trim: bool = True, limit: int = MOST_STATES) -> Buchi:
    """The automaton of Theorem 2: the states that can be reached, if `trim` only the useful ones.

    A state without an accepting run goes together with its s#, which has the same edges, so what is
    left is in SI normal form too.
    """
    lazy = LazyNormalForm(buchi)
    letters = range(1 << len(buchi.propositions))

    def successors(state: NormalState) -> Iterator[tuple[int, NormalState]]:
        for letter in letters:
            for target in lazy.successors(state, letter):
                yield 1 << letter, target

    whole = explored(buchi.propositions, S_INIT, successors, lazy.is_accepting, limit)
    return useful(whole) if trim else whole
