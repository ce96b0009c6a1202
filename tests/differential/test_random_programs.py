"""Random programs: the reference engine, the native engine and Spin agree on each.

The fast tests draw the same programs every time, so that a change is judged by the change; the slow
ones draw new programs in every run. What they find becomes a model in test_constructs.py.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import whorl
from support.compare import of_spin, of_whorl, same_states
from support.generator import PROFILES, programs
from support.spin import full_search

MOST_STATES = 5_000  # a larger program is left out: it costs much and shows little
FEW, MANY = 9, 80  # programs a profile, in the fast and in the slow tests


def agree(text: str) -> None:
    expected = of_spin(full_search(text, timeout=60))
    if expected.states > MOST_STATES:
        return
    for engine in ("reference", "native"):
        figures, complete = of_whorl(text, engine=engine)
        assert complete
        assert same_states(figures, expected), f"{engine} {figures}, Spin {expected}"
        assert figures.violations == expected.violations, engine


def merging_changes_nothing_but_figures(text: str) -> None:
    found = []
    for merge in (False, True):
        result = whorl.check(
            text, engine="native", all_errors=True, merge=merge, max_states=MOST_STATES, por="none"
        )
        if not result.statistics.complete:
            return
        found.append({(trace.kind, trace.message) for trace in result.traces})
    assert found[0] == found[1]


def check(text: str) -> None:
    agree(text)
    merging_changes_nothing_but_figures(text)


relaxed = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


@pytest.mark.spin
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data())
@settings(relaxed, max_examples=FEW, derandomize=True)
def test_random_programs(profile: str, data: st.DataObject) -> None:
    check(data.draw(programs(PROFILES[profile])))


@pytest.mark.spin
@pytest.mark.slow
@pytest.mark.parametrize("profile", sorted(PROFILES))
@given(data=st.data())
@settings(relaxed, max_examples=MANY)
def test_many_random_programs(profile: str, data: st.DataObject) -> None:
    check(data.draw(programs(PROFILES[profile])))
