"""The values of constant expressions."""

from __future__ import annotations

from collections.abc import Callable

from whorl.promela import ast
from whorl.promela.symbols import MtypeConstant, Variable

INT_MIN, INT_MAX = -(1 << 31), (1 << 31) - 1


def wrap(value: int) -> int:
    """`value` as a 32-bit int: what C's arithmetic gives on the machines that we run on."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def divide(left: int, right: int) -> int:
    """C's division, which truncates towards zero."""
    quotient = abs(left) // abs(right)
    return wrap(quotient if (left < 0) == (right < 0) else -quotient)


def remainder(left: int, right: int) -> int:
    return left - right * divide(left, right) if right not in (-1, 1) else 0


BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: wrap(a + b),
    "-": lambda a, b: wrap(a - b),
    "*": lambda a, b: wrap(a * b),
    "/": divide,
    "%": remainder,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: wrap(a << (b & 31)),
    ">>": lambda a, b: a >> (b & 31),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}
UNARY: dict[str, Callable[[int], int]] = {
    "!": lambda a: int(not a),
    "~": lambda a: ~a,
    "-": lambda a: wrap(-a),
}


def constant(node: ast.Expression) -> int | None:
    """The value of a constant expression, or None.

    As in Spin, a scalar with a constant initial value may stand for that value.
    """
    match node:
        case ast.Number():
            return node.value
        case ast.Unary():
            inner = constant(node.operand)
            return None if inner is None else UNARY[node.operator](inner)
        case ast.Binary():
            left, right = constant(node.left), constant(node.right)
            if left is None or right is None or (node.operator in "/%" and right == 0):
                return None
            return BINARY[node.operator](left, right)
        case ast.Reference(symbol=MtypeConstant(value=value)):
            return value
        case ast.Reference(symbol=Variable(declarator=ast.Declarator(initial=ast.Number() as n))):
            return n.value
    return None


def fill(values: list[int], length: int) -> list[int]:
    """The elements of an array that has these initial values: as in Spin, the last one goes on."""
    return values + [values[-1]] * (length - len(values))
