"""Ranges of expressions, as far as types tell them: they save checks that cannot fail."""

from __future__ import annotations

from whorl.language.arithmetic import INT_MAX, INT_MIN
from whorl.program.program import BinaryOp, Builtin, Const, Expr, IfElse, Load, UnaryOp

Range = tuple[int, int]
ANYTHING: Range = (INT_MIN, INT_MAX)
TRUTH: Range = (0, 1)


def value_range(expr: Expr, processes: int) -> Range:
    """The least and the greatest value that `expr` can have, among at most so many processes."""
    match expr:
        case Const(value):
            return value, value
        case Load(place):
            if place.type.signed:
                return -(1 << (place.type.width - 1)), (1 << (place.type.width - 1)) - 1
            return 0, (1 << place.type.width) - 1
        case Builtin("_pid"):
            return 0, processes - 1
        case UnaryOp("!"):
            return TRUTH
        case IfElse():
            first, second = (value_range(branch, processes) for branch in (expr.yes, expr.no))
            return min(first[0], second[0]), max(first[1], second[1])
        case BinaryOp():
            return _binary(expr, processes)
    return ANYTHING


def may_wrap(expr: BinaryOp | UnaryOp, processes: int) -> bool:
    """Whether the value of `+`, `-` or `*` may lie beyond an int, so that it wraps round."""
    if isinstance(expr, UnaryOp):
        return value_range(expr.operand, processes)[0] == INT_MIN
    left, right = value_range(expr.left, processes), value_range(expr.right, processes)
    match expr.operator:
        case "+":
            ends = [left[0] + right[0], left[1] + right[1]]
        case "-":
            ends = [left[0] - right[1], left[1] - right[0]]
        case _:
            ends = [a * b for a in left for b in right]
    return min(ends) < INT_MIN or max(ends) > INT_MAX


def _binary(expr: BinaryOp, processes: int) -> Range:
    left, right = value_range(expr.left, processes), value_range(expr.right, processes)
    match expr.operator:
        case "+":
            return _fit(left[0] + right[0], left[1] + right[1])
        case "-":
            return _fit(left[0] - right[1], left[1] - right[0])
        case "%" if left[0] >= 0 and right[0] > 0:
            return 0, min(left[1], right[1] - 1)
        case "/" if left[0] >= 0 and right[0] > 0:
            return left[0] // right[1], left[1] // right[0]
        case "&" if left[0] >= 0 or right[0] >= 0:
            return 0, min(side[1] for side in (left, right) if side[0] >= 0)
        case "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||":
            return TRUTH
    return ANYTHING


def _fit(low: int, high: int) -> Range:
    """A range, unless the arithmetic may wrap round."""
    return (low, high) if low >= INT_MIN and high <= INT_MAX else ANYTHING
