"""Sizes, counts and times, as users write them."""

from __future__ import annotations

import argparse
import re

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?", re.IGNORECASE)


def size(text: str) -> int:
    """A number of bytes: 512M, 2G, 1.5 GiB."""
    found = _SIZE.fullmatch(text.strip())
    value = int(float(found[1]) * _UNITS[found[2].upper()]) if found else 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no size; write it like 512M or 2G")
    return value


def positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number above 0")
    return value


def bit_count(text: str) -> int:
    """How many bits, as a power of two: 20 to 40."""
    value = positive(text)
    if not 20 <= value <= 40:
        raise argparse.ArgumentTypeError(f"'{text}' is not from 20 to 40")
    return value


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no time in seconds above 0")
    return value
