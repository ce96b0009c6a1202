"""The values of constant expressions."""

from __future__ import annotations

from whorl.language.arithmetic import BINARY, UNARY
from whorl.language.types import MtypeConstant
from whorl.promela import ast
from whorl.promela.symbols import Variable


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
