"""LTL properties: the search for accepting cycles, whorl and Spin by turns.

    python -m benchmarks.liveness [--repeat N] [--only NAME ...] [--json FILE] [--write-docs]

Both search the product of a model and the same automaton, which whorl makes of a formula and Spin
gets as a never claim; the benchmark stops if they do not see the same product states. Every
property holds, so that all of the product is searched. A product has as many transitions for the
one as for the other, so transitions a CPU second compare as CPU time does.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

import whorl
from benchmarks import machine, run_as_command
from benchmarks.cases import OURS, SPINS, Case
from benchmarks.native import MEMORY_BYTES
from benchmarks.process import Cost, run
from benchmarks.report import DOCS, WRITTEN
from benchmarks.report import machine as about
from benchmarks.spin import MEMORY_MB, UNMERGED, SpinFailed, same
from benchmarks.table import geometric_mean, millions, table
from whorl.property.never_writer import never_text
from whorl.selection import ltl_claim

COMPILE = ("cc", "-O2", "-w", "-DNOREDUCE", f"-DMEMLIM={MEMORY_MB}", "-o", "pan", "pan.c")
PAGE = "liveness.md"


@dataclass(frozen=True, slots=True)
class Pair:
    """A model at a size, and a formula that holds of it."""

    case: Case
    formula: str


# Process 0 waits, and somebody else is as high: Siegel's "p does not hold" (section 8, B3).
BLOCKED = (
    "(user[0]@wait && last[level[0]] == 0 && (level[1] >= level[0] || level[2] >= level[0]"
    " || level[3] >= level[0] || level[4] >= level[0]))"
)

PAIRS = (
    Pair(Case("peterson", OURS / "peterson.pml", 600_000, {"N": 5}), f"[]<> !{BLOCKED}"),
    Pair(
        Case("petersonN", SPINS / "LTL/petersonN.pml", 3_000_000, {"N": 4}), "[]<> (ncrit == 0)"
    ),
    Pair(
        Case("szymanski", OURS / "szymanski.pml", 1_000_000, {"N": 3, "R": 2}),
        "[]<> (critical == 0)",
    ),
    Pair(
        Case("directory_cache", OURS / "directory_cache.pml", 11_000_000, {"N": 5, "Q": 3}),
        "[] (writers > 0 -> (readers == 0 W writers == 0))",
    ),
    Pair(
        Case("bounded_buffer", OURS / "bounded_buffer.pml", 1_000_000, {"P": 3, "C": 3, "V": 2}),
        "[]<> (lock == 1)",
    ),
    Pair(
        Case("bounded_buffer_2", OURS / "bounded_buffer.pml", 1_000_000, {"P": 3, "C": 2, "V": 2}),
        "[] (items == 1 -> <> (lock == 1)) && []<> (places > 0)",
    ),
    Pair(
        Case(
            "sliding_window", OURS / "sliding_window.pml", 2_000_000,
            {"M": 6, "W": 4, "L": 3, "V": 6},
        ),
        "[]<> (len(data) < L)",
    ),
    Pair(
        Case("ring_election", OURS / "ring_election.pml", 80_000, {"N": 7}),
        "[] (leaders == 1 -> (leaders <= 1 W leaders == 0))",
    ),
    Pair(Case("leader", SPINS / "LTL/leader.pml", 1_000), "<>[] (nr_leaders == 1)"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    states: int
    transitions: int
    depth: int
    cost: Cost


@dataclass(frozen=True, slots=True)
class Measured:
    label: str
    formula: str
    automaton_states: int
    states: int  # of the product
    transitions: int  # of the product, each once
    repeats: int
    cpu: float
    spin_cpu: float
    memory_bytes: int
    spin_memory_bytes: int

    @property
    def speedup(self) -> float:
        return self.spin_cpu / self.cpu

    @property
    def memory_ratio(self) -> float:
        return self.memory_bytes / self.spin_memory_bytes


def measure(pair: Pair, repeat: int) -> Measured:
    """Compiles what the pair needs, then runs the two by turns."""
    text = re.sub(r"^ltl\b.*$", "", pair.case.text(), flags=re.MULTILINE)
    model = whorl.load(text, name=f"{pair.case.name}.pml", ltl=pair.formula)
    automaton = ltl_claim(model.program.formulas[0]).automaton
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        pan = _build(f"{text}\n{never_text(automaton)}", Path(name))
        each_once = _whorl(model, pair, "scc")
        ours: list[Run] = []
        spins: list[Run] = []
        while len(ours) < repeat:
            print(f"{pair.case.label}: run {len(ours) + 1}", file=sys.stderr, flush=True)
            ours.append(_whorl(model, pair))
            depth = spins[0].depth + 100 if spins else pair.case.depth
            spins.append(_spin(pan, depth, ours[0].states))
            if not same(spins[-1].states, ours[-1].states):
                raise SystemExit(f"{pair.case.label}: {ours[-1]} and Spin {spins[-1]} differ")
    return Measured(
        pair.case.label,
        pair.formula,
        len(automaton.states),
        ours[0].states,
        each_once.transitions,
        len(ours),
        median(found.cost.cpu for found in ours),
        median(found.cost.cpu for found in spins),
        min(found.cost.memory_bytes for found in ours),
        min(found.cost.memory_bytes for found in spins),
    )


def _whorl(model: whorl.Model, pair: Pair, algorithm: str = "auto") -> Run:
    """A search of all of the product, by a verifier that may have to be compiled first."""
    for limit in (1_000, None):
        before, started = getrusage(RUSAGE_CHILDREN), time.perf_counter()
        result = whorl.check(
            model,
            engine="native",
            algorithm=algorithm,
            merge=False,
            por="none",
            max_states=limit,
            memory=MEMORY_BYTES,
        )
        wall, after = time.perf_counter() - started, getrusage(RUSAGE_CHILDREN)
    if result.verdict != "holds":
        raise SystemExit(f"{pair.case.label}: {pair.formula} is {result.verdict}")
    found = result.statistics
    system = after.ru_stime - before.ru_stime
    cpu = after.ru_utime - before.ru_utime + system
    return Run(
        found.states, found.transitions, found.depth, Cost(cpu, system, wall, found.memory_bytes)
    )


def _build(text: str, folder: Path) -> Path:
    (folder / "model.pml").write_text(text, encoding="utf-8")
    for command in (("spin", *UNMERGED, "-a", "model.pml"), COMPILE):
        ran = run(command, folder)
        if ran.status != 0:
            raise SpinFailed(f"{' '.join(command)}\n{ran.output}")
    return folder / "pan"


def _spin(pan: Path, depth: int, states: int) -> Run:
    slots = max(10, math.ceil(math.log2(states)))
    ran = run([pan, "-a", f"-m{depth}", f"-w{slots}", "-c0", "-n"], pan.parent)
    text = ran.output
    if "max search depth too small" in text:
        return _spin(pan, 2 * depth, states)
    found = [
        re.search(pattern, text, re.MULTILINE)
        for pattern in (
            r"^\s*([\d.e+]+) states, stored",
            r"^\s*([\d.e+]+) transitions \(=",
            r"depth reached (\d+), errors: 0",
        )
    ]
    figures = [int(float(match[1])) for match in found if match is not None]
    if len(figures) != len(found) or "Search not completed" in text:
        raise SpinFailed(text[-2000:])
    return Run(figures[0], figures[1], figures[2], ran.cost)


# --- telling -------------------------------------------------------------------------------------


def results_table(measured: Sequence[Measured]) -> str:
    rows = [
        (
            m.label,
            f"{m.automaton_states}",
            f"{m.states:,}",
            f"{m.transitions:,}",
            f"{m.repeats}",
            millions(m.transitions / m.cpu),
            millions(m.transitions / m.spin_cpu),
            f"{m.speedup:.2f}",
            f"{m.memory_bytes / m.states:.0f}",
            f"{m.spin_memory_bytes / m.states:.0f}",
            f"{m.memory_ratio:.2f}",
        )
        for m in measured
    ]
    speed = geometric_mean(m.speedup for m in measured)
    memory = geometric_mean(m.memory_ratio for m in measured)
    rows.append(("geometric mean", *("",) * 6, f"{speed:.2f}", "", "", f"{memory:.2f}"))
    headings = (
        "model", "claim", "product states", "transitions", "runs", "M trans./s", "Spin's", "×",
        "B/state", "Spin's", "×",
    )  # fmt: skip
    return table(headings, rows)


def page(measured: Sequence[Measured], on: machine.Machine) -> str:
    formulas = "\n".join(f"- {m.label}: `{m.formula}`" for m in measured)
    return f"""# LTL beside Spin

