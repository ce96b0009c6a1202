"""The tables for the native engine say what the analysis says, in each state of random programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.generator import PROFILES, programs
from whorl.api import load
from whorl.engines import reference_semantics
from whorl.program.state import LOCATION, TYPE
from whorl.reduction.analysis import Analysis
from whorl.reduction.audit import CRASH, ProgramTooLarge, explicit
from whorl.reduction.candidates import Situation
from whorl.reduction.tables import Tables, indexed, tables

EXAMPLES = Path(__file__).parents[2] / "examples"


def depends(tables: Tables, situation: Situation, pid: int, other: int) -> bool:
    """Situation.depends by the tables: what an engine does for each process of a candidate."""
    state = situation.state
    record = state.processes[pid]
    dependency = tables.dependency(tables.kind(record), tables.kind(state.processes[other]))
    process = situation.analysis.program.processes[record[TYPE]]
    for bit, transition in indexed(process, record[LOCATION], tables.indices):
        enabled = transition.way in situation.enabled[pid]
        if (dependency.whole if enabled else dependency.guard) >> bit & 1:
            return True
        ends = (dependency.whole_ends if enabled else dependency.guard_ends) >> bit & 1
        if ends and not situation.analysis.stays_as_it_is(state, record, transition, enabled):
            return True
    return False


def agree(model: str | Path, most: int) -> int:
    """How many pairs of processes were compared, if the program is not too large."""
    semantics = reference_semantics(load(model).program)
    analysis = Analysis(semantics)
    if analysis.nothing_reducible is not None:  # with priorities, what is always executable is not
        return 0
    try:
        program = explicit(semantics, most=most)
    except ProgramTooLarge:
        return 0
    made = tables(analysis)
    for process in analysis.program.processes:
        for here in process.locations.values():
            assert len({made.indices[t.number] for t in here}) == len(here)
    pairs = 0
    for state in program.states:
        if state == CRASH:
            continue
        situation = Situation(analysis, state)
        for pid in range(len(state.processes)):
            for other in range(len(state.processes)):
                if pid != other:
                    pairs += 1
                    expected = situation.depends(pid, other)
                    assert depends(made, situation, pid, other) == expected
    return pairs


@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data())
@settings(
    max_examples=4,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_tables_of_random_programs(profile: str, data: st.DataObject) -> None:
    agree(data.draw(programs(PROFILES[profile])), most=150)


@pytest.mark.parametrize("name", ["philosophers", "readers_writer", "leader_election", "peterson"])
def test_tables_of_examples(name: str) -> None:
    assert agree(EXAMPLES / f"{name}.pml", most=400)
