"""Operations that the guard of their atomic sequence has made sure of, and others."""

from __future__ import annotations

import pytest

import whorl
from whorl.api import load
from whorl.engines import reference_semantics
from whorl.reduction.analysis import Analysis

MODEL = """
chan c = [2] of {{ byte }}; chan d = [2] of {{ byte }}; chan r = [0] of {{ byte }};
chan k[2] = [2] of {{ byte }};
byte i;
active proctype P() {{ byte x; atomic {{ {sequence} }} }}
active proctype Q() {{ c?i; d!i; k[0]?i; r?i }}
"""

# Sequences, and whether something in them still asks how full a channel is.
SEQUENCES = {
    "nfull(c) -> c!1": False,
    "nfull(c) && nempty(d) -> d?x; c!x": False,
    "x == 0 && nfull(c) -> x = 1; c!x": False,
    "nfull(c) -> if :: c!1 :: c!2 fi": False,
    "nempty(d) -> d?<x>; d?x": False,
    "nfull(k[1]) -> k[1]!1": False,
    "x == 0 -> c!1": True,
    "nempty(c) -> c!1": True,
    "nfull(d) -> c!1": True,
    "nfull(c) || x == 1 -> c!1": True,
    "nfull(c) -> c!1; c!2": True,
    "nfull(c) -> do :: c!1 :: break od": True,
    "nfull(c) -> d_step { c!1; x = 1 }; c!2": True,
    "nempty(d) -> d??1": True,
    "nfull(k[i]) -> k[i]!1": True,
    "nfull(r) -> r!1": True,
}


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_what_is_secured(sequence: str) -> None:
    program = load(MODEL.format(sequence=sequence)).program
    analysis = Analysis(reference_semantics(program))
    process = program.processes[0]
    record = analysis.start.processes[0]
    (first,) = process.locations[process.start]
    touched = analysis.touched(first.way, tuple(record))
    assert bool(touched.queries or touched.everything) == SEQUENCES[sequence]


# The first process can go on by itself; but it waits for the other end, too.
WAITS = """
chan c = [1] of { byte };
byte x;
active proctype P() { byte y; FIRST; if :: GUARD -> assert(false) :: y = 1 fi }
active proctype Q() { end: OTHER }
"""
GUARDS = {
    "y == 0 && nfull(c)": ("c!1", "c?_"),
    "nempty(c)": ("skip", "c!1"),
    "nempty(c) && y == 0": ("skip", "c!1"),
    "c?[1]": ("skip", "c!1"),
    "y == 0 && c?[1]": ("skip", "c!1"),
}


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("guard", GUARDS)
def test_a_guard_that_waits_for_the_other_end(guard: str, engine: str) -> None:
    first, other = GUARDS[guard]
    model = WAITS.replace("FIRST", first).replace("GUARD", guard).replace("OTHER", other)
    for por in ("static", "persistent", "auto"):
        assert whorl.check(model, safety=True, por=por, engine=engine).verdict == "violated", por


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_guard_that_is_false_for_another_reason(engine: str) -> None:
    """What it asks of the channel is so, and stays so: the process may go first."""
    model = WAITS.replace("FIRST", "c!1").replace("GUARD", "y == 1 && nempty(c)")
    model = model.replace("OTHER", "c!2").replace("[1]", "[2]")
    result = whorl.check(model, safety=True, por="static", engine=engine, merge=False)
    assert result.verdict == "holds"
    full = whorl.check(model, safety=True, por="none", engine=engine, merge=False)
    assert result.statistics.states < full.statistics.states
