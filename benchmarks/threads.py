"""Searches on several threads, beside as many searches on one thread at once.

    python -m benchmarks threads [--threads 1,2] [--only NAME ...] [--repeat N]
    python -m benchmarks threads --prepare FOLDER       on a machine with whorl and a C compiler
    python3 benchmarks/threads.py --run FOLDER --json   where there is nothing but Python

The ceiling of N threads is what N verifiers for one thread do at the same time on the same
machine, so that hyperthreads, neighbours and memory that is shared cancel. `--prepare` leaves
statically linked verifiers and a list of them in a folder, which `--run` takes anywhere.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODELS = Path(__file__).parent / "models"
LIST = "verifiers.json"


@dataclass(frozen=True, slots=True)
class ThreadsCase:
    """A model, and how it is searched."""

    name: str
    model: str
    defines: tuple[tuple[str, int], ...] = ()
    por: str = "none"
    shortest: bool = False


CASES = (
    ThreadsCase("peterson-5", "peterson.pml", (("N", 5),)),
    ThreadsCase("peterson-5-levels", "peterson.pml", (("N", 5),), shortest=True),
    ThreadsCase("directory-5", "directory_cache.pml", (("N", 5), ("Q", 3))),
    ThreadsCase("directory-5-static", "directory_cache.pml", (("N", 5),), por="static"),
    ThreadsCase("ring-7", "ring_election.pml", (("N", 7),)),
    ThreadsCase("ring-7-levels", "ring_election.pml", (("N", 7),), shortest=True),
    ThreadsCase("ring-8", "ring_election.pml", (("N", 8),)),
)


def prepare(folder: Path, cases: Sequence[ThreadsCase]) -> None:
    """Leaves two verifiers for each case in a folder: for one thread, and for several."""
    # Only here: where verifiers are run there is no whorl.
    from types import SimpleNamespace

    import whorl
    from whorl.api import tasks_of
    from whorl.engines import reference_semantics
    from whorl.native.compiler import find_compiler
    from whorl.native.engine import arguments
    from whorl.native.job import job_of, write
    from whorl.native.threads import threaded
    from whorl.options import CHECK
    from whorl.program.walks import estimate
    from whorl.selection import WantedSearches

    compiler = find_compiler()
    assert compiler is not None, "there is no C compiler"
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for case in cases:
        program = whorl.load(MODELS / case.model, defines=dict(case.defines)).program
        semantics = reference_semantics(program)
        asked = SimpleNamespace(**{option.name: option.default for option in CHECK})
        asked.por, asked.shortest, asked.merge = case.por, case.shortest, False
        task = tasks_of(semantics, WantedSearches(True, ()), asked)[0]
        written = write(semantics, job_of(task), estimate(semantics))
        for kind, text in (("one", written.text), ("many", threaded(written.text))):
            source, verifier = folder / f"{case.name}-{kind}.c", folder / f"{case.name}-{kind}"
            source.write_text(text, encoding="utf-8")
            command = compiler.arguments(source, verifier, threads=kind == "many")
            subprocess.run([*command, "-static"], check=True)
        words = arguments(task, written.store)
        at = words.index("--memory")
        del words[at : at + 2]  # of this machine
        made.append({"name": case.name, "words": words})
    (folder / LIST).write_text(json.dumps(made, indent=1), encoding="utf-8")


def together(commands: list[list[str]]) -> list[dict[str, Any]]:
    """The last lines of verifiers that run at the same time."""
    running = [subprocess.Popen(c, stdout=subprocess.PIPE, text=True) for c in commands]
    said = [process.communicate()[0] for process in running]
    return [json.loads(text.splitlines()[-1]) for text in said]


def rate(figures: list[dict[str, Any]]) -> float:
    return sum(float(each["states"]) / float(each["seconds"]) for each in figures)


def run(
    folder: Path, counts: Sequence[int], only: Sequence[str], repeat: int, seconds: float | None
) -> Iterator[dict[str, Any]]:
    """The best of so many runs of each case with each number of threads, beside its ceiling."""
    for case in json.loads((folder / LIST).read_text(encoding="utf-8")):
        if only and case["name"] not in only:
            continue
        one, many = (
            str((folder / f"{case['name']}-{kind}").absolute()) for kind in ("one", "many")
        )
        words = [*case["words"], *(["--seconds", str(seconds)] if seconds else [])]
        for count in counts:
            ceiling, reached = [], []
            for _ in range(repeat):  # in turns, so that both have the same neighbours
                ceiling.append(together([[one, *words]] * count))
                reached.append(together([[many, *words, "--threads", str(count)]]))
            most, best = max(ceiling, key=rate), max(reached, key=rate)
            yield {
                "name": case["name"],
                "threads": best[0]["threads"],
                "states": best[0]["states"],
                "states_alone": most[0]["states"],
                "rate": rate(best),
                "ceiling": rate(most),
                "ratio": rate(best) / rate(most),
                "cpu_seconds": best[0]["cpu_seconds"],
                "cpu_seconds_alone": sum(each["cpu_seconds"] for each in most) / count,
                "memory_bytes": best[0]["memory_bytes"],
                "memory_bytes_alone": max(each["memory_bytes"] for each in most),
            }


def row(found: dict[str, Any]) -> str:
    return (
        f"{found['name']:<20}{found['threads']:>8}{found['states']:>14,}"
        f"{found['rate'] / 1e6:>10.2f}{found['ceiling'] / 1e6:>10.2f}{found['ratio']:>8.2f}"
        f"{found['memory_bytes'] / found['memory_bytes_alone']:>8.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", default=f"1,{os.cpu_count() or 2}", metavar="N,...")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seconds", type=float, help="search no longer than this")
    parser.add_argument("--prepare", type=Path, metavar="FOLDER")
    parser.add_argument("--run", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")
    options = parser.parse_args()
    cases = [case for case in CASES if not options.only or case.name in options.only]
    if options.prepare:
        prepare(options.prepare, cases)
        return
    counts = [int(count) for count in options.threads.split(",")]
    with tempfile.TemporaryDirectory(prefix="whorl-threads-") as made:
        folder = options.run or Path(made)
        if not options.run:
            prepare(folder, cases)
        if not options.json:
            print(
                f"{'':<20}{'threads':>8}{'states':>14}{'M/s':>10}{'ceiling':>10}{'ratio':>8}{'memory':>8}"
            )
        for found in run(folder, counts, options.only, options.repeat, options.seconds):
            print(json.dumps(found) if options.json else row(found), flush=True)


if __name__ == "__main__":
    main()
