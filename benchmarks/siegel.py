"""Siegel's Figure 6: starvation freedom in Peterson's algorithm, with and without reduction.

    python -m benchmarks siegel [--quick] [--repeat N] [--only NAME ...] [--json FILE]
                                [--from-json FILE] [--write-docs]

The rows of the paper and ours, on two models of ours, because his is lost: what the paper printed,
what Spin does in the same run, and what whorl does. p says that process 0 is enabled; a run in
which it holds only finitely often is wrong (B3, and the same in SI normal form: B4).
`results/siegel.json` is what the page shows.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine, paper, run_as_command
from benchmarks.cases import OURS, Case
from benchmarks.grouped import Group, grouped
from benchmarks.report import DOCS
from benchmarks.report import machine as about
from benchmarks.searches import NOT_FOUND, Found, build, spin_search, typical, whorl_search
from benchmarks.spin import same
from benchmarks.table import table

PAGE = "siegel-figures.md"
PICTURE = "siegel-figure-6.svg"
RESULTS = paper.RESULTS / "siegel.json"

# Figure 4: B3, and B4, which is B3 in SI normal form.
B3 = """
never {
T0: do :: true :: !P -> goto accept_1 od;
accept_1: do :: !P od
}
"""
B4 = """
never {
S0: if :: !P -> goto S1 :: P -> goto S2 :: !P -> goto accept_3 fi;
S1: if :: !P -> goto S1 :: P -> goto S2 fi;
S2: if :: P -> goto S2 :: !P -> goto S1 :: !P -> goto accept_3 fi;
accept_3: if :: !P -> goto accept_3 fi
}
"""


@dataclass(frozen=True, slots=True)
class Published:
    """A row of Figure 6: Spin 6.4.9 on an Intel Xeon W-2145 with 3.7 GHz."""

    states: int
    transitions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """`spin` is what pan is compiled with; None where Spin has no such search."""

    automaton: str
    search: str
    options: Mapping[str, Any]
    spin: str | None = None
    published: Published | None = None

    @property
    def label(self) -> str:
        return f"{'B3' if self.automaton is B3 else 'B4'}, {self.search}"


FIG_4: Mapping[str, Any] = {"merge": False, "algorithm": "fig4"}
AS_SPIN = {**FIG_4, "por": "v0", "candidates": "local"}
ROWS = (
    Row(
        B3, "none", {**FIG_4, "por": "none"}, "-DNOREDUCE",
        Published(18_964_912, 116_510_960, 25.8),
    ),
    Row(B3, "v0 of local steps", AS_SPIN, "-DREDUCE", Published(4_742_982, 13_823_705, 3.6)),
    Row(B3, "v0", {**FIG_4, "por": "v0"}),
    Row(B3, "v1", {**FIG_4, "por": "v1"}),
    Row(B4, "v0 of local steps", AS_SPIN, "-DREDUCE", Published(4_719_514, 12_503_008, 3.4)),
    Row(B4, "v0", {**FIG_4, "por": "v0"}),
    Row(B4, "v1", {**FIG_4, "por": "v1"}),
    Row(B3, "si", {**FIG_4, "por": "si"}),
    Row(B3, "the default", {}),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Encoding:
    """A model of the algorithm: a process waits in so many tests of the others' levels."""

    name: str
    tests: int

    def text(self, processes: int) -> str:
        """The model, with P for "process 0 is enabled"."""
        text = Case(self.name, OURS / f"{self.name}.pml", 0, {"N": processes}).text()
        as_high = [f"level[{other}] >= level[0]" for other in range(1, processes)]
        if self.tests == 1:
            waits = f"user[0]@wait && ({' || '.join(as_high)})"
        else:
            half = processes // 2
            waits = (
                f"user[0]@wait1 && ({' || '.join(as_high[:half])})"
                f" || user[0]@wait2 && ({' || '.join(as_high[half:])})"
            )
        return f"{text}\n#define P (!(last[level[0]] == 0 && ({waits})))\n"


