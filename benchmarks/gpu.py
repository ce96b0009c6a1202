"""The GPU engine: whether it finds what the native engine does, and how fast.

    python -m benchmarks gpu --prepare FILE [--programs N]   where there are tests and a compiler
    PYTHONPATH=src:. python3 -m benchmarks.gpu --same FILE   where there is a GPU, and CuPy
    PYTHONPATH=src:. python3 -m benchmarks.gpu [--only NAME ...] [--native]

`--prepare` writes models, what is asked of each, and what the native engine says; `--same` asks the
GPU engine, and ends with status 1 if something differs. Without a mode large models are searched
and timed, with `--native` beside a thread a core and one thread. What failed is reported and the
rest goes on: each model is searched in a process that is given up when it breaks (gpu_workers.py).

`--budget SECONDS` ends a run in time: what matters most comes first. Lines of JSON go to the
terminal; with `--out FOLDER`, which is $OUT where that is set, all of them go to a file there, and
the terminal has what differs and how far it is. Nothing but Python, CuPy and this tree is needed on
the machine with the GPU.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import whorl
from benchmarks import run_as_command
from benchmarks.cases import OURS
from benchmarks.gpu_workers import BROKEN, done_by
from whorl.native.gpu import engine
from whorl.native.gpu.device import Device, DeviceFailed, Module
from whorl.native.gpu.text import ELIMINATION, SEARCH
from whorl.search.limits import Progress
from whorl.verdict import Result

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GpuCase:
    """A large model; `states` and `transitions` where they are known from elsewhere."""

    name: str
    model: str
    defines: tuple[tuple[str, int], ...]
    por: str = "none"
    merge: bool = False
    states: int | None = None
    transitions: int | None = None
    most: int | None = None  # states after which it is stopped


@dataclass(frozen=True, slots=True)
class Asked:
    """How a run is done: where its rows go, by how many processes, in how many seconds."""

    out: Path | None = None
    workers: int = 0
    budget: float = 450.0
    first: int | None = None  # rows of what was prepared


MEMORY = 8 << 30  # on the device, of each search that is compared
LONGEST_ROW = 80.0  # seconds for one of them
LONGEST_CASE = 90.0  # and for one that is timed
SECONDS_BETWEEN = 5.0  # two words on how far it is
SHOWN = 8  # rows that differ; a file has all of them

CASES = (
    GpuCase("filter-4", "peterson", (("N", 4),), states=40_900_950, transitions=166_663_356),
    GpuCase("ring-7", "ring_election", (("N", 7),)),
    GpuCase("directory-5", "directory_cache", (("N", 5), ("Q", 3))),
    GpuCase("szymanski-3", "szymanski", (("N", 3), ("R", 3))),
    GpuCase("directory-5-two-phase", "directory_cache", (("N", 5),), "two-phase", merge=True),
    GpuCase("filter-5", "peterson", (("N", 5),), most=2_000_000_000),
    GpuCase("ring-8", "ring_election", (("N", 8),)),
)


# --- the same ------------------------------------------------------------------------------------


def said(row: Row, result: Result) -> Row:
    """What has to be the same, whoever searches.

    Of a claim that holds that is how many nodes there are; edges are counted as often as a search
    expands them. Where one is violated the search ends, early or late.
    """
    if not row["options"].get("safety"):
        holds = result.verdict == "holds"
        states = result.statistics.states if holds else None
        return {"verdict": result.verdict, "states": states}
    return {
        "verdict": result.verdict,
        "states": result.statistics.states,
        "transitions": result.statistics.transitions,
        "failures": sorted({f"{trace.kind}: {trace.message}" for trace in result.traces}),
    }


def asked(name: str, text: str, por: str, cache: str) -> Row:
    options = {"safety": True, "por": por, "cache": cache, "all_errors": True}
    return {"name": name, "text": text, "options": options}


def asked_of_claim(name: str, text: str, por: str, **claim: str) -> Row:
    """The same for a formula, given or of the model."""
    options = {"por": por, "algorithm": ELIMINATION, **claim}
    return {"name": f"{name} {' '.join(claim.values())}", "text": text, "options": options}


def expected(row: Row, most: int) -> Row | None:
    """The row with what the native engine says; None where that takes too long."""
    found = whorl.check(row["text"], engine="native", threads=1, max_states=most, **row["options"])
    if found.verdict == "inconclusive" or (
        row["options"].get("safety") and not found.statistics.complete
    ):
        return None
    return {**row, "said": said(row, found)}


def compared(row: Row) -> Row:
    """What the GPU engine says of a row, and whether that is the same."""
    began = time.monotonic()
    kept = {"name": row["name"], **row["options"]}
    try:
        asked_of = dict(row["options"], memory=MEMORY)
        found = said(row, whorl.check(row["text"], engine="gpu", **asked_of))
    except Exception as error:  # all the others are to be seen, too
        broken = isinstance(error, DeviceFailed)
        return {**kept, "same": False, "error": _told(error), BROKEN: broken}
    same = found == row["said"]
    difference = {} if same else {"found": found, "expected": row["said"], "text": row["text"]}
    return {**kept, "same": same, "seconds": round(time.monotonic() - began, 3), **difference}


def same(file: Path, asked_for: Asked) -> int:
    """Compares all that was prepared; the exit status."""
    rows = json.loads(file.read_text(encoding="utf-8"))[: asked_for.first]
    began, done, different = time.monotonic(), 0, 0
    out = _Written(asked_for.out, "same.jsonl")
    for row, answered in done_by(compared, rows, asked_for.workers, LONGEST_ROW, asked_for.budget):
        answer = {"name": row["name"], **row["options"], "same": False, **answered}
        done += 1
        different += not answer["same"]
        out.row(answer, shown=not answer["same"] and different <= SHOWN)
        out.progress(f"{done} of {len(rows)} after {time.monotonic() - began:.0f} s")
    total = {"of": len(rows), "done": done, "not": different}
    out.row({**total, "seconds": round(time.monotonic() - began, 1)})
    return int(different > 0 or done < len(rows))


# --- how fast ------------------------------------------------------------------------------------


class _Noted:
    """A device that notes what its kernels take, and how long they take to compile."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.notes: Row = {"device": device.name}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.device, name)

    def compiled(self, text: str, *defines: str) -> Module:
        began = time.monotonic()
        module = self.device.compiled(text, *defines)
        spent = self.notes.get("compiling", 0.0) + time.monotonic() - began
        self.notes["compiling"] = round(spent, 3)
        if defines == SEARCH:
            kernels = ("whorl_gpu_by_process", "whorl_gpu_whole")
            self.notes["kernels"] = {kernel: module.needs(kernel) for kernel in kernels}
        return module


