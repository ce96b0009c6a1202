"""Claims that are searched for with one verifier, and each with its own: what is to be the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from support.compilers import QUICK
from whorl.native.engine import explore_native
from whorl.native.series import Series
from whorl.program.program import Program
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.reduction.schemes import Reduction
from whorl.search.exploration import Exploration, Options
from whorl.task import NativeOptions, Task

# The tests' own compiler with no level of optimisation said, so that there are quick verifiers.
TIERED = replace(QUICK, added=tuple(word for word in QUICK.added if not word.startswith("-O")))


def facts(found: Exploration) -> tuple[object, ...]:
    """All that a search says, but for how long it took and how much memory the process had."""
    return (
        found.progress.states,
        found.progress.transitions,
        found.progress.depth,
        found.store_bytes,
        found.truncated,
        found.endless,
        found.stopped,
        found.reached,
        found.met,
        found.violations,
    )


def compare(
    program: Program,
    claims: Sequence[Claim],
    options: Options,
    native: NativeOptions,
    asked: Reduction,
) -> list[int]:
    """Searches for each claim with a shared verifier and with its own, and compares.

    How many claims there are in each group that shared one.
    """
    semantics = Semantics(program)
    tasks = [Task(semantics, claim, options, native, asked) for claim in claims]
    series = Series(semantics, tasks)
    for task in tasks:
        together = explore_native(task, TIERED, series)
        alone = explore_native(task, QUICK)
        assert facts(together) == facts(alone), task.name
    groups = series.groups
    assert not any(group.failed for group in groups)
    return [group.count for group in groups]
