"""How the cost of a check grows with a model's size, whorl beside Spin.

    python -m benchmarks growth [--seconds N] [--memory-mb N] [--only NAME ...] [--json FILE]
                                [--add FILE] [--from-json FILE] [--write-docs]

Safety of three models that grow, each size by four searches: whorl and Spin (`-O3 -DSAFETY
-DCOLLAPSE`, as an expert runs it) as they come, and both with every step by itself and no
reduction, where they see the same states. A search goes to the next size until it meets a limit,
or until the sizes so far let it expect more time than there is. `--add FILE` goes on with what is
in a file, also with larger limits, and runs nothing again; `results/growth.json` is what the page
shows.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import whorl
from benchmarks import curves, machine, pan, run_as_command
from benchmarks.cases import OURS, SPINS, Case
from benchmarks.pan import MEMORY, TIME, Limits, Recipe
from benchmarks.report import DOCS, WRITTEN
from benchmarks.report import machine as about
from benchmarks.spin import UNMERGED
from benchmarks.table import table

PAGE = "growth.md"
RESULTS = Path(__file__).parent / "results" / "growth.json"
PICTURE = "bench-growth.svg"
EXPERT = ("-O3", "-DSAFETY", "-DNOCLAIM", "-DNOFAIR", "-DCOLLAPSE")
REDUCED, FULL = Recipe("Spin", EXPERT), Recipe("Spin, full", (*EXPERT, "-DNOREDUCE"))
EXPECTED = "time expected"
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
RING = (2, 4, 5, 7, 8, 10, 11, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200)
FAMILIES = (
    Family("ring_election", OURS / "ring_election.pml", "N", RING),
    Family("directory_cache", OURS / "directory_cache.pml", "N", range(2, 9)),
    Family("petersonN", SPINS / "LTL/petersonN.pml", "N", range(2, 8), 4_000_000),
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
    load: float | None = None  # of the machine as it began; None: as when the table was begun


@dataclass(frozen=True, slots=True)
class End:
    """Where a way goes no further: at which size, and what it met."""

    model: str
    size: int
    way: str
    why: str


@dataclass(frozen=True, slots=True)
class Growth:
    """A run of this table."""

    machine: machine.Machine
    limits: Limits
    found: tuple[Point | End, ...] = ()

    @property
    def points(self) -> list[Point]:
        return [found for found in self.found if isinstance(found, Point)]

    @property
    def ends(self) -> list[End]:
        return [found for found in self.found if isinstance(found, End)]

    def having(self, new: Point | End) -> Growth:
        """With what was found, in the order of families and sizes, once."""
        order = [family.name for family in FAMILIES]
        found = {(f.model, f.size, f.way): f for f in (*self.found, new)}
        places = sorted(found, key=lambda key: (order.index(key[0]), key[1], WAYS.index(key[2])))
        return replace(self, found=tuple(found[place] for place in places))

    def within(self, limits: Limits) -> Growth:
        """With other limits: what ended is tried again, and what takes too much has ended."""
        if limits == self.limits:
            return self
        most, memory = limits.seconds or math.inf, limits.memory_mb * 1_000_000
        points = tuple(p for p in self.points if p.cpu <= most and p.memory_bytes <= memory)
        over = tuple(
            End(p.model, p.size, p.way, TIME if p.cpu > most else MEMORY)
            for p in self.points
            if p not in points
        )
        return Growth(self.machine, limits, (*points, *over))

    def save(self, file: Path) -> None:
        kept = {
            "machine": asdict(self.machine),
            "limits": asdict(self.limits),
            "points": [asdict(point) for point in self.points],
            "ends": [asdict(end) for end in self.ends],
        }
        file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def read(file: Path) -> Growth:
    kept = json.loads(file.read_text(encoding="utf-8"))
    points = [Point(**point) for point in kept["points"]]
    ends = [End(**end) for end in kept["ends"]]
    on, limits = machine.Machine(**kept["machine"]), Limits(**kept["limits"])
    return Growth(on, limits, (*points, *ends))


def searches(
    family: Family, limits: Limits, kept: Sequence[Point | End] = ()
) -> Iterator[Point | End]:
    """Size by size, each way until it meets a limit; what is kept is not searched again."""
    known = {(found.model, found.size, found.way): found for found in kept}
    going = {way: list[Point]() for way in WAYS}
    for size in family.sizes:
        for way, before in list(going.items()):
            name = f"{family.name} {family.macro}={size}: {way}"
            found: Point | End = End(family.name, size, way, EXPECTED)
            if (family.name, size, way) in known:
                found = known[family.name, size, way]
            elif limits.seconds is None or expected(before, size) <= limits.seconds:
                print(name, file=sys.stderr, flush=True)
                load = round(os.getloadavg()[0], 1)
                found = (_whorl if way.startswith("whorl") else _spin)(family, size, way, limits)
                if isinstance(found, Point):
                    found = replace(found, load=load)
            if isinstance(found, Point):
                before.append(found)
            else:
                print(f"{name}: {found.why}", file=sys.stderr, flush=True)
                del going[way]
            yield found


def expected(before: Sequence[Point], size: int) -> float:
    """CPU seconds at a size, if states go on as the power of the size that they were last.

    A cost that grows faster than any power is more.
    """
    if len(before) < 2:
        return 0
    early, late = before[-2:]
    power = math.log(late.states / early.states) / math.log(late.size / early.size)
    return float(late.cpu * (size / late.size) ** power)


def _whorl(family: Family, size: int, way: str, limits: Limits) -> Point | End:
    full = way.endswith("full")
    model = whorl.load(family.case(size).text(), name=f"{family.name}.pml")
    for most, seconds in ((1000, None), (None, limits.seconds)):  # the first compiles
        before = getrusage(RUSAGE_CHILDREN)
        with _at_most(seconds):
            found = whorl.check(
                model,
                engine="native",
                safety=True,
                por="none" if full else "auto",
                merge=not full,
                max_states=most,
                memory=limits.memory_mb * 1_000_000,
            )
        after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    statistics = found.statistics
    if not statistics.complete or (limits.seconds is not None and cpu > limits.seconds):
        no_memory = any("memory limit" in said.why for said in found.properties)
        return End(family.name, size, way, MEMORY if no_memory else TIME)
    return Point(
        family.name, size, way, statistics.states, found.verdict, cpu, statistics.memory_bytes
    )


@contextlib.contextmanager
def _at_most(seconds: int | None) -> Iterator[None]:
    """The processes that are started here have so much CPU time, and what this one has had."""
    before = resource.getrlimit(resource.RLIMIT_CPU)
    if seconds is not None:
        own = resource.getrusage(resource.RUSAGE_SELF)  # this process has the limit, too
        most = math.ceil(own.ru_utime + own.ru_stime) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)


def _spin(family: Family, size: int, way: str, limits: Limits) -> Point | End:
    """With the -w and -m that fit, which a search before finds."""
    recipe = FULL if way.endswith("full") else REDUCED
    translation = UNMERGED if way.endswith("full") else ()
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        text = family.case(size).text()
        program = pan.compiled(text, recipe, Path(name) / "pan", limits, translation)
        ran = pan.search(program, recipe, 1 << 26, family.depth, limits)
        if ran.states is not None:
            ran = pan.search(program, recipe, max(ran.states, 1), ran.depth + 100, limits)
    cost = ran.cost
    if ran.states is None:
        return End(family.name, size, way, ran.cut)
    return Point(family.name, size, way, ran.states, ran.verdict, cost.cpu, cost.memory_bytes)


# --- telling -------------------------------------------------------------------------------------


def cell_tables(points: Sequence[Point]) -> list[str]:
    """States, CPU seconds and megabytes: a row a size, a column a way."""
    found = {(p.model, p.size, p.way): p for p in points}
    told: Sequence[Callable[[Point], str]] = (
        lambda p: f"{p.states:,}",
        lambda p: f"{p.cpu:.2f}",
        lambda p: f"{p.memory_bytes / 1e6:,.0f}",
    )
    return [
        table(
            ("model", *WAYS),
            [
                (
                    f"{model} {size}",
                    *(tell(p) if (p := found.get((model, size, way))) else "–" for way in WAYS),
                )
                for model, size in dict.fromkeys((p.model, p.size) for p in points)
            ],
        )
        for tell in told
    ]


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


def largest(growth: Growth) -> Iterator[str]:
    """The largest size of each way, and what the next one met."""
    met = {(end.model, end.way): end for end in growth.ends}
    for family in FAMILIES:
        if not any(p.model == family.name for p in growth.points):
            continue
        ways = []
        for way in WAYS:
            done = [p.size for p in growth.points if (p.model, p.way) == (family.name, way)]
            end = met.get((family.name, way))
            then = "" if end is None else f" ({end.size}: {end.why})"
            ways.append(f"{way} {max(done, default='none')}{then}")
        yield f"`{family.name}`, largest `{family.macro}`: {'; '.join(ways)}."


def page(growth: Growth) -> Iterator[str]:
    limits = growth.limits
    yield "# How the cost grows with a model's size"
    yield WRITTEN.replace("make bench ARGS=", "python -m benchmarks growth ")
    yield (
        "Safety of three models, size by size, until a search takes more than"
        f" {limits.seconds} CPU seconds or {limits.memory_mb:,} MB. whorl with its defaults"
        " (`whorl check --safety`); Spin with its reduction and merging, compiled with"
        " `-O3 -DSAFETY -DNOFAIR -DCOLLAPSE` and run with a `-w` and a `-m` that fit. *Full* is"
        " every step by itself, without reduction: `--por none --no-merge`, and `spin -o1 -o2 -o3`,"
        " `-DNOREDUCE`; there both see the same states. One run each. CPU seconds are user and"
        " system together: other work on the machine makes them somewhat more, and the time that"
        " passes much more."
    )
    yield about(growth.machine)
    loads = [point.load for point in growth.points if point.load is not None]
    if loads:
        yield (
            f"{len(loads)} of the {len(growth.points)} searches were done for larger limits,"
            f" at a load of {min(loads)} to {max(loads)}."
        )
    yield f"![CPU seconds over the size, a panel a model](img/{PICTURE})"
    yield (
        "The largest size that each came to, and in parentheses what ended it at the next one."
        f" *{EXPECTED.capitalize()}* was not tried: it takes more than the limit even if states go"
        " on as the power of the size that they were last."
    )
    yield "\n".join(f"- {line}" for line in largest(growth))
    headings = ("States", "CPU seconds", "Memory, in MB")
    for heading, cells in zip(headings, cell_tables(growth.points), strict=True):
        yield f"## {heading}"
        yield cells


def agree(points: Sequence[Point]) -> None:
    """Full searches see the same states, and all verdicts are the same."""
    for model, size in dict.fromkeys((p.model, p.size) for p in points):
        here = [p for p in points if (p.model, p.size) == (model, size)]
        full = {p.states for p in here if p.way.endswith("full") and p.states < 100_000_000}
        if len(full) > 1 or len({p.verdict for p in here}) > 1:
            sys.exit(f"{model} {size}: the searches differ: {here}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth")
    parser.add_argument("--seconds", type=int, default=180, help="of CPU, for each search (180)")
    parser.add_argument("--memory-mb", type=int, default=6_000, help="for each search (6,000)")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these models")
    parser.add_argument("--most", type=int, metavar="N", help="no larger size than this")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--add", type=Path, metavar="FILE", help="go on with the results there")
    parser.add_argument("--from-json", type=Path, metavar="FILE", help="show those; run nothing")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{PAGE}")
    options = parser.parse_args()
    growth = read(options.from_json) if options.from_json else _run(options)
    agree(growth.points)
    print(*cell_tables(growth.points), *largest(growth), sep="\n\n")
    if options.write_docs:
        (DOCS / "img" / PICTURE).write_text(picture(growth.points), encoding="utf-8")
        (DOCS / PAGE).write_text("\n\n".join(page(growth)) + "\n", encoding="utf-8")
        RESULTS.parent.mkdir(exist_ok=True)
        growth.save(RESULTS)


def _run(options: argparse.Namespace) -> Growth:
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    limits = Limits(options.seconds, options.memory_mb)
    if options.add and options.add.exists():
        growth = read(options.add).within(limits)
    else:
        growth = Growth(machine.look(), limits)
    for family in FAMILIES:
        if options.only is not None and family.name not in options.only:
            continue
        for found in searches(_cut(family, options.most), limits, growth.found):
            growth = growth.having(found)
            if options.json or options.add:
                growth.save(options.json or options.add)
    return growth


def _cut(family: Family, most: int | None) -> Family:
    if most is None:
        return family
    sizes = [size for size in family.sizes if size <= most]
    return Family(family.name, family.path, family.macro, sizes, family.depth)


if __name__ == "__main__":
    run_as_command(main)
