"""Propositions of guards: what a condition is made of, and its truth table over them.

A claim reads letters, and a letter is the truth of a few propositions. Conditions are taken apart
at `!`, `&&` and `||`, so that what they have in common is one proposition. What stands to the right
of `&&` or `||` stays with the whole if evaluating it can fail, because it may be there to be
evaluated only behind a test: `i < N && a[i] == 0`. Where this gives too many propositions, each
condition stays whole, less the `!` before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whorl.program.expression_text import expression_text
from whorl.program.program import (
    BinaryOp,
    ChannelQuery,
    Const,
    Expr,
    Load,
    PollQuery,
    ProcessQuery,
    Program,
    RemoteLoad,
    UnaryOp,
    subexpressions,
)
from whorl.property.automaton import MOST_PROPOSITIONS, full, literal


class Propositions:
    """The propositions of a set of conditions, which `label` may then be asked for."""

    def __init__(self, program: Program, conditions: Sequence[Expr]) -> None:
        self.program = program
        self.whole = False
        self.atoms: dict[str, Expr] = {}  # by their text: what is written alike is alike

        self._add(conditions)
        if len(self.atoms) > MOST_PROPOSITIONS:
            self.whole = True
            self.atoms.clear()
            self._add(conditions)

    def _add(self, conditions: Sequence[Expr]) -> None:
        for condition in conditions:
            for atom in self._atoms(condition):
                self.atoms.setdefault(expression_text(atom, self.program), atom)

    def _divides(self, right: Expr) -> bool:
        """Whether a condition is taken apart that has `right` to the right of `&&` or `||`."""
        return not self.whole and not can_fail(right)

    def label(self, condition: Expr) -> int:
        """The letters in which `condition` is true."""
        count = len(self.atoms)
        match condition:
            case Const(value):
                return full(count) if value else 0
            case UnaryOp("!", operand):
                return full(count) & ~self.label(operand)
            case BinaryOp("&&", left, right) if self._divides(right):
                return self.label(left) & self.label(right)
            case BinaryOp("||", left, right) if self._divides(right):
                return self.label(left) | self.label(right)
        name = expression_text(condition, self.program)
        return literal(list(self.atoms).index(name), count)

    def _atoms(self, condition: Expr) -> Iterator[Expr]:
        match condition:
            case Const():
                pass
            case UnaryOp("!", operand):
                yield from self._atoms(operand)
            case BinaryOp("&&" | "||", left, right) if self._divides(right):
                yield from self._atoms(left)
                yield from self._atoms(right)
            case _:
                yield condition


def can_fail(expr: Expr) -> bool:
    """Whether there may be a state in which `expr` has no value."""
    return any(map(_is_risky, subexpressions(expr)))


def _is_risky(expr: Expr) -> bool:
    match expr:
        case Load(place):
            return bool(place.indices)
        case BinaryOp():
            return expr.operator in ("/", "%")
        case ChannelQuery() | PollQuery() | ProcessQuery() | RemoteLoad():
            return True
    return False


def support(labels: list[int], propositions: int) -> frozenset[int]:
    """The propositions on which some of these labels depend."""
    indices = set()
    for index in range(propositions):
        holds = literal(index, propositions)
        if any((label & holds) >> (1 << index) != label & ~holds for label in labels):
            indices.add(index)
    return frozenset(indices)
