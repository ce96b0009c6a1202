"""What Python callers give: numbers, macros and lists, with a clear error for anything else."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any


def texts(name: str, given: str | Sequence[str]) -> tuple[str, ...]:
    """The texts, or the one text, that were given."""
    return tuple(_each(name, given, (str,)))


def paths(name: str, given: str | Path | Sequence[str | Path]) -> tuple[Path, ...]:
    """The names of files or folders, or the one name, that were given."""
    return tuple(map(Path, _each(name, given, (str, Path))))


def _each(name: str, given: Any, kinds: tuple[type, ...]) -> Iterator[Any]:
    if isinstance(given, kinds):
        given = [given]
    elif not isinstance(given, Iterable):
        raise TypeError(f"{name} is {given!r}, and neither text nor a list of texts")
    for item in given:
        if not isinstance(item, kinds):
            raise TypeError(f"{name} has {item!r}, which is no text")
        yield item


def macros(defines: Mapping[str, str | int] | None) -> dict[str, str]:
    """The macros as text: a number stands for its digits, and True for 1 as in C."""
    if defines is None:
        return {}
    if not isinstance(defines, Mapping):
        raise TypeError(f"defines is {defines!r}, and no mapping of names to values")
    for name, value in defines.items():
        if not isinstance(name, str):
            raise TypeError(f"defines has {name!r}, and the name of a macro is text")
        if not isinstance(value, str | int):
            raise TypeError(f"defines[{name!r}] is {value!r}, and no text or whole number")
    return {n: v if isinstance(v, str) else str(int(v)) for n, v in defines.items()}


def whole_number(name: str, value: int | None) -> int | None:
    """A limit: a whole number above 0, or None."""
    if value is None:
        return None
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, and no whole number") from None
    if number <= 0:
        raise ValueError(f"{name} is {number}, and must be above 0")
    return number


def seconds(name: str, value: float | None) -> float | None:
    """A time: a number above 0, or None."""
    if value is None:
        return None
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}, and no number of seconds")
    number = float(value)
    if not (number > 0 and math.isfinite(number)):
        raise ValueError(f"{name} is {value}, and must be above 0 and finite")
    return number
