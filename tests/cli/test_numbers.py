"""Sizes, counts and times, as users write them."""

from __future__ import annotations

import argparse

import pytest

from whorl.cli.numbers import bit_count, positive, seconds, size


def test_what_is_read() -> None:
    assert size("1.5G") == 3 * 2**29
    assert positive("12") == 12
    assert bit_count("20") == 20
    assert seconds("0.5") == 0.5
    assert seconds("1e3") == 1000.0


@pytest.mark.parametrize("text", ["", "x", "-1", "0", "1.5", "nan"])
def test_no_count(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="no whole number above 0"):
        positive(text)


@pytest.mark.parametrize("text", ["", "x", "-1", "0", "nan", "inf"])
def test_no_time(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="no time in seconds"):
        seconds(text)


@pytest.mark.parametrize("text", ["", "much", "-1", "0"])
def test_no_size(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="no size"):
        size(text)


@pytest.mark.parametrize("text", ["19", "41"])
def test_no_number_of_bits(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="not from 20 to 40"):
        bit_count(text)
