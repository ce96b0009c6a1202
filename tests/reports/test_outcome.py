"""Outcomes: the worst of several, and what ended a check."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from support.outcomes import ASSERTION, ENDLESS, WRONG, outcome_of
from whorl.diagnostics import Diagnostic
from whorl.reports.outcome import ModelOutcome, worst

INTERRUPTED = ModelOutcome("m.pml", {}, 3, errors=(Diagnostic("error", "interrupted"),))


@pytest.mark.parametrize(
    ("statuses", "status"),
    [((), 0), ((0, 0), 0), ((0, 3), 3), ((0, 3, 1), 1), ((1, 2, 3), 2), ((4, 2, 1, 3, 0), 4)],
)
def test_worst_whatever_the_order(statuses: tuple[int, ...], status: int) -> None:
    for order in permutations(statuses):
        assert worst(ModelOutcome("m.pml", {}, each) for each in order) == status


def test_words(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, ASSERTION).word == "violated"
    assert outcome_of(tmp_path, WRONG).word == "error"
    assert outcome_of(tmp_path, "init { skip }").word == "holds"
    assert ModelOutcome("m.pml", {}, 4).word == "internal error"
    assert INTERRUPTED.word == "inconclusive"


@pytest.mark.parametrize(
    ("limit", "limited"),
    [
        ({"max_states": 9}, True),
        ({"memory": 1}, True),
        ({"timeout": 0.02}, True),
        ({"max_depth": 9}, False),  # a search that is bounded so can go on with larger models
    ],
)
def test_limits(tmp_path: Path, limit: dict[str, Any], limited: bool) -> None:
    outcome = outcome_of(tmp_path, ENDLESS, **limit)
    assert outcome.word == "inconclusive"
    assert outcome.limited == limited
    assert not outcome.interrupted


def test_a_violation_may_come_with_a_limit(tmp_path: Path) -> None:
    assert not outcome_of(tmp_path, ASSERTION).limited
    assert INTERRUPTED.interrupted
    assert not outcome_of(tmp_path, WRONG).limited
