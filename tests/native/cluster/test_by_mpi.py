"""Workers over MPI: two processes find what one does, and the same shortest counterexample."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.cluster import InOneProcess, safety_task
from support.compilers import QUICK, as_text
from whorl.native.cluster.engine import built, by, explore_together, planned
from whorl.native.compiler import Builder, Compiler, find_compiler
from whorl.native.series import Series

EXAMPLES = Path(__file__).parents[3] / "examples"
# Where pip installs an MPI it is beside Python.
MPIEXEC = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")


def missing() -> str | None:
    """Why there is no MPI; None if there is."""
    if MPIEXEC is None:
        return "this machine has no mpiexec"
    if importlib.util.find_spec("mpi4py") is None:
        return "the package mpi4py is missing"
    tried = subprocess.run(
        [sys.executable, "-c", "from mpi4py import MPI"], capture_output=True, check=False
    )
    return "mpi4py finds no library of MPI" if tried.returncode else None


pytestmark = pytest.mark.skipif(missing() is not None, reason=missing() or "")


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    monkeypatch.setenv("WHORL_CC", as_text(QUICK))
    found = find_compiler()
    assert found is not None
    return found


def by_mpi(library: Path, *words: str, processes: int = 2) -> Any:
    """What process 0 of several has found."""
    assert MPIEXEC is not None
    command = [sys.executable, "-m", "whorl.native.cluster.by_mpi", str(library), *words]
    done = subprocess.run(
        [MPIEXEC, "-n", str(processes), *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["two_phase_commit", "peterson_broken"])
def test_two_processes(name: str, compiler: Compiler) -> None:
    task = planned(safety_task(EXAMPLES / f"{name}.pml", shortest=True))
    one = explore_together(task, compiler, by(InOneProcess), 1)
    series = Series(task.semantics)
    written = series.written(series.job(task), series.estimated)
    library = built(Builder(compiler), written.text)
    found = by_mpi(library, "--shortest")
    figures = found["figures"]
    assert figures["states"] == one.progress.states
    assert figures["transitions"] == one.progress.transitions
    assert sum(worker["sent"] for worker in figures["workers"]) > 0
    assert [len(each["choices"]) for each in found["violations"]] == [
        len(violation.choices) for violation in one.violations
    ]
