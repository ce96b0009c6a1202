"""LTL formulas: the syntax tree, and its text in either spelling.

A formula is a value: two that are written alike are equal, and may be keys. Nothing is simplified
when one is made; `rewrite` does that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum


class Op(Enum):
    """The operators. Release and its strong form M are the duals of U and W."""

    TRUE = "true"
    FALSE = "false"
    ATOM = "atom"
    NOT = "!"
    AND = "&"
    OR = "|"
    IMPLIES = "->"
    IFF = "<->"
    NEXT = "X"
    FINALLY = "F"
    GLOBALLY = "G"
    UNTIL = "U"
    RELEASE = "R"
    WEAK = "W"  # weak until
    STRONG = "M"  # strong release

    @property
    def is_temporal(self) -> bool:
        return self in _TEMPORAL


_TEMPORAL = frozenset((Op.NEXT, Op.FINALLY, Op.GLOBALLY, Op.UNTIL, Op.RELEASE, Op.WEAK, Op.STRONG))


@dataclass(frozen=True, slots=True)
class Formula:
    """An operator and its operands: And and Or take any number from two, the others what they need.

    `name` is an atom's: a proposition, or the text of a Promela expression.
    """

    op: Op
    args: tuple[Formula, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        return text(self)

    def __invert__(self) -> Formula:
        return Formula(Op.NOT, (self,))

    def __and__(self, other: Formula) -> Formula:
        return Formula(Op.AND, (self, other))

    def __or__(self, other: Formula) -> Formula:
        return Formula(Op.OR, (self, other))

    def subformulas(self) -> Iterator[Formula]:
        """This formula and every formula in it, each as often as it occurs."""
        yield self
        for argument in self.args:
            yield from argument.subformulas()

    @property
    def height(self) -> int:
        """How many operators are nested in it, at most."""
        height, level = 0, [self]
        while level := [part for formula in level for part in formula.args]:
            height += 1
        return height

    @property
    def propositions(self) -> tuple[str, ...]:
        """The names of its atoms, each once, in the order in which they occur."""
        return tuple(dict.fromkeys(f.name for f in self.subformulas() if f.op is Op.ATOM))

    @property
    def has_next(self) -> bool:
        """Whether it uses X; a formula that does not is stutter-invariant (Lamport)."""
        return any(f.op is Op.NEXT for f in self.subformulas())


TRUE = Formula(Op.TRUE)
FALSE = Formula(Op.FALSE)


def atom(name: str) -> Formula:
    return Formula(Op.ATOM, (), name)


# --- text ----------------------------------------------------------------------------------------

# The spelling of Spin, and that of the automata literature.
SPIN = {
    Op.NOT: "!", Op.AND: "&&", Op.OR: "||", Op.IMPLIES: "->", Op.IFF: "<->", Op.NEXT: "X ",
    Op.FINALLY: "<>", Op.GLOBALLY: "[]", Op.UNTIL: "U", Op.RELEASE: "V", Op.WEAK: "W",
    Op.STRONG: "M",
}  # fmt: skip
LETTERS = {op: op.value for op in SPIN}


def text(formula: Formula, spelling: dict[Op, str] | None = None) -> str:
    """The formula as text, with parentheses wherever an operand is not an atom or unary."""
    words = LETTERS if spelling is None else spelling
    match formula.op:
        case Op.TRUE | Op.FALSE:
            return str(formula.op.value)
        case Op.ATOM:
            return formula.name if formula.name.isidentifier() else f"({formula.name})"
        case Op.NOT | Op.NEXT | Op.FINALLY | Op.GLOBALLY:
            (operand,) = formula.args
            inner = _operand(operand, words)
            word = words[formula.op]
            # `Fp` would read as one name
            gap = " " if word[-1].isalpha() and inner[0].isalnum() else ""
            return f"{word}{gap}{inner}"
    return f" {words[formula.op]} ".join(_operand(argument, words) for argument in formula.args)


def _operand(formula: Formula, words: dict[Op, str]) -> str:
    inner = text(formula, words)
    unary = formula.op in (Op.NOT, Op.NEXT, Op.FINALLY, Op.GLOBALLY)
    return inner if unary or not formula.args else f"({inner})"
