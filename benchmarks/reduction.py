"""Partial-order reduction: whorl's default beside Spin's, by turns.

    python -m benchmarks reduction [--repeat N] [--only NAME ...] [--json FILE] [--write-docs]

`--add FILE` puts the rows of this run among those in a file, `--from-json FILE` shows a file and
runs nothing. `results/reduction.json` is what the page shows; if Spin did not run, the page has the
figures of an older run beside it, `results/reduction-beside-spin.md`.

Each as a user would run it: `whorl check`, and `spin -a`, `cc -O2`, `pan` with its reduction and
its other optimisations on. Safety on the models of the main benchmark, and the properties of
`benchmarks.liveness`. What counts is the states that are stored and the CPU time to the verdict.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

import whorl
from benchmarks import machine, run_as_command
from benchmarks.cases import CASES, OURS, Case
from benchmarks.liveness import PAIRS
from benchmarks.native import MEMORY_BYTES
from benchmarks.process import run
from benchmarks.report import DOCS, WRITTEN
from benchmarks.report import machine as about
from benchmarks.spin import MEMORY_MB, SpinFailed
from benchmarks.table import geometric_mean, table
from whorl.property.never_writer import never_text
from whorl.selection import ltl_claim

PAGE = "reduction-benchmarks.md"
RESULTS = Path(__file__).parent / "results" / "reduction.json"
OLDER = RESULTS.with_name("reduction-beside-spin.md")
REFUSES = "stops at its xs"
SAFETY_SCHEMES = (
    ("static", "all"),
    ("static", "selective"),
    ("two-phase", "all"),
    ("two-phase", "selective"),
    ("persistent", "all"),
    ("persistent", "selective"),
    ("two-phase-ample", "selective"),
)
LTL_SCHEMES = (*SAFETY_SCHEMES[:4], SAFETY_SCHEMES[-1], ("v1", "all"), ("si", "all"))
# Nothing can be reduced there: what does that cost?
ENTANGLED = Case("entangled", OURS / "entangled.pml", 6_000_000, {"N": 4, "M": 6})


@dataclass(frozen=True, slots=True)
class Task:
    """A model, and a formula to check of it; without one its safety is checked."""

    case: Case
    formula: str | None = None

    @property
    def checked(self) -> str:
        return self.formula or "safety"

    @property
    def text(self) -> str:
        return re.sub(r"^ltl\b.*$", "", self.case.text(), flags=re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Measured:
    label: str
    checked: str
    full_states: int
    states: int
    spin_states: int
    repeats: int
    full_cpu: float
    cpu: float
    spin_cpu: float
    verdict: str
    spin_verdict: str

    @property
    def comparable(self) -> bool:
        """Whether Spin's reduction went through: it stops where an xr or xs does not hold."""
        return self.spin_verdict != REFUSES

    @property
    def overhead(self) -> float:
        return self.cpu / self.full_cpu

    @property
    def states_ratio(self) -> float:
        return self.states / self.spin_states

    @property
    def speedup(self) -> float:
        return self.spin_cpu / self.cpu


# States and CPU seconds, by the scheme's name; no seconds where they were not to be measured.
Schemes = dict[str, tuple[int, float | None]]


@dataclass(frozen=True, slots=True)
class Row:
    """What was found of a task: beside Spin, and scheme by scheme."""

    measured: Measured | None
    label: str
    checked: str
    schemes: Schemes


@dataclass(frozen=True, slots=True)
class Results:
    machine: machine.Machine
    rows: Sequence[Row]

    @property
    def measured(self) -> list[Measured]:
        return [row.measured for row in self.rows if row.measured is not None]

    def schemes(self, safety: bool) -> list[tuple[str, Schemes]]:
        chosen = [row for row in self.rows if row.schemes and (row.checked == "safety") == safety]
        return [(row.label, row.schemes) for row in chosen]

    def with_row(self, new: Row) -> Results:
        """With the row in the place of its task."""
        order = {(task.case.label, task.checked): n for n, task in enumerate(tasks())}
        found = {(row.label, row.checked): row for row in self.rows}
        old = found.get((new.label, new.checked), new)
        row = Row(new.measured or old.measured, new.label, new.checked, new.schemes or old.schemes)
        found[row.label, row.checked] = row
        return Results(self.machine, [found[key] for key in sorted(found, key=order.__getitem__)])

    def save(self, file: Path) -> None:
        file.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


