"""The analysis as tables where only safe transitions count (safe.py): for generated C."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from whorl.reduction.analysis import Analysis
from whorl.reduction.footprint import NOTHING, Footprint, conflict, union
from whorl.reduction.safe import ends_used, involves, is_global
from whorl.reduction.tables import Dependency, ProcessKind, Tables, indexed
from whorl.sharing import Same


@lru_cache(maxsize=2)
def by_safety(analysis: Analysis, given: Same[Tables]) -> Tables:
    """The tables where a process "depends" on others unless all its transitions are safe."""
    made = given.it
    lives: dict[Footprint, int] = {}
    columns = tuple(
        lives.setdefault(
            ends_used(analysis, (kind.process, kind.location), made.record(kind)), len(lives)
        )
        for kind in made.kinds
    )
    dependencies: dict[Dependency, int] = {Dependency(): 0}
    rows: dict[tuple[int, ...], int] = {}
    row_of: list[int] = []
    for kind in made.kinds:
        here = _involved(analysis, made, kind)
        masks = (_on(here, life) for life in lives)
        row = tuple(dependencies.setdefault(mask, len(dependencies)) for mask in masks)
        row_of.append(rows.setdefault(row, len(rows)))
    return replace(
        made,
        rows=tuple(row_of),
        columns=columns,
        pairs=tuple(rows),
        dependencies=tuple(dependencies),
    )


def _on(here: Iterable[tuple[int, Footprint]], life: Footprint) -> Dependency:
    """What is not safe of a process beside one that uses these ends, executable or not.

    `here` is what it can do, each with its bit.
    """
    unsafe = conditional = 0
    for bit, involved in here:
        if is_global(involved) or conflict(involved, life):
            unsafe |= bit
        elif involved != NOTHING:
            conditional |= bit
    return Dependency(unsafe, unsafe, conditional, conditional)


def global_and_conditional(analysis: Analysis, made: Tables, kind: ProcessKind) -> tuple[int, int]:
    """The transitions of a kind that are global, and those that are sends or receives, as masks."""
    here = _involved(analysis, made, kind)
    return (
        union(bit for bit, involved in here if is_global(involved)),
        union(bit for bit, i in here if i != NOTHING and not is_global(i)),
    )


def _involved(analysis: Analysis, made: Tables, kind: ProcessKind) -> list[tuple[int, Footprint]]:
    """The bits of a kind's transitions, and what they involve."""
    process = analysis.program.processes[kind.process]
    here = indexed(process, kind.location, made.indices)
    return [(1 << index, involves(analysis, t, made.record(kind))) for index, t in here]
