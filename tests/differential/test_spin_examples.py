"""The models that come with Spin: both engines and Spin agree on every figure and verdict.

Spin searches without its optimisations and without reduction (see support/spin.py); whorl's native
engine does not merge. Then the numbers of states and transitions must be the same, and so must the
set of violated properties. The reference engine takes part where a model is small enough for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import whorl
from support.compare import of_spin, of_whorl, same_states
from support.spin import full_search

FOLDER = Path("/usr/share/doc/spin/examples/Examples")
MODELS = sorted(FOLDER.rglob("*.pml"))

SMALL = 12_000  # states that the reference engine visits in the fast tests

# Where Spin counts differently by design, or cannot say, with the reason.
NO_ORACLE = {
    "patterns.pml": "Spin wants a single formula to be chosen: it has several ltl blocks",
    "wordcount.pml": "it uses a channel that was never made, and pan goes on with what lies there",
    "p108.pml": "it starts processes without end, and pan stops at its own vector size",
    "priorities.pml": "its integers grow without end, and pan stops at its depth limit",
    "ltl_gen.pml": "a state space of 2^26 and more states",
    "life.pml": "more states than a test can wait for",
    "petersonN.pml": "more states than a test can wait for",
    "ex_6.pml": "more states than a test can wait for",
    "App.F.pftp.pml": "more states than a test can wait for",
}
SLOW = {"leader.pml", "leader_pre.pml", "cambridge.pml", "sort.pml"}  # over half a million states

pytestmark = [
    pytest.mark.spin,
    pytest.mark.skipif(not MODELS, reason="Spin's examples are not installed"),
]


def parameters() -> list[object]:
    return [
        pytest.param(
            model,
            id=str(model.relative_to(FOLDER)),
            marks=[pytest.mark.slow] if model.name in SLOW else [],
        )
        for model in MODELS
        if model.name not in NO_ORACLE
    ]


@pytest.mark.parametrize("model", parameters())
def test_agrees_with_spin(model: Path) -> None:
    spin = full_search(model, timeout=300)
    assert spin.complete
    expected = of_spin(spin)
    loaded = whorl.load(model)
    assert loaded.program.embedded is None
    engines = ["reference", "native"] if expected.states <= SMALL else ["native"]
    for engine in engines:
        figures, complete = of_whorl(model, engine=engine)
        assert complete
        assert same_states(figures, expected), engine
        assert figures.violations == expected.violations, engine


@pytest.mark.parametrize("name", sorted(NO_ORACLE))
def test_models_without_an_oracle_are_read_and_simulated(name: str) -> None:
    model = next(found for found in MODELS if found.name == name)
    result = whorl.check(model, engine="reference", max_states=300, safety=True, all_errors=True)
    assert result.statistics.states > 0