def read(file: Path) -> Results:
    kept = json.loads(file.read_text(encoding="utf-8"))
    rows = [
        Row(
            None if row["measured"] is None else Measured(**row["measured"]),
            row["label"],
            row["checked"],
            {name: (states, cpu) for name, (states, cpu) in row["schemes"].items()},
        )
        for row in kept["rows"]
    ]
    return Results(machine.Machine(**kept["machine"]), rows)


def tasks() -> Iterator[Task]:
    yield Task(ENTANGLED)
    yield from (Task(case) for case in CASES)
    yield from (Task(pair.case, pair.formula) for pair in PAIRS)


def measure(task: Task, repeat: int) -> Measured:
    label = task.case.label
    model = whorl.load(task.text, name=f"{task.case.name}.pml", ltl=task.formula or ())
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        pan = _build(task, model, Path(name))
        full = search(task, model, "none")
        fulls = [full[2]]
        ours: list[tuple[int, str, float]] = []
        spins: list[tuple[int, str, float]] = []
        while len(ours) < repeat:
            print(f"{label}: run {len(ours) + 1}", file=sys.stderr, flush=True)
            ours.append(search(task, model, "auto"))
            if task.case is ENTANGLED:
                fulls.append(search(task, model, "none")[2])
            spins.append(_spin(task, pan, task.case.depth, full[0]))
    return Measured(
        label,
        task.checked,
        full[0],
        ours[0][0],
        spins[0][0],
        len(ours),
        median(fulls),
        median(cpu for _, _, cpu in ours),
        median(cpu for _, _, cpu in spins),
        ours[0][1],
        spins[0][1],
    )


def by_scheme(task: Task, *, seconds: bool = True) -> Schemes:
    """States and CPU seconds of each scheme that is sound for the property."""
    model = whorl.load(task.text, name=f"{task.case.name}.pml", ltl=task.formula or ())
    found = {}
    for por, cache in SAFETY_SCHEMES if task.formula is None else LTL_SCHEMES:
        print(f"{task.case.label}: {por} {cache}", file=sys.stderr, flush=True)
        states, verdict, cpu = search(task, model, por, cache)
        if verdict == "holds":  # and not "no violation found": the scheme is unsound here
            found[_scheme(por, cache)] = states, cpu if seconds else None
    return found


def _scheme(por: str, cache: str) -> str:
    return por if cache == "all" else f"{por}, {cache}"


def schemes_table(
    measured: Sequence[tuple[str, Schemes]], schemes: Sequence[tuple[str, str]]
) -> str:
    names = [_scheme(por, cache) for por, cache in schemes]

    def cell(states: int, cpu: float | None) -> str:
        return f"{states:,}" if cpu is None else f"{states:,} ({cpu:.2f})"

    rows: list[tuple[str, ...]] = []
    for label, found in measured:
        cells = (cell(*found[n]) if n in found else "unsound" for n in names)
        rows.append((label, *cells))
    return table(("model", *names), rows)


def search(
    task: Task, model: whorl.Model, por: str, cache: str = "all", candidates: str | None = None
) -> tuple[int, str, float]:
    """States, verdict and CPU seconds; what has to be compiled is compiled beforehand."""
    for limit in (100_000, None):
        before = getrusage(RUSAGE_CHILDREN)
        result = whorl.check(
            model,
            engine="native",
            por=por,
            cache=cache,
            candidates=candidates,
            safety=task.formula is None,
            end_states=task.case.end_states,
            max_states=limit,
            memory=MEMORY_BYTES,
        )
        after = getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return result.statistics.states, result.verdict, cpu


def _build(task: Task, model: whorl.Model, folder: Path) -> Path:
    text = task.text
    options: tuple[str, ...] = ("-DSAFETY", "-DNOCLAIM")
    if task.formula is not None:
        text += "\n" + never_text(ltl_claim(model.program.formulas[0]).automaton)
        options = ()
    (folder / "model.pml").write_text(text, encoding="utf-8")
    compile_ = ("cc", "-O2", "-w", *options, f"-DMEMLIM={MEMORY_MB}", "-o", "pan", "pan.c")
    for command in (("spin", "-a", "model.pml"), compile_):
        ran = run(command, folder)
        if ran.status != 0:
            raise SpinFailed(f"{' '.join(command)}\n{ran.output}")
    return folder / "pan"


