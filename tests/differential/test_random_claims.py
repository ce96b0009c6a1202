"""Random programs with random never claims: the reference engine's verdicts are Spin's."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from support.claims import never_claims
from support.cycles import algorithms, search
from support.generator import PROFILES, programs
from support.spin import cycle_searches

MOST_STATES = 3_000
FEW, MANY = 4, 60

# Left out: with -f, pan skips a process that may not run, whatever the order (`provided`,
# `priority`).
CHOSEN = ("atomic", "buffered", "core", "dstep", "processes", "rendezvous", "unless")
CYCLES = {"acceptance cycle", "end state in claim reached"}


def compare(model: str) -> None:
    results = cycle_searches(model, timeout=10)
    for fair, spin in zip((False, True), results, strict=True):
        if not spin.complete or any("array index" in text for text in spin.violations):
            continue
        for algorithm in algorithms(False, fair):
            found, _ = search(
                model, fair=fair, algorithm=algorithm, max_states=MOST_STATES, assertions=False
            )
            if found.stopped is not None or any(v.kind != "never claim" for v in found.violations):
                continue
            ours, theirs = bool(found.violations), bool(spin.violations & CYCLES)
            if fair and ours and not theirs:
                # pan -f may not see what is accepting only once the run has stopped
                (violation,) = found.violations
                theirs = violation.loop == len(violation.choices)
            assert ours == theirs, f"{algorithm} {fair}: {found.violations}, {spin.violations}"


@st.composite
def models(draw: st.DrawFn, profile: str) -> str:
    program = draw(programs(PROFILES[profile]))
    assume("_nr_pr" not in program)  # pan counts the claim
    return draw(never_claims(program))


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
def test_random_claims(profile: str, data: st.DataObject) -> None:
    compare(data.draw(models(profile)))


@pytest.mark.spin
@pytest.mark.slow
@pytest.mark.parametrize("profile", CHOSEN)
@given(data=st.data())
@settings(relaxed, max_examples=MANY)
def test_many_random_claims(profile: str, data: st.DataObject) -> None:
    compare(data.draw(models(profile)))
