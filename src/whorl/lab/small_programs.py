"""Every small program with every selector, once up to the names of states and operations.

For searches for safety: a selector is a set that is not empty for each state in which something is
enabled; there is no automaton, and phase 1 goes nowhere. State A is the initial one; all states can
be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product

from whorl.lab.instance import FiniteProgram, Instance, operation_name, state_name
from whorl.property.automaton import Buchi, Edge

Row = tuple[int | None, ...]
Sets = tuple[frozenset[int], ...]
EVERYTHING = Buchi(("p",), 0, ((Edge(0b11, 0),),), frozenset([0]))


def small_instances(operations: int, states: int) -> Iterator[Instance]:
    """Those with so many operations and states."""
    rests = frozenset(product(range(states), repeat=2))
    for rows, same in _programs(operations, states):
        program = FiniteProgram((0,) * states, rows)
        seen: set[tuple[tuple[int, ...], ...]] = set()
        for chosen in product(*(_subsets(program.enabled(q)) for q in program.states)):
            renamed = (_renamed_sets(chosen, *names) for names in same)
            least = min(tuple(tuple(sorted(one)) for one in sets) for sets in renamed)
            if least not in seen:
                seen.add(least)
                ample = tuple((one,) for one in chosen)
                yield Instance(program, EVERYTHING, ample, (("rests", rests),))


def _subsets(enabled: frozenset[int]) -> list[frozenset[int]]:
    sizes = range(1, len(enabled) + 1)
    return [frozenset(c) for n in sizes for c in combinations(sorted(enabled), n)] or [enabled]


Names = tuple[tuple[int, ...], tuple[int, ...]]  # of states, of operations


def _programs(operations: int, states: int) -> Iterator[tuple[tuple[Row, ...], list[Names]]]:
    """Each program, with the ways to name its states and operations that give it again."""
    ways = [
        ((0, *rest), of_operations)
        for rest in permutations(range(1, states))
        for of_operations in permutations(range(operations))
    ]
    for flat in product((None, *range(states)), repeat=operations * states):
        rows = tuple(flat[q * operations : (q + 1) * operations] for q in range(states))
        if not _all_reached(rows):
            continue
        renamed = [_renamed(rows, *names) for names in ways]
        if _key(rows) == min(map(_key, renamed)):
            yield rows, [n for n, one in zip(ways, renamed, strict=True) if one == rows]


def _all_reached(rows: tuple[Row, ...]) -> bool:
    met, todo = {0}, [0]
    while todo:
        more = {r for r in rows[todo.pop()] if r is not None} - met
        met |= more
        todo += more
    return len(met) == len(rows)


def _key(rows: tuple[Row, ...]) -> tuple[int, ...]:
    return tuple(-1 if r is None else r for row in rows for r in row)


def _renamed(
    rows: tuple[Row, ...], states: tuple[int, ...], operations: tuple[int, ...]
) -> tuple[Row, ...]:
    renamed: list[list[int | None]] = [[None] * len(operations) for _ in rows]
    for q, row in enumerate(rows):
        for o, r in enumerate(row):
            renamed[states[q]][operations[o]] = None if r is None else states[r]
    return tuple(map(tuple, renamed))


def _renamed_sets(chosen: Sets, states: tuple[int, ...], operations: tuple[int, ...]) -> Sets:
    renamed = [frozenset[int]()] * len(chosen)
    for q, one in enumerate(chosen):
        renamed[states[q]] = frozenset(operations[o] for o in one)
    return tuple(renamed)


def in_a_line(instance: Instance) -> str:
    """The program; what the selector has of each state is in brackets, if it is not all."""

    def step(q: int, o: int, r: int) -> str:
        text = f"{operation_name(o)} {state_name(r)}"
        return f"[{text}]" if o in instance.amp(q, 0) and not instance.is_full(q, 0) else text

    program = instance.program
    rows = [
        f"{state_name(q)} -> {', '.join(step(q, o, r) for o, r in program.steps(q))}"
        for q in program.states
        if program.enabled(q)
    ]
    return "; ".join(rows) or "nothing"


def with_bystanders(instance: Instance) -> Iterator[Instance]:
    """The instance, and the same with one more operation, which stays in each of some states; it is
    taken there where all is. A step that is put off for ever is put off without it, too, and here
    it can be seen."""
    yield instance
    program, bystander = instance.program, len(instance.program.operations)
    for where in range(1, 1 << len(program.states)):
        rows = tuple((*row, q if where >> q & 1 else None) for q, row in enumerate(program.next))
        ample = tuple(
            (one | {bystander} if where >> q & 1 and instance.is_full(q, 0) else one,)
            for q, (one,) in enumerate(instance.ample)
        )
        yield replace(instance, program=replace(program, next=rows), ample=ample)
