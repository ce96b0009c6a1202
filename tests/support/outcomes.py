"""Outcomes of checks, as the command line makes them, for the tests of reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import whorl
from whorl.reports.outcome import ModelOutcome
from whorl.verdict import EXIT_BAD_INPUT

ASSERTION = """\
byte x;
inline step() {
    x++;
    assert(x < 2)
}
active proctype p() { step(); step() }
"""
DEADLOCK = """\
chan c = [0] of { byte };
active proctype sender() { c!1; c!2 }
active proctype receiver() { c?_; c!3 }
"""
FORMULA = """\
bool ready;
active proctype p() {
    do
    :: ready = false
    :: true -> ready = true; ready = false
    od
}
ltl always { [] !ready }
ltl again { []<> ready }
"""
ENDLESS = "int x, y;\nactive proctype p() { do :: x++ :: y++ od }\n"
WRONG = "init { coumt = 1;\n  nothing = 2 }\n"


def outcome_of(
    folder: Path, text: str, name: str = "m.pml", defines: dict[str, str] | None = None, **more: Any
) -> ModelOutcome:
    """What came of the check of a text, in a file of that name, by the reference engine."""
    model = folder / name
    model.parent.mkdir(parents=True, exist_ok=True)
    model.write_text(text, encoding="utf-8")
    values = defines or {}
    try:
        loaded = whorl.load(model, defines=values)
        result = whorl.check(loaded, engine="reference", **more)
    except whorl.WhorlError as error:
        return ModelOutcome(str(model), values, EXIT_BAD_INPUT, errors=error.diagnostics)
    return ModelOutcome(
        str(model), values, result.exit_code, loaded, result, written=(), seconds=0.25
    )
