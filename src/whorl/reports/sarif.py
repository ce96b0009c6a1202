"""SARIF 2.1.0: violations at their lines, with the steps that lead there, for code reviews."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import whorl
from whorl.reports.annotations import Annotation, FilePlace, annotations_of
from whorl.reports.fingerprints import fingerprints
from whorl.reports.outcome import ModelOutcome, worst
from whorl.reports.paths import relative, uri
from whorl.reports.rules import rule
from whorl.trace.text import cycle_text
from whorl.trace.trace import Trace, TraceStep
from whorl.verdict import EXIT_BAD_INPUT, EXIT_INTERNAL

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_STEPS = 1_000  # of a run; the middle of a longer one is left out, as viewers do not show it
ROOT = "%SRCROOT%"


def sarif(outcomes: Sequence[ModelOutcome], root: Path) -> str:
    """The log of these checks; names of files are relative to `root`."""
    said = list(annotations_of(outcomes))
    placed = [each for each in said if each.place is not None and each.place.is_file]
    rules = list(dict.fromkeys(each.rule for each in said))
    status = worst(outcomes)
    invocation: dict[str, Any] = {
        "executionSuccessful": status not in (EXIT_BAD_INPUT, EXIT_INTERNAL),
        "exitCode": status,
    }
    rest = [each for each in said if each not in placed]
    if rest:
        invocation["toolExecutionNotifications"] = [_notification(each, rules) for each in rest]
    marks = fingerprints(placed, root)
    run = {
        "tool": {"driver": _driver(rules)},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(each, rules, mark, root) for each, mark in zip(placed, marks, strict=True)
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1) + "\n"


def _driver(rules: Sequence[str]) -> dict[str, Any]:
    return {
        "name": "whorl",
        "version": whorl.__version__,
        "semanticVersion": whorl.__version__,
        "rules": [
            {
                "id": known.name,
                "shortDescription": {"text": known.short},
                "fullDescription": {"text": known.long},
                "help": {"text": known.long},
            }
            for known in map(rule, rules)
        ],
    }


def _notification(said: Annotation, rules: Sequence[str]) -> dict[str, Any]:
    """What has no place in a file."""
    return {
        "level": said.level,
        "message": {"text": f"{said.outcome.name}: {said.with_values}{_hint(said)}"},
        "associatedRule": {"id": said.rule, "index": rules.index(said.rule)},
    }


def _result(said: Annotation, rules: Sequence[str], mark: str, root: Path) -> dict[str, Any]:
    assert said.place is not None
    result: dict[str, Any] = {
        "ruleId": said.rule,
        "ruleIndex": rules.index(said.rule),
        "level": said.level,
        "message": {"text": f"{said.with_values}{_hint(said)}"},
        "locations": [{"physicalLocation": _physical(said.place, root)}],
        "partialFingerprints": {"whorl/v1": mark},
    }
    if said.outcome.defines:
        result["properties"] = {"defines": dict(said.outcome.defines)}
    related = [(place, text) for place, text in said.related if place.is_file]
    if related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": text}, "physicalLocation": _physical(place, root)}
            for number, (place, text) in enumerate(related, 1)
        ]
    if said.trace is not None and said.trace.steps:
        result["codeFlows"] = [_flow(said.trace, root)]
    return result


def _hint(said: Annotation) -> str:
    return "" if said.hint is None else f"\nhint: {said.hint}"


def _physical(place: FilePlace, root: Path) -> dict[str, Any]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {
        "artifactLocation": _artifact(place.file, root),
        "region": {name: value for name, value in region.items() if value is not None},
    }


def _artifact(file: str, root: Path) -> dict[str, str]:
    found = relative(file, root)
    if found is None:
        return {"uri": Path(file).absolute().as_uri()}
    return {"uri": uri(found), "uriBaseId": ROOT}


# --- the run --------------------------------------------------------------------------------------


def _flow(trace: Trace, root: Path) -> dict[str, Any]:
    """The run as one flow: it is the order of the steps of all processes that shows the mistake."""
    locations = list(_flow_locations(trace, root))
    flow: dict[str, Any] = {"threadFlows": [{"locations": locations}]}
    left_out = len(trace.steps) - len(locations)
    if left_out > 0:
        flow["message"] = {"text": f"{left_out:,} steps in the middle are left out"}
    return flow


def _flow_locations(trace: Trace, root: Path) -> Iterator[dict[str, Any]]:
    count = len(trace.steps)
    for position, step in enumerate(trace.steps):
        if count > MOST_STEPS and MOST_STEPS // 2 <= position < count - MOST_STEPS // 2:
            continue
        location: dict[str, Any] = {"message": {"text": _step_text(step, trace)}}
        place = FilePlace(step.file, step.line)
        if place.is_file:
            location["physicalLocation"] = _physical(place, root)
        important = step.failures or step.number in (count, trace.cycle)
        yield {
            "location": location,
            "executionOrder": step.number,
            "importance": "essential" if important else "important",
        }


def _step_text(step: TraceStep, trace: Trace) -> str:
    """A step in a line or some: who, what, and what it changed."""
    said = f"{step.number:,}. {step.who}: {step.said}"
    if step.partner_who is not None:
        said += f" (received by {step.partner_who}: {step.partner_text})"
    if step.changes:
        said += f"; {', '.join(map(str, step.changes))}"
    lines = [said, *step.failures]
    if step.number == trace.cycle:
        lines.insert(0, "from here on again and again:")
    if step.number == len(trace.steps) and trace.cycle is not None:
        lines.append(cycle_text(trace.cycle, len(trace.steps), trace.fault is not None))
    return "\n".join(lines)