ENCODINGS = (Encoding("peterson", 1), Encoding("peterson_halves", 2))


@dataclass(frozen=True, slots=True)
class Measured:
    model: str
    row: str
    published: Published | None
    spin: Found | None
    whorl: Found


def measure(encoding: Encoding, processes: int, repeat: int) -> list[Measured]:
    """All rows of a model; Spin and whorl by turns."""
    text, label = encoding.text(processes), f"{encoding.name} N={processes}"
    return [_measure(label, text + row.automaton, row, repeat) for row in ROWS]


def _measure(label: str, text: str, row: Row, repeat: int) -> Measured:
    ours: list[Found] = []
    spins: list[Found] = []
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        pan = None if row.spin is None else build(text, Path(name), row.spin)
        while len(ours) < repeat:
            paper.say(f"{label}, {row.label}: run {len(ours) + 1}")
            ours.append(whorl_search(text, {"claim": "never", **row.options}))
            if pan is not None:
                spins.append(spin_search(pan, ["-a"], 2 * ours[0].depth))
    found = Measured(
        label, row.label, row.published, typical(spins) if spins else None, typical(ours)
    )
    _check(found, row)
    return found


def _check(found: Measured, row: Row) -> None:
    """What has to be the same, whatever the figures are."""
    expected = ("holds", NOT_FOUND) if row.automaton is B3 and "v" in row.search else ("holds",)
    if found.whorl.verdict not in expected or (found.spin and found.spin.verdict != "holds"):
        raise SystemExit(f"{found.model}, {found.row}: {found.whorl} and Spin {found.spin}")
    if found.spin and row.search == "none" and not same(found.spin.states, found.whorl.states):
        raise SystemExit(f"{found.model}, {found.row}: {found.whorl} and Spin {found.spin} differ")


# --- telling -------------------------------------------------------------------------------------


def results_table(measured: Sequence[Measured]) -> str:
    rows = []
    for m in measured:
        printed = ("",) * 3
        if m.published is not None:
            p = m.published
            printed = (f"{p.states:,}", f"{p.transitions:,}", f"{p.seconds:.1f}")
        rows.append((m.row, *printed, *_cells(m.spin), *_cells(m.whorl), m.whorl.verdict))
    headings = (
        "automaton, reduction", "printed: states", "transitions", "s", "Spin 6.5.2: states",
        "transitions", "CPU s", "whorl: states", "transitions", "CPU s", "verdict",
    )  # fmt: skip
    return table(headings, rows)


def _cells(found: Found | None) -> tuple[str, str, str]:
    if found is None:
        return "", "", ""
    return f"{found.states:,}", f"{found.transitions:,}", f"{found.cpu:.2f}"


