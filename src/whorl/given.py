"""What Python callers give: numbers, macros and lists, with a clear error for anything else."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from whorl.deadline import LONGEST
from whorl.options import BY_NAME, Option, ValueKind
from whorl.spelling import OptionError, refuse_combinations

MOST = 1 << 62  # of states, bytes or anything else that is counted
FEWEST_BITS, MOST_BITS = 20, 40  # of a bitstate search, as powers of two
HERE, AUTO = "here", "auto"  # of a cluster: started on this machine; as Ray finds it
_ADDRESS = re.compile(r"(?:ray://)?[\w.-]+:\d+|(?:ray://)?\[[0-9a-fA-F:.]+\]:\d+")
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?", re.IGNORECASE)


def valid_options(
    values: Mapping[str, Any], known: Mapping[str, Option] = BY_NAME
) -> SimpleNamespace:
    """The options of a check by name, each in one form; `known`: those that there are.

    TypeError or ValueError for a value of the wrong kind, OptionError for a name that is none of an
    option's and for options that do not go together.
    """
    options = {name: _valid(known[name], value) for name, value in values.items()}
    refuse_combinations(options, known)
    return SimpleNamespace(**options)


def _valid(option: Option, value: Any) -> Any:
    if option.kind is ValueKind.CHOICE:
        return _choice(option, value)
    check = _CHECKS.get(option.kind)
    return value if check is None else check(option.name, value)


def _choice(option: Option, value: Any) -> Any:
    if value == option.default or value in option.names:
        return value
    raise OptionError.of(f"unknown {option.name} '{value}'", option.hint(str(value)))


def flag(name: str, value: Any) -> bool:
    """Yes or no."""
    if not isinstance(value, int):
        raise TypeError(f"{name} is {value!r}, and neither True nor False")
    return bool(value)


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
    """A limit: a whole number above 0, or None. A very large one is as good as any other."""
    if value is None:
        return None
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, and no whole number") from None
    if number <= 0:
        raise ValueError(f"{name} is {number}, and must be above 0")
    return min(number, MOST)


def seconds(name: str, value: float | None) -> float | None:
    """A time: a number above 0, or None. A very long one is as good as any other."""
    if value is None:
        return None
    if not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}, and no number of seconds")
    if not value > 0 or value == math.inf:
        raise ValueError(f"{name} is {value}, and must be above 0 and finite")
    return float(min(value, LONGEST))


def bit_count(name: str, value: int | None) -> int | None:
    """The size of a bitstate search: a power of two, or None."""
    number = whole_number(name, value)
    if number is not None and not FEWEST_BITS <= number <= MOST_BITS:
        raise ValueError(f"{name} is {number}, and must be from {FEWEST_BITS} to {MOST_BITS}")
    return number


def size(name: str, value: int | str | None) -> int | None:
    """A number of bytes, as such or as text like 512M; or None."""
    if not isinstance(value, str):
        return whole_number(name, value)
    number = bytes_of(value)
    if number is None:
        raise ValueError(f"{name} is {value!r}, and no size like '512M' or '2G'")
    return number


def folder(name: str, value: str | Path | None) -> Path | None:
    """The name of a folder, or None."""
    if value is None or isinstance(value, Path):
        return value
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, and no path")
    return Path(value)


def address(name: str, value: str | bool | None) -> str | None:
    """Where a cluster is: its address, or `HERE` for one that is started; None: nowhere."""
    if value is None or value is False:
        return None
    if value is True or value == HERE:
        return HERE
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, and neither True nor an address")
    if not is_address(value):
        hint = f"write host:port, or {AUTO} for the one that Ray finds"
        raise OptionError.of(f"{name}: '{value}' is no address of a cluster", hint)
    return value


def is_address(text: str) -> bool:
    """Whether it may be the address of a cluster: host:port, or `auto`."""
    return text == AUTO or _ADDRESS.fullmatch(text) is not None


def bytes_of(text: str) -> int | None:
    """The number of bytes that a text like 512M, 2G or 1.5 GiB stands for."""
    match = _SIZE.fullmatch(text.strip())
    number = int(Decimal(match[1]) * _UNITS[match[2].upper()]) if match else 0
    return min(number, MOST) if number > 0 else None


_CHECKS: dict[ValueKind, Callable[[str, Any], Any]] = {
    ValueKind.FLAG: flag,
    ValueKind.COUNT: whole_number,
    ValueKind.BITS: bit_count,
    ValueKind.SECONDS: seconds,
    ValueKind.SIZE: size,
    ValueKind.TEXTS: texts,
    ValueKind.PATHS: paths,
    ValueKind.FOLDER: folder,
    ValueKind.ADDRESS: address,
}
