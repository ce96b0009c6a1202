"""Several workers find what one process does: counts, verdicts, and the way to a violation."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from support.cluster import InOneProcess, safety_task
from whorl.native.cluster.engine import by, explore_together, planned
from whorl.native.compiler import Compiler, find_compiler
from whorl.native.engine import explore_native
from whorl.search.exploration import Exploration
from whorl.task import Task

GCC = "gcc -O0 -DWHORL_SURVEY_AT=64 -DWHORL_SENT_LOG=4 -DWHORL_OUTBOX_FULL=512"
EXAMPLES = Path(__file__).parents[3] / "examples"
SOME = ("peterson", "peterson_broken", "philosophers", "two_phase_commit", "leader_election")
WORKERS = (1, 2, 3, 4)

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.setenv("WHORL_CC", GCC)
    found = find_compiler()
    assert found is not None
    return found


def task_of(model: str | Path, **options: Any) -> Task:
    return planned(safety_task(model, **options))


def kinds(found: Exploration) -> list[tuple[str, str | None]]:
    return sorted((violation.kind, violation.message) for violation in found.violations)


def agree(task: Task, compiler: Compiler) -> None:
    """All errors: the whole graph is searched, so that everything can be compared."""
    one = explore_native(task, compiler)
    for workers in WORKERS:
        many = explore_together(task, compiler, by(InOneProcess), workers)
        assert many.progress.states == one.progress.states
        assert many.progress.transitions == one.progress.transitions
        assert many.reached == one.reached
        assert (many.endless, many.truncated) == (one.endless, one.truncated)
        assert kinds(many) == kinds(one)
        if task.options.shortest:
            assert many.progress.depth == one.progress.depth


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("options", [{"por": "none"}, {}, {"por": "static"}, {"shortest": True}])
def test_examples(name: str, options: dict[str, Any], compiler: Compiler) -> None:
    agree(task_of(EXAMPLES / f"{name}.pml", all_errors=True, **options), compiler)
