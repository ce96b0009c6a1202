"""whorl's side: a full search with the native engine, from a cache of compiled verifiers."""

from __future__ import annotations

import time
from dataclasses import dataclass
from resource import RUSAGE_CHILDREN, getrusage

import whorl
from benchmarks.cases import Case
from benchmarks.process import Cost
from whorl.native.code.generate import generate
from whorl.program.semantics import Semantics
from whorl.program.walks import estimate

MEMORY_BYTES = 20_000_000_000


class WhorlFailed(Exception):
    """A search that should have seen everything did not."""


@dataclass(frozen=True, slots=True)
class WhorlRun:
    states: int
    transitions: int
    store_bytes: int
    cost: Cost


def load(case: Case) -> whorl.Model:
    return whorl.load(case.text(), name=f"{case.name}.pml")


def state_bytes(model: whorl.Model) -> int:
    """How long a state is before any store makes it shorter."""
    semantics = Semantics(model.program)
    processes, channels = estimate(semantics)
    made = generate(semantics, processes_most=processes, channels_most=channels, merge=False)
    return 8 * made.layout.words


def search(
    model: whorl.Model, case: Case, *, merge: bool, store: str, states: int | None = None
) -> WhorlRun:
    """A search to its end, or of so many states: that is for compiling the verifier beforehand."""
    before, started = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    result = whorl.check(
        model,
        engine="native",
        merge=merge,
        store=store,
        safety=True,
        por="none",
        end_states=case.end_states,
        all_errors=True,
        max_states=states,
        memory=MEMORY_BYTES,
    )
    wall, after = time.perf_counter() - started, getrusage(RUSAGE_CHILDREN)
    figures = result.statistics
    if states is None and not figures.complete:
        raise WhorlFailed(f"{case.label}: {result.verdict} {result.properties}")
    system = after.ru_stime - before.ru_stime
    cpu = after.ru_utime - before.ru_utime + system
    return WhorlRun(
        figures.states,
        figures.transitions,
        figures.store_bytes or 0,
        Cost(cpu, system, wall, figures.memory_bytes),
    )
