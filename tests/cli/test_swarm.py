"""`whorl swarm`: a report as that of a check, an exit status, and nothing left running."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.machine import runs, wait_for
from whorl.cli.swarm import _kept
from whorl.native.compiler import find_compiler
from whorl.native.swarm.listed import SearchList

SCHEMA = json.loads(files("whorl.cli").joinpath("result.schema.json").read_text())
HOLDS = "byte x; active [3] proctype P() { do :: x < 200 -> x++ :: x > 3 -> x = x - 2 od }"
BROKEN = "byte x; active [2] proctype P() { byte i; i = x; x = i + 1; assert(x != LEAST || _pid) }"
ENDLESS = "int x[9]; active [9] proctype P() { do :: x[_pid]++ :: x[_pid]-- od }"
ENDLESS_SEED = 4  # its first two searches have no limit of depth
Run = Any

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")


def test_a_violation(whorl: Run, write: Run, tmp_path: Path) -> None:
    model, trail = write(BROKEN), tmp_path / "found.trail"
    words = ("--workers", "2", "-DLEAST=1", "--trail", trail)
    found = whorl("swarm", *words, model)
    assert (found.status, found.err) == (1, "")
    assert found.last == f"✗ {model}: violated (assertions)"
    assert "Counterexample: assertion violated" in found.out
    assert whorl("simulate", "-DLEAST=1", "--trail", trail, model).status == 1
    (again,) = [line for line in found.out.splitlines() if line.startswith("again: whorl swarm")]
    repeated = whorl(*shlex.split(again)[2:])
    assert repeated.status == 1
    assert "swarm: 1 search done by 1 worker" in repeated.out


def test_nothing_found(whorl: Run, write: Run) -> None:
    found = whorl("swarm", "--workers", "2", write(HOLDS))
    assert found.status == 3
    assert "inconclusive (not all states were seen: saturation" in found.last
    assert "different states seen: " in found.out
    assert "an exact search" in found.out
    assert whorl("swarm", "-q", "--searches", "1", write(HOLDS)).out.count("\n") == 1


@pytest.mark.parametrize("text", [HOLDS, BROKEN, "init { x = 1 }"])
def test_json_fits_its_schema(whorl: Run, write: Run, text: str) -> None:
    words = ("--json", "--searches", "8", "-DLEAST=1")
    found = whorl("swarm", *words, write(text))
    jsonschema.validate(found.data, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert ("error" in found.data) == (found.status == 2)
    if text == BROKEN:
        assert found.data["swarm"]["found_by"]["repeat"].startswith("whorl swarm --json")
    if text == HOLDS:
        assert found.data["swarm"]["found_by"] is None
        assert found.data["swarm"]["searches"] == 8


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--only", "2", "--searches", "3"], "--only does one search of the list"),
        (["--workers", "0"], "no whole number above 0"),
        (["--bits", "9"], "from 20 to 40"),
        (["--ltl", "[] true"], "unrecognized arguments: --ltl"),
        (["--bits", "36", "--memory", "1G"], "do not fit in the memory"),
        (["nowhere.pml"], "unrecognized arguments: nowhere.pml"),
    ],
)
def test_bad_usage(whorl: Run, write: Run, words: list[str], said: str) -> None:
    found = whorl("swarm", write(HOLDS), *words)
    assert found.status == 2
    assert said in found.err.replace("\n", " ")


def test_files_as_a_check_writes_them(whorl: Run, write: Run, tmp_path: Path) -> None:
    page, chart, covered = (tmp_path / name for name in ("a.html", "a.svg", "c.txt"))
    words = ("--html", page, "--chart", chart, "--coverage", covered, "-DLEAST=1", "--explain")
    assert whorl("swarm", *words, write(BROKEN)).status == 1
    assert all(file.stat().st_size > 100 for file in (page, chart, covered))


def test_the_command_that_repeats_has_no_other_limits() -> None:
    words = ["swarm", "m.pml", "--timeout", "3", "--seed=4", "-DN=2", "--workers", "9", "--bits=22"]
    assert list(_kept(words)) == ["swarm", "m.pml", "-DN=2"]
    assert list(_kept(["swarm", "--only", "2", "-q", "--timeout=1"])) == ["swarm", "-q"]


def test_no_search_of_the_seed_ends_by_itself() -> None:
    first = [SearchList(ENDLESS_SEED)[number] for number in (1, 2)]
    assert all(search.depth is None and search.order == "dfs" for search in first)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_request_to_end_is_answered_with_figures(write: Run, number: signal.Signals) -> None:
    command = [
        sys.executable,
        "-m",
        "whorl",
        "swarm",
        "--workers",
        "2",
        "--json",
        "--seed",
        str(ENDLESS_SEED),
        str(write(ENDLESS)),
    ]
    process = subprocess.Popen([*command, "--bits", "30"], stdout=subprocess.PIPE, text=True)
    started = _children(process.pid)
    process.send_signal(number)
    said, _ = process.communicate(timeout=60)
    data = json.loads(said)
    assert process.returncode == 3
    assert data["verdict"] == "inconclusive"
    assert data["swarm"]["stopped"] == "it was interrupted"
    assert data["swarm"]["cut"] == 2
    assert data["statistics"]["states"] > 0
    wait_for(lambda: not any(map(runs, started)))


@pytest.mark.skipif(sys.platform != "linux", reason="only there children are told")
def test_none_is_left_when_it_is_killed(write: Run) -> None:
    command = [sys.executable, "-m", "whorl", "swarm", "--workers", "2", str(write(ENDLESS))]
    process = subprocess.Popen([*command, "--bits", "30"], stdout=subprocess.PIPE)
    started = _children(process.pid)
    process.kill()
    process.communicate()
    wait_for(lambda: not any(map(runs, started)))


def _children(pid: int) -> list[int]:
    """The two verifiers of a process, once they search."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if not Path("/proc").exists():
        pytest.skip("there is no /proc")
    searching: list[int] = []

    def begun() -> bool:
        children = [int(word) for word in listed.read_text().split()]
        searching[:] = [child for child in children if b"--seed" in _words(child)]
        return len(searching) == 2 and all(map(_listens, searching))

    wait_for(begun)
    return searching


def _listens(pid: int) -> bool:
    """Whether it leads a group of its own and has asked for a Ctrl-C."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        return os.getpgid(pid) == pid and bool(caught >> (signal.SIGINT - 1) & 1)
    except OSError:
        return False


def _words(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
