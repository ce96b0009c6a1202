"""The report of Code Quality: the keys that GitLab reads."""

from __future__ import annotations

import json
from pathlib import Path

from support.outcomes import ASSERTION, DEADLOCK, ENDLESS, WRONG, outcome_of
from whorl.diagnostics import Diagnostic
from whorl.reports.gitlab import gitlab
from whorl.reports.outcome import ModelOutcome


def test_issues(tmp_path: Path) -> None:
    outcomes = [
        outcome_of(tmp_path, ASSERTION, "a.pml", {"N": "1"}),
        outcome_of(tmp_path, ASSERTION, "a.pml", {"N": "2"}),
        outcome_of(tmp_path, DEADLOCK, "b c.pml"),
        outcome_of(tmp_path, ENDLESS, "d.pml", max_states=10),
        outcome_of(tmp_path, WRONG, "e.pml"),
        ModelOutcome(str(tmp_path / "f.pml"), {}, 2, errors=(Diagnostic("error", "cannot read"),)),
    ]
    issues = [
        issue
        for issue in json.loads(gitlab(outcomes, tmp_path))
        if issue["check_name"] != "whorl-model-warning"
    ]
    assert [
        (
            issue["check_name"],
            issue["severity"],
            issue["location"]["path"],
            issue["location"]["lines"]["begin"],
        )
        for issue in issues
    ] == [
        ("whorl-assertion", "critical", "a.pml", 4),
        ("whorl-assertion", "critical", "a.pml", 4),
        ("whorl-end-state", "critical", "b c.pml", 2),
        ("whorl-inconclusive", "major", "d.pml", 1),
        ("whorl-model-error", "critical", "e.pml", 1),
        ("whorl-model-error", "critical", "e.pml", 2),
        ("whorl-model-error", "critical", "f.pml", 1),
    ]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    assert "(with N=1)" in issues[0]["description"]


def test_the_same_issue_twice_has_two_marks(tmp_path: Path) -> None:
    """Two models may include a file in which the same is said of both."""
    outcome = outcome_of(tmp_path, DEADLOCK)
    first, second = json.loads(gitlab([outcome, outcome], tmp_path))
    assert first.pop("fingerprint") != second.pop("fingerprint")
    assert first == second


def test_nothing_is_an_empty_list() -> None:
    assert json.loads(gitlab([], Path.cwd())) == []
