"""The basic types: what a variable of each keeps of a value."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whorl.language.types import WIDTHS, Basic, TypeKind, basic

values = st.integers(-(2**40), 2**40)


@given(values)
def test_what_is_kept_is_what_c_keeps(value: int) -> None:
    assert basic(TypeKind.BYTE).truncate(value) == ctypes.c_uint8(value).value
    assert basic(TypeKind.SHORT).truncate(value) == ctypes.c_int16(value).value
    assert basic(TypeKind.INT).truncate(value) == ctypes.c_int32(value).value
    assert basic(TypeKind.BIT).truncate(value) == value % 2


@given(values, st.integers(1, 31))
def test_unsigned(value: int, width: int) -> None:
    assert Basic(TypeKind.UNSIGNED, width).truncate(value) == value % 2**width


@pytest.mark.parametrize("kind", WIDTHS)
def test_what_fits_stays(kind: TypeKind) -> None:
    made = basic(kind)
    low = -(1 << (made.width - 1)) if made.signed else 0
    high = low + (1 << made.width) - 1
    for value in (low, low + 1, high - 1, high):
        assert made.truncate(value) == value
    assert made.truncate(high + 1) == low
    assert made.truncate(low - 1) == high


@pytest.mark.parametrize(
    ("kind", "width", "signed"),
    [
        (TypeKind.BIT, 1, False),
        (TypeKind.BYTE, 8, False),
        (TypeKind.SHORT, 16, True),
        (TypeKind.INT, 32, True),
        (TypeKind.MTYPE, 8, False),
        (TypeKind.CHAN, 8, False),
    ],
)
def test_widths(kind: TypeKind, width: int, signed: bool) -> None:
    made = basic(kind)
    assert (made.width, made.signed, made.name) == (width, signed, kind.value)


def test_mtypes_of_different_sets_differ() -> None:
    assert basic(TypeKind.MTYPE, "colour") != basic(TypeKind.MTYPE)
    assert basic(TypeKind.MTYPE, "colour") == basic(TypeKind.MTYPE, "colour")
