"""Stutter invariance of an automaton that is still being looked for, one pair of words at a time.

Alloy could not say that an automaton's language is stutter-invariant, and clauses cannot either. So
the solver is asked without it; where the automaton that it finds is not stutter-invariant, our
decision procedure gives two words that show it, and clauses are added which say that these two are
accepted alike. In the end the automaton is stutter-invariant, or there is none.
"""

from __future__ import annotations

from collections.abc import Iterable

from whorl.lab.encoding import Encoding
from whorl.property.automaton import Buchi
from whorl.property.stutter import Witness, states_not_stutter_invariant, stutter_witness
from whorl.property.words import Word


def witnesses(automaton: Buchi, every_state: bool) -> list[Witness]:
    """Pairs of words that show that the language, or that of some state, is not invariant."""
    if every_state:
        return [witness for _, witness in states_not_stutter_invariant(automaton)]
    witness = stutter_witness(automaton)
    return [] if witness is None else [witness]


class AcceptedAlike:
    """Adds clauses that make an encoding's automaton treat words alike, from all states or one."""

    def __init__(self, encoding: Encoding, states: Iterable[int]) -> None:
        assert encoding.automaton is None
        self.encoding = encoding
        self.clauses = encoding.clauses
        self.compared = tuple(states)
        self.states = range(encoding.size.property)
        self._known: dict[Word, list[int]] = {}

    def add(self, one: Word, other: Word) -> None:
        for s in self.compared:
            first, second = self.accepted(one)[s], self.accepted(other)[s]
            self.clauses.add(-first, second)
            self.clauses.add(-second, first)

    def accepted(self, word: Word) -> list[int]:
        """For each state a variable: whether the word is accepted from there."""
        if word not in self._known:
            rounds, good = self._round(word)
            live = self._forever(rounds, good)
            for letter in reversed(word.prefix):
                live = [
                    self._or([self._and(self._edge(s, letter, z), live[z]) for z in self.states])
                    for s in self.states
                ]
            self._known[word] = live
        return self._known[word]

    def _round(self, word: Word) -> tuple[list[list[int]], list[list[int]]]:
        """Between which states a round of the cycle leads; and where past an accepting state."""
        first, *rest = word.cycle
        rounds = [[self._edge(s, first, z) for z in self.states] for s in self.states]
        good = [
            [self._and(self.encoding.accepting(s), rounds[s][z]) for z in self.states]
            for s in self.states
        ]
        for letter in rest:
            steps = [[self._edge(s, letter, z) for z in self.states] for s in self.states]
            accepting = [
                [self._and(self.encoding.accepting(s), steps[s][z]) for z in self.states]
                for s in self.states
            ]
            good = self._joined(self._times(good, steps), self._times(rounds, accepting))
            rounds = self._times(rounds, steps)
        return rounds, good

    def _forever(self, rounds: list[list[int]], good: list[list[int]]) -> list[int]:
        """Which states can go on for ever with infinitely many good rounds.

        There is a cycle that begins with a good round, and as many others as there are states at
        most; the state is on it, or comes to it.
        """
        cycle = good
        for _ in self.states[1:]:
            cycle = self._joined(good, self._times(cycle, rounds))
        live = [cycle[s][s] for s in self.states]
        for _ in self.states[1:]:
            live = [
                self._or([live[s], *(self._and(rounds[s][z], live[z]) for z in self.states)])
                for s in self.states
            ]
        return live

    def _times(self, one: list[list[int]], other: list[list[int]]) -> list[list[int]]:
        return [
            [self._or([self._and(row[y], other[y][z]) for y in self.states]) for z in self.states]
            for row in one
        ]

    def _joined(self, one: list[list[int]], other: list[list[int]]) -> list[list[int]]:
        return [
            [self._or([a, b]) for a, b in zip(*rows, strict=True)]
            for rows in zip(one, other, strict=True)
        ]

    def _and(self, one: int, other: int) -> int:
        variable = self.clauses.new()
        self.clauses.add(-variable, one)
        self.clauses.add(-variable, other)
        self.clauses.add(variable, -one, -other)
        return variable

    def _or(self, others: list[int]) -> int:
        variable = self.clauses.new()
        self.clauses.add(-variable, *others)
        for other in others:
            self.clauses.add(-other, variable)
        return variable

    def _edge(self, s: int, letter: int, z: int) -> int:
        return self.encoding.delta(s, self.encoding.letters.index(letter), z)
