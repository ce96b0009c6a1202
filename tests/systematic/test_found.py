"""Programs of the long campaign on which a configuration was wrong, one for each cause."""

from __future__ import annotations

import pytest

from support.compilers import QUICK
from systematic.configurations import configurations, default
from whorl.api import load
from whorl.audit.judge import Judge, watching

FOUND = {
    "who-answers-with-priorities": (
        """
        byte x; byte y; chan r = [0] of { byte }; chan w = [1] of { chan };
        active proctype Main() priority 2 { byte l; chan q = [1] of { byte }; r?l; here: w!q }
        active proctype Watch() { d_step { r?x; y = x }; skip }
        active proctype Third() { r!1 }
        """,
        ["x == 1", "Main[0]@here"],
    ),
    "a-d_step-that-an-unless-leaves": (
        """
        byte x; byte y;
        active proctype Main() {
          byte l; byte n; { d_step { l = 1; x == 1 }; n = 1 } unless { d_step { l = 1; x == 1 } }
        }
        active proctype Watch() { byte l; l = 1; l = 2 }
        active proctype Third() { x = 1 }
        """,
        ["x == 1"],
    ),
    "provided-faults-before-a-timeout": (
        """
        byte x; byte y; chan r = [0] of { byte };
        active proctype Main() provided (Watch[2]:v == 0) { timeout; x = 1 }
        active proctype Watch() { byte v; r!1; skip; v = 1 }
        active proctype Third() { r?x; y = 1 }
        """,
        ["x == 1", "y == 1"],
    ),
    "a-visible-step-that-notices-everything": (
        """
        byte x; byte y; chan c = [1] of { byte }; chan r = [0] of { byte };
        active proctype Main() { do :: r!1 :: else -> here: printf("x %d\\n", x) od }
        active proctype Watch() { empty(c); x = 1 }
        active proctype Third() { r?_ }
        """,
        ["x == 1", "Main[0]@here"],
    ),
    "an-atomic-sequence-that-notices-everything": (
        """
        byte x; byte y;
        active proctype Main() { byte l; byte n; l = 1; here: atomic { n = 1; enabled((1 / l)) } }
        active proctype Watch() { byte l; l = 1; l = 2 }
        """,
        ["x == 1", "Main[0]@here"],
    ),
    "a-step-that-touches-nothing": (
        """
        byte x; byte y; byte a[2];
        active proctype Main() { byte l; if :: l = 1 :: else -> y = a[x + 1] fi }
        active proctype Watch() { enabled(0); y = 1 }
        """,
        ["y == 1"],
    ),
    "who-waits-for-a-handshake-and-changes-by-itself": (
        """
        byte x; chan r = [0] of { byte };
        active proctype Main() { byte l; do :: l == 0 -> l = 1 :: r?eval(l) -> assert(false) od }
        active proctype Watch() { r!1 }
        active proctype Third() { r?1 }
        """,
        ["x == 1"],
    ),
    "a-timeout-after-which-another-is-deterministic": (
        """
        byte x; byte y; chan c = [1] of { byte };
        active proctype Main() { byte l; c?l; timeout; here: timeout }
        active proctype Watch() { Main[0]@here; y = 1 }
        active proctype Third() { c!1 }
        """,
        ["x == 1", "y == 1"],
    ),
    "who-starts-others-goes-on-by-itself": (
        """
        byte x; byte y;
        proctype Main() { x = 1; y = 1 }
        init { byte l; do :: l < 2 -> run Main(); l = l + 1 :: else -> break od }
        """,
        ["y == 1"],
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_every_configuration_keeps_everything(name: str) -> None:
    text, visible = FOUND[name]
    program = load(text, ltl=visible).program
    atoms = [formula.atoms[0] for formula in program.formulas]
    judge = Judge(program, watching(atoms, visible), QUICK)
    wrong = {
        str(how): problem
        for how in (*default(), *configurations())
        if (problem := judge.judge(how).problem) is not None
    }
    assert not wrong
