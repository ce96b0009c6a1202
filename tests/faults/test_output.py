"""Output that cannot be written: a closed or full standard output, a reader that goes, full files.

Exit status 1 is a violation and nothing else; a verdict is said where something can still be said.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HOLDS = "active proctype p() { assert(true) }"
VIOLATED = "active proctype p() { assert(false) }"
ENDLESS = "byte n; active proctype p() { do :: n = 1 - n od }"
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no full device")

Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Runs `whorl WORDS` in a shell, in a folder with a model of each kind."""
    for name, text in (("holds", HOLDS), ("violated", VIOLATED), ("endless", ENDLESS)):
        (tmp_path / f"{name}.pml").write_text(text)

    def run(words: str, limit: int | None = None) -> subprocess.CompletedProcess[str]:
        def limited() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.run(
            ["bash", "-c", f"{sys.executable} -m whorl {words}"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "WHORL_CACHE": "cache"},
            capture_output=True,
            text=True,
            timeout=60,
            preexec_fn=limited,
        )

    return run


CHECK = "check --engine reference"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (f"{CHECK} holds.pml >&-", 2, "holds.pml: holds"),
        (f"{CHECK} holds.pml --json >&-", 2, "holds.pml: holds"),
        (f"{CHECK} violated.pml >&-", 1, "violated.pml: violated"),
        (f"{CHECK} holds.pml >&- 2>&- <&-", 2, ""),
        (f"{CHECK} violated.pml >&- 2>&-", 1, ""),
        (f"{CHECK} - >&- <&-", 2, "cannot read standard input: it is closed"),
        ("simulate violated.pml --json >&-", 1, "assertion violated"),
        ("simulate -i holds.pml <&-", 2, "standard input is closed"),
        ("parse holds.pml >&-", 2, "cannot write to standard output: it is closed"),
        ("property - <&-", 2, "cannot read standard input: it is closed"),
        ("--help >&-", 2, "cannot write to standard output: it is closed"),
    ],
)
def test_closed(shell: Shell, words: str, status: int, said: str) -> None:
    found = shell(words)
    assert found.returncode == status
    assert said in found.stderr
    assert "Traceback" not in found.stderr


@needs_full
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (f"{CHECK} holds.pml", 2, "holds.pml: holds"),
        (f"{CHECK} holds.pml --json", 2, "holds.pml: holds"),
        (f"{CHECK} violated.pml --json", 1, "violated.pml: violated"),
        ("simulate holds.pml", 2, "every process has ended"),
        ("explain holds.pml", 2, ""),
        ("property 'p U q' --hoa", 2, ""),
        ("lab --scheme v0", 1, "v0: wrong"),
        ("check --help", 2, ""),
    ],
)
def test_full(shell: Shell, words: str, status: int, said: str) -> None:
    found = shell(f"{words} >/dev/full")
    assert found.returncode == status
    assert said in found.stderr
    assert "cannot write to standard output: No space left on device" in found.stderr
    assert "bug in whorl" not in found.stderr


def test_a_closed_standard_error_takes_nothing_from_a_verdict(shell: Shell) -> None:
    assert shell(f"{CHECK} holds.pml 2>&-").returncode == 0
    found = shell(f"{CHECK} nowhere.pml 2>&-")
    assert found.returncode == 2
    assert "cannot read 'nowhere.pml'" in found.stdout
    data = json.loads(shell(f"{CHECK} nowhere.pml --json 2>&-").stdout)
    assert "cannot read" in data["error"][0]["message"]
    assert "required: MODEL" in shell("check 2>&-").stdout


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (f"{CHECK} holds.pml", 0),
        (f"{CHECK} violated.pml", 1),
        ("simulate --steps 100000000 endless.pml", 0),
        ("check --help", 0),
    ],
)
def test_a_reader_that_goes_away(shell: Shell, words: str, status: int) -> None:
    found = shell(f"{words} | head -1; exit ${{PIPESTATUS[0]}}")
    assert found.returncode == status
    assert len(found.stdout.splitlines()) == 1
    assert found.stderr == ""


@needs_full
def test_a_violation_stays_one_without_its_files(shell: Shell) -> None:
    found = shell(f"{CHECK} violated.pml --trail /dev/full --chart /dev/full")
    assert found.returncode == 1
    assert "violated.pml: violated" in found.stdout
    assert "cannot write '/dev/full': No space left on device; there is no trail" in found.stderr
    assert "there is no chart" in found.stderr
    lab = shell("lab --scheme v0 --svg /dev/full --promela /dev/full")
    assert lab.returncode == 1
    assert "v0: wrong" in lab.stdout
    assert "there is no picture" in lab.stderr
    assert "there is no model" in lab.stderr


def test_no_half_file_stays(shell: Shell, tmp_path: Path) -> None:
    """Files may not grow beyond a few bytes: those that were to be written are not there."""
    before = set(tmp_path.rglob("*"))
    found = shell(
        f"{CHECK} violated.pml --trail new.trail --chart new.svg --itf new.itf"
        " --spin-trail new.spin --dot new.dot",
        limit=4,
    )
    assert found.returncode == 1
    assert "there is no trail" in found.stderr
    assert shell("property 'p U q' --svg automaton.svg", limit=100).returncode == 2
    assert {path for path in tmp_path.rglob("*") if path.suffix} - before == set()


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_no_room_for_the_verifier(shell: Shell) -> None:
    found = shell("check --engine native holds.pml", limit=100)
    assert found.returncode == 2
    assert "File too large" in found.stderr
