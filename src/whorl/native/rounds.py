"""Which steps of an atomic sequence may come back to a state that it has passed.

States in the middle of an atomic sequence are not stored, so one that goes round for ever has to
be noticed on the way (`runtime/expand.h`), by looking at all that it has passed. Where no handshake
can pass control on, such a round is one in the control flow of a single process, and few atomic
sequences have any.
"""

from __future__ import annotations

from whorl.native.merge import Merging
from whorl.program.program import ProcessType, Program
from whorl.property.components import components


def rounds(program: Program, merging: Merging) -> frozenset[int]:
    """The numbers of the transitions after which to look."""
    if any(kind.capacity == 0 for kind in program.channel_types):
        return frozenset(t.number for process in program.processes for t in process.transitions())
    found: set[int] = set()
    for process in program.processes:
        kept = _kept(process, merging)
        around = _around(kept)
        found |= {number for number, _, target in kept if target in around}
    return frozenset(found)


def _kept(process: ProcessType, merging: Merging) -> list[tuple[int, int, int]]:
    """The transitions after which the process keeps control: number, source and target."""
    found = []
    for transition in process.transitions():
        last = [transition, *merging.chain(process, transition)][-1]
        if last.atomic:
            found.append((transition.number, transition.source, last.target))
    return found


def _around(kept: list[tuple[int, int, int]]) -> set[int]:
    """The locations on a round of such transitions."""
    following: dict[int, set[int]] = {}
    for _, source, target in kept:
        following.setdefault(source, set()).add(target)
    return {
        location
        for component in components(following, lambda at: following.get(at, ()))
        for location in component
        if len(component) > 1 or location in following.get(location, ())
    }
