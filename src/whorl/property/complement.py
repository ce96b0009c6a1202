"""Complements of Büchi automata, and with them inclusion and equivalence.

These may grow exponentially. They are for property automata, which are small, and raise an error
where a limit of states is passed.
"""

from __future__ import annotations

from collections.abc import Iterator

from whorl.property.automaton import Automaton, Buchi
from whorl.property.components import components
from whorl.property.letters import classes, first_letter
from whorl.property.operations import (
    MOST_STATES,
    accepted_word,
    explored,
    is_weak,
    product,
    useful,
)
from whorl.property.words import Word

FREE, WAITING, WATCHED = range(3)
Slice = tuple[tuple[frozenset[int], int], ...]  # disjoint sets of states, with a mark each
_Breakpoint = tuple[frozenset[int], frozenset[int]]
_Guess = tuple[bool, Slice]  # whether the guess was made


def complement(buchi: Buchi, limit: int = MOST_STATES) -> Buchi:
    """An automaton of the words that `buchi` does not accept."""
    return useful(of_weak(buchi, limit) if is_weak(buchi) else of_any(buchi, limit))


def of_weak(buchi: Buchi, limit: int) -> Buchi:
    """Miyano and Hayashi's breakpoints: a deterministic automaton.

    A run of a weak automaton accepts if it stays with accepting states from some time on (on cycles
    accepting states are among their like). So a word is refused if all runs leave them again and
    again. A state is the set S of states that runs are in, and those of them, O, whose runs have
    not left since O was last empty.
    """
    on_cycle = _on_cycles(buchi) & buchi.accepting
    parts = classes((edge.label for out in buchi.edges for edge in out), len(buchi.propositions))

    def step(states: frozenset[int], letter: int) -> frozenset[int]:
        return frozenset(t for s in states for t in buchi.successors(s, letter))

    def successors(pair: _Breakpoint) -> Iterator[tuple[int, _Breakpoint]]:
        states, owing = pair
        for part in parts:
            letter = first_letter(part)
            then = step(states, letter)
            rest = step(owing, letter) if owing else then
            yield part, (then, rest & on_cycle)

    start: _Breakpoint = (frozenset([buchi.initial]), frozenset())
    return explored(buchi.propositions, start, successors, lambda pair: not pair[1], limit)


def _on_cycles(buchi: Buchi) -> frozenset[int]:
    """The reachable states of components that have a cycle."""
    states: set[int] = set()
    for component in components(
        [buchi.initial], lambda s: (edge.target for edge in buchi.edges[s])
    ):
        inside = set(component)
        if any(edge.target in inside for s in component for edge in buchi.edges[s]):
            states |= inside
    return frozenset(states)


def of_any(buchi: Buchi, limit: int) -> Buchi:
    """Kähler and Wilke's slices (ICALP 2008).

    The runs on a word form a tree: a node is a set of states, its left child the accepting states
    that they lead to, its right child the others; a state is kept only where it is leftmost in its
    level. The word is accepted if some branch goes left infinitely often. A level is a slice. The
    complement follows the slices, guesses a level after which no infinite branch goes left, and
    from then on watches that all left children (WAITING, then WATCHED) die out. What happens inside
    a subtree that has to die does not matter, so it stays one set.
    """
    parts = classes((edge.label for out in buchi.edges for edge in out), len(buchi.propositions))

    def step(slice_: Slice, letter: int, guessed: bool) -> Slice:
        seen: set[int] = set()
        children: list[tuple[frozenset[int], int]] = []
        for states, mark in slice_:
            then = {t for s in states for t in buchi.successors(s, letter)} - seen
            seen |= then
            if mark == FREE:
                left = frozenset(then & buchi.accepting)
                _append(children, left, WAITING if guessed else FREE)
                _append(children, frozenset(then - buchi.accepting), FREE)
            else:
                _append(children, frozenset(then), mark)
        if not any(mark == WATCHED for _, mark in slice_):
            watched: list[tuple[frozenset[int], int]] = []
            for states, mark in children:
                _append(watched, states, FREE if mark == FREE else WATCHED)
            children = watched
        return tuple(children)

    def successors(node: _Guess) -> Iterator[tuple[int, _Guess]]:
        guessed, slice_ = node
        for part in parts:
            then = step(slice_, first_letter(part), guessed)
            yield part, (guessed, then)
            if not guessed:
                yield part, (True, then)

    def is_accepting(node: _Guess) -> bool:
        return node[0] and all(mark != WATCHED for _, mark in node[1])

    start: _Guess = (False, ((frozenset([buchi.initial]), FREE),))
    return explored(buchi.propositions, start, successors, is_accepting, limit)


def _append(children: list[tuple[frozenset[int], int]], states: frozenset[int], mark: int) -> None:
    """Adds a set to a slice; neighbours that share a mark other than FREE are one set."""
    if not states:
        return
    if mark != FREE and children and children[-1][1] == mark:
        children[-1] = (children[-1][0] | states, mark)
    else:
        children.append((states, mark))


# --- inclusion -----------------------------------------------------------------------------------


def only_in_first(one: Automaton | Buchi, other: Buchi, limit: int = MOST_STATES) -> Word | None:
    """A word that the first accepts and the second does not, or None if there is none."""
    return accepted_word(product(one, complement(other, limit)))


def difference(one: Buchi, other: Buchi, limit: int = MOST_STATES) -> Word | None:
    """A word that exactly one of the automata accepts, or None if they are equivalent."""
    word = only_in_first(one, other, limit)
    return only_in_first(other, one, limit) if word is None else word
