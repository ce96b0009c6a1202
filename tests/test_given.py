"""Values that Python callers give: what each becomes. (test_api.py has the wrong ones.)"""

from __future__ import annotations

from pathlib import Path

import pytest

from whorl import given


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("512", 512),
        ("1K", 1024),
        ("1k", 1024),
        ("512M", 512 * 2**20),
        ("2G", 2 * 2**30),
        ("1T", 2**40),
        ("1.5 GiB", 3 * 2**29),
        ("2 MB", 2 * 2**20),
        (" 3K ", 3072),
        ("0.5K", 512),
        ("0", None),
        ("0.0001", None),
        ("-1", None),
        ("K", None),
        ("1X", None),
        ("1e3", None),
        ("", None),
    ],
)
def test_sizes(text: str, number: int | None) -> None:
    assert given.bytes_of(text) == number
    if number is not None:
        assert given.size("memory", text) == number


def test_numbers() -> None:
    assert given.whole_number("n", None) is None
    assert given.whole_number("n", 3) == 3
    assert given.whole_number("n", True) == 1
    assert given.size("n", 3) == 3
    assert given.seconds("n", None) is None
    assert given.seconds("n", 3) == 3.0
    assert given.seconds("n", 0.5) == 0.5
    assert given.bit_count("n", given.FEWEST_BITS) == given.FEWEST_BITS
    assert given.bit_count("n", given.MOST_BITS) == given.MOST_BITS
    for bits in (given.FEWEST_BITS - 1, given.MOST_BITS + 1):
        with pytest.raises(ValueError, match="must be from"):
            given.bit_count("n", bits)


def test_one_text_or_several() -> None:
    assert given.texts("ltl", "<> p") == ("<> p",)
    assert given.texts("ltl", ["<> p", "[] q"]) == ("<> p", "[] q")
    assert given.texts("ltl", []) == ()
    assert given.paths("hoa", "a/b") == (Path("a/b"),)
    assert given.paths("hoa", Path("a")) == (Path("a"),)
    assert given.paths("hoa", ["a", Path("b")]) == (Path("a"), Path("b"))


def test_macros() -> None:
    assert given.macros(None) == {}
    assert given.macros({"A": 3, "B": "x + 1", "C": True, "D": -1}) == {
        "A": "3", "B": "x + 1", "C": "1", "D": "-1",
    }  # fmt: skip
