"""Mutants of a formula: one occurrence of a subformula replaced by what makes it hardest to hold.

An occurrence under an even number of negations is positive, and is replaced by false; one under an
odd number is negative, and is replaced by true. The left side of an implication counts as negated,
and `a <-> b` is read as `(a -> b) && (b -> a)`, so that every occurrence is one or the other. All
operators being monotonic in what is positive, the mutant implies the formula: where it holds, too,
the occurrence does not affect the formula (Kupferman and Vardi, Vacuity detection in temporal model
checking; Beer, Ben-David, Eisner and Rodeh).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.language.formula import FALSE, TRUE, Formula, Op


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A subformula at a place: `path` has the operands that lead there from the whole."""

    path: tuple[int, ...]
    formula: Formula
    positive: bool
    condition: bool = False  # it is in the left side of an implication that is positive

    @property
    def hardest(self) -> Formula:
        """What makes it hardest for the whole to hold."""
        return FALSE if self.positive else TRUE


def without_iff(formula: Formula) -> Formula:
    """The formula with two implications for each equivalence."""
    args = tuple(map(without_iff, formula.args))
    if formula.op is Op.IFF:
        left, right = args
        return Formula(Op.IMPLIES, (left, right)) & Formula(Op.IMPLIES, (right, left))
    return Formula(formula.op, args, formula.name)


def occurrences(whole: Formula) -> Iterator[Occurrence]:
    """Every occurrence of a subformula, the whole first; there must be no equivalence in it."""
    waiting = [Occurrence((), whole, positive=True)]
    while waiting:
        occurrence = waiting.pop()
        yield occurrence
        waiting += reversed(list(_operands(occurrence)))


def _operands(occurrence: Occurrence) -> Iterator[Occurrence]:
    formula, positive = occurrence.formula, occurrence.positive
    assert formula.op is not Op.IFF
    for place, operand in enumerate(formula.args):
        left = formula.op is Op.IMPLIES and not place
        turned = formula.op is Op.NOT or left
        condition = occurrence.condition or (left and positive)
        yield Occurrence((*occurrence.path, place), operand, positive != turned, condition)


def mutant(whole: Formula, occurrence: Occurrence) -> Formula:
    """The formula with the occurrence replaced, without the constants that this brings."""
    return folded(_replaced(whole, occurrence.path, occurrence.hardest))


def _replaced(formula: Formula, path: tuple[int, ...], by: Formula) -> Formula:
    if not path:
        return by
    place, *rest = path
    args = list(formula.args)
    args[place] = _replaced(args[place], tuple(rest), by)
    return Formula(formula.op, tuple(args), formula.name)


def folded(formula: Formula) -> Formula:
    """An equivalent formula in which no operator has a constant for an operand."""
    args = tuple(map(folded, formula.args))
    match formula.op:
        case Op.NOT:
            return _not(args[0])
        case Op.AND:
            return _joined(Op.AND, args, TRUE, FALSE)
        case Op.OR:
            return _joined(Op.OR, args, FALSE, TRUE)
        case Op.IMPLIES | Op.IFF:
            return _condition(formula.op, *args)
        case Op.NEXT | Op.FINALLY | Op.GLOBALLY:
            return args[0] if args[0] in (TRUE, FALSE) else Formula(formula.op, args)
        case Op.UNTIL | Op.RELEASE | Op.WEAK | Op.STRONG:
            return _binary(formula.op, *args)
    return formula


def _not(operand: Formula) -> Formula:
    if operand in (TRUE, FALSE):
        return FALSE if operand == TRUE else TRUE
    return operand.args[0] if operand.op is Op.NOT else ~operand


def _joined(op: Op, args: tuple[Formula, ...], neutral: Formula, decides: Formula) -> Formula:
    if decides in args:
        return decides
    left = tuple(dict.fromkeys(arg for arg in args if arg != neutral))
    if not left:
        return neutral
    return left[0] if len(left) == 1 else Formula(op, left)


def _condition(op: Op, left: Formula, right: Formula) -> Formula:
    if left == TRUE:
        return right
    if right == FALSE:
        return _not(left)
    if op is Op.IFF and (left == FALSE or right == TRUE):
        return _not(right) if left == FALSE else left
    if left == FALSE or right == TRUE:
        return TRUE
    return Formula(op, (left, right))


def _binary(op: Op, left: Formula, right: Formula) -> Formula:
    """U, R, W and M, with a constant on either side."""
    finally_, globally = (Formula(o, (right,)) for o in (Op.FINALLY, Op.GLOBALLY))
    always = Formula(Op.GLOBALLY, (left,))
    sometime = Formula(Op.FINALLY, (left,))
    known: dict[tuple[Op, bool | None, bool | None], Formula] = {
        (Op.UNTIL, None, True): TRUE, (Op.UNTIL, None, False): FALSE,
        (Op.UNTIL, True, None): finally_, (Op.UNTIL, False, None): right,
        (Op.RELEASE, None, True): TRUE, (Op.RELEASE, None, False): FALSE,
        (Op.RELEASE, True, None): right, (Op.RELEASE, False, None): globally,
        (Op.WEAK, None, True): TRUE, (Op.WEAK, None, False): always,
        (Op.WEAK, True, None): TRUE, (Op.WEAK, False, None): right,
        (Op.STRONG, None, True): sometime, (Op.STRONG, None, False): FALSE,
        (Op.STRONG, True, None): right, (Op.STRONG, False, None): FALSE,
    }  # fmt: skip
    value = {TRUE: True, FALSE: False}
    first, second = value.get(left), value.get(right)
    for key in ((op, None, second), (op, first, None)):
        if key != (op, None, None) and key in known:
            return folded(known[key])
    return Formula(op, (left, right))
