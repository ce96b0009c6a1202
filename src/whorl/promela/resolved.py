"""A resolved model: the syntax tree, and what its names mean."""

from __future__ import annotations

from dataclasses import dataclass, field

from whorl.language.types import MtypeConstant
from whorl.promela import ast
from whorl.promela.symbols import ProcessSymbol, Struct, Variable


@dataclass(slots=True)
class Resolved:
    """A model whose names are known."""

    model: ast.SyntaxTree
    variables: list[Variable] = field(default_factory=list)  # the global ones, in order
    mtypes: dict[str, MtypeConstant] = field(default_factory=dict)
    structs: dict[str, Struct] = field(default_factory=dict)
    processes: list[ProcessSymbol] = field(default_factory=list)  # proctypes and init, in order
    claims: list[ProcessSymbol] = field(default_factory=list)  # never, trace, notrace
    formulas: list[ast.LtlFormula] = field(default_factory=list)

    def process(self, name: str) -> ProcessSymbol | None:
        return next((p for p in self.processes if p.name == name), None)
