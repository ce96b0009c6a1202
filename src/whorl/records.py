"""Dataclasses that are made in a fourth of the time.

The standard library writes and compiles six methods for a frozen dataclass, and a check loads
nearly two hundred classes: that took a third of its time on a small model. Here only `__init__` is
written. The other methods are the same for all classes, and a frozen one is not guarded: that
nobody changes it is for the type checker to see. It is for modules with many classes that no user
of the Python interface gets to see.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    from collections.abc import Callable
    from operator import attrgetter

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True
    ) -> Callable[[type], type]:
        def make(body: type) -> type:
            own = vars(body)
            made = dataclasses.dataclass(repr=False, eq=False, slots=slots)(body)
            if "__repr__" not in own:
                made.__repr__ = _repr
            if eq:
                _add_comparison(made, own, frozen)
            return made

        return make

    def _repr(self: object) -> str:
        names = [f.name for f in dataclasses.fields(self) if f.repr]
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    def _add_comparison(made: type, own: dict[str, object], frozen: bool) -> None:
        names = [f.name for f in dataclasses.fields(made) if f.compare]
        values = attrgetter(*names) if names else _no_values

        def equal(self: object, other: object) -> bool:
            if self.__class__ is other.__class__:
                return values(self) == values(other)
            return NotImplemented

        def hashed(self: object) -> int:
            return hash(values(self))

        if "__eq__" not in own:
            made.__eq__ = equal
        if own.get("__hash__") is None:
            made.__hash__ = hashed if frozen else None

    def _no_values(_: object) -> tuple[()]:
        return ()
