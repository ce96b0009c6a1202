"""Blocks: the steps of a run that stay together, with what they read and write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from whorl.program.noted import PROCESS, Part, fixed_reads, read_by, written
from whorl.program.semantics import Semantics, Step
from whorl.program.state import NOBODY, State


@dataclass(slots=True)
class StepBlock:
    """Steps that stay together, `start` to `end`: one, or all of an atomic sequence."""

    start: int
    end: int
    processes: set[int] = field(default_factory=set)
    reads: set[Part] = field(default_factory=set)
    writes: set[Part] = field(default_factory=set)


def blocks_of(semantics: Semantics, states: list[State], steps: list[Step]) -> Iterator[StepBlock]:
    block: StepBlock | None = None
    fixed: dict[int, frozenset[Part] | None] = {}  # by transition
    for number, (state, step) in enumerate(zip(states, steps, strict=False)):
        if block is None or state.holder == NOBODY or step.pid != state.holder:
            if block is not None:
                yield _closed(block)
            block = StepBlock(number, number)
        block.end = number + 1
        block.processes |= {step.pid} if step.partner is None else {step.pid, step.partner[0]}
        known = id(step.transition)
        if known not in fixed:
            fixed[known] = fixed_reads(semantics, state, step)
        reads = fixed[known]
        block.reads |= read_by(semantics, state, step) if reads is None else reads
        if step.state is not None:
            block.writes |= written(state, step.state)
            born = range(len(state.processes), len(step.state.processes))
            block.processes.update(born)
    if block is not None:
        yield _closed(block)


def _closed(block: StepBlock) -> StepBlock:
    """The block, in which a process's own record is no part to be read, but one that changes."""
    own = {(PROCESS, pid) for pid in block.processes}
    block.reads -= own
    block.writes |= own
    return block
