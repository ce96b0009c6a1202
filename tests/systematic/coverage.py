"""What a list of programs covers, counted and as a table.

`python -m systematic.coverage` prints the table of the fast selection; `--all` that of the whole
set.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from systematic.forms import all_forms, core_forms, fault_forms, minor_forms
from systematic.others import others
from systematic.positions import few_positions, positions
from systematic.programs import MENUS, core_pairs, fast, other_pairs, programs
from systematic.small import SmallProgram
from systematic.trios import BODIES


@cache
def expected() -> dict[str, frozenset[str]]:
    """What there is to cover: kinds of tags, each with its tags."""
    pairs = list(core_pairs())
    more = list(other_pairs())
    return {
        "forms": frozenset(f"form:{form.name}" for form in all_forms()),
        "core pairs": frozenset(f"pair:{a.name},{b.name}" for a, b in pairs),
        "other pairs": frozenset(f"pair:{a.name},{b.name}" for a, b in more),
        "positions": frozenset(f"position:{position.name}" for position in positions()),
        "core pairs x positions": frozenset(
            f"placed:{a.name},{b.name}@{position.name}"
            for a, b in pairs
            for position in positions()
            if position.allows(a, b)
        ),
        "other pairs x positions": frozenset(
            f"placed:{a.name},{b.name}@{position.name}"
            for a, b in more
            for position in few_positions()
            if position.allows(a, b)
        ),
        "others": frozenset(f"other:{other.name}" for other in others()),
        "faults x places": frozenset(f"fault:{form.fault}@{form.place}" for form in fault_forms()),
        "trios' bodies": frozenset(
            f"trio:{shared}:{name}" for shared, bodies in BODIES.items() for name in bodies
        ),
        "propositions": frozenset(f"menu:{menu}" for menu in range(MENUS)),
    }


@dataclass(slots=True)
class Coverage:
    """Counts the tags of programs."""

    programs: int = 0
    united: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, program: SmallProgram) -> None:
        self.programs += 1
        self.united += not program.alone
        self.counts.update(program.tags)

    def met(self, kind: str) -> int:
        return sum(1 for tag in expected()[kind] if self.counts[tag])

    def missed(self, kind: str) -> list[str]:
        return sorted(tag for tag in expected()[kind] if not self.counts[tag])

    def lines(self) -> Iterator[str]:
        """The table: of each kind how many there are, are met, and how often each at least."""
        yield (
            f"{self.programs} programs ({self.united} can be united) of {len(core_forms())} core,"
            f" {len(minor_forms())} minor and {len(fault_forms())} faulty forms"
        )
        yield f"{'':26}{'there are':>10}{'met':>10}{'least':>8}{'most':>8}"
        for kind, tags in expected().items():
            least = min(self.counts[tag] for tag in tags)
            most = max(self.counts[tag] for tag in tags)
            yield f"{kind:26}{len(tags):10}{self.met(kind):10}{least:8}{most:8}"


def coverage(programs: Iterable[SmallProgram]) -> Coverage:
    """The coverage of these programs."""
    result = Coverage()
    for program in programs:
        result.add(program)
    return result


def main(arguments: list[str]) -> None:
    found = coverage(programs() if "--all" in arguments else fast())
    print("\n".join(found.lines()))


if __name__ == "__main__":
    main(sys.argv[1:])