def measured(case: GpuCase, name: str, **more: Any) -> Row:
    """A search by an engine, with what it took."""
    noted = _Noted(engine.device_here()) if name == "gpu" else None
    with patch.object(engine, "device_here", lambda: cast(Device, noted)):
        result = whorl.check(
            OURS / f"{case.model}.pml",
            engine=name,
            safety=True,
            por=case.por,
            cache="selective" if case.por == "two-phase" else "all",
            merge=case.merge,
            defines=dict(case.defines),
            end_states=False,
            max_states=case.most,
            timeout=LONGEST_CASE,
            report=_shown(f"{case.name}, {name}"),
            **more,
        )
    statistics = result.statistics
    known = (case.states, case.transitions)
    exact = (statistics.states, statistics.transitions)
    return {
        "case": case.name,
        "engine": name,
        "threads": statistics.threads,
        "verdict": result.verdict,
        "states": statistics.states,
        "transitions": statistics.transitions,
        "depth": statistics.depth,
        "seconds": round(statistics.seconds, 3),
        "rate": round(statistics.states / max(statistics.seconds, 1e-6)),
        "memory_bytes": statistics.memory_bytes,
        "complete": statistics.complete,
        "as_known": None if case.states is None else exact == known,
        **(noted.notes if noted else {}),
    }


