"""`whorl explain`: reasons, as objects, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whorl.api import load
from whorl.cli import main
from whorl.engines import reference_semantics
from whorl.reduction.analysis import Analysis
from whorl.reduction.explain import CONDITIONAL, FIXED, REDUCIBLE, Explained, explain

MODEL = """
byte turn, seen;
bit flag[4];
chan c = [2] of { byte };
active proctype A() {
    byte x;
    x = 1;
    c!x;
    do
    :: turn == 0 -> flag[_pid] = 1
    :: timeout -> break
    od
}
active proctype B() {
    byte y;
    c?y;
    turn = 1;
    flag[_pid] = 0;
    seen = _nr_pr
}
active proctype C() { skip }
"""


def explained(model: str, *ltl: str) -> dict[str, Explained]:
    loaded = load(model, ltl=ltl)
    atoms = [atom for formula in loaded.program.formulas for atom in formula.atoms]
    analysis = Analysis(reference_semantics(loaded.program), atoms)
    return {place.statements[0].text: place for place in explain(analysis)}


def kinds(place: Explained) -> set[str]:
    return {reason.kind for reason in place.reasons}


def test_reasons() -> None:
    found = explained(MODEL)
    assert found["x = 1"].verdict == REDUCIBLE
    assert found["c!x"].verdict == CONDITIONAL
    assert kinds(found["c!x"]) == {"channel"}
    waiting = found["turn == 0"]
    assert waiting.verdict == FIXED
    assert kinds(waiting) == {"dependent", "timeout"}
    (reason,) = [r for r in waiting.reasons if r.kind == "dependent"]
    assert reason.other is not None
    assert (reason.whose, reason.other.text, reason.what) == ("B", "turn = 1", ("turn",))
    assert reason.passing  # B ends
    # Each process has an element of its own.
    assert found["flag[_pid] = 0"].verdict == REDUCIBLE
    assert kinds(found["flag[_pid] = 1"]) == {"sticky"}
    assert kinds(found["seen = _nr_pr"]) == {"dependent"}


def test_visible() -> None:
    found = explained(MODEL, "[] (flag[1] == 0)")
    (reason,) = found["flag[_pid] = 0"].reasons
    assert reason.kind == "visible"
    assert reason.what == ("flag[1]",)


def test_increments_commute() -> None:
    found = explained("byte n; active [2] proctype P() { n++; n = n + 2 }")
    assert found["n++"].verdict == REDUCIBLE
    read = explained("byte n; active [2] proctype P() { n++; assert(n > 0) }")
    assert read["n++"].verdict == CONDITIONAL


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.pml"
    file.write_text(MODEL)
    assert main(["explain", str(file)]) == 0
    text = capsys.readouterr().out
    assert "conditionally safe: waits for 'c?y' of B (line 16) at the other end of c" in text
    assert main(["explain", str(file), "--json", "--ltl", "<> (turn == 1)"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["properties"][0]["scheme"] == "two-phase-ample"
    seen = [p for p in data["locations"] if p["statements"] == ["turn = 1"]]
    assert "visible" in {r["kind"] for r in seen[0]["reasons"]}


def test_channels_that_processes_make_are_named_once() -> None:
    text = """
        chan f = [1] of { byte };
        proctype P(chan up) { chan own = [1] of { byte }; f?_; run P(own); own?_; up!1 }
        init { chan own = [1] of { byte }; run P(own); own?_ }
    """
    reasons = [
        r
        for found in explain(Analysis(reference_semantics(load(text).program)))
        for r in found.reasons
    ]
    assert any("a channel of a process" in reason.what for reason in reasons)
    assert all(len(reason.what) <= 3 for reason in reasons)
