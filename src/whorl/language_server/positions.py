"""Positions as editors count them: lines from 0, and units of an encoding within a line."""

from __future__ import annotations

from typing import Literal

from whorl.diagnostics import Source

Encoding = Literal["utf-8", "utf-16", "utf-32"]


def position(source: Source, offset: int, encoding: Encoding = "utf-16") -> tuple[int, int]:
    """The line and the unit within it that an offset is."""
    offset = max(0, min(offset, len(source.text)))
    line = source.line_number(offset)
    start = source.line_start(line)
    return line - 1, units(source.text[start:offset], encoding)


def offset(source: Source, line: int, unit: int, encoding: Encoding = "utf-16") -> int:
    """The offset of a position; one outside the text is moved to the nearest place in it."""
    if line < 0:
        return 0
    if line >= source.line_number(len(source.text)):
        return len(source.text)
    start = source.line_start(line + 1)
    here = start
    for character in source.line_at(line + 1):
        unit -= units(character, encoding)
        if unit < 0:
            break
        here += 1
    return here


def units(text: str, encoding: Encoding) -> int:
    """How many units of an encoding a text takes."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
