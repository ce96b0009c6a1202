"""Values of a state with the elements of an array together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from whorl.trace.trace import Change

_ELEMENT = re.compile(r"(.*?)\[(\d+)\]$")


def in_lines(values: Iterable[Change]) -> Iterator[tuple[str, str]]:
    """Names with values, those of an array as one: ``term = [4, 4, 4]``.

    An array whose elements are not all there (others are no longer in scope) is left as it is.
    """
    waiting: list[tuple[str, str]] = []
    base = ""
    for value in values:
        match = _ELEMENT.match(value.name)
        if match is not None and match[1] == base and int(match[2]) == len(waiting):
            waiting.append((value.name, value.value))
            continue
        yield from _joined(base, waiting)
        waiting, base = [], ""
        if match is not None and match[2] == "0":
            base, waiting = match[1], [(value.name, value.value)]
        else:
            yield value.name, value.value
    yield from _joined(base, waiting)


def _joined(base: str, elements: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    if len(elements) < 2 or any(_is_messages(value) for _, value in elements):
        yield from elements
    else:
        yield base, f"[{', '.join(value for _, value in elements)}]"


def _is_messages(text: str) -> bool:
    """Whether a value is a channel's: these have brackets of their own, and may be long."""
    return text.startswith(("[", "(")) or text == "empty"
