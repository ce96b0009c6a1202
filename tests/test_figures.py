"""Counts, sizes and times, as people read them."""

from __future__ import annotations

import pytest

from whorl.figures import bytes_text, count_text, counted, seconds_text


@pytest.mark.parametrize(
    ("value", "noun", "text"),
    [
        (0, "state", "0 states"),
        (1, "state", "1 state"),
        (2, "state", "2 states"),
        (1234567, "state", "1,234,567 states"),
        (1, "process", "1 process"),
        (3, "process", "3 processes"),
    ],
)
def test_counted(value: int, noun: str, text: str) -> None:
    assert counted(value, noun) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 kB"),
        (2048, "2 kB"),
        (2**20 - 1, "1,024 kB"),
        (2**20, "1.0 MB"),
        (3 * 2**29, "1.5 GB"),
        (2**30 - 2**20, "1,023.0 MB"),
    ],
)
def test_bytes(value: int, text: str) -> None:
    assert bytes_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.00 s"),
        (1.239, "1.24 s"),
        (99.5, "99.50 s"),
        (100, "1 min 40 s"),
        (119.9, "2 min 0 s"),
        (3600, "1 h 0 min 0 s"),
        (3725, "1 h 2 min 5 s"),
    ],
)
def test_seconds(value: float, text: str) -> None:
    assert seconds_text(value) == text


def test_count() -> None:
    assert count_text(1000) == "1,000"
