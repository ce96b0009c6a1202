"""What a program does with its variables, processes and channels, as far as the layout cares."""

from __future__ import annotations

from dataclasses import dataclass

from whorl.language.types import TypeKind
from whorl.program.assigned import assigned_slots
from whorl.program.parts import parts, program_parts
from whorl.program.program import (
    Builtin,
    Expr,
    ProcessQuery,
    Program,
    Region,
    RemoteLoad,
    RunProcess,
    Terminate,
)


@dataclass(frozen=True, slots=True)
class Usage:
    """Facts that hold in every run."""

    fixed: frozenset[int]  # global slots of variables that nothing assigns
    starts: frozenset[int]  # process types that some run starts
    ends: bool  # some process can end
    local_channels: bool  # some process makes channels when it starts
    global_channels: int
    asks_enabled: bool
    asks_location: bool  # pc_value
    asks_progress: bool  # np_
    remote: frozenset[tuple[int, int]]  # process type and slot that another process reads

    def static_channels(self, program: Program) -> list[int]:
        """The types of the channels that exist from the start, in order."""
        made = [i.value for i in program.initials if isinstance(i.value, int)]
        for kind, _ in program.active:
            made += [i.value for i in program.processes[kind].initials if isinstance(i.value, int)]
        return made

    def varying_channels(self, program: Program) -> set[int]:
        """The types of channels that a process started later may make."""
        return {
            i.value
            for kind in self.starts
            for i in program.processes[kind].initials
            if isinstance(i.value, int)
        }


def usage(program: Program, atoms: tuple[Expr, ...] = ()) -> Usage:
    """What `program` does, and what `atoms`, the propositions of a claim, ask of it."""
    starts: set[int] = set()
    remote: set[tuple[int, int]] = set()
    ends = asks_enabled = asks_location = asks_progress = False
    by_slot = {
        variable.offset + position: variable
        for variable in program.variables
        for position in range(variable.size)
    }
    everything = (*program_parts(program), *parts(atoms))
    # Of an array all elements count as one.
    written = {by_slot[slot].offset for slot in assigned_slots(everything, Region.GLOBAL)}
    for node in everything:
        if isinstance(node, RunProcess):
            starts.add(node.process)
        elif isinstance(node, Terminate):
            ends = True
        elif isinstance(node, ProcessQuery):
            asks_enabled = asks_enabled or node.query == "enabled"
            asks_location = asks_location or node.query == "pc_value"
        elif isinstance(node, Builtin):
            asks_progress = asks_progress or node.name == "np_"
        elif isinstance(node, RemoteLoad):
            remote.add((node.process, node.place.offset))
    if program.embedded is not None:  # C may assign what it can name
        written |= {by_slot[s.slot].offset for s in program.embedded.seen if not s.is_channel}
        written |= {variable.offset for variable in program.variables if variable.foreign}
    fixed = frozenset(slot for slot, variable in by_slot.items() if variable.offset not in written)
    return Usage(
        fixed,
        frozenset(starts),
        ends,
        any(isinstance(i.value, int) for p in program.processes for i in p.initials),
        sum(isinstance(i.value, int) for i in program.initials),
        asks_enabled,
        asks_location,
        asks_progress,
        frozenset(remote),
    )


def has_channels(program: Program) -> bool:
    """Whether something can name a channel."""
    slots = [*program.slots, *(slot for process in program.processes for slot in process.slots)]
    return bool(program.channel_types) or any(slot.kind is TypeKind.CHAN for slot in slots)
