"""Ultimately periodic words, and what holds of them: a formula, an automaton.

The evaluator of formulas follows the semantics of LTL and nothing else, so that translations can be
checked against it. An ω-regular language is determined by its ultimately periodic words (Büchi), so
a difference between two automata always shows on one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from whorl.language.formula import Formula, Op
from whorl.property.automaton import Automaton, Buchi, generalised
from whorl.property.components import components

_PLAIN = re.compile(r"[\w.@:\[\]]+")  # a proposition that needs no parentheses


@dataclass(frozen=True, slots=True)
class Word:
    """The letters of `prefix` once, then those of `cycle` for ever.

    A letter is a number, as in an automaton: bit i is the truth of `propositions[i]`.
    """

    propositions: tuple[str, ...]
    prefix: tuple[int, ...]
    cycle: tuple[int, ...]

    def __post_init__(self) -> None:
        assert self.cycle
        assert all(0 <= a < 1 << len(self.propositions) for a in self.prefix + self.cycle)

    def __str__(self) -> str:
        cycle = "; ".join(letter_text(self.propositions, a) for a in self.cycle)
        prefix = (letter_text(self.propositions, a) for a in self.prefix)
        return "; ".join((*prefix, f"cycle{{{cycle}}}"))

    @property
    def letters(self) -> tuple[int, ...]:
        """The prefix and one turn of the cycle: every position that differs from the others."""
        return self.prefix + self.cycle

    def next(self, position: int) -> int:
        """The position after one in `letters`."""
        return position + 1 if position + 1 < len(self.letters) else len(self.prefix)

    def over(self, propositions: tuple[str, ...]) -> Word:
        """The same word with the propositions in another order, or only some of them."""
        if propositions == self.propositions:
            return self
        places = [self.propositions.index(name) for name in propositions]

        def moved(letters: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(sum((a >> p & 1) << i for i, p in enumerate(places)) for a in letters)

        return Word(propositions, moved(self.prefix), moved(self.cycle))

    def shortest(self) -> Word:
        """The same infinite word with the shortest cycle and then the shortest prefix."""
        cycle = self.cycle
        for period in range(1, len(cycle) + 1):
            if len(cycle) % period == 0 and cycle[:period] * (len(cycle) // period) == cycle:
                cycle = cycle[:period]
                break
        prefix = self.prefix
        while prefix and prefix[-1] == cycle[-1]:
            prefix = prefix[:-1]
            cycle = cycle[-1:] + cycle[:-1]
        return Word(self.propositions, prefix, cycle)

    def stutter_free(self) -> Word:
        """The word without repeated letters, except that the last may go on for ever.

        Two words are stutter-equivalent if these are equal.
        """
        prefix, cycle = self.prefix, self.cycle
        if len(set(cycle)) == 1:
            return Word(self.propositions, _unrepeated(prefix), cycle[:1]).shortest()
        # Turn the cycle until it begins with a letter that differs from the one before it.
        seam = next(i for i, letter in enumerate(cycle) if letter != cycle[i - 1])
        prefix, cycle = _unrepeated(prefix + cycle[:seam]), cycle[seam:] + cycle[:seam]
        if prefix and prefix[-1] == cycle[0]:
            prefix = prefix[:-1]
        return Word(self.propositions, prefix, _unrepeated(cycle)).shortest()


def stutter_equivalent(one: Word, other: Word) -> bool:
    """Whether the words differ only in how often letters are repeated (Siegel, Definition 6)."""
    return one.stutter_free() == other.over(one.propositions).stutter_free()


def letter_text(propositions: tuple[str, ...], letter: int) -> str:
    """A letter as the conjunction of its literals: `p & !q`."""
    literals = [
        ("" if letter >> i & 1 else "!") + (name if _PLAIN.fullmatch(name) else f"({name})")
        for i, name in enumerate(propositions)
    ]
    return " & ".join(literals) or "true"


def _unrepeated(letters: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(letter for letter, _ in groupby(letters))


# --- formulas ------------------------------------------------------------------------------------


def holds(formula: Formula, word: Word) -> bool:
    """Whether the word satisfies the formula; the word has every proposition of the formula."""
    return _values(formula, word)[0]


def _values(formula: Formula, word: Word) -> list[bool]:
    """The truth of the formula at each position of `word.letters`."""
    args = [_values(argument, word) for argument in formula.args]
    positions = range(len(word.letters))

    def fixpoint(start: bool, step: Callable[[int, bool], bool]) -> list[bool]:
        """The solution of value[i] = step(i, value[i + 1]) that is least, or greatest.

        Two rounds from the back: the first decides the cycle's first position, which its last one
        needs, the second all the others.
        """
        values = [start for _ in positions]
        for _ in range(2):
            for i in reversed(positions):
                values[i] = step(i, values[word.next(i)])
        return values

    match formula.op:
        case Op.TRUE | Op.FALSE:
            return [formula.op is Op.TRUE for _ in positions]
        case Op.ATOM:
            bit = word.propositions.index(formula.name)
            return [bool(letter >> bit & 1) for letter in word.letters]
        case Op.NOT:
            return [not value for value in args[0]]
        case Op.AND:
            return [all(values) for values in zip(*args, strict=True)]
        case Op.OR:
            return [any(values) for values in zip(*args, strict=True)]
        case Op.IMPLIES:
            return [not a or b for a, b in zip(*args, strict=True)]
        case Op.IFF:
            return [a == b for a, b in zip(*args, strict=True)]
        case Op.NEXT:
            return [args[0][word.next(i)] for i in positions]
        case Op.FINALLY:
            return fixpoint(False, lambda i, then: args[0][i] or then)
        case Op.GLOBALLY:
            return fixpoint(True, lambda i, then: args[0][i] and then)
        case Op.UNTIL:
            return fixpoint(False, lambda i, then: args[1][i] or (args[0][i] and then))
        case Op.WEAK:
            return fixpoint(True, lambda i, then: args[1][i] or (args[0][i] and then))
        case Op.RELEASE:
            return fixpoint(True, lambda i, then: args[1][i] and (args[0][i] or then))
        case Op.STRONG:
            return fixpoint(False, lambda i, then: args[1][i] and (args[0][i] or then))


# --- automata ------------------------------------------------------------------------------------


def accepts(automaton: Automaton | Buchi, word: Word, state: int | None = None) -> bool:
    """Whether the automaton accepts the word, from its initial state or from `state`.

    The word has every proposition of the automaton, in any order.
    """
    if isinstance(automaton, Buchi):
        automaton = generalised(automaton)
    word = word.over(automaton.propositions)
    edges = automaton.edges

    def steps(node: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
        """The marks of the edges that read the letter at a position, and where they lead."""
        at, position = node
        then = word.next(position)
        for edge in edges[at]:
            if edge.label >> word.letters[position] & 1:
                yield edge.marks, (edge.target, then)

    def successors(node: tuple[int, int]) -> Iterator[tuple[int, int]]:
        return (target for _, target in steps(node))

    everything = (1 << automaton.sets) - 1
    start = (automaton.initial if state is None else state, 0)
    for component in components([start], successors):
        inside = set(component)
        marks = [m for node in component for m, target in steps(node) if target in inside]
        if marks and _joined(marks) == everything:
            return True
    return False


def _joined(marks: list[int]) -> int:
    union = 0
    for mark in marks:
        union |= mark
    return union
