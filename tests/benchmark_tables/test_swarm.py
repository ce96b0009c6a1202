"""The benchmark of swarms: its faults are where they should be, its figures are what they say."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

import whorl
from benchmarks.spin_swarm import MODES, SwarmCost, listed, spent_by
from benchmarks.swarm import Measured, ratio, table
from benchmarks.swarm_faults import FAULTS, Fault


def test_there_are_ten() -> None:
    assert len({fault.name for fault in FAULTS}) == 10


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_a_change_of_a_model_that_can_be_read(fault: Fault) -> None:
    wrong, right = fault.text(), fault.text(planted=False)
    assert wrong != right
    assert whorl.load(wrong).program.processes
    assert whorl.load(right).program.processes


def test_spins_searches_differ_and_grow() -> None:
    first = list(islice(listed(1), 200))
    assert len({search.words for search in first}) == 200
    assert {search.mode for search in first[:20]} == set(range(len(MODES)))
    sizes = [search.words[0] for search in first]
    assert sizes == sorted(sizes)
    assert set(sizes) >= {"-w20", "-w21"}
    other = list(islice(listed(2), 200))
    assert not {search.words for search in first} & {search.words for search in other}


def cost(cpu: float, found: bool = True) -> SwarmCost:
    return SwarmCost(found, 2 * cpu, cpu, cpu / 2, 3)


def test_the_table_has_medians_and_means() -> None:
    measured = [
        Measured("a", "one", (cost(1), cost(3), cost(2)), (cost(8), cost(4), cost(9))),
        Measured("b", "two", (cost(1),), (cost(4, found=False),)),
    ]
    rows = list(table(measured))
    assert rows[2].startswith("| `a` | 3 of 3, 3 of 3 | 2.00 | 8.00 | 1.00 | 4.00 | 4.00 | 16.00 |")
    assert rows[3].startswith("| `b` | 1 of 1, 0 of 1 | 1.00 | 4.00 |")
    assert ratio(measured, "cpu") == pytest.approx(4)
    assert rows[-1].count("4.00") == 3


def test_what_a_process_has_spent() -> None:
    assert spent_by(2**22 + 1) == 0.0
    if Path("/proc/self/stat").exists():
        import os

        assert spent_by(os.getpid()) > 0
