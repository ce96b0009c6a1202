"""`whorl check --cluster`: what goes together, what is said without Ray, and what it reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from whorl.native.compiler import find_compiler

SCHEMA = json.loads(files("whorl.cli").joinpath("result.schema.json").read_text())
HOLDS = "byte x; active [2] proctype P() { do :: x < 200 -> x++ :: x > 3 -> x = x - 2 od }"
VIOLATED = "byte x; active [2] proctype P() { do :: x < 200 -> x++; assert(x != 9) od }"
NEVER = f"{VIOLATED.replace('200', '20')} ltl f {{ [] <> (x == 3) }}"
Run = Any

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--workers", "2"], "--workers is for a search with --cluster"),
        (["--resume", "x"], "--resume is for a search with --cluster"),
        (["--checkpoint", "x"], "--checkpoint is for a search with --cluster"),
        (["--cluster", "--resume", "x", "--checkpoint", "y"], "does not go with --checkpoint"),
        (["--cluster", "--threads", "2"], "has workers of one thread each"),
        (["--cluster", "--engine", "reference"], "runs the native engine"),
        (["--cluster", "--store", "bitstate"], "store states in trees"),
        (["--cluster", "--audit"], "one search for each property"),
        (["--cluster", "--workers", "0"], "no whole number above 0"),
        (["--cluster=nowhere"], "'nowhere' is no address of a cluster"),
        (["--cluster", "--por", "dfs-po"], "dfs-po"),
    ],
)
def test_what_does_not_go_together(whorl: Run, write: Run, words: list[str], said: str) -> None:
    found = whorl("check", write(HOLDS), *words)
    assert found.status == 2
    assert said in found.err.replace("\n", " ")


@pytest.mark.parametrize("words", [["--cluster", "MODEL"], ["MODEL", "--cluster"]])
def test_without_ray(
    whorl: Run, write: Run, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is not taken for an address; and what is missing is said."""
    monkeypatch.setitem(sys.modules, "ray", None)
    model = write(HOLDS)
    found = whorl("check", *(model if word == "MODEL" else word for word in words))
    assert found.status == 2
    assert "--cluster needs the package ray, which is missing" in found.err
    assert "pip install 'whorl[cluster]'" in found.err


def test_nothing_to_go_on_from(whorl: Run, write: Run, tmp_path: Path) -> None:
    found = whorl("check", "--cluster", "--resume", tmp_path, write(HOLDS))
    assert found.status == 2
    assert "there is no search in it" in found.err


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "whorl", "check", "--cluster", "--workers", "2", *map(str, words)]


def result(*words: str | Path) -> tuple[int, Any]:
    """A check in a process of its own, as Ray is started and ended in it."""
    done = subprocess.run(
        command("--json", *words), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.count("\n") == 1, done.stdout + done.stderr
    return done.returncode, json.loads(done.stdout)


def test_reports(write: Run, tmp_path: Path) -> None:
    """Safety and a formula by workers, in one call; nothing is left of Ray or of checkpoints."""
    pytest.importorskip("ray", reason="the package ray is missing")
    model, kept = write(NEVER), tmp_path / "kept"
    status, data = result("--all-errors", "--checkpoint", kept, model)
    assert status == 1
    jsonschema.validate(data, SCHEMA, cls=jsonschema.Draft202012Validator)
    verdicts = {each["name"]: each["verdict"] for each in data["properties"]}
    assert verdicts["assertions"] == verdicts["f"] == "violated"
    cluster = data["searches"][0]["statistics"]["cluster"]
    assert cluster["workers"] == 2
    assert cluster["sent"] > 0
    assert len(cluster["seconds"]) == 2
    assert not cluster["resumed"]
    assert not kept.exists()


LARGE = """
byte x[4];
active [4] proctype P() {
    do :: x[_pid] < 12 -> x[_pid]++ :: x[_pid] > 3 -> x[_pid] = x[_pid] - 3 od
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_driver_that_ends_goes_on(write: Run, tmp_path: Path, number: signal.Signals) -> None:
    """It is killed, or asked to end, at some points; `--resume` comes to the figures of one run."""
    pytest.importorskip("ray", reason="the package ray is missing")
    model, kept = write(LARGE), tmp_path / "kept"
    words: list[str | Path] = ["--por", "none", "--no-merge", model]
    whole = subprocess.run(
        [sys.executable, "-m", "whorl", "check", "--json", *map(str, words)],
        capture_output=True,
        check=False,
    )
    expected = json.loads(whole.stdout)["statistics"]
    where: list[str | Path] = ["--checkpoint", kept]
    for _ in range(3):
        process = subprocess.Popen(
            command("--json", *where, *words), stdout=subprocess.PIPE, text=True
        )
        before = commits(kept)
        while process.poll() is None and commits(kept) < before + 2:
            time.sleep(0.1)
        process.send_signal(number)
        said, _ = process.communicate(timeout=120)
        if number != signal.SIGKILL and process.returncode == 3:
            data = json.loads(said)
            assert data["statistics"]["cluster"]["folder"] == str(kept)
            assert data["statistics"]["states"] > 0
            assert any(f"--resume {kept}" in line for line in data["advice"])
        where = ["--resume", kept]
        if not kept.exists():  # it came to its end before
            break
    if kept.exists():
        status, data = result("--resume", kept, *words)
        assert status == 0
        found = data["statistics"]
        assert found["cluster"]["resumed"]
        for name in ("states", "transitions", "complete"):
            assert found[name] == expected[name]
    assert not kept.exists()


def commits(folder: Path) -> int:
    return sum(1 for _ in folder.glob("*/0*.json"))


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk(write: Run, tmp_path: Path) -> None:
    """The search ends, what was committed is kept, and with more room it goes on."""
    pytest.importorskip("ray", reason="the package ray is missing")
    model, disk = write(LARGE), tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted: {mounted.stderr!r}")
    words = ["--por", "none", "--no-merge", model]
    try:
        status, data = result("--checkpoint", disk / "kept", *words)
        assert status == 3
        assert data["statistics"]["cluster"]["commits"] > 0
        assert "No space left" in data["properties"][0]["why"]
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        status, data = result("--resume", disk / "kept", *words)
        assert status == 0
        assert data["statistics"]["cluster"]["resumed"]
    finally:
        subprocess.run(["umount", disk], check=True)
