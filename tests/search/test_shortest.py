"""`--shortest`: no run to a violation of safety is shorter, whatever its kind."""

from __future__ import annotations

import pytest

import whorl

# A step that fails goes one further than to where a run ends that is stuck.
FAILING_FIRST = "byte x; active proctype A() { if :: x = 1; assert(false) :: x = 2; x == 0 fi }"
STUCK_FIRST = "byte x; active proctype A() { if :: x = 2; x == 0 :: x = 1; assert(false) fi }"
# As long as each other: either will do.
LATER = "byte x; active proctype A() { if :: x = 1; assert(false) :: x = 2; x = 3; x == 0 fi }"
AT_THE_END = "byte x; active proctype A() { x = 1; assert(false) }"

MUCH_LATER = LATER.replace("x == 0", "x = 4; x = 5; x == 0")

MODELS = (FAILING_FIRST, STUCK_FIRST, LATER, MUCH_LATER, AT_THE_END)


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("model", MODELS)
def test_no_violation_is_nearer(model: str, engine: str) -> None:
    found = whorl.check(model, safety=True, shortest=True, engine=engine)
    every = whorl.check(model, safety=True, shortest=True, all_errors=True, engine=engine)
    assert len(found.traces) == 1
    assert found.trace is not None
    assert len(found.trace.steps) == min(len(trace.steps) for trace in every.traces)
    assert not found.statistics.complete


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_an_end_state_comes_before_a_step_that_fails_behind_it(engine: str) -> None:
    for model in (FAILING_FIRST, STUCK_FIRST):
        found = whorl.check(model, safety=True, shortest=True, engine=engine)
        assert found.trace is not None
        assert (found.trace.kind, len(found.trace.steps)) == ("end state", 1)
        found = whorl.check(model, safety=True, shortest=True, engine=engine, end_states=False)
        assert found.trace is not None
        assert (found.trace.kind, len(found.trace.steps)) == ("assertion", 2)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_lasso_is_short_whichever_way_comes_first(engine: str) -> None:
    short, long = "x = 3", "x = 1; x = 2; x = 3"
    found = []
    for first, second in ((short, long), (long, short)):
        model = (
            f"byte x; active proctype A() {{ if :: {first} :: {second} fi;"
            f" do :: if :: x = 4; x = 3 :: x = 5; x = 6; x = 7; x = 3 fi od }}"
        )
        trace = whorl.check(
            model, ltl="<> (x == 9)", shortest=True, engine=engine, algorithm="scc"
        ).trace
        assert trace is not None
        found.append(len(trace.steps))
    assert found == [3, 3]
