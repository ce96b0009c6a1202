"""Variables that take many values, as a few short random runs show: states differ in them."""

from __future__ import annotations

import random
import time
from collections import defaultdict

from whorl import deadline
from whorl.language.types import TypeKind
from whorl.program.idle import idle_variables
from whorl.program.semantics import Semantics
from whorl.program.state import LOCALS, TYPE, State
from whorl.simulate.simulation import Simulation, pick

RUNS, STEPS = 10, 500
MANY = 100  # values from which on a variable is told
MOST_TOLD = 3
LONGEST = 0.5  # seconds

Slot = tuple[int, int]  # a process type, or GLOBAL, and a slot
GLOBAL = -1


def many_valued(semantics: Semantics) -> list[tuple[str, int, int]]:
    """Variables with many values, each with their number and that of the runs, most values first.

    Those that no process looks at are left out: the search does not keep them apart, either.
    """
    if semantics.foreign is not None:  # the C of a model may take any time
        return []
    values: dict[Slot, set[int]] = defaultdict(set)
    runs = 0
    try:
        with deadline.phase("looking for counters", grace=LONGEST):
            ends = time.monotonic() + LONGEST
            while runs < RUNS and time.monotonic() < ends:
                _walk(semantics, runs, ends, values)
                runs += 1
    except deadline.TimeUp:
        return []
    names = _names(semantics)
    counts = [(names[slot], len(seen), runs) for slot, seen in values.items() if slot in names]
    told = sorted((c for c in counts if c[1] > MANY), key=lambda entry: (-entry[1], entry[0]))
    return told[:MOST_TOLD]


def _walk(semantics: Semantics, seed: int, ends: float, values: dict[Slot, set[int]]) -> None:
    simulation, source = Simulation(semantics), random.Random(seed)
    for _ in range(STEPS):
        steps = simulation.possible()
        if not steps or time.monotonic() > ends:
            return
        simulation.take(pick(steps, source))
        _note(simulation.state, values)


def _note(state: State, values: dict[Slot, set[int]]) -> None:
    for slot, value in enumerate(state.globals):
        values[GLOBAL, slot].add(value)
    for record in state.processes:
        for slot, value in enumerate(record[LOCALS:]):
            values[record[TYPE], slot].add(value)


def _names(semantics: Semantics) -> dict[Slot, str]:
    """The slots of plain variables that some process looks at, by name."""
    program = semantics.program
    idle = idle_variables(program)
    names: dict[Slot, str] = {}
    owners = [(GLOBAL, "", program.variables, idle.slots)]
    for process in program.processes:
        local = idle.local[process.index]
        owners.append((process.index, f"{process.title}.", process.variables, local))
    for where, prefix, variables, unseen in owners:
        for variable in variables:
            for slot, (name, kind) in enumerate(variable.parts, variable.offset):
                plain = kind.kind is not TypeKind.CHAN and not variable.foreign
                if plain and slot not in unseen:
                    names[where, slot] = f"{prefix}{name}"
    return names
