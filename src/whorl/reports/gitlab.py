"""A report of Code Quality, as GitLab shows it in a merge request."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from whorl.reports.annotations import Annotation, annotations_of
from whorl.reports.fingerprints import fingerprints
from whorl.reports.outcome import ModelOutcome
from whorl.reports.paths import path_text

_SEVERITIES = {"inconclusive": "major", "model-warning": "minor", "internal-error": "blocker"}


def gitlab(outcomes: Iterable[ModelOutcome], root: Path) -> str:
    """A list of issues, in JSON; names of files are relative to `root`."""
    said = list(annotations_of(outcomes))
    marks = fingerprints(said, root)
    issues = [_issue(each, mark, root) for each, mark in zip(said, marks, strict=True)]
    return json.dumps(issues, indent=1) + "\n"


def _issue(said: Annotation, mark: str, root: Path) -> dict[str, Any]:
    """An issue. One without a place is at the beginning of the model, as GitLab wants a place."""
    file, line = said.outcome.name, 1
    if said.place is not None and said.place.is_file:
        file, line = said.place.file, said.place.line
    return {
        "description": said.with_values,
        "check_name": f"whorl-{said.rule}",
        "fingerprint": mark,
        "severity": _SEVERITIES.get(said.rule, "critical"),
        "location": {
            "path": file if file.startswith("<") else path_text(file, root),
            "lines": {"begin": line},
        },
    }
