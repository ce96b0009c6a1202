"""The basic types of Promela, and the constants of mtype."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class TypeKind(Enum):
    """The basic types; bool is bit and pid is byte, as in Spin."""

    BIT = "bit"
    BYTE = "byte"
    SHORT = "short"
    INT = "int"
    UNSIGNED = "unsigned"
    MTYPE = "mtype"
    CHAN = "chan"


WIDTHS = {
    TypeKind.BIT: 1,
    TypeKind.BYTE: 8,
    TypeKind.SHORT: 16,
    TypeKind.INT: 32,
    TypeKind.MTYPE: 8,
    TypeKind.CHAN: 8,
}


@dataclass(frozen=True, slots=True)
class Basic:
    """A basic type: how many bits, signed or not."""

    kind: TypeKind
    width: int
    subtype: str | None = None  # of an mtype

    @property
    def signed(self) -> bool:
        return self.kind in (TypeKind.SHORT, TypeKind.INT)

    @property
    def size(self) -> int:
        return 1

    @property
    def name(self) -> str:
        return self.kind.value

    def truncate(self, value: int) -> int:
        """`value` as a variable of this type holds it."""
        value &= (1 << self.width) - 1
        if self.signed and value >> (self.width - 1):
            value -= 1 << self.width
        return value


def basic(kind: TypeKind, subtype: str | None = None) -> Basic:
    return Basic(kind, WIDTHS[kind], subtype)


@dataclass(frozen=True, slots=True)
class MtypeConstant:
    name: str
    value: int
    subtype: str | None
