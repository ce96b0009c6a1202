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
        found = self.known.get((kind, key))
        if found is None:
            found = len(self.kinds)
            self.known[kind, key] = found
            self.kinds.append(kind)
        return found

    def copy(self) -> Sites:
        return Sites([*self.kinds], {**self.known}, {**self.said})
