"""The arithmetic of Promela: that of C on 32-bit ints."""

from __future__ import annotations

from collections.abc import Callable

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