def _spin(task: Task, pan: Path, depth: int, states: int) -> tuple[int, str, float]:
    slots = max(10, math.ceil(math.log2(states)))
    options = ["-a"] if task.formula is not None else []
    options += [] if task.case.end_states else ["-E"]
    ran = run([pan, *options, f"-m{depth}", f"-w{slots}", "-n"], pan.parent)
    if "max search depth too small" in ran.output:
        return _spin(task, pan, 2 * depth, states)
    stored = re.search(r"^\s*([\d.e+]+) states, stored", ran.output, re.MULTILINE)
    errors = re.search(r"errors: (\d+)", ran.output)
    if stored is None or errors is None:
        raise SpinFailed(ran.output[-2000:])
    verdict = "violated" if int(errors[1]) else "holds"
    if "partial order reduction invalid" in ran.output:
        verdict = REFUSES
    return int(float(stored[1])), verdict, ran.cost.cpu


# --- telling -------------------------------------------------------------------------------------


def counted(measured: Sequence[Measured]) -> list[Measured]:
    """What the means are about."""
    return [m for m in measured if m.comparable and not m.label.startswith(ENTANGLED.name)]


def means(measured: Sequence[Measured]) -> tuple[float, float]:
    """Of the states as a share of Spin's, and of how many times faster it is."""
    found = counted(measured)
    return geometric_mean(m.states_ratio for m in found), geometric_mean(m.speedup for m in found)


def targets_table(measured: Sequence[Measured]) -> str:
    states, speed = means(measured)
    found = counted(measured)
    most = max(found, key=lambda m: m.states_ratio)
    slowest = min(found, key=lambda m: m.speedup)
    rows = [
        ("states, mean", "≤ 0.6 of Spin's", f"{states:.3f}", states <= 0.6),
        (
            "states, most",
            "≤ 1.2",
            f"{most.states_ratio:.2f} ({most.label})",
            most.states_ratio <= 1.2,
        ),
        ("speed, mean", "≥ 5 × Spin's", f"{speed:.1f} ×", speed >= 5),
        (
            "speed, least",
            "≥ 1 ×",
            f"{slowest.speedup:.2f} × ({slowest.label})",
            slowest.speedup >= 1,
        ),
    ]
    for m in measured:
        if m.label.startswith(ENTANGLED.name):
            cost = m.overhead - 1
            rows.append(("overhead, nothing to reduce", "≤ 10 %", f"{cost:.0%}", cost <= 0.1))
    wanted = ("target", "wanted", "measured", "met")
    return table(wanted, [(*row[:3], "✓" if row[3] else "✗") for row in rows])


def summary(measured: Sequence[Measured]) -> str:
    """What was measured, in two sentences for the page."""
    states, speed = means(measured)
    found = counted(measured)
    most = max(found, key=lambda m: m.states_ratio)
    slowest = min(found, key=lambda m: m.speedup)
    said = [
        f"In the geometric mean whorl stores {states:.3f} of Spin's states (most:"
        f" {most.states_ratio:.2f}, {most.label}) and is {speed:.1f} times faster (least:"
        f" {slowest.speedup:.2f}, {slowest.label})."
    ]
    said += [
        f"Where nothing can be reduced, looking for reductions costs {m.overhead - 1:.0%} of the"
        " time."
        for m in measured
        if m.label.startswith(ENTANGLED.name)
    ]
    return "\n".join(said)


def results_table(measured: Sequence[Measured]) -> str:
    rows = [
        (
            m.label,
            "LTL" if m.checked != "safety" else "safety",
            f"{m.full_states:,}",
            f"{m.states:,}",
            f"{m.spin_states:,}",
            f"{m.states_ratio:.2f}",
            f"{m.repeats}",
            f"{m.full_cpu:.2f}",
            f"{m.cpu:.2f}",
            f"{m.spin_cpu:.2f}",
            f"{m.speedup:.2f}",
            m.verdict if m.verdict == m.spin_verdict else f"{m.verdict}, Spin's {m.spin_verdict}",
        )
        for m in measured
    ]
    states, speed = means(measured)
    rows.append(("geometric mean", *("",) * 4, f"{states:.2f}", *("",) * 4, f"{speed:.2f}", ""))
    headings = (
        "model", "property", "states, full", "reduced", "Spin's", "×", "runs", "CPU s, full",
        "reduced", "Spin's", "×", "verdict",
    )  # fmt: skip
    return table(headings, rows)