def searched(row: Row) -> Row:
    """One search of `table`, whatever comes of it."""
    case = next(case for case in CASES if case.name == row["case"])
    try:
        return measured(case, row["engine"], **row["more"])
    except Exception as error:  # all the others are to be seen, too
        return {"error": _told(error), BROKEN: isinstance(error, DeviceFailed)}


def table(cases: list[GpuCase], native: bool) -> Iterator[Row]:
    """The searches, those of the GPU engine first."""
    ways: list[tuple[str, Row]] = [("gpu", {})]
    if native:
        ways += [("native", {}), ("native", {"threads": 1})]
    for name, more in ways:
        for case in cases:
            if name == "gpu" or case.most is None:
                yield {"case": case.name, "engine": name, "more": more}


def timed(cases: list[GpuCase], native: bool, asked_for: Asked) -> int:
    """Searches and times all; the exit status: whether something failed or is not as known."""
    out, bad = _Written(asked_for.out, "figures.jsonl"), 0
    # One at a time, in a process of its own: searches at the same time would slow each other.
    workers = min(1, asked_for.workers)
    rows = table(cases, native)
    for row, answer in done_by(searched, rows, workers, LONGEST_CASE + 30, asked_for.budget):
        bad += "error" in answer or answer["as_known"] is False
        out.row({"case": row["case"], "engine": row["engine"], **row["more"], **answer})
    return int(bad > 0)


# --- what is said --------------------------------------------------------------------------------


class _Written:
    """A file of all rows, if there is a folder for it, and the terminal."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self.file = None if folder is None else folder / name
        self.said = time.monotonic()
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text("", encoding="utf-8")

    def row(self, row: Row, shown: bool = True) -> None:
        line = json.dumps(row)
        if self.file is not None:  # at once, since the machine may be gone soon
            with self.file.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        if shown or self.file is None:
            print(line, flush=True)

    def progress(self, text: str) -> None:
        if time.monotonic() - self.said > SECONDS_BETWEEN:
            self.said = time.monotonic()
            print(text, file=sys.stderr, flush=True)


def _shown(name: str) -> Any:
    """Says on standard error how far a search is, every now and then."""
    last = [time.monotonic()]

    def report(progress: Progress) -> None:
        now = time.monotonic()
        if now - last[0] > SECONDS_BETWEEN:
            last[0] = now
            print(f"{name}: {progress.states:,} states", file=sys.stderr, flush=True)

    return report


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def run() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--prepare", type=Path, metavar="FILE")
    parser.add_argument("--same", type=Path, metavar="FILE")
    parser.add_argument("--programs", type=int, default=100, help="random ones")
    parser.add_argument("--only", nargs="*", default=[], choices=[case.name for case in CASES])
    parser.add_argument("--native", action="store_true", help="beside the native engine")
    parser.add_argument("--budget", type=float, default=450.0, metavar="SECONDS")
    parser.add_argument("--workers", type=int, default=8, help="0: this process works")
    parser.add_argument("--first", type=int, metavar="N", help="rows of a file")
    there = os.environ.get("OUT")
    parser.add_argument("--out", type=Path, default=Path(there) if there else None)
    options = parser.parse_args()
    asked_for = Asked(options.out, options.workers, options.budget, options.first)
    if options.prepare:
        from benchmarks.gpu_prepare import prepare  # needs what tests need

        prepare(options.prepare, options.programs)
        return 0
    if options.same:
        return same(options.same, asked_for)
    chosen = [case for case in CASES if not options.only or case.name in options.only]
    return timed(chosen, options.native, asked_for)


def main() -> None:
    """The same with its exit status."""
    sys.exit(run())


if __name__ == "__main__":
    run_as_command(main)
