"""Arithmetic is that of C on 32-bit ints: against C's own types, and at the edges by hand."""

from __future__ import annotations

import ctypes
from fractions import Fraction
from math import trunc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.language.arithmetic import BINARY, INT_MAX, INT_MIN, UNARY, divide, remainder, wrap

EDGES = [INT_MIN, INT_MIN + 1, -65536, -2, -1, 0, 1, 2, 7, 65536, INT_MAX - 1, INT_MAX]
ints = st.integers(INT_MIN, INT_MAX) | st.sampled_from(EDGES)


def c_int(value: int) -> int:
    return ctypes.c_int32(value & 0xFFFFFFFF).value


@given(st.integers(-(2**70), 2**70) | ints)
def test_wrap(value: int) -> None:
    assert wrap(value) == c_int(value)


@given(ints, ints)
def test_what_may_overflow(left: int, right: int) -> None:
    assert BINARY["+"](left, right) == c_int(left + right)
    assert BINARY["-"](left, right) == c_int(left - right)
    assert BINARY["*"](left, right) == c_int(left * right)
    assert UNARY["-"](left) == c_int(-left)


@given(ints, ints.filter(bool))
def test_division_rounds_towards_zero(left: int, right: int) -> None:
    assert divide(left, right) == c_int(trunc(Fraction(left, right)))
    if (left, right) != (INT_MIN, -1):
        assert left == divide(left, right) * right + remainder(left, right)
        assert abs(remainder(left, right)) < abs(right)
        assert remainder(left, right) * left >= 0


@pytest.mark.parametrize(
    ("left", "right", "quotient", "rest"),
    [
        (7, 2, 3, 1),
        (-7, 2, -3, -1),
        (7, -2, -3, 1),
        (-7, -2, 3, -1),
        (1, 3, 0, 1),
        (-1, 3, 0, -1),
        (INT_MIN, -1, INT_MIN, 0),
        (INT_MIN, 1, INT_MIN, 0),
        (5, -1, -5, 0),
        (INT_MAX, INT_MIN, 0, INT_MAX),
    ],
)
def test_quotients(left: int, right: int, quotient: int, rest: int) -> None:
    assert (divide(left, right), remainder(left, right)) == (quotient, rest)


@pytest.mark.parametrize("left", EDGES)
@pytest.mark.parametrize("right", EDGES)
def test_no_result_is_too_large(left: int, right: int) -> None:
    for operator, apply in BINARY.items():
        if operator not in "/%" or right:
            assert INT_MIN <= apply(left, right) <= INT_MAX, operator
    for operator, only in UNARY.items():
        assert INT_MIN <= only(left) <= INT_MAX, operator


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (1, "<<", 4, 16),
        (1, "<<", 31, INT_MIN),
        (3, "<<", 31, INT_MIN),
        (-1, "<<", 1, -2),
        # As the machine does it: the count is taken modulo 32.
        (1, "<<", 32, 1),
        (1, "<<", -31, 2),
        (16, ">>", 2, 4),
        (-16, ">>", 2, -4),
        (-1, ">>", 31, -1),
        (INT_MIN, ">>", 31, -1),
        (6, "&", 3, 2),
        (6, "|", 3, 7),
        (6, "^", 3, 5),
        (-1, "^", INT_MAX, INT_MIN),
    ],
)
def test_bits(left: int, operator: str, right: int, expected: int) -> None:
    assert BINARY[operator](left, right) == expected


@given(ints, ints)
def test_comparisons_and_connectives_give_0_or_1(left: int, right: int) -> None:
    expected = {
        "==": left == right, "!=": left != right, "<": left < right, "<=": left <= right,
        ">": left > right, ">=": left >= right,
        "&&": left != 0 and right != 0, "||": left != 0 or right != 0,
    }  # fmt: skip
    for operator, truth in expected.items():
        found = BINARY[operator](left, right)
        assert found == int(truth)
        assert type(found) is int
    assert UNARY["!"](left) == int(left == 0)
    assert UNARY["~"](left) == -left - 1
