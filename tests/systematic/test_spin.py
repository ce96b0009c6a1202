"""Spin's opinion on the systematic programs: the oracle of the campaign shares our front end.

Each program of the fast selection is searched by Spin, and has the same states, transitions,
failing assertions and invalid end states in the reference engine. Spin has none to offer of a
program that it refuses, or gives up in the middle; what faults ends the run here alone.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import spin
from support.compare import Figures, of_spin, of_whorl
from support.compilers import QUICK
from systematic.programs import fast
from systematic.small import SmallProgram

pytestmark = pytest.mark.skipif(shutil.which("spin") is None, reason="needs Spin")

PARTS = 12
# Where the two differ, as docs/explanation/spin-differences.md says.
KNOWN = {
    "increment,answer@d_step-if|local,offer@label-accept|4+": "5: guards of a d_step",
    "do,answer@d_step-if|if-else,offer@label-end|2+": "5: guards of a d_step",
    "timeout,goto-back@atomic-middle|timeout,do@d_step-if|2": "5: guards of a d_step",
    "local,answer-eval@d_step-if|timeout|0+": "5: guards of a d_step",
    "offer,guard-false@goto-between|offer,print@d_step-second|3+": "4: in a handshake",
    "hidden,send@before-run|c-empty|2": "hidden variables",
    "if-else,hidden@loop|r-d_step|3+": "hidden variables",
}
BOTH_KNOW = ("assertion", "end state")


@pytest.fixture(autouse=True)
def quick_pan(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verifier of Spin's for each program: what counts is the time to compile it."""
    if Path(QUICK.command[0]).name == "tcc":
        options = [word for word in spin.COMPILE[1:] if word.startswith("-D")]
        monkeypatch.setattr(spin, "COMPILE", (QUICK.command[0], "-w", *options))


def both(program: SmallProgram) -> tuple[Figures, Figures] | None:
    """What Spin says, and what we say; None where Spin says nothing that could be compared."""
    try:
        theirs = spin.full_search(program.text)
    except (spin.SpinRejects, spin.SpinCompileError, spin.SpinAborts):
        return None
    ours, _ = of_whorl(program.text)
    if not theirs.complete or any(not found.startswith(BOTH_KNOW) for found in ours.violations):
        return None
    return of_spin(theirs), ours


@pytest.mark.parametrize("part", range(PARTS))
def test_spin_agrees(part: int) -> None:
    compared = 0
    for program in fast()[part::PARTS]:
        found = both(program)
        if found is None:
            continue
        compared += 1
        theirs, ours = found
        if program.name in KNOWN:
            assert theirs != ours, f"{program.name}: it is no difference any more"
        else:
            assert theirs == ours, f"{program.name}\n{program.text}"
    assert compared > len(fast()) / PARTS / 2
