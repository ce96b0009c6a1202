"""The GPU engine: whether it finds what the native engine does, and how fast.

    python -m benchmarks gpu --prepare FILE [--programs N]   where there are tests and a compiler
    PYTHONPATH=src:. python3 -m benchmarks.gpu --same FILE   where there is a GPU, and CuPy
    PYTHONPATH=src:. python3 -m benchmarks.gpu [--only NAME ...] [--native]

`--prepare` writes models, what is asked of each, and what the native engine says; `--same` asks the
GPU engine, prints a line of JSON for each, and ends with status 1 if something differs. Without a
mode large models are searched and timed, with `--native` beside one thread and a thread a core.
`--budget SECONDS` ends a run in time: what matters most comes first. Nothing but Python, CuPy and
this tree is needed on the machine with the GPU.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import whorl
from benchmarks import run_as_command
from benchmarks.cases import OURS
from whorl.diagnostics import WhorlError
from whorl.native.gpu import engine
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


def said(result: Result) -> Row:
    """What has to be the same, whoever searches."""
    return {
        "verdict": result.verdict,
        "states": result.statistics.states,
        "transitions": result.statistics.transitions,
        "failures": sorted({f"{trace.kind}: {trace.message}" for trace in result.traces}),
    }


def asked(name: str, text: str, por: str, cache: str) -> Row:
    options = {"por": por, "cache": cache, "all_errors": True}
    return {"name": name, "text": text, "options": options}


def expected(row: Row, most: int) -> Row | None:
    """The row with what the native engine says; None where that takes too long."""
    found = whorl.check(
        row["text"], engine="native", safety=True, threads=1, max_states=most, **row["options"]
    )
    if not found.statistics.complete:
        return None
    return {**row, "said": said(found)}


def compared(row: Row) -> Row:
    """What the GPU engine says of a row, and whether that is the same."""
    began = time.monotonic()
    kept = {"name": row["name"], **row["options"]}
    try:
        found = said(whorl.check(row["text"], engine="gpu", safety=True, **row["options"]))
    except Exception as error:  # all the others are to be seen, too
        return {**kept, "same": False, "error": f"{type(error).__name__}: {error}"}
    same = found == row["said"]
    difference = {} if same else {"found": found, "expected": row["said"], "text": row["text"]}
    return {**kept, "same": same, "seconds": round(time.monotonic() - began, 3), **difference}


def same(file: Path, budget: float) -> int:
    """Compares all that was prepared; the exit status."""
    rows = json.loads(file.read_text(encoding="utf-8"))
    began, different, done = time.monotonic(), 0, 0
    for row in rows:
        if time.monotonic() - began > budget:
            break
        answer = compared(row)
        done += 1
        different += not answer["same"]
        _say(answer)
    _say({"device": engine.device_here().name, "of": len(rows), "done": done, "not": different})
    return int(different > 0)


# --- how fast ------------------------------------------------------------------------------------


def measured(case: GpuCase, name: str, **more: Any) -> Row:
    """A search by an engine, with what it took."""
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
        "as_known": None if case.states is None else exact == known,
    }


def table(cases: list[GpuCase], native: bool, budget: float) -> Iterator[Row]:
    began = time.monotonic()
    for case in cases:
        ways: list[tuple[str, dict[str, Any]]] = [("gpu", {})]
        if native:
            ways += [("native", {}), ("native", {"threads": 1})]
        for name, more in ways:
            if time.monotonic() - began > budget:
                return
            yield measured(case, name, **more)


def _say(row: Row) -> None:
    print(json.dumps(row), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--prepare", type=Path, metavar="FILE")
    parser.add_argument("--same", type=Path, metavar="FILE")
    parser.add_argument("--programs", type=int, default=100, help="random ones")
    parser.add_argument("--only", nargs="*", default=[], choices=[case.name for case in CASES])
    parser.add_argument("--native", action="store_true", help="beside the native engine")
    parser.add_argument("--budget", type=float, default=540.0, metavar="SECONDS")
    options = parser.parse_args()
    if options.prepare:
        from benchmarks.gpu_prepare import prepare  # needs what tests need

        prepare(options.prepare, options.programs)
    elif options.same:
        sys.exit(same(options.same, options.budget))
    else:
        try:
            name = engine.device_here().name
        except WhorlError as error:
            sys.exit(str(error))
        _say({"device": name, "date": time.strftime("%Y-%m-%d")})
        chosen = [case for case in CASES if not options.only or case.name in options.only]
        for row in table(chosen, options.native, options.budget):
            _say(row)


if __name__ == "__main__":
    run_as_command(main)
