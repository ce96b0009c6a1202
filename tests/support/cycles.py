"""Asks an engine for cycles, as `pan -a` and `pan -l` are asked."""

from __future__ import annotations

from pathlib import Path

import whorl
from whorl import engines
from whorl.program.program import Program
from whorl.property.claim import Claim
from whorl.property.from_never import from_never
from whorl.property.labels import acceptance, non_progress
from whorl.search.exploration import ALGORITHMS, Exploration, Options
from whorl.search.limits import Limits
from whorl.task import Task
from whorl.trace.replay import replay
from whorl.trace.trace import Trace


def claim_of(program: Program) -> Claim:
    """The claim that pan looks at: the never claim, or else the accept labels."""
    return from_never(program, program.never[0]) if program.never else acceptance()


def search(
    model: Path | str,
    *,
    non_progress_cycles: bool = False,
    fair: bool = False,
    algorithm: str = "auto",
    infinite_runs: bool = False,
    assertions: bool = True,
    max_states: int | None = None,
    engine: str = "reference",
) -> tuple[Exploration, list[Trace]]:
    """What the search finds, and its violations replayed."""
    program = whorl.load(model).program
    claim = non_progress() if non_progress_cycles else claim_of(program)
    options = Options(
        assertions=assertions,
        fair=fair,
        algorithm=algorithm,
        infinite_runs=infinite_runs,
        limits=Limits(states=max_states),
    )
    semantics = engines.reference_semantics(program)
    found = engines.search(Task(semantics, claim, options), engine).exploration
    traces = [
        replay(program, v.kind, v.choices, claim, v.loop, fair and v.loop is not None)
        for v in found.violations
    ]
    return found, traces


def algorithms(non_progress_cycles: bool, fair: bool) -> list[str]:
    """The searches that can be asked."""
    fig5 = non_progress_cycles and not fair
    return [name for name in ALGORITHMS if name != "fig5" or fig5]
