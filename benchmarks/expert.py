"""whorl's defaults beside Spin as an expert runs it.

    python -m benchmarks expert [--repeat N] [--only NAME ...] [--json FILE] [--write-docs]

An expert knows pan's compilation flags: -O3, -DSAFETY where there is no cycle to look for, -DNOFAIR
where fairness is not asked for, -DCOLLAPSE to compress states, and a -w that gives every state a
slot, with Spin's own reduction and merging. Each combination is a recipe; all run by turns with
`whorl check` and no options. The models and formulas are those of `benchmarks.reduction`.
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
from statistics import median

import whorl
from benchmarks import machine, pan, run_as_command
from benchmarks.native import MEMORY_BYTES
from benchmarks.pan import Recipe
from benchmarks.plot import Bar, Mark, bars
from benchmarks.reduction import ENTANGLED, Task, tasks
from benchmarks.report import DOCS, WRITTEN
from benchmarks.report import machine as about
from benchmarks.table import geometric_mean, table
from whorl.property.never_writer import never_text
from whorl.selection import ltl_claim

PAGE = "spin-expert.md"
PICTURE = "bench-expert.svg"
RESULTS = Path(__file__).parent / "results" / "expert.json"
SAFETY = (
    Recipe("-O2", ("-O2", "-DSAFETY", "-DNOCLAIM")),
    Recipe("-O3", ("-O3", "-DSAFETY", "-DNOCLAIM", "-DNOFAIR")),
    Recipe("-O3 -DCOLLAPSE", ("-O3", "-DSAFETY", "-DNOCLAIM", "-DNOFAIR", "-DCOLLAPSE")),
)
FORMULAS = (
    Recipe("-O2", ("-O2",), ("-a",)),
    Recipe("-O3", ("-O3", "-DNOFAIR"), ("-a",)),
    Recipe("-O3 -DCOLLAPSE", ("-O3", "-DNOFAIR", "-DCOLLAPSE"), ("-a",)),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one tool did, several times: medians, and the least memory."""

    states: int
    verdict: str
    cpu: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    checked: str
    repeats: int
    whorl: Figures
    spin: dict[str, Figures]  # by the recipe's name

    @property
    def comparable(self) -> bool:
        """Whether all came to the same verdict, and there is something to reduce."""
        same = all(figures.verdict == self.whorl.verdict for figures in self.spin.values())
        return same and not self.label.startswith(ENTANGLED.name)

    @property
    def fastest(self) -> str:
        return min(self.spin, key=lambda name: self.spin[name].cpu)

    @property
    def smallest(self) -> str:
        return min(self.spin, key=lambda name: self.spin[name].memory_bytes)

    @property
    def speedup(self) -> float:
        """Over the fastest recipe, whichever that is for this model."""
        return self.spin[self.fastest].cpu / self.whorl.cpu

    @property
    def memory_ratio(self) -> float:
        """Of the recipe that takes the least memory."""
        return self.whorl.memory_bytes / self.spin[self.smallest].memory_bytes


def measure(task: Task, repeat: int) -> Row:
    model = whorl.load(task.text, name=f"{task.case.name}.pml", ltl=task.formula or ())
    text = task.text
    recipes: Sequence[Recipe] = SAFETY
    if task.formula is not None:
        text += "\n" + never_text(ltl_claim(model.program.formulas[0]).automaton)
        recipes = FORMULAS
    ends = () if task.case.end_states else ("-E",)
    recipes = [Recipe(r.name, r.compile, (*r.search, *ends)) for r in recipes]
    ours: list[Figures] = []
    spins: dict[str, list[Figures]] = {recipe.name: [] for recipe in recipes}
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        pans = [pan.compiled(text, r, Path(name) / str(n)) for n, r in enumerate(recipes)]
        fits = [_fitting(p, r, task.case.depth) for p, r in zip(pans, recipes, strict=True)]
        _whorl(task, model, 100_000)  # compiles
        while len(ours) < repeat:
            print(f"{task.case.label}: run {len(ours) + 1}", file=sys.stderr, flush=True)
            ours.append(_whorl(task, model, None))
            for program, recipe, (states, depth) in zip(pans, recipes, fits, strict=True):
                ran = pan.search(program, recipe, states, depth)
                spins[recipe.name].append(
                    Figures(ran.states or 0, ran.verdict, ran.cost.cpu, ran.cost.memory_bytes)
                )
    return Row(
        task.case.label,
        task.formula or "safety",
        repeat,
        _middle(ours),
        {recipe: _middle(runs) for recipe, runs in spins.items()},
    )


def _fitting(program: Path, recipe: Recipe, depth: int) -> tuple[int, int]:
    """The states and the depth that a search comes to: what its -w and -m should be."""
    ran = pan.search(program, recipe, 1_000_000, depth)
    return max(ran.states or 0, 1), ran.depth + 100


def _whorl(task: Task, model: whorl.Model, limit: int | None) -> Figures:
    before = getrusage(RUSAGE_CHILDREN)
    found = whorl.check(
        model,
        engine="native",
        safety=task.formula is None,
        end_states=task.case.end_states,
        max_states=limit,
        memory=MEMORY_BYTES,
    )
    after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    statistics = found.statistics
    return Figures(statistics.states, found.verdict, cpu, statistics.memory_bytes)


def _middle(runs: Sequence[Figures]) -> Figures:
    return Figures(
        runs[0].states,
        runs[0].verdict,
        median(run.cpu for run in runs),
        min(run.memory_bytes for run in runs),
    )


