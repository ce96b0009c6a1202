"""Stubborn sets beside the components of dependent processes: states, and the time that they take.

    python -m benchmarks.stubborn [--only NAME ...] [--repeat N]

The checks of `benchmarks.reduction` with `two-phase-ample`, which is the default. What is worth
telling of the table is in docs/explanation/reduction.md.
"""

from __future__ import annotations

import argparse
import sys
from statistics import median

import whorl
from benchmarks import run_as_command
from benchmarks.reduction import search, tasks
from benchmarks.table import geometric_mean, table

RULES = ("component", "stubborn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these models alone")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each (3)")
    arguments = parser.parse_args()
    rows = []
    ratios: list[tuple[float, float]] = []
    for task in tasks():
        if arguments.only is not None and task.case.name not in arguments.only:
            continue
        print(task.case.label, file=sys.stderr, flush=True)
        model = whorl.load(task.text, name=f"{task.case.name}.pml", ltl=task.formula or ())
        states = dict.fromkeys(RULES, 0)
        cpus: dict[str, list[float]] = {rule: [] for rule in RULES}
        for _ in range(arguments.repeat):
            for rule in RULES:
                states[rule], _, cpu = search(task, model, "two-phase-ample", candidates=rule)
                cpus[rule].append(cpu)
        (less, most), (fast, slow) = states.values(), map(median, cpus.values())
        ratios.append((most / less, slow / fast))
        rows.append(
            (
                task.case.label, task.formula or "safety", f"{less:,}", f"{most:,}",
                f"{most / less:.2f}", f"{fast:.2f}", f"{slow:.2f}", f"{slow / fast:.2f}",
            )
        )  # fmt: skip
    means = [f"{geometric_mean(part):.2f}" for part in zip(*ratios, strict=True)]
    rows.append(("geometric mean", "", "", "", means[0], "", "", means[1]))
    heads = ("model", "property", "states", "stubborn", "×", "CPU s", "stubborn", "×")
    print(table(heads, rows))


if __name__ == "__main__":
    run_as_command(main)
