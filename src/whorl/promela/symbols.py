"""What names mean: typedefs, variables, processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whorl.language.types import Basic, MtypeConstant

if TYPE_CHECKING:
    from whorl.diagnostics import Span
    from whorl.promela.ast import Declarator, NeverOrTrace, Proctype


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


Symbol = Variable | MtypeConstant


@dataclass(slots=True, eq=False)
class ProcessSymbol:
    """A proctype, init, never claim or trace assertion, with the variables declared in it."""

    name: str
    index: int
    node: Proctype | NeverOrTrace
    parameters: list[Variable] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)  # parameters first
