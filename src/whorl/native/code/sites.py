"""Failure sites: the places in a model where an assertion or a fault may be met, by number."""

from __future__ import annotations

from dataclasses import dataclass, field

ASSERTION = "assertion"
CAPACITY = "capacity"  # more processes or channels than this verifier has room for


@dataclass(slots=True)
class Sites:
    """Numbers sites. The same kind and key is the same site."""

    kinds: list[str] = field(default_factory=list)
    known: dict[tuple[str, object], int] = field(default_factory=dict)
    said: dict[int, str] = field(default_factory=dict)  # the message, where it tells sites apart

    def site(self, kind: str, key: object) -> int:
        number = self.known.get((kind, key))
        if number is None:
            number = len(self.kinds)
            self.known[kind, key] = number
            self.kinds.append(kind)
        return number

    def copy(self) -> Sites:
        return Sites([*self.kinds], {**self.known}, {**self.said})
