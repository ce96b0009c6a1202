"""The benchmark of the GPU engine, on a processor that stands in for a GPU."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks import gpu, gpu_prepare
from benchmarks.gpu import GpuCase
from support.gpu import COMPILER, stand_in

SMALL = GpuCase("small", "peterson", (("N", 3),), states=2253, transitions=5000)

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")


def test_what_was_prepared_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = tmp_path / "examples"
    examples.mkdir()
    text = "byte a; active [2] proctype P() { a++; a++; assert(a < 4) }"
    (examples / "one.pml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(gpu_prepare, "EXAMPLES", examples)
    monkeypatch.setattr(gpu_prepare, "SCHEMES", gpu_prepare.SCHEMES[:2])
    monkeypatch.setenv("WHORL_CC", COMPILER)
    file = tmp_path / "same.json"
    gpu_prepare.prepare(file, 1)
    rows = json.loads(file.read_text(encoding="utf-8"))
    assert {row["name"] for row in rows} >= {"one"}
    with stand_in():
        assert gpu.same(file, 60) == 0
        assert gpu.same(file, 0) == 0  # there is no time for any
        rows[0]["said"]["states"] += 1
        file.write_text(json.dumps(rows), encoding="utf-8")
        assert gpu.same(file, 60) == 1
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert said[-1]["not"] == 1
    assert [row["same"] for row in said if "same" in row].count(False) == 1


def test_a_large_model_is_timed_and_compared_with_what_is_known() -> None:
    with stand_in():
        row = gpu.measured(SMALL, "gpu")
    assert (row["states"], row["as_known"]) == (2253, False)
    assert row["rate"] > 0
