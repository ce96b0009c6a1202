"""Sweeps: which values a macro takes, and in which order."""

from __future__ import annotations

import pytest

from whorl.cli.points import MOST_POINTS, is_beyond, is_range, points, sweeps
from whorl.diagnostics import WhorlError


@pytest.mark.parametrize(
    ("value", "swept"),
    [("2..6", True), ("-1..1", True), ("6", False), ("2,4", False), ("1 .. 5", False),
     ("a..b", False), ("2..", False), ("2...6", False), ("1..5 ", False), ("", False)],
)  # fmt: skip
def test_a_range_of_numbers_alone_is_a_sweep(value: str, swept: bool) -> None:
    assert is_range(value) == swept


def test_every_combination_in_order() -> None:
    asked = sweeps([("N", "1..2"), ("K", "7")], ["M=x,4", "L=1..2,5,1"])
    assert [sweep.name for sweep in asked] == ["N", "M", "L"]
    found = [tuple(point.values()) for point in points(asked)]
    assert found == [(n, m, k) for n in "12" for m in "x4" for k in "125"]
    assert [dict(point) for point in points(sweeps([("N", "7..7")], []))] == [{"N": "7"}]


@pytest.mark.parametrize(
    ("defines", "given", "said"),
    [
        ([("N", "6..2")], [], "nothing in the range 6..2"),
        ([("N", "1..2"), ("N", "3..4")], [], "N is given twice"),
        ([("N", "1")], ["N=1,2"], "N is given twice"),
        ([], ["N"], "'N' is no sweep"),
        ([], ["N="], "'N=' is no sweep"),
        ([], ["2N=1"], "is no sweep"),
        ([], ["N=1,,2"], "empty value"),
        ([("N", f"1..{MOST_POINTS + 1}")], [], f"has {MOST_POINTS + 1:,} values"),
        ([("N", "1..101"), ("M", "1..100")], [], "these sweeps are 10,100 checks"),
    ],
)
def test_refused(defines: list[tuple[str, str]], given: list[str], said: str) -> None:
    with pytest.raises(WhorlError, match=said):
        sweeps(defines, given)


@pytest.mark.parametrize(
    ("point", "limit", "beyond"),
    [
        ({"N": "10"}, {"N": "9"}, True),
        ({"N": "9"}, {"N": "10"}, False),
        ({"N": "3", "M": "4"}, {"N": "3", "M": "4"}, True),
        ({"N": "4", "M": "3"}, {"N": "3", "M": "4"}, False),
        ({"N": "4", "K": "a"}, {"N": "3", "K": "a"}, True),
        ({"N": "4", "K": "b"}, {"N": "3", "K": "a"}, False),
    ],
)
def test_beyond_a_limit(point: dict[str, str], limit: dict[str, str], beyond: bool) -> None:
    assert is_beyond(point, limit) == beyond
