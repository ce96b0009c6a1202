"""Many programs in one model, as members of which each run has one.

`init` chooses a member and starts its processes, in one atomic step. Pids count from 1 then, as
`init` is process 0 and stays until all others are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from systematic.small import SmallProgram, declarations


@dataclass(frozen=True, slots=True)
class Unit:
    """One model with its members: in the runs of member k (from 1) the global `member` is k."""

    text: str
    visible: tuple[str, ...]  # of all members
    members: tuple[SmallProgram, ...]
    visible_globals: tuple[str, ...] = ("member",)


def union(members: Sequence[SmallProgram]) -> Unit:
    """One model that has all these programs, none of which is `alone`."""
    assert members
    assert not any(member.alone for member in members)
    options = []
    proctypes: list[str] = []
    for number, member in enumerate(members, 1):
        proctypes += member.proctypes(base=1, member=number)
        runs = "; ".join(f"run {process.name}_{number}()" for process in member.processes)
        options.append(f"  :: member = {number}; {runs}")
    lines = [
        "short member;",
        *declarations(members),
        *proctypes,
        "init { atomic { if",
        *options,
        "fi } }",
        "",
    ]
    visible = tuple(dict.fromkeys(text for member in members for text in member.visible))
    return Unit("\n".join(lines), visible, tuple(members))


def units(programs: Iterable[SmallProgram], size: int) -> Iterator[Unit | SmallProgram]:
    """The programs in units of at most `size`; the lone ones by themselves.

    The members of a unit have the same propositions: more would hide what a reduction does.
    """
    waiting: dict[tuple[str, ...], list[SmallProgram]] = {}
    for program in programs:
        if program.alone:
            yield program
            continue
        group = waiting.setdefault(program.visible, [])
        group.append(program)
        if len(group) == size:
            yield union(waiting.pop(program.visible))
    for group in waiting.values():
        yield union(group)
