"""The model of two PA processors on a Runway bus: each rule holds, and each flaw violates one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import whorl
from support.spin import full_search

MODEL = Path(__file__).parents[2] / "benchmarks" / "models" / "runway.pml"
FLAWS = {"write_buffer": "WA", "load_bypass": "UPO", "store_bypass": "ROWO"}
RULES = tuple(FLAWS.values())

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None, reason="needs a C compiler, and this machine has no cc"
)


needs_spin = pytest.mark.skipif(shutil.which("spin") is None, reason="needs spin")


def check(rule: str, **more: str) -> whorl.Result:
    defines = {rule: "1", **more}
    return whorl.check(MODEL, defines=defines, por="two-phase", cache="selective")


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_holds(rule: str) -> None:
    assert check(rule).exit_code == 0


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_violates_one_rule(flaw: str, rule: str) -> None:
    assert check(rule, BROKEN=flaw).exit_code == (1 if FLAWS[flaw] == rule else 0)


@pytest.mark.slow
@needs_spin
@pytest.mark.parametrize("flaw", FLAWS)
def test_spin_finds_each_flaw(flaw: str) -> None:
    found = full_search(MODEL, args=[f"-D{FLAWS[flaw]}", f"-DBROKEN={flaw}"], reduce=True)
    assert any("assertion violated" in text for text in found.violations)


@needs_spin
def test_as_many_states_as_spin() -> None:
    """One processor runs its test once: small enough to be searched fully."""
    defines = {"UPO": "1", "ONCE": "1", "TESTS": "1", "W": "1"}
    ours = whorl.check(MODEL, defines=defines, por="none", merge=False, end_states=False)
    theirs = full_search(MODEL, args=[f"-D{name}={value}" for name, value in defines.items()])
    assert ours.exit_code == 0
    assert (ours.statistics.states, ours.statistics.transitions) == (
        theirs.states,
        theirs.transitions,
    )
