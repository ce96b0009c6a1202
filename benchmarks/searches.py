"""One search by whorl or by Spin, with any options: what it stored, what it said, what it took.

The tables of the papers are made of these. A verifier is compiled before it is measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any

import whorl
from benchmarks.process import run
from benchmarks.spin import UNMERGED, SpinFailed

MEMORY_MB = 4_000
NOT_FOUND = "nothing found"  # by a search on which no verdict may rest


@dataclass(frozen=True, slots=True)
class Found:
    """`transitions` are those that were looked at, by both searches of a nested one. `lasso` is how
    many steps of the program a violation has, as it was found.
    """

    states: int
    transitions: int
    depth: int
    verdict: str
    cpu: float
    memory_bytes: int
    lasso: int | None = None


def whorl_search(text: str, options: Mapping[str, Any], limit: int | None = None) -> Found:
    """A search for one property with the native engine, as `whorl check` does it."""
    model = whorl.load(text)
    asked = {"engine": "native", "memory": MEMORY_MB * 10**6, "shorten": False, **options}
    for most in (1_000, limit):  # the first run compiles
        before = getrusage(RUSAGE_CHILDREN)
        result = whorl.check(model, max_states=most, **asked)
        after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    figures, (said,) = result.statistics, result.properties
    verdict = NOT_FOUND if said.why and "no violation found" in said.why else result.verdict
    if limit is None and not figures.complete and verdict not in ("violated", NOT_FOUND):
        raise SystemExit(f"benchmarks: {options}: {verdict}: {said.why}")
    lasso = None if result.trace is None else len(result.trace.steps)
    return Found(
        figures.states,
        figures.transitions,
        figures.depth,
        verdict,
        cpu,
        figures.memory_bytes,
        lasso,
    )


def build(text: str, folder: Path, *defines: str) -> Path:
    """Compiles pan for a model, without merging steps."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.pml").write_text(text, encoding="utf-8")
    compile_ = ("cc", "-O2", "-w", *defines, f"-DMEMLIM={MEMORY_MB}", "-o", "pan", "pan.c")
    for command in (("spin", *UNMERGED, "-a", "model.pml"), compile_):
        ran = run(command, folder)
        if ran.status != 0:
            raise SpinFailed(f"{' '.join(command)}\n{ran.output}")
    return folder / "pan"


def spin_search(pan: Path, options: Sequence[str], depth: int = 100_000) -> Found:
    """A search by pan, on a stack that is deep enough."""
    ran = run([pan, *options, f"-m{depth}", "-w22", "-n"], pan.parent)
    text = ran.output
    if "max search depth too small" in text:
        return spin_search(pan, options, 4 * depth)
    found = [
        re.search(pattern, text, re.MULTILINE)
        for pattern in (
            r"^\s*([\d.e+]+) states, stored",
            r"^\s*([\d.e+]+) transitions \(=",
            r"depth reached (\d+), errors",
            r"errors: (\d+)",
        )
    ]
    figures = [int(float(match[1])) for match in found if match is not None]
    violated = len(figures) == len(found) and figures[3] > 0
    if len(figures) != len(found) or ("Search not completed" in text and not violated):
        raise SpinFailed(text[-2000:])
    verdict = "violated" if violated else "holds"
    states, transitions, reached, _ = figures
    return Found(states, transitions, reached, verdict, ran.cost.cpu, ran.cost.memory_bytes)


def typical(runs: Sequence[Found]) -> Found:
    """The figures of several runs of one search, which differ in time alone."""
    first = runs[0]
    if any((r.states, r.transitions) != (first.states, first.transitions) for r in runs):
        raise SystemExit(f"benchmarks: the runs of a search differ: {runs}")
    return Found(
        first.states,
        first.transitions,
        first.depth,
        first.verdict,
        median(r.cpu for r in runs),
        min(r.memory_bytes for r in runs),
        first.lasso,
    )
