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
        self.states = tuple(states)
        self._known: dict[Word, tuple[list[int], list[int]]] = {}

    def add(self, one: Word, other: Word) -> None:
        may_one, must_one = self._acceptance(one)
        may_other, must_other = self._acceptance(other)
        for s in self.states:
            self.encoding.clauses.add(-may_one[s], must_other[s])
            self.encoding.clauses.add(-may_other[s], must_one[s])

    def _acceptance(self, word: Word) -> tuple[list[int], list[int]]:
        """For each state two variables: true if the word is accepted, and true only if it is."""
        if word not in self._known:
            self._known[word] = (self._if_accepted(word), self._only_if_accepted(word))
        return self._known[word]

    def _if_accepted(self, word: Word) -> list[int]:
        """A least fixed point from below: what the clauses force to be true is accepted."""
        encoding, clauses = self.encoding, self.encoding.clauses
        states = range(encoding.size.property)
        nodes = [(s, i) for s in states for i in range(len(word.letters))]
        cyclic = [(s, i) for s, i in nodes if i >= len(word.prefix)]
        accepted = {node: clauses.new() for node in nodes}
        for seed in cyclic:
            after = {node: clauses.new() for node in cyclic}
            for s, i in cyclic:
                for z in states:
                    target = (z, word.next(i))
                    edge = self._edge(s, word.letters[i], z)
                    if (s, i) == seed:
                        clauses.add(-encoding.accepting(s), -edge, after[target])
                    clauses.add(-after[s, i], -edge, after[target])
            clauses.add(-after[seed], accepted[seed])
        for s, i in nodes:
            for z in states:
                edge = self._edge(s, word.letters[i], z)
                clauses.add(-edge, -accepted[z, word.next(i)], accepted[s, i])
        return [accepted[s, 0] for s in states]

    def _only_if_accepted(self, word: Word) -> list[int]:
        """Layers of steps: a variable of a layer is true only if one of the layer before is."""
        encoding, clauses = self.encoding, self.encoding.clauses
        states = range(encoding.size.property)
        nodes = [(s, i) for s in states for i in range(len(word.letters))]
        cyclic = [(s, i) for s, i in nodes if i >= len(word.prefix)]
        seeds = {}
        for seed in cyclic:
            # can come to the seed: from layer to layer, one step further away
            layer = {node: clauses.new() for node in cyclic}
            for node, variable in layer.items():
                s, i = node
                ok = word.next(i) == seed[1]
                clauses.add(-variable, *([self._edge(s, word.letters[i], seed[0])] if ok else []))
            for _ in range(len(cyclic) - 1):
                layer = self._further(layer, word)
            seeds[seed] = clauses.new()
            clauses.add(-seeds[seed], layer[seed])
            clauses.add(-seeds[seed], encoding.accepting(seed[0]))
        layer = {}
        for node in nodes:
            layer[node] = clauses.new()
            clauses.add(-layer[node], *([seeds[node]] if node in seeds else []))
        for _ in range(len(nodes) - 1):
            layer = self._further(layer, word)
        return [layer[s, 0] for s in states]

    def _further(self, layer: dict[tuple[int, int], int], word: Word) -> dict[tuple[int, int], int]:
        clauses = self.encoding.clauses
        further = {}
        for (s, i), variable in layer.items():
            ways = [variable]
            for z in range(self.encoding.size.property):
                way = clauses.new()
                clauses.add(-way, self._edge(s, word.letters[i], z))
                clauses.add(-way, layer[z, word.next(i)])
                ways.append(way)
            further[s, i] = clauses.new()
            clauses.add(-further[s, i], *ways)
        return further

    def _edge(self, s: int, letter: int, z: int) -> int:
        return self.encoding.delta(s, self.encoding.letters.index(letter), z)
