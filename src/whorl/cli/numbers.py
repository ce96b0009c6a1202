"""Sizes, counts and times, as users write them. One that is very large is as good as any other."""

from __future__ import annotations

import argparse

from whorl.deadline import LONGEST
from whorl.given import FEWEST_BITS, MOST, MOST_BITS, bytes_of

LONG = 60  # characters


def size(text: str) -> int:
    """A number of bytes: 512M, 2G, 1.5 GiB."""
    value = bytes_of(text)
    if value is None:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no size; write it like 512M or 2G")
    return value


def whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no whole number") from None


def positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no whole number above 0")
    return min(value, MOST)


def quoted(text: str) -> str:
    """The text of a number in an error; not all of it where it is very long."""
    return f"'{text}'" if len(text) <= LONG else f"'{text[:LONG]}...', {len(text):,} characters,"


def bit_count(text: str) -> int:
    """How many bits, as a power of two."""
    value = positive(text)
    if not FEWEST_BITS <= value <= MOST_BITS:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not from {FEWEST_BITS} to {MOST_BITS}")
    return value


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no time in seconds above 0")
    return min(value, LONGEST)
