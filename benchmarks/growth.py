"""How the cost of a check grows with a model's size, whorl beside Spin.

    python -m benchmarks growth [--seconds N] [--memory-mb N] [--only NAME ...] [--json FILE]
                                [--write-docs]

Safety of three models that grow, each size by four searches: whorl and Spin (`-O3 -DSAFETY
-DCOLLAPSE`, as an expert runs it) as they come, and both with every step by itself and no
reduction, where they see the same states. A search goes to the next size until it meets a limit.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import whorl
from benchmarks import curves, machine, pan, run_as_command
from benchmarks.cases import OURS, SPINS, Case
from benchmarks.pan import Limits, Recipe
from benchmarks.report import DOCS, WRITTEN
from benchmarks.report import machine as about
from benchmarks.spin import UNMERGED
from benchmarks.table import table

PAGE = "growth.md"
PICTURE = "bench-growth.svg"
EXPERT = ("-O3", "-DSAFETY", "-DNOCLAIM", "-DNOFAIR", "-DCOLLAPSE")
REDUCED, FULL = Recipe("Spin", EXPERT), Recipe("Spin, full", (*EXPERT, "-DNOREDUCE"))
WAYS = ("whorl", "Spin", "whorl, full", "Spin, full")


@dataclass(frozen=True, slots=True)
class Family:
    """A model, the macro that is its size, and the sizes."""

    name: str
    path: Path
    macro: str
    sizes: Sequence[int]
    depth: int = 1_000_000

    def case(self, size: int) -> Case:
        return Case(self.name, self.path, self.depth, {self.macro: size})


# In a ring whose size is a multiple of three nodes have the same number, and that is an error.
FAMILIES = (
    Family("ring_election", OURS / "ring_election.pml", "N", (2, 4, 5, 7, 8, 10, 11, 13, 14, 16)),
    Family("directory_cache", OURS / "directory_cache.pml", "N", range(2, 10)),
    Family("petersonN", SPINS / "LTL/petersonN.pml", "N", range(2, 8)),
)


@dataclass(frozen=True, slots=True)
class Point:
    """A search that came to its end."""

    model: str
    size: int
    way: str
    states: int
    verdict: str
    cpu: float
    memory_bytes: int


def searches(family: Family, limits: Limits) -> Iterator[Point]:
    """Size by size, each way until it meets a limit."""
    going = list(WAYS)
    for size in family.sizes:
        for way in WAYS:
            if way not in going:
                continue
            print(f"{family.name} {family.macro}={size}: {way}", file=sys.stderr, flush=True)
            run = _whorl if way.startswith("whorl") else _spin
            point = run(family, size, way, limits)
            if point is None:
                going.remove(way)
            else:
                yield point
        if not going:
            return


def _whorl(family: Family, size: int, way: str, limits: Limits) -> Point | None:
    full = way.endswith("full")
    model = whorl.load(family.case(size).text(), name=f"{family.name}.pml")
    for most in (1000, None):  # the first compiles
        before = getrusage(RUSAGE_CHILDREN)
        found = whorl.check(
            model,
            engine="native",
            safety=True,
            por="none" if full else "auto",
            merge=not full,
            max_states=most,
            timeout=None if limits.seconds is None else 20 * limits.seconds,  # of the wall
            memory=limits.memory_mb * 1_000_000,
        )
        after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    statistics = found.statistics
    if not statistics.complete or (limits.seconds is not None and cpu > limits.seconds):
        return None
    return Point(
        family.name, size, way, statistics.states, found.verdict, cpu, statistics.memory_bytes
    )


def _spin(family: Family, size: int, way: str, limits: Limits) -> Point | None:
    """With the -w and -m that fit, which a search before finds."""
    recipe = FULL if way.endswith("full") else REDUCED
    translation = UNMERGED if way.endswith("full") else ()
    patient = Limits(None if limits.seconds is None else 2 * limits.seconds, limits.memory_mb)
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        text = family.case(size).text()
        program = pan.compiled(text, recipe, Path(name) / "pan", patient, translation)
        ran = pan.search(program, recipe, 1 << 24, family.depth, patient)
        if ran.states is None:
            return None
        ran = pan.search(program, recipe, max(ran.states, 1), ran.depth + 100, patient)
    cpu = ran.cost.cpu
    if ran.states is None or (limits.seconds is not None and cpu > limits.seconds):
        return None
    return Point(family.name, size, way, ran.states, ran.verdict, cpu, ran.cost.memory_bytes)


# --- telling -------------------------------------------------------------------------------------


def results_table(points: Sequence[Point]) -> str:
    """A row a size: states, CPU seconds and megabytes of each way."""
    found = {(p.model, p.size, p.way): p for p in points}
    rows = []
    for model, size in dict.fromkeys((p.model, p.size) for p in points):
        cells = [found.get((model, size, way)) for way in WAYS]
        rows.append(
            (
                f"{model} {size}",
                *(f"{p.states:,}" if p else "–" for p in cells),
                *(f"{p.cpu:.2f}" if p else "–" for p in cells),
                *(f"{p.memory_bytes / 1e6:,.0f}" if p else "–" for p in cells),
            )
        )
    headings = [f"{what}{way}" for what in ("states: ", "CPU s: ", "MB: ") for way in WAYS]
    return table(("model", *headings), rows)


def picture(points: Sequence[Point]) -> str:
    panels = [
        curves.Panel(
            family.name,
            family.macro,
            [
                curves.Curve(
                    way,
                    way.startswith("whorl"),
                    way.endswith("full"),
                    [(p.size, p.cpu) for p in points if (p.model, p.way) == (family.name, way)],
                )
                for way in WAYS
            ],
        )
        for family in FAMILIES
        if any(p.model == family.name for p in points)
    ]
    return curves.draw("CPU seconds of a check of safety", " s", panels, 0.01)


def largest(points: Sequence[Point]) -> Iterator[str]:
    """The largest size of each way, a sentence a model."""
    for family in FAMILIES:
        sizes = []
        for way in WAYS:
            done = [p.size for p in points if (p.model, p.way) == (family.name, way)]
            sizes.append(f"{way}: {max(done, default='–')}")
        yield f"`{family.name}`, largest {family.macro}: {', '.join(sizes)}."


def page(points: Sequence[Point], limits: Limits, on: machine.Machine) -> Iterator[str]:
    yield "# How the cost grows with a model's size"
    yield WRITTEN.replace("make bench ARGS=", "python -m benchmarks growth ")
    yield (
        "Safety of three models, size by size, until a search takes more than"
        f" {limits.seconds} CPU seconds or {limits.memory_mb:,} MB. whorl with its defaults"
        " (`whorl check --safety`); Spin with its reduction and merging, compiled with"
        " `-O3 -DSAFETY -DCOLLAPSE` and run with a `-w` and a `-m` that fit. *Full* is every step"
        " by itself: `--por none --no-merge`, and `spin -o1 -o2 -o3`, `-DNOREDUCE`. One run each."
    )
    yield about(on)
    yield f"![CPU seconds over the size, a panel a model](img/{PICTURE})"
    yield "\n".join(f"- {line}" for line in largest(points))
    yield results_table(points)


def agree(points: Sequence[Point]) -> None:
    """Full searches see the same states, and all verdicts are the same."""
    for model, size in dict.fromkeys((p.model, p.size) for p in points):
        here = [p for p in points if (p.model, p.size) == (model, size)]
        full = {p.states for p in here if p.way.endswith("full") and p.states < 100_000_000}
        if len(full) > 1 or len({p.verdict for p in here}) > 1:
            sys.exit(f"{model} {size}: the searches differ: {here}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth")
    parser.add_argument("--seconds", type=int, default=300, help="of CPU, for each search (300)")
    parser.add_argument("--memory-mb", type=int, default=16_000, help="for each search (16,000)")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these models")
    parser.add_argument("--most", type=int, metavar="N", help="no larger size than this")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{PAGE}")
    options = parser.parse_args()
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    on = machine.look()
    limits = Limits(options.seconds, options.memory_mb)
    points: list[Point] = []
    for family in FAMILIES:
        if options.only is not None and family.name not in options.only:
            continue
        for point in searches(_cut(family, options.most), limits):
            points.append(point)
            if options.json:
                kept = {"machine": asdict(on), "points": [asdict(p) for p in points]}
                options.json.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    agree(points)
    print(results_table(points), *largest(points), sep="\n")
    if options.write_docs:
        (DOCS / "img" / PICTURE).write_text(picture(points), encoding="utf-8")
        (DOCS / PAGE).write_text("\n\n".join(page(points, limits, on)) + "\n", encoding="utf-8")


def _cut(family: Family, most: int | None) -> Family:
    if most is None:
        return family
    sizes = [size for size in family.sizes if size <= most]
    return Family(family.name, family.path, family.macro, sizes, family.depth)


if __name__ == "__main__":
    run_as_command(main)
