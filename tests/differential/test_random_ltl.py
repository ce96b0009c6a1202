"""Random programs with random formulas: the reference engine, the native engine and Spin agree.

Each program has an ltl block, and is checked over all runs and over the fair ones. The fast tests
draw the same models every time, the slow ones draw new ones.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import whorl
from support.asserts import without_assertions
from support.claims import formulas
from support.generator import PROFILES, programs
from support.spin import cycle_searches, is_violated
from whorl.verdict import Result

MOST_STATES = 3_000  # of the product; a larger one is left out
FEW, MANY = 2, 60  # models a profile

# Left out: with -f, pan skips a process that may not run, whatever the order (`provided`,
# `priority`).
CHOSEN = ("atomic", "buffered", "channels", "core", "dstep", "processes", "rendezvous", "unless")
ENGINES = ("reference", "native")


def compare(model: str) -> None:
    results = cycle_searches(model, timeout=10)
    for fair, spin in zip((False, True), results, strict=True):
        if not spin.complete or any("array index" in text for text in spin.violations):
            continue
        for engine in ENGINES:
            found = check(model, engine, fair)
            (verdict,) = {p.verdict for p in found.properties}
            if verdict == "inconclusive":
                continue
            ours, theirs = verdict == "violated", is_violated(spin)
            if fair and ours and not theirs:
                # pan -f may not see what is accepting only once the run has stopped; where every
                # way to go on is wrong, pan without -f has to say so
                assert found.trace is not None
                if found.trace.cycle is None:
                    theirs = is_violated(results[0])
                else:
                    theirs = found.trace.cycle == len(found.trace.steps) + 1
            assert ours == theirs, f"{engine}{' fair' if fair else ''}: {verdict}, {spin.output}"


def check(model: str, engine: str, fair: bool) -> Result:
    return whorl.check(
        model,
        claim="p",
        engine=engine,
        fair=fair,
        por="none",
        assertions=False,
        max_states=MOST_STATES,
    )


@st.composite
def models(draw: st.DrawFn, profile: str) -> str:
    program = without_assertions(draw(programs(PROFILES[profile])))
    assume("_nr_pr" not in program)  # pan counts the claim
    return f"{program}\nltl p {{ {draw(formulas(program))} }}\n"


relaxed = settings(
    suppress_health_check=[
        HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much,
    ],
    deadline=None,
)  # fmt: skip


@pytest.mark.spin
@pytest.mark.parametrize("profile", CHOSEN)
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_formulas(profile: str, data: st.DataObject) -> None:
    compare(data.draw(models(profile)))


@pytest.mark.spin
@pytest.mark.slow
@pytest.mark.parametrize("profile", CHOSEN)
@given(data=st.data())
@settings(relaxed, max_examples=MANY)
def test_many_random_formulas(profile: str, data: st.DataObject) -> None:
    compare(data.draw(models(profile)))
