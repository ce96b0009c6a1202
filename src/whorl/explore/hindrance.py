"""A Hindrance: one reason for which a step is not enabled."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.explore.reads import ReadValue


@dataclass(frozen=True, slots=True)
class Hindrance:
    """Why something cannot be executed. `kind` is one of

    atomic, provided, priority (of a whole process); guard, timeout, full, empty, message,
    rendezvous, else, unless, end, dead end.
    """

    kind: str
    text: str
    values: tuple[ReadValue, ...] = ()
