"""`whorl.swarm`: what it finds is real, what it does not find is unknown."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.generator import PROFILES, programs
from whorl.native.compiler import find_compiler
from whorl.options import CHECKING, SWARM, SWARM_BY_NAME, SWARM_KEYWORDS, SWARMING
from whorl.verdict import INCONCLUSIVE, VIOLATED, Result

EXAMPLES = Path(__file__).parents[1] / "examples"
HOLDS = "byte x; active [3] proctype P() { do :: x < 200 -> x++ :: x > 3 -> x = x - 2 od }"
BROKEN = "byte x; active [2] proctype P() { byte i; i = x; x = i + 1; assert(x != 1 || _pid) }"
# Larger than what a test can wait for, and safe.
ENDLESS = "int x[9]; active [9] proctype P() { do :: x[_pid]++ :: x[_pid]-- od }"
SPAWNS = """
byte n;
proctype Q() { n++; assert(n < 12) }
init { byte i; do :: i < 14 -> run Q(); i++ :: else -> break od }
"""
MOST_STATES = 2_000
FEW, MANY = 2, 25  # programs a profile, in the fast and in the slow tests; the first is the least

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


def swarm(model: str | Path, **options: Any) -> Result:
    return whorl.swarm(model, **{"workers": 2, "timeout": 300, **options})


def test_signature_and_table_agree() -> None:
    found = inspect.signature(whorl.swarm).parameters.values()
    keywords = {p.name: p.default for p in found if p.kind is p.KEYWORD_ONLY}
    assert keywords == {name: SWARM_BY_NAME[name].default for name in SWARM_KEYWORDS}
    assert tuple(keywords) == SWARM_KEYWORDS


def test_what_is_shared_with_a_check_is_one_entry() -> None:
    assert len(SWARM_BY_NAME) == len(SWARM)
    own = {option.name for option in SWARMING}
    assert all(
        option in CHECKING
        for option in SWARM
        if option.group.name == "SHOWN" and option.name not in own | {"json", "color", "debug"}
    )


def test_a_violation_is_found_and_shown() -> None:
    found = swarm(BROKEN)
    assert found.verdict == VIOLATED
    assert found.trace is not None
    assert found.trace.kind == "assertion"
    assert found.swarm is not None
    assert found.swarm.found_by is not None
    assert "found by search" in str(found)
    assert found.swarm.found_by.repeat.startswith("whorl.swarm(model, seed=1, only=")


def test_nothing_found_is_inconclusive_with_figures() -> None:
    found = swarm(HOLDS)
    assert found.verdict == INCONCLUSIVE
    assert {p.verdict for p in found.properties} == {INCONCLUSIVE}
    assert found.swarm is not None
    assert found.swarm.stopped.startswith("saturation")
    assert found.swarm.found_by is None
    exact = whorl.check(HOLDS, por="none", merge=False)
    assert 0 < found.swarm.states <= exact.statistics.states * (1 + 4 * found.swarm.error)
    assert found.advice
    assert "coverage: at most" in str(found)
    assert not found.statistics.complete


def test_a_search_that_found_something_can_be_repeated() -> None:
    found = swarm(EXAMPLES / "peterson_broken.pml", seed=5)
    assert found.swarm is not None
    assert found.swarm.found_by is not None
    number = found.swarm.found_by.number
    runs = set()
    for _ in range(2):
        again = swarm(EXAMPLES / "peterson_broken.pml", seed=5, only=number, shorten=False)
        assert again.swarm is not None
        assert again.swarm.found_by is not None
        assert (again.swarm.searches, again.swarm.found_by.number) == (1, number)
        assert again.trace is not None
        runs.add(again.trace.choices)
    assert len(runs) == 1


def test_two_searches_take_different_runs() -> None:
    texts = {
        found.trace.choices
        for only in (1, 2, 3, 4)
        if (found := swarm(EXAMPLES / "peterson_broken.pml", only=only, shorten=False)).trace
    }
    assert len(texts) > 1


def test_limits() -> None:
    few = swarm(ENDLESS, searches=3)
    assert few.swarm is not None
    assert (few.swarm.searches, few.swarm.cut) == (3, 0)
    assert "all 3 searches that were asked for were done" in few.properties[0].why
    short = swarm(ENDLESS, timeout=3)
    assert short.swarm is None or "time limit" in short.swarm.stopped
    assert short.verdict == INCONCLUSIVE
    shallow = swarm(ENDLESS, searches=4, max_depth=3)
    assert shallow.statistics.depth <= 3


def test_arrays_that_memory_has_no_room_for() -> None:
    with pytest.raises(whorl.WhorlError, match=r"arrays of 2\^30 bits do not fit"):
        swarm(HOLDS, bits=30, memory="64M")
    assert swarm(HOLDS, searches=2, memory="64M").verdict == INCONCLUSIVE


def test_a_larger_verifier_is_made_where_processes_become_many() -> None:
    found = swarm(SPAWNS, por="none")
    assert found.verdict == VIOLATED
    assert found.trace is not None
    assert found.trace.kind == "assertion"


def test_what_a_check_would_look_at_besides_is_said() -> None:
    found = swarm(HOLDS + " ltl f { [] (x < 201) }", searches=1)
    assert any("safety alone" in note for note in found.notes)
    assert not any("safety alone" in note for note in swarm(HOLDS, searches=1).notes)


def test_kinds_of_violations_that_do_not_count() -> None:
    assert swarm(BROKEN, assertions=False, searches=20).verdict == INCONCLUSIVE
    stuck = "active proctype P() { false }"
    assert swarm(stuck).verdict == VIOLATED
    assert swarm(stuck, end_states=False, searches=2).verdict == INCONCLUSIVE


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"only": 3, "searches": 4}, ValueError, "only does one search of the list, and searches"),
        ({"bits": 50}, ValueError, "bits is 50, and must be from 20 to 40"),
        ({"workers": 0}, ValueError, "workers is 0, and must be above 0"),
        ({"store": "tree"}, TypeError, "whorl.swarm has no keyword 'store'"),
        ({"no_merge": True}, TypeError, "write merge=False"),
    ],
)
def test_wrong_keywords(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        whorl.swarm(HOLDS, **options)


def test_a_scheme_that_goes_by_the_stack_is_refused() -> None:
    with pytest.raises(whorl.WhorlError, match="keeps no states"):
        swarm(HOLDS, por="dfs_po")


def agrees(text: str) -> None:
    """Of a program that searches see whole, a swarm finds a violation where there is one."""
    exact = whorl.check(text, safety=True, engine="reference", por="none", max_states=MOST_STATES)
    if not exact.statistics.complete and exact.verdict != VIOLATED:
        return
    found = swarm(text, searches=20)
    assert found.verdict == (VIOLATED if exact.verdict == VIOLATED else INCONCLUSIVE)


by_profile = pytest.mark.parametrize("profile", sorted(PROFILES))
relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_programs(profile: str, data: st.DataObject) -> None:
    agrees(data.draw(programs(PROFILES[profile])))


@pytest.mark.slow
@by_profile
@given(data=st.data())
@settings(relaxed, max_examples=MANY)
def test_many_random_programs(profile: str, data: st.DataObject) -> None:
    agrees(data.draw(programs(PROFILES[profile])))
