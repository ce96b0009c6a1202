"""The values that macros take in a sweep: `-D N=2..6`, `--sweep N=2,4,8`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from whorl.diagnostics import Diagnostic, WhorlError

MOST_POINTS = 10_000
_RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})")
_SWEEP = re.compile(r"([A-Za-z_]\w*)=(.+)", re.DOTALL)

Point = Mapping[str, str]


def is_range(value: str) -> bool:
    """Whether the value of a macro is a sweep: `2..6`, without blanks."""
    return _RANGE.fullmatch(value) is not None


@dataclass(frozen=True, slots=True)
class Sweep:
    """A macro, and the values that it takes one after the other."""

    name: str
    values: Sequence[str]


def sweeps(defines: Iterable[tuple[str, str]], given: Iterable[str]) -> list[Sweep]:
    """The sweeps of a command line, those of `-D` before those of `--sweep`."""
    found: dict[str, Sweep] = {}
    texts = [f"{name}={value}" for name, value in defines if is_range(value)]
    fixed = {name for name, value in defines if not is_range(value)}
    for sweep in map(_parsed, [*texts, *given]):
        if sweep.name in found or sweep.name in fixed:
            raise _refused(f"the macro {sweep.name} is given twice", "leave out one of the two")
        found[sweep.name] = sweep
    count = prod(len(sweep.values) for sweep in found.values())
    if count > MOST_POINTS:
        hint = f"at most {MOST_POINTS:,} are checked in one call"
        raise _refused(f"these sweeps are {count:,} checks", hint)
    return list(found.values())


def points(asked: Sequence[Sweep]) -> Iterator[Point]:
    """Every combination of values; the last sweep changes fastest."""
    names = [sweep.name for sweep in asked]
    for values in product(*(sweep.values for sweep in asked)):
        yield dict(zip(names, values, strict=True))


def is_beyond(point: Point, limit: Point) -> bool:
    """Whether `point` is at least as large as `limit` in every value that is a number."""
    return all(_at_least(value, limit[name]) for name, value in point.items())


def point_text(point: Point) -> str:
    return ", ".join(f"{name}={value}" for name, value in point.items())


def _at_least(value: str, other: str) -> bool:
    try:
        return int(value) >= int(other)
    except ValueError:
        return value == other


def _parsed(text: str) -> Sweep:
    match = _SWEEP.fullmatch(text)
    if match is None:
        hint = "write --sweep NAME=2..6 or --sweep NAME=2,4,8"
        raise _refused(f"'{text}' is no sweep", hint)
    values: dict[str, None] = {}
    for part in match[2].split(","):
        values.update(dict.fromkeys(_values(part.strip(), text)))
    return Sweep(match[1], tuple(values))


def _values(part: str, whole: str) -> Iterable[str]:
    match = _RANGE.fullmatch(part)
    if match is None:
        if not part:
            raise _refused(f"the sweep '{whole}' has an empty value", "write it like N=2,4,8")
        return (part,)
    first, last = int(match[1]), int(match[2])
    if first > last:
        hint = f"write {last}..{first}: sweeps go upwards"
        raise _refused(f"there is nothing in the range {part}", hint)
    if last - first >= MOST_POINTS:
        hint = f"at most {MOST_POINTS:,} are checked in one call"
        raise _refused(f"the range {part} has {last - first + 1:,} values", hint)
    return map(str, range(first, last + 1))


def _refused(message: str, hint: str) -> WhorlError:
    return WhorlError(Diagnostic("error", message, None, hint))
