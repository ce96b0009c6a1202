"""What names mean: types, variables, mtype constants, processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whorl.diagnostics import Span
    from whorl.promela.ast import Claim, Declarator, Proctype


class Kind(Enum):
    """The basic types; bool is bit and pid is byte, as in Spin."""

    BIT = "bit"
    BYTE = "byte"
    SHORT = "short"
    INT = "int"
    UNSIGNED = "unsigned"
    MTYPE = "mtype"
    CHAN = "chan"


WIDTHS = {
    Kind.BIT: 1,
    Kind.BYTE: 8,
    Kind.SHORT: 16,
    Kind.INT: 32,
    Kind.MTYPE: 8,
    Kind.CHAN: 8,
}


@dataclass(frozen=True, slots=True)
class Basic:
    """A basic type: how many bits, signed or not."""

    kind: Kind
    width: int
    subtype: str | None = None  # of an mtype

    @property
    def signed(self) -> bool:
        return self.kind in (Kind.SHORT, Kind.INT)

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


def basic(kind: Kind, subtype: str | None = None) -> Basic:
    return Basic(kind, WIDTHS[kind], subtype)


@dataclass(frozen=True, slots=True, eq=False)
class Struct:
    """A typedef: its fields in order. `size` counts the basic values in it."""

    name: str
    fields: tuple[Variable, ...]

    @property
    def size(self) -> int:
        return sum(f.size for f in self.fields)

    def field(self, name: str) -> Variable | None:
        return next((f for f in self.fields if f.name == name), None)


Type = Basic | Struct


@dataclass(slots=True, eq=False)
class Variable:
    """A variable, parameter or field."""

    name: str
    type: Type
    length: int | None  # None: not an array
    span: Span
    owner: ProcessSymbol | None = None  # None: global, or a field
    declarator: Declarator | None = None
    parameter: bool = False
    at_start: bool = True  # takes its initial value when its process starts
    hidden: bool = False

    @property
    def size(self) -> int:
        return self.type.size * (1 if self.length is None else self.length)


@dataclass(frozen=True, slots=True)
class MtypeConstant:
    name: str
    value: int
    subtype: str | None


Symbol = Variable | MtypeConstant


@dataclass(slots=True, eq=False)
class ProcessSymbol:
    """A proctype, init, never claim or trace assertion, with the variables declared in it."""

    name: str
    index: int
    node: Proctype | Claim
    parameters: list[Variable] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)  # parameters first
