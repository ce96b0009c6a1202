"""Spin with whatever flags: a recipe is how pan is compiled, and a run says what it cost."""

from __future__ import annotations

import math
import re
import signal
from dataclasses import dataclass
from pathlib import Path

from benchmarks.process import Cost, run
from benchmarks.spin import MEMORY_MB, SpinFailed

STOPS_AT_XS = "stops at its xs"
TIME, MEMORY = "time", "memory"
_NO_MEMORY = ("out of memory", "memory exhausted", "reached -DMEMLIM bound")
_MOST_DEPTH = 100_000_000


@dataclass(frozen=True, slots=True)
class Recipe:
    """The flags of the compiler and of pan, by the name that a table gives them."""

    name: str
    compile: tuple[str, ...]
    search: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search stops, in CPU seconds and memory: it is inconclusive then."""

    seconds: int | None = None
    memory_mb: int = MEMORY_MB


@dataclass(frozen=True, slots=True)
class PanRun:
    """What pan said. `states` is None where it did not come to its end: `cut` says at what."""

    states: int | None
    transitions: int | None
    verdict: str
    depth: int
    cost: Cost
    cut: str = ""


def compiled(
    text: str,
    recipe: Recipe,
    folder: Path,
    limits: Limits | None = None,
    translation: tuple[str, ...] = (),
) -> Path:
    """pan for a model, as the recipe says; `translation` has flags of spin."""
    limits = limits or Limits()
    folder.mkdir()
    (folder / "model.pml").write_text(text, encoding="utf-8")
    memory = f"-DMEMLIM={limits.memory_mb}"
    for command in (
        ("spin", *translation, "-a", "model.pml"),
        ("cc", "-w", *recipe.compile, memory, "-o", "pan", "pan.c"),
    ):
        ran = run(command, folder)
        if ran.status != 0:
            raise SpinFailed(f"{' '.join(command)}\n{ran.output}")
    return folder / "pan"


def search(
    pan: Path, recipe: Recipe, states: int, depth: int, limits: Limits | None = None
) -> PanRun:
    """A search with a slot of the hash table for each of so many states, and a fitting stack."""
    limits = limits or Limits()
    slots = max(10, math.ceil(math.log2(states)))
    clock = () if limits.seconds is None else ("prlimit", f"--cpu={limits.seconds}")
    ran = run([*clock, pan, *recipe.search, f"-m{depth}", f"-w{slots}", "-n"], pan.parent)
    stored = re.search(r"^\s*([\d.e+]+) states, stored", ran.output, re.MULTILINE)
    taken = re.search(r"^\s*([\d.e+]+) transitions \(=", ran.output, re.MULTILINE)
    errors = re.search(r"errors: (\d+)", ran.output)
    deepest = re.search(r"depth reached (\d+)", ran.output)
    cut = TIME if ran.status in (-signal.SIGXCPU, -signal.SIGKILL) else ""
    if any(words in ran.output for words in _NO_MEMORY):
        cut = MEMORY
    if cut:  # on a deeper stack, too
        return PanRun(None, None, "inconclusive", depth, ran.cost, cut)
    if "max search depth too small" in ran.output and depth < _MOST_DEPTH:
        return search(pan, recipe, states, 4 * depth, limits)
    if not (stored and taken and errors and deepest):
        raise SpinFailed(ran.output[-2000:])
    verdict = "violated" if int(errors[1]) else "holds"
    if "partial order reduction invalid" in ran.output:
        verdict = STOPS_AT_XS
    return PanRun(int(float(stored[1])), int(float(taken[1])), verdict, int(deepest[1]), ran.cost)
