"""Compiles C of tests together with the runtime of the native engine."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import whorl

SOURCES = Path(__file__).parents[1] / "native" / "runtime"
RUNTIME = Path(whorl.__file__).parent / "native" / "runtime"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
SANITIZERS = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
LANGUAGES = {
    "c": ["-std=c11"],
    "c++": ["-x", "c++", "-std=c++17"],
}

Build = Callable[..., Path]

# What the first process of faults.c does, in one atomic sequence.
ATOMIC = [[0, 0, -1, -1], [0, 1, -1, -1], [0, 2, -1, -1]]


def builder(folder: Path) -> Build:
    """A function that compiles a source of ours, once for each way of compiling it."""
    built: dict[tuple[str, str, tuple[str, ...]], Path] = {}

    def compile_source(source: str, *options: str, language: str = "c") -> Path:
        compiler = shutil.which("gcc" if language == "c" else "g++")
        if compiler is None:
            pytest.skip(f"no compiler for {language}")
        key = (source, language, options)
        if key not in built:
            target = folder / f"{Path(source).stem}-{len(built)}"
            command = [compiler, *LANGUAGES[language], "-fwrapv", f"-I{RUNTIME}", *WARNINGS]
            command += [*options, str(SOURCES / source), "-o", str(target)]
            result = subprocess.run(command, capture_output=True, text=True)
            assert result.returncode == 0, result.stderr
            built[key] = target
        return built[key]

    return compile_source


def run(verifier: Path, *options: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The last line of a verifier, and the violations that it gave."""
    result = subprocess.run([verifier, *options], capture_output=True, text=True, timeout=240)
    assert result.returncode == 0, result.stderr
    *lines, done = map(json.loads, result.stdout.splitlines())
    assert done["type"] == "done"
    return done, [line for line in lines if line["type"] == "violation"]


def follow_peterson(choices: list[list[int]], n: int) -> int:
    """How many processes are in the critical section after steps of the broken lock."""
    pc, level, scan = [0] * n, [0] * n, [0] * n
    for pid, transition, partner, partner_transition in choices:
        assert (transition, partner, partner_transition) == (pc[pid], -1, -1)
        match transition:
            case 3 if scan[pid] + 1 < n:
                scan[pid] += 1
            case 3:
                scan[pid], pc[pid] = 0, 4
            case 4:
                level[pid] = level[pid] + 1 if level[pid] + 1 < n else 0
                pc[pid] = 1 if level[pid] else 5
            case _:
                level[pid] = 1 if transition == 0 else level[pid]
                pc[pid] = (transition + 1) % 8
    return pc.count(6)
