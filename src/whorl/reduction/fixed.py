"""What never changes: variables that nothing assigns, and expressions over them.

The index in `flag[_pid]` or `fork[(id + 1) % N]` has the same value as long as its process lives.
So two processes that use such an index are independent there unless their values are the same.
"""

from __future__ import annotations

from whorl.program.assigned import assigned_slots, place_slots
from whorl.program.parts import process_parts
from whorl.program.program import (
    BinaryOp,
    Builtin,
    Const,
    Expr,
    IfElse,
    Load,
    Place,
    ProcessType,
    Program,
    Region,
    UnaryOp,
)


class Fixed:
    """The slots that keep their initial value, of the program and of each process type."""

    def __init__(self, program: Program) -> None:
        self.globals = set(range(len(program.slots)))
        self.locals = [set(range(len(p.slots))) for p in program.processes]
        for process, own in zip(program.processes, self.locals, strict=True):
            nodes = tuple(process_parts(process))
            self.globals -= assigned_slots(nodes, Region.GLOBAL)
            own -= assigned_slots(nodes, Region.LOCAL)
        # A global channel's number is known: channels are made in the order of the initial values.
        self.channels: dict[int, int] = {}
        made = [i.offset for i in program.initials if isinstance(i.value, int)]
        for number, offset in enumerate(made, 1):
            if offset in self.globals:
                self.channels[offset] = number

    def expr(self, expr: Expr, process: ProcessType | None) -> bool:
        """Whether `expr` has one value as long as the process lives that evaluates it."""
        match expr:
            case Const():
                return True
            case Builtin(name):
                return name == "_pid" and process is not None
            case Load(place):
                return self.place(place, process) and all(
                    self.expr(index.value, process) for index in place.indices
                )
            case UnaryOp():
                return self.expr(expr.operand, process)
            case BinaryOp():
                return self.expr(expr.left, process) and self.expr(expr.right, process)
            case IfElse():
                parts = (expr.condition, expr.yes, expr.no)
                return all(self.expr(part, process) for part in parts)
        return False

    def place(self, place: Place, process: ProcessType | None) -> bool:
        """Whether nothing assigns to any slot that `place` may be."""
        if place.region is Region.GLOBAL:
            return self.globals.issuperset(place_slots(place))
        if place.region is Region.LOCAL and process is not None:
            return self.locals[process.index].issuperset(place_slots(place))
        return False