{WRITTEN.replace("make bench ARGS=--write-docs", "python -m benchmarks.liveness --write-docs")}

{_about()}

{about(on)}

{results_table(measured)}

The formulas:

{formulas}
"""


def _about() -> str:
    return (
        "Both search the product of a model and the same automaton, which whorl makes of a formula"
        " and Spin gets as a never claim: `spin -o1 -o2 -o3 -a`, `cc -O2 -DNOREDUCE`, `pan -a` with"
        " a `-w` that gives every state a slot and with the `-m` that the model needs; `whorl check"
        " --no-merge`. The benchmark stops if they do not see the same product states. Every"
        " property holds, so that all of the product is searched. The runs alternate; figures are"
        " medians of CPU time, user and system together. A product has as many transitions for the"
        " one as for the other (both go through some of them twice), so transitions a second"
        " compare as CPU time does. `claim` is the number of states of the automaton, `B/state` the"
        " peak memory of the process divided by the product states."
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.liveness")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each (5)")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these models")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{PAGE}")
    options = parser.parse_args()
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    on = machine.look()
    measured = [
        measure(pair, options.repeat)
        for pair in PAIRS
        if options.only is None or pair.case.name in options.only
    ]
    print(results_table(measured))
    if options.json:
        options.json.write_text(json.dumps([asdict(m) for m in measured], indent=2))
    if options.write_docs:
        (DOCS / PAGE).write_text(page(measured, on), encoding="utf-8")


if __name__ == "__main__":
    run_as_command(main)