def page(results: Results) -> str:
    timed = any(cpu is not None for row in results.rows for _, cpu in row.schemes.values())
    seconds = ", and CPU seconds of one run" if timed else ""
    written = WRITTEN.replace("make bench ARGS=", "python -m benchmarks reduction ")
    return f"""# Partial-order reduction beside Spin

{written}

Each as a user would run it: `whorl check` with its default reduction, and `spin -a`, `cc -O2`
(`-DSAFETY` for safety), `pan` (`-a` for a formula) with its reduction and its other optimisations.
Both check safety of the models of [the main benchmark](benchmarks.md), and the formulas of
[the other one](liveness.md), for which Spin gets whorl's automaton as a never claim. `full` is
whorl's search with `--por none`. The runs alternate; CPU time is user and system together, medians.
The first `×` is the states that whorl stores as a share of Spin's, the second how many times faster
it is.

{beside_spin(results)}

In `entangled` every step concerns every process, so nothing can be reduced; it shows what looking
for reductions costs, and is not in the means. Neither is cambridge, in which Spin's reduction
stops: an `xs` of the model does not hold. Where a search takes some hundredths of a second, the
start of a process is much of it, in both. dining, szymanski and spawn have counters
that nothing reads, and consumers of bounded_buffer forget what they got: whorl resets such
variables as dead, which is much of the gain there.

## Schemes beside each other

Stored states{seconds}, of every scheme that is sound for the property. `auto` is
`two-phase-ample`. {of_day(results)}Safety:

{schemes_table(results.schemes(True), SAFETY_SCHEMES)}

The formulas:

{schemes_table(results.schemes(False), LTL_SCHEMES)}
"""


def beside_spin(results: Results) -> str:
    """Whorl and Spin by turns; if this was not run, what an older run has found."""
    measured = results.measured
    if not measured:
        return OLDER.read_text(encoding="utf-8").rstrip()
    parts = (about(results.machine) + missing(measured), summary(measured), results_table(measured))
    return "\n\n".join(parts)


def of_day(results: Results) -> str:
    """When the schemes were measured, if that was not with what stands above."""
    if results.measured:
        return ""
    there = {(row.label, row.checked) for row in results.rows if row.schemes}
    left_out = [t.case.label for t in tasks() if (t.case.label, t.checked) not in there]
    without = f"; not measured: {', '.join(left_out)}" if left_out else ""
    return f"These are of {results.machine.date}{without}. "


def missing(measured: Sequence[Measured]) -> str:
    """Which tasks the results leave out: the means are then not those of the whole set."""
    there = {(m.label, m.checked) for m in measured}
    left_out = [task.case.label for task in tasks() if (task.case.label, task.checked) not in there]
    return f" Not measured, and so in no mean: {', '.join(left_out)}." if left_out else ""


def main() -> None:
    options = _options()
    tools = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if tools:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(tools)}")
    chosen = [t for t in tasks() if options.only is None or t.case.name in options.only]
    kept = options.from_json or options.add
    results = read(kept) if kept and kept.exists() else Results(machine.look(), [])
    for task in () if options.from_json else chosen:
        schemes: Schemes = {}
        if options.schemes or options.states or options.write_docs:
            schemes = by_scheme(task, seconds=not options.states)
        beside = None if options.schemes else measure(task, options.repeat)
        results = results.with_row(Row(beside, task.case.label, task.checked, schemes))
        if options.json or options.add:
            results.save(options.json or options.add)
    for safety, names in ((True, SAFETY_SCHEMES), (False, LTL_SCHEMES)):
        print(schemes_table(results.schemes(safety), names), end="\n\n")
    if results.measured:
        print(targets_table(results.measured), results_table(results.measured), sep="\n\n")
    if options.write_docs:
        (DOCS / PAGE).write_text(page(results), encoding="utf-8")
        results.save(RESULTS)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks reduction")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each (5)")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these models")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--add", type=Path, metavar="FILE", help="add the results to those there")
    parser.add_argument("--from-json", type=Path, metavar="FILE", help="show those; run nothing")
    parser.add_argument(
        "--schemes", action="store_true", help="only compare schemes, not with Spin"
    )
    parser.add_argument("--states", action="store_true", help="of schemes no seconds")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{PAGE}")
    return parser.parse_args()


if __name__ == "__main__":
    run_as_command(main)
