"""Compares a JUnit report of `whorl check` with what the models promise in their head comments.

python .ci/expected.py REPORT FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

from whorl.diagnostics import Source
from whorl.expectations import ExpectedVerdict, expectations, met
from whorl.verdict import HOLDS, INCONCLUSIVE, VIOLATED, Property, Result, Statistics, overall

NOTHING = Statistics(0, 0, 0, 0.0, 0, complete=False)


def promised(model: Path) -> ExpectedVerdict:
    """What a check without options should find."""
    said = expectations(Source(str(model), model.read_text(encoding="utf-8")))
    (one,) = (each for each in said if each.claim is None and not each.options)
    return one


def reported(suite: ElementTree.Element) -> Result:
    """What the report says of a model."""
    properties = []
    for case in suite.iter("testcase"):
        failure = case.find("failure")
        verdict = HOLDS if len(case) == 0 else VIOLATED if failure is not None else INCONCLUSIVE
        kind = "" if failure is None else failure.get("type", "")
        properties.append(Property(case.get("name", ""), kind, verdict, ""))
    return Result(overall(tuple(properties)), tuple(properties), NOTHING, "", "")


def main(report: str, folder: str) -> int:
    suites = {suite.get("name", ""): suite for suite in ElementTree.parse(report).iter("testsuite")}
    models = {str(model): model for model in sorted(Path(folder).glob("*.pml"))}
    wrong = [f"{name}: not in both" for name in sorted(set(suites) ^ set(models))]
    for name in sorted(set(suites) & set(models)):
        expected, result = promised(models[name]), reported(suites[name])
        if not met(result, expected.verdict, expected.violated):
            found = [p.name for p in result.properties if p.verdict == VIOLATED]
            wrong.append(f"{name}: {result.verdict} {found}, and it promises: {expected}")
    print("\n".join(wrong) or f"{len(models)} models: all as they promise")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
