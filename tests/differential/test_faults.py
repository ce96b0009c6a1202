"""What goes wrong, in every place where it can: both engines say the same, in every configuration.

Each model is searched whole. What is compared is the set of failures, each with its kind, its line
and its message (without numbers, since an engine shows one run a place); which statements never
were executed; and, where nothing is left out, how many states and transitions there are. The
verifiers are compiled with assertions, so that a fault left behind by one step ends the next one.
"""

from __future__ import annotations

import re
import shutil
from typing import Any

import pytest

import whorl
from support.fault_models import FAILURES, HANDSHAKES, ORDER, PROVIDED, REACHED, TRACES
from support.spin import full_search
from whorl.verdict import Result

MODELS = {**HANDSHAKES, **PROVIDED, **TRACES, **FAILURES, **REACHED, **ORDER}
NATIVE: dict[str, dict[str, Any]] = {
    "plain": {"por": "none", "merge": False},
    "merged": {"por": "none"},
    "default": {},
}

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def look(text: str, **options: Any) -> Result:
    return whorl.check(whorl.load(text), safety=True, all_errors=True, **options)


def failures(result: Result) -> set[tuple[str, str, int]]:
    """Each failure's kind, message and line; many runs may lead to an invalid end state."""
    found = set()
    for trace in result.traces:
        line = trace.steps[-1].line if trace.steps and trace.kind != "end state" else 0
        found.add((trace.kind, re.sub(r"\d+", "N", trace.message), line))
    return found


def places(result: Result) -> set[tuple[str, str]]:
    """Without lines: an expression may fault in several steps, and the native engine shows one."""
    return {(kind, message) for kind, message, _ in failures(result)}


@pytest.mark.parametrize("name", MODELS)
def test_both_engines_say_the_same(name: str) -> None:
    text = MODELS[name]
    expected = look(text, engine="reference", por="none")
    for configuration, options in NATIVE.items():
        if configuration == "merged" and name not in REACHED:
            continue
        found = look(text, engine="native", **options)
        assert failures(found) <= failures(expected), configuration
        assert places(found) == places(expected), configuration
        assert found.unreached == expected.unreached, configuration
        if configuration == "plain":
            assert found.statistics.states == expected.statistics.states
            assert found.statistics.transitions == expected.statistics.transitions


# Where nothing faults, or pan ends the run there, too: elsewhere pan -c0 goes on after a fault.
SPIN = [
    *(
        f"answers: {name}"
        for name in (
            "by the second receive", "by one of two", "by patterns", "with else behind",
            "with else in front", "with eval", "in a block of its own", "in an atomic",
            "blocks behind", "in an array of channels", "beside a buffered receive",
            "twice in a row", "under an unless",
            "assertions and then blocks", "a channel that was sent", "in a labelled loop",
            "or a timeout", "a random receive",
        )
    ),
    "failures: an assertion, then it blocks",
    "failures: two assertions",
    "provided: by enabled of another",
    "provided: nothing is evaluated in vain",
    "provided: enabled at a run",
]  # fmt: skip


@pytest.mark.skipif(shutil.which("spin") is None, reason="needs Spin")
@pytest.mark.parametrize("name", SPIN)
def test_spin_has_the_same_states(name: str) -> None:
    spin = full_search(" ".join(MODELS[name].split()))  # Spin minds where lines end
    found = look(MODELS[name], engine="reference", por="none")
    assert (spin.states, spin.transitions) == (
        found.statistics.states,
        found.statistics.transitions,
    )
    kinds = {trace.kind for trace in found.traces}
    said = " ".join(spin.violations)
    assert ("assertion violated" in said) == ("assertion" in kinds)
    assert ("invalid end state" in said) == ("end state" in kinds)
    assert ("block in d_step" in said) == ("d_step" in kinds)


# --- what must be said, whatever both engines think -----------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_step_shows_all_that_fails_in_it(engine: str) -> None:
    text = "byte x; active proctype P() { d_step { skip; assert(x == 1); assert(x == 2); x == 5 } }"
    result = look(text, engine=engine)
    found = [(trace.kind, trace.message) for trace in result.traces]
    blocks = "a statement inside this d_step blocks"
    assert found == [("assertion", "(x==1)"), ("assertion", "(x==2)"), ("d_step", blocks)]
    first = whorl.check(whorl.load(text), engine=engine, safety=True)
    assert [(trace.kind, trace.message) for trace in first.traces] == found[:1]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_fault_in_a_provided_clause_is_a_step_of_that_process(engine: str) -> None:
    text = """
        byte a[2], i = 2, x;
        active proctype P() provided (a[i] == 0) { x = 1 }
        active proctype Q() { x = 2 }"""
    result = look(text, engine=engine)
    [trace] = result.traces
    assert (trace.kind, trace.steps[-1].process, trace.steps[-1].text) == (
        "array bounds",
        "P",
        "x = 1",
    )
    assert {p.kind for p in result.properties if p.verdict == "violated"} == {"array bounds"}
