"""The benchmark of threads: verifiers that run where there is no whorl, and what comes of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import threads, threads_page
from benchmarks.threads import LIST, Row
from benchmarks.threads_prepare import ThreadsCase, verifiers

SCRIPT = Path(threads.__file__)
SMALL = ThreadsCase("small", "peterson.pml", (("N", 3),), counts=(2, 1), ceilings=(2,), states=2253)


def ran(mode: str, folder: Path, *words: str) -> list[Row]:
    """What a mode prints, by a Python that finds nothing but what comes with it."""
    command = [sys.executable, "-I", str(SCRIPT), mode, str(folder), "--json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")
def test_formulas_are_beside_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHORL_CC", "gcc -O0")
    case = verifiers(tmp_path, replace(SMALL, formula="[]<> (level[0] < 9)"))
    assert case["words"] != case["words_many"]  # one thread stores small states whole
    (tmp_path / LIST).write_text(json.dumps({"ltl": [case]}), encoding="utf-8")
    _, two, one = ran("--run", tmp_path, "--ltl")
    assert two["states"] == one["states"] == two["states_alone"] == one["states_alone"]
    assert two["ratio"] == pytest.approx(two["rate"] / two["ceiling"])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")
def test_a_folder_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHORL_CC", "gcc -O0")
    case = verifiers(tmp_path, SMALL)
    way = {"label": "whorl --threads CORES", "tool": "whorl", "cores": 0}
    way["command"] = [case["many"], *case["words"], "--threads", "CORES"]
    lists = {"scale": [case], "billion": [case], "spin": [{**case, "ways": [way]}]}
    (tmp_path / LIST).write_text(json.dumps(lists), encoding="utf-8")

    machine, two, one = ran("--run", tmp_path)
    assert machine["cores"] >= 1
    assert two["states"] == one["states"] == two["states_alone"] == SMALL.states
    assert two["complete"]
    assert two["ratio"] == pytest.approx(two["rate"] / two["ceiling"])
    assert "ceiling" not in one  # it was not asked for
    assert 0 <= two["waited"] < 1
    assert 0 <= two["moved"] < 1
    assert 0 <= two["idle"] < 1
    large = ran("--billion", tmp_path, "--threads", "2")[1]
    assert large["as_expected"]
    assert large["expected"] == SMALL.states
    beside = ran("--spin", tmp_path, "--threads", "2")[1]
    assert (beside["verdict"], beside["states"]) == ("holds", SMALL.states)
    assert beside["way"] == "whorl --threads 2"

    page = "\n".join(threads_page.page([machine, two, one, large, beside]))
    assert "| peterson N=3 |" in page
    assert "2,253 were expected" in page
    assert "peterson N=3</text>" in threads_page.picture([two, one])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("State-vector 96 byte, errors: 0\n   235768 states, stored\n", ("holds", 235768)),
        ("State-vector 96 byte, errors: 1\n  1.5e+03 states, stored\n", ("violated", 1500)),
        (
            "error: max search depth too small\n errors: 0\n   12 states, stored\n",
            ("inconclusive", 12),
        ),
        (
            "Warning: Search not completed\n errors: 1\n   12 states, stored\n",
            ("violated", 12),
        ),
        ("ftok: No such file or directory\n", ("failed", None)),
    ],
)
def test_what_pan_says(said: str, expected: tuple[str, int | None]) -> None:
    assert threads.of_pan(said) == expected


def test_what_a_process_leaves_behind_counts() -> None:
    """pan's other processes are not waited for by the first."""
    burn = "import os, time\nif os.fork():\n os._exit(0)\nwhile time.process_time() < 0.2: pass"
    other = subprocess.Popen(["sleep", "300"])  # is nobody's business
    try:
        found = threads.reaped([sys.executable, "-c", burn], 60)
        assert found is not None
        assert found[2] >= 0.2
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
