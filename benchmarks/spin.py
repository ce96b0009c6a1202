"""Spin's side: a compiled pan, and what a run of it says."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cases import Case
from benchmarks.process import Cost, run

UNMERGED = ("-o1", "-o2", "-o3")
COMPILE = ("cc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM")
MEMORY_MB = 20_000
EXACT_BELOW = 100_000_000  # pan prints eight digits


class SpinFailed(Exception):
    """Spin, the compiler or pan did not do what was asked; the text is theirs."""


@dataclass(frozen=True, slots=True)
class SpinRun:
    states: int
    transitions: int
    vector: int  # bytes of a state
    depth: int
    cost: Cost


def build(case: Case, folder: Path, *, merge: bool) -> Path:
    """Compiles pan for a case."""
    folder.mkdir()
    (folder / "model.pml").write_text(case.text(), encoding="utf-8")
    translation = () if merge else UNMERGED
    for command in (
        ("spin", *translation, "-a", "model.pml"),
        (*COMPILE, f"-DMEMLIM={MEMORY_MB}", "-o", "pan", "pan.c"),
    ):
        ran = run(command, folder)
        if ran.status != 0:
            raise SpinFailed(f"{' '.join(command)}\n{ran.output}")
    return folder / "pan"


def search(pan: Path, case: Case, states: int, depth: int) -> SpinRun:
    """A full search; the hash table gets a slot for each of the states that there will be.

    pan sets its stack of `depth` steps up beforehand, all of it, so that counts as memory.
    """
    slots = max(10, math.ceil(math.log2(states)))
    ends = () if case.end_states else ("-E",)
    ran = run([pan, f"-m{depth}", f"-w{slots}", "-c0", "-n", *ends], pan.parent)
    text = ran.output

    def figure(pattern: str) -> int:
        found = re.search(pattern, text, re.MULTILINE)
        if found is None:
            raise SpinFailed(text[-2000:])
        return int(float(found[1]))

    if "max search depth too small" in text:
        return search(pan, case, states, 2 * depth)
    if "Search not completed" in text:
        raise SpinFailed(text[-2000:])
    return SpinRun(
        figure(r"^\s*([\d.e+]+) states, stored"),
        figure(r"^\s*([\d.e+]+) transitions \(="),
        figure(r"^State-vector (\d+) byte"),
        figure(r"depth reached (\d+)"),
        ran.cost,
    )


def same(printed: int, exact: int) -> bool:
    """Whether pan means `exact` where it prints `printed`, with eight digits."""
    if printed < EXACT_BELOW:
        return printed == exact
    return abs(printed - exact) <= int(10 ** (len(str(exact)) - 8))
