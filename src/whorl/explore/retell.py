"""Finds the path that a result of `whorl check --json` tells of in words, as choices."""

from __future__ import annotations

from typing import Any

from whorl.diagnostics import Diagnostic, WhorlError
from whorl.explore.visits import Visit, Visits
from whorl.program.choice import Choice
from whorl.program.semantics import Semantics
from whorl.program.state import State
from whorl.trace.as_json import step_data

SAME = ("number", "pid", "process", "line", "text", "changes", "partner")


def retold(semantics: Semantics, steps: list[dict[str, Any]]) -> tuple[Choice, ...]:
    """The choices of a path with these steps; WhorlError if the program has none."""
    furthest = 0
    seen: set[tuple[State, int]] = set()
    todo: list[tuple[Visit, int]] = [(Visits(semantics).first, 0)]
    while todo:
        visit, told = todo.pop()
        furthest = max(furthest, told)
        if told == len(steps):
            return visit.choices()
        if (visit.state, told) in seen:
            continue
        seen.add((visit.state, told))
        following = []
        for step in visit.steps():
            after = visit.then(step)
            if after.told is None:  # it passes control on, and no result has a word of that
                following.append((after, told))
            elif _same(step_data(after.told), steps[told]):
                following.append((after, told + 1))
        todo += reversed(following)
    hint = "use the model and the -D options that the result was made with"
    message = f"the result does not fit the model: its step {furthest + 1:,} cannot be taken"
    raise WhorlError(Diagnostic("error", message, None, hint))


def _same(one: dict[str, Any], other: Any) -> bool:
    if not isinstance(other, dict):
        return False
    return all(_plain(one.get(key)) == _plain(other.get(key)) for key in SAME)


def _plain(value: Any) -> Any:
    """Without the names of files, which are as they were given."""
    return {k: v for k, v in value.items() if k != "file"} if isinstance(value, dict) else value
