"""The benchmark of the GPU engine, on a processor that stands in for a GPU."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from benchmarks import gpu, gpu_prepare, gpu_workers
from benchmarks.gpu import Asked, GpuCase, Row
from support.gpu import COMPILER, stand_in

SMALL = GpuCase("small", "peterson", (("N", 3),), states=2253, transitions=5000)

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")


def test_what_was_prepared_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = tmp_path / "examples"
    examples.mkdir()
    text = "byte a; active [2] proctype P() { a++; a++; assert(a < 4) } ltl p { <> (a > 1) }"
    (examples / "one.pml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(gpu_prepare, "EXAMPLES", examples)
    monkeypatch.setattr(gpu_prepare, "SCHEMES", gpu_prepare.SCHEMES[:2])
    monkeypatch.setenv("WHORL_CC", COMPILER)
    file = tmp_path / "same.json"
    gpu_prepare.prepare(file, 1)
    rows = json.loads(file.read_text(encoding="utf-8"))
    assert {row["name"] for row in rows} >= {"one", "one p"}
    assert {row["options"].get("claim") for row in rows} >= {None, "p"}
    with stand_in():
        assert gpu.same(file, Asked(tmp_path)) == 0
        assert gpu.same(file, Asked(budget=0)) == 1  # there is no time for any
        rows[0]["said"]["states"] += 1
        file.write_text(json.dumps(rows), encoding="utf-8")
        assert gpu.same(file, Asked(tmp_path / "out")) == 1
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert said[-1]["not"] == 1
    assert [row["same"] for row in said if "same" in row] == [False]  # the rest is in the file
    written = (tmp_path / "out" / "same.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(written) == len(rows) + 1


def test_what_fails_is_said_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu, "CASES", (GpuCase("gone", "no such model", ()), SMALL))
    with stand_in():
        assert gpu.timed(list(gpu.CASES), False, Asked(tmp_path)) == 1
    broken, fine = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "no such model" in broken["error"]
    assert (fine["states"], fine["device"]) == (2253, "the processor")


def work(task: Row) -> Row:
    """What a worker does here; it is in a process that imports this module."""
    match task["do"]:
        case "end":
            os._exit(1)
        case "hang":
            time.sleep(60)
        case "break":
            return {"pid": os.getpid(), gpu_workers.BROKEN: True}
    return {"pid": os.getpid()}


def test_a_worker_is_replaced_when_it_breaks_hangs_or_ends() -> None:
    worker = gpu_workers.Worker(work, 30)
    try:
        first = worker.ask({"do": "work"})
        assert worker.ask({"do": "break"})["pid"] == first["pid"]
        second = worker.ask({"do": "work"})
        assert second["pid"] != first["pid"]
        assert "process ended" in worker.ask({"do": "end"})["error"]
        third = worker.ask({"do": "work"})
        assert third["pid"] not in (first["pid"], second["pid"])
        worker.seconds = 0.1
        assert "more than" in worker.ask({"do": "hang"})["error"]
    finally:
        worker.close()


def test_workers_do_all_tasks() -> None:
    tasks: list[Row] = [{"do": "work", "number": number} for number in range(5)]
    found = list(gpu_workers.done_by(work, tasks, 2, 30, 60))
    assert sorted(task["number"] for task, _ in found) == [0, 1, 2, 3, 4]
    assert 1 <= len({answer["pid"] for _, answer in found}) <= 2
    assert not list(gpu_workers.done_by(work, tasks, 2, 30, 0))  # there is no time


def test_a_large_model_is_timed_and_compared_with_what_is_known() -> None:
    with stand_in():
        row = gpu.measured(SMALL, "gpu")
    assert (row["states"], row["as_known"]) == (2253, False)
    assert set(row["kernels"]) == {"whorl_gpu_by_process", "whorl_gpu_whole"}
    assert row["rate"] > 0
