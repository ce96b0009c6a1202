"""Which bit of a footprint is what.

The global slots come first, then what belongs to the whole program, then what some remote reference
watches: a process's location or one of its variables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from whorl.program.assigned import place_slots
from whorl.program.parts import parts, program_parts
from whorl.program.program import (
    AtLocation,
    Const,
    Expr,
    Program,
    RemoteLoad,
    RunProcess,
)


@dataclass(frozen=True, slots=True)
class Watched:
    """A location or a variable that a remote reference looks at.

    `process` is the type whose births and deaths it notices, and `pid` the process that it asks;
    None: of any. A variable is one of type `variable_of`: to ask a process of another type for it
    is a fault, so that it matters, too, when such a process comes and goes.
    """

    process: int | None
    pid: int | None
    location: int | None = None
    slots: range = range(0)
    variable_of: int | None = None

    def concerns(self, process: int, pid: int | None) -> bool:
        return self.process in (None, process) and (
            self.pid is None or pid is None or self.pid == pid
        )


class Cells:
    """The numbering of a program's cells, with those that a property looks at."""

    def __init__(self, program: Program, atoms: Iterable[Expr] = ()) -> None:
        self.program = program
        first = len(program.slots)
        self.birth, self.death, self.monitor, self.progress, self.accept = (
            1 << (first + i) for i in range(5)
        )
        self.nodes = tuple(program_parts(program))
        self.started = frozenset(n.process for n in self.nodes if isinstance(n, RunProcess))
        self.watched: dict[Watched, int] = {}
        for node in (*self.nodes, *parts(list(atoms))):
            if isinstance(node, AtLocation | RemoteLoad):
                self.watched.setdefault(self.target(node), 1 << (first + 5 + len(self.watched)))

    def target(self, node: AtLocation | RemoteLoad) -> Watched:
        pid = node.pid.value if isinstance(node.pid, Const) else None
        process: int | None = node.process
        if node.pid is not None:
            # Whatever process has that pid is asked, of whichever type it is.
            process = None
            if pid is not None and not self.started and pid < len(self.program.active):
                process = self.program.active[pid][0]
        if isinstance(node, AtLocation):
            return Watched(process, pid, node.location)
        return Watched(process, pid, None, place_slots(node.place), node.process)

    def name(self, bit: int) -> str:
        """What a cell is, in words."""
        number = bit.bit_length() - 1
        for variable in self.program.variables:
            if variable.offset <= number < variable.offset + variable.size:
                return variable.parts[number - variable.offset][0]
        if bit in (self.birth, self.death):
            return "the number of processes"
        if bit == self.monitor:
            return "the trace assertion"
        if bit == self.progress:
            return "progress labels"
        if bit == self.accept:
            return "accept labels"
        watched = next(w for w, b in self.watched.items() if b == bit)
        types = self.program.processes
        whose = "a process" if watched.process is None else types[watched.process].title
        if watched.pid is not None:
            whose += f"[{watched.pid}]"
        if watched.location is not None:
            labels = {} if watched.process is None else types[watched.process].labels
            names = [name for name, at in labels.items() if at == watched.location]
            return f"{whose}@{names[0] if names else watched.location}"
        assert watched.variable_of is not None
        whose = types[watched.variable_of].title + whose.removeprefix("a process")
        for variable in types[watched.variable_of].variables:
            if variable.offset <= watched.slots.start < variable.offset + variable.size:
                return f"{whose}:{variable.name}"
        return whose


def bits_of(slots: range) -> int:
    return ((1 << len(slots)) - 1) << slots.start
