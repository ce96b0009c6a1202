"""Positions in the units of an encoding, there and back."""

from __future__ import annotations

import pytest

from whorl.diagnostics import Source
from whorl.language_server.positions import Encoding, offset, position

TEXT = "byte x; /* ü 😀 */ byte y;\r\n\ninit { skip }"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_there_and_back(encoding: Encoding) -> None:
    source = Source("m", TEXT)
    for place in range(len(TEXT) + 1):
        line, unit = position(source, place, encoding)
        if place != TEXT.index("\n"):  # behind the '\r', which is no part of the line
            assert offset(source, line, unit, encoding) == place


def test_units() -> None:
    source, place = Source("m", TEXT), TEXT.index("byte y")
    assert position(source, place, "utf-32") == (0, 18)
    assert position(source, place, "utf-16") == (0, 19)
    assert position(source, place, "utf-8") == (0, 22)


@pytest.mark.parametrize(
    ("line", "unit", "place"),
    [(-1, 5, 0), (0, 900, TEXT.index("\r")), (9, 0, len(TEXT)), (1, 3, TEXT.index("\n") + 1)],
)
def test_outside_the_text(line: int, unit: int, place: int) -> None:
    assert offset(Source("m", TEXT), line, unit) == place