def by_model(measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    models: dict[str, list[Measured]] = {}
    for m in measured:
        models.setdefault(m.model, []).append(m)
    return models


def cost_of_the_form(rows: Sequence[Measured]) -> str:
    """What SI normal form costs, in states: printed, by Spin, and by whorl."""
    found = {m.row: m for m in rows}
    b3, b4 = found["B3, v0 of local steps"], found["B4, v0 of local steps"]
    assert b3.published is not None
    assert b4.published is not None
    assert b3.spin is not None
    assert b4.spin is not None

    def share(after: int, before: int) -> str:
        return f"{(after / before - 1) * 100:+.1f} %"

    parts = [
        f"printed {share(b4.published.states, b3.published.states)}",
        f"Spin {share(b4.spin.states, b3.spin.states)}",
        f"v0 {share(found['B4, v0'].whorl.states, found['B3, v0'].whorl.states)}",
        f"v1 {share(found['B4, v1'].whorl.states, found['B3, v1'].whorl.states)}",
        f"si {share(found['B3, si'].whorl.states, found['B3, v1'].whorl.states)}",
    ]
    return f"{rows[0].model}: {', '.join(parts)}"


def picture(measured: Sequence[Measured]) -> str:
    groups = []
    for model, rows in by_model(measured).items():
        groups += [
            Group(
                f"{model.split()[0]}: {m.row}",
                (
                    None if m.published is None else m.published.states / 1e6,
                    None if m.spin is None else m.spin.states / 1e6,
                    m.whorl.states / 1e6,
                ),
            )
            for m in rows
        ]
    return grouped(
        "Siegel's Figure 6: stored states, in millions",
        ("printed", "Spin 6.5.2", "whorl"),
        groups,
    )


def page(measured: Sequence[Measured], on: machine.Machine, repeat: int) -> str:
    tables = "\n\n".join(
        f"## {model}\n\n{results_table(rows)}" for model, rows in by_model(measured).items()
    )
    costs = "\n".join(f"- {cost_of_the_form(rows)}" for rows in by_model(measured).values())
    return f"""# Siegel's Figure 6

{paper.written("siegel")}

[Siegel19], Figure 6, asks what reduction gains, and what SI normal form costs: starvation freedom
in Peterson's algorithm for five processes. p says that process 0 is enabled; the automaton accepts
the runs in which p holds only finitely often. That is
[B3, or B4 in SI normal form](explanation/stutter-invariance.md#si-normal-form). The printed figures
are those of Spin 6.4.9 on an Intel Xeon with 3.7 GHz.

**The model of the paper is lost, so the figures are not to be compared with the printed ones
one by one.** The paper does not say how a process waits, and the number of states depends on it.
There are two models here, both ours: in `peterson` one test reads the levels of all others, in
`peterson_halves` one test reads those of two of them, and the next those of the other two.

A row is a search of one and the same never claim by both. Spin: `spin -o1 -o2 -o3 -a`, `cc -O2`
with `-DNOREDUCE` or `-DREDUCE`, `pan -a`. whorl: `whorl check --claim never --no-merge --algorithm
fig4` with `--por none`, `v0`, `v1` or `si`; "of local steps" is `--candidates local`, which is what
Spin's reduction is. The last row is `whorl check --claim never` and nothing else. Without reduction
both store the same states; the benchmark stops if they do not. CPU seconds are medians of runs
that alternate; runs of each: {repeat}. v0 and v1 are
[not sound](explanation/reduction.md#the-schemes) on B3, which is not deterministic, so they end
without a verdict.

{about(on)}

![Stored states: printed, by Spin, and by whorl](img/{PICTURE})

{tables}

## What the normal form costs

Stored states of B4, or of B3 read in SI normal form (`si`), against those of B3 in the same search:

{costs}

[Siegel19]: bibliography.md#siegel19
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks siegel")
    options = paper.options(parser, [encoding.name for encoding in ENCODINGS], PAGE)
    processes = 3 if options.quick else 5
    measured: list[Measured] = []
    if options.from_json:
        on, repeat, measured = read(options.from_json)
    else:
        on, repeat = paper.machine(options), options.repeat
    for encoding in () if options.from_json else ENCODINGS:
        if options.only is None or encoding.name in options.only:
            measured += measure(encoding, processes, repeat)
            paper.save(options.json, on, repeat, measured)
    if on is None:
        print("small sizes; what is printed in the paper is for five processes\n")
    for model, rows in by_model(measured).items():
        print(model, results_table(rows), cost_of_the_form(rows), sep="\n\n", end="\n\n")
    if options.write_docs and on is not None:
        (DOCS / PAGE).write_text(page(measured, on, repeat), encoding="utf-8")
        (DOCS / "img" / PICTURE).write_text(picture(measured), encoding="utf-8")
        paper.save(RESULTS, on, repeat, measured)


def read(file: Path) -> tuple[machine.Machine | None, int, list[Measured]]:
    on, repeat, measured = paper.kept(file)
    return (
        on,
        repeat,
        [
            Measured(
                m["model"],
                m["row"],
                m["published"] and Published(**m["published"]),
                m["spin"] and Found(**m["spin"]),
                Found(**m["whorl"]),
            )
            for m in measured
        ],
    )


if __name__ == "__main__":
    run_as_command(main)