# --- telling -------------------------------------------------------------------------------------


def results_table(rows: Sequence[Row]) -> str:
    names = [recipe.name for recipe in SAFETY]
    cells: list[tuple[str, ...]] = []
    for row in rows:
        figures = [row.whorl, *(row.spin[name] for name in names)]
        verdicts = {figure.verdict for figure in row.spin.values()}
        cells.append(
            (
                row.label,
                "safety" if row.checked == "safety" else "LTL",
                row.whorl.verdict if verdicts == {row.whorl.verdict} else "; ".join(verdicts),
                f"{row.whorl.states:,}",
                f"{row.spin[names[0]].states:,}",
                *(f"{figure.cpu:.2f}" for figure in figures),
                f"{row.speedup:.2f}",
                *(f"{figure.memory_bytes / 1e6:.0f}" for figure in figures),
                f"{row.memory_ratio:.2f}",
            )
        )
    counted = [row for row in rows if row.comparable]
    if counted:
        speed = geometric_mean(row.speedup for row in counted)
        memory = geometric_mean(row.memory_ratio for row in counted)
        cells.append(("geometric mean", *("",) * 8, f"{speed:.2f}", *("",) * 4, f"{memory:.2f}"))
    headings = (
        "model", "property", "verdict", "states", "Spin's",
        "CPU s", *names, "×", "MB", *names, "×",
    )  # fmt: skip
    return table(headings, cells)


def picture(rows: Sequence[Row]) -> str:
    counted = [row for row in rows if row.comparable]
    mean = geometric_mean(row.speedup for row in counted)
    return bars(
        "Times faster than the fastest recipe of Spin",
        "",
        [Bar(r.label.split(" ")[0], r.speedup, r.checked == "safety") for r in counted],
        [Mark(mean, f"mean {mean:.1f}", False)],
        1,
        ("safety", "LTL"),
        powers=True,
    )


def summary(rows: Sequence[Row]) -> str:
    counted = [row for row in rows if row.comparable]
    slowest = min(counted, key=lambda row: row.speedup)
    largest = max(counted, key=lambda row: row.memory_ratio)
    return (
        f"In the geometric mean of {len(counted)} checks whorl takes"
        f" {1 / geometric_mean(r.speedup for r in counted):.3f} of the CPU time of the recipe that"
        f" is fastest for the model (most: {1 / slowest.speedup:.2f}, {slowest.label}), and"
        f" {geometric_mean(r.memory_ratio for r in counted):.2f} of the memory of the one that"
        f" takes least (most: {largest.memory_ratio:.2f}, {largest.label})."
    )


def page(rows: Sequence[Row], on: machine.Machine) -> Iterator[str]:
    yield "# Beside Spin as an expert runs it"
    yield WRITTEN.replace("make bench ARGS=", "python -m benchmarks expert ")
    yield (
        "`whorl check` without options, beside Spin's reduction and merging of steps with the flags"
        " that an expert would add. A recipe is how pan is compiled: for safety `-DSAFETY"
        " -DNOCLAIM`, and for formulas, for which Spin gets whorl's automaton as a never claim,"
        " `pan -a`; `-O3` has `-DNOFAIR`, too. A search before shows how many states and how"
        " much depth there will be, so that `-w` gives every state a slot and `-m` is no larger"
        " than the search needs. Runs alternate; CPU seconds are user and system together,"
        " medians; memory is what the process had resident at most."
    )
    yield about(on)
    yield summary(rows)
    yield f"![A bar a check: how many times faster](img/{PICTURE})"
    yield (
        "`×` compares with the fastest recipe, and with the one that takes the least memory,"
        " whichever these are for the model."
    )
    yield results_table(rows)
    yield (
        "In `entangled` nothing can be reduced; it is in no mean, and neither is a check in which"
        " the verdicts differ: cambridge has an `xs` that does not hold, at which Spin's reduction"
        " stops. Where a search takes some hundredths of a second, the start of a process is"
        " much of its time, and what a process begins with much of its memory, in both."
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks expert")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each (5)")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these models")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--from-json", type=Path, metavar="FILE", help="show those; run nothing")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{PAGE}")
    options = parser.parse_args()
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    rows: list[Row] = []
    if options.from_json:
        on, rows = read(options.from_json)
    else:
        on = machine.look()
        for task in tasks():
            if options.only is None or task.case.name in options.only:
                rows.append(measure(task, options.repeat))
                if options.json:
                    save(options.json, on, rows)
    print(results_table(rows))
    if options.write_docs:
        (DOCS / "img" / PICTURE).write_text(picture(rows), encoding="utf-8")
        (DOCS / PAGE).write_text("\n\n".join(page(rows, on)) + "\n", encoding="utf-8")
        save(RESULTS, on, rows)


def save(file: Path, on: machine.Machine, rows: Sequence[Row]) -> None:
    kept = {"machine": asdict(on), "rows": [asdict(row) for row in rows]}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def read(file: Path) -> tuple[machine.Machine, list[Row]]:
    kept = json.loads(file.read_text(encoding="utf-8"))
    rows = [
        Row(
            row["label"],
            row["checked"],
            row["repeats"],
            Figures(**row["whorl"]),
            {name: Figures(**figures) for name, figures in row["spin"].items()},
        )
        for row in kept["rows"]
    ]
    return machine.Machine(**kept["machine"]), rows


if __name__ == "__main__":
    run_as_command(main)
