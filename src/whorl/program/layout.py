"""Where variables are kept: each global and each process's own variables in slots, in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from whorl.language.types import Basic
from whorl.program.program import VariableInfo
from whorl.promela.symbols import Struct, Variable


@dataclass(slots=True)
class Layout:
    """Slots given to variables. `offsets` is keyed by identity: names may repeat in blocks."""

    slots: list[Basic] = field(default_factory=list)
    offsets: dict[int, int] = field(default_factory=dict)
    infos: list[VariableInfo] = field(default_factory=list)

    def offset(self, variable: Variable) -> int:
        return self.offsets[id(variable)]

    def __contains__(self, variable: Variable) -> bool:
        return id(variable) in self.offsets


def layout(variables: Iterable[Variable]) -> Layout:
    """Gives every one of `variables` its slots."""
    result = Layout()
    for variable in variables:
        parts = slots_of(variable)
        offset = len(result.slots)
        result.offsets[id(variable)] = offset
        result.slots += [kind for _, kind in parts]
        kind = variable.type if isinstance(variable.type, Basic) else None
        result.infos.append(
            VariableInfo(
                variable.name,
                offset,
                len(parts),
                kind,
                variable.length,
                tuple(parts),
                variable.hidden,
            )
        )
    return result


def slots_of(variable: Variable, prefix: str = "") -> list[tuple[str, Basic]]:
    """The name and type of each slot of a variable, in order."""
    names = [prefix + variable.name]
    if variable.length is not None:
        names = [f"{names[0]}[{index}]" for index in range(variable.length)]
    result: list[tuple[str, Basic]] = []
    for name in names:
        if isinstance(variable.type, Struct):
            for inner in variable.type.fields:
                result += slots_of(inner, f"{name}.")
        else:
            result.append((name, variable.type))
    return result
