"""Stutter invariance, decided.

A language is stutter-invariant if repeating letters of a word, or leaving repetitions out, never
changes whether the word is in it (Siegel, Definition 6). Two words that differ in this way have a
common word in which letters are repeated more often than in either. So the language is not
stutter-invariant just if a word exists that both sl(A) and sl(not A) accept, where sl lets an
automaton read its last letter again and stay where it is (Michaud and Duret-Lutz, SPIN 2015). What
the two automata read with their own steps along that word is the pair of words that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.diagnostics import WhorlError
from whorl.language.formula import Formula
from whorl.property.automaton import Automaton, Buchi, Edge, generalised
from whorl.property.complement import complement
from whorl.property.letters import classes, first_letter
from whorl.property.operations import accepting_lasso, over
from whorl.property.state_based import as_buchi
from whorl.property.translate import translate
from whorl.property.words import Word, accepts, stutter_equivalent

MOST_STATES = 500_000

# Acceptance sets of the product: each side accepts, and each side takes a step of its own.
LEFT_ACCEPTS, RIGHT_ACCEPTS, LEFT_MOVES, RIGHT_MOVES = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class Witness:
    """Two words that are stutter-equivalent, of which only one is in the language."""

    accepted: Word
    refused: Word


def is_stutter_invariant(what: Buchi | Automaton | Formula) -> bool:
    """Whether the language of an automaton or a formula is stutter-invariant."""
    return stutter_witness(what) is None


def stutter_witness(what: Buchi | Automaton | Formula) -> Witness | None:
    """Two words that show that the language is not stutter-invariant; None if it is."""
    if isinstance(what, Automaton):
        what = as_buchi(what)
    if isinstance(what, Buchi):
        witness = difference_by_stuttering(what, complement(what))
        assert witness is None or not accepts(what, witness.refused)
        return witness
    if not what.has_next:
        return None  # Lamport, What Good is Temporal Logic? (1983)
    propositions = what.propositions
    automaton = translate(what, propositions)
    witness = difference_by_stuttering(automaton, translate(~what, propositions))
    assert witness is None or not accepts(automaton, witness.refused)
    return witness


def all_states_stutter_invariant(buchi: Buchi) -> bool:
    """Whether the language from every reachable state is stutter-invariant."""
    return next(states_not_stutter_invariant(buchi), None) is None


def states_not_stutter_invariant(buchi: Buchi) -> Iterator[tuple[int, Witness]]:
    """The reachable states from which the language is not stutter-invariant, with witnesses."""
    reached = [buchi.initial]
    for state in reached:  # grows meanwhile
        reached += sorted({edge.target for edge in buchi.edges[state]} - set(reached))
    for state in reached:
        inner = Buchi(buchi.propositions, state, buchi.edges, buchi.accepting)
        witness = stutter_witness(inner)
        if witness is not None:
            yield state, witness


def difference_by_stuttering(one: Buchi, other: Buchi) -> Witness | None:
    """A word of the first and a stutter-equivalent word of the second, or None."""
    propositions = tuple(dict.fromkeys(one.propositions + other.propositions))
    left, right = over(generalised(one), propositions), over(generalised(other), propositions)
    lasso = accepting_lasso(_product(left, right))
    if lasso is None:
        return None

    def read(moves: int) -> Word:
        prefix, cycle = (
            tuple(first_letter(edge.label) for edge in part if edge.marks & moves) for part in lasso
        )
        return Word(propositions, prefix, cycle).shortest()

    witness = Witness(read(LEFT_MOVES), read(RIGHT_MOVES))
    assert accepts(one, witness.accepted)
    assert accepts(other, witness.refused)
    assert stutter_equivalent(witness.accepted, witness.refused)
    return witness


def _product(left: Automaton, right: Automaton) -> Automaton:
    """sl(left) and sl(right) side by side; a state remembers the letter that was read last.

    Letters that no label tells apart may be exchanged for each other throughout, so one of each
    class is enough.
    """
    labels = (edge.label for automaton in (left, right) for out in automaton.edges for edge in out)
    letters = [first_letter(part) for part in classes(labels, len(left.propositions))]
    left_moves, right_moves = _moves(left, letters), _moves(right, letters)
    start = (left.initial, right.initial, -1)
    number = {start: 0}
    states = [start]
    edges: list[tuple[Edge, ...]] = []
    for s, t, last in states:  # grows meanwhile
        out = []
        for n, letter in enumerate(letters):
            lefts = [(to, LEFT_MOVES | mark * LEFT_ACCEPTS) for to, mark in left_moves[s][n]]
            rights = [(to, RIGHT_MOVES | mark * RIGHT_ACCEPTS) for to, mark in right_moves[t][n]]
            if n == last:
                lefts.append((s, 0))
                rights.append((t, 0))
            for s2, left_marks in lefts:
                for t2, right_marks in rights:
                    if not left_marks and not right_marks:
                        continue  # nobody moves
                    target = (s2, t2, n)
                    if target not in number:
                        number[target] = len(number)
                        states.append(target)
                    out.append(Edge(1 << letter, number[target], left_marks | right_marks))
        edges.append(tuple(out))
        if len(states) > MOST_STATES:
            raise WhorlError.at(None, "stutter invariance could not be decided: it takes too long")
    return Automaton(left.propositions, 0, tuple(edges), sets=4)


def _moves(automaton: Automaton, letters: list[int]) -> list[list[list[tuple[int, int]]]]:
    """For each state and letter: where its edges lead, with their marks."""
    return [
        [
            [(edge.target, edge.marks) for edge in out if edge.label >> letter & 1]
            for letter in letters
        ]
        for out in automaton.edges
    ]
