"""What Holzmann, Peled and Yannakakis say of nested searches, measured.

    python -m benchmarks hpy [--quick] [--repeat N] [--only NAME ...] [--json FILE]
                             [--from-json FILE] [--write-docs]

"On nested depth first search" (1996) has no tables, but says which of its searches is better.
Section 6: cycles without progress, by Figure 5 and by the automaton of Figure 6 and Figure 4, which
can be reduced. Section 5.1: the second search ends on the first one's stack, or at the seed.
Section 5.2: what the second search is told of the first one's choices. --write-docs keeps what the
page shows in `results/hpy.json`.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine, paper, run_as_command
from benchmarks.cases import OURS, SPINS, Case
from benchmarks.grouped import Group, grouped
from benchmarks.report import DOCS
from benchmarks.report import machine as about
from benchmarks.searches import NOT_FOUND, Found, build, spin_search, typical, whorl_search
from benchmarks.spin import same
from benchmarks.table import table

PAGE = "hpy-figures.md"
PICTURE = "hpy-section-6.svg"
RESULTS = paper.RESULTS / "hpy.json"


@dataclass(frozen=True, slots=True)
class Model:
    """A model; `progress` is the text that gets a progress label, where it has none."""

    case: Case
    progress: str | None = None

    @property
    def label(self) -> str:
        return self.case.label

    def text(self) -> str:
        text = re.sub(r"^ltl\b.*$", "", self.case.text(), flags=re.MULTILINE)
        if self.progress is None:
            return text
        assert text.count(self.progress) == 1, self.progress
        return text.replace(self.progress, f"progress: {self.progress}")


# Models without a cycle that has no progress.
HOLD = (
    Model(Case("leader_trace", SPINS / "leader_trace.pml", 0)),
    Model(Case("sort", SPINS / "sort.pml", 0, {"N": 6})),
    Model(Case("diskhead", SPINS / "LTL/diskhead.pml", 0)),
    Model(Case("peterson", OURS / "peterson.pml", 0, {"N": 4}), "inside++"),
    Model(Case("petersonN", SPINS / "LTL/petersonN.pml", 0, {"N": 3}), "cs:"),
    Model(
        Case("bounded_buffer", OURS / "bounded_buffer.pml", 0, {"P": 2, "C": 2, "V": 2}),
        "signal(items);",
    ),
)
# Models that have one.
VIOLATED = (
    Model(Case("ring_election", OURS / "ring_election.pml", 0, {"N": 5})),
    Model(Case("szymanski", OURS / "szymanski.pml", 0, {"N": 3, "R": 2})),
    Model(Case("cambridge", SPINS / "cambridge.pml", 0)),
    Model(Case("mobile1", SPINS / "LTL/mobile1.pml", 0)),
    Model(Case("mobile2", SPINS / "LTL/mobile2.pml", 0)),
    Model(Case("hajek", SPINS / "hajek.pml", 0)),
)
# Of those without one, where less is enough to see what is so.
STACK_HOLDS = [model for model in HOLD if model.case.name in ("leader_trace", "diskhead")]
KEPT_HOLDS = [model for model in HOLD if model.case.name in ("diskhead", "petersonN")]
FORGETFUL = Model(Case("forgetful", OURS / "forgetful.pml", 0))
QUICK = ("diskhead", "cambridge", "forgetful")

NON_PROGRESS: Mapping[str, Any] = {"non_progress": True, "merge": False}
# As for Figure 5, a run that stops is none; pan stores as many states with or without them.
BY_AUTOMATON = {**NON_PROGRESS, "algorithm": "fig4", "infinite_runs": True}
SECTION_6: Mapping[str, Mapping[str, Any]] = {
    "fig5": {**NON_PROGRESS, "algorithm": "fig5"},
    "fig4": {**BY_AUTOMATON, "por": "none"},
    "v0 of local steps": {**BY_AUTOMATON, "por": "v0", "candidates": "local"},
    "si": {**BY_AUTOMATON, "por": "si"},
    "default": {"non_progress": True, "algorithm": "fig4"},
}
PAN = {"full": "-DNOREDUCE", "reduced": "-DREDUCE"}
ALTERNATES: Mapping[str, Any] = {"ltl": "<>[] !p || <>[] p", "merge": False, "por": "v1"}
KEEPS = ("nothing", "bit", "number")


@dataclass(frozen=True, slots=True)
class Progress:
    """Section 6 of a model that has progress on every cycle."""

    model: str
    whorl: Mapping[str, Found]
    spin: Mapping[str, Found]

    @property
    def ratio(self) -> float:
        """How many times the states of Figure 5 the automaton of Figure 6 takes."""
        return self.whorl["fig4"].states / self.whorl["fig5"].states


@dataclass(frozen=True, slots=True)
class StackTest:
    """Section 5.1 of a model: Figure 2 and Figure 4 look for a cycle without progress."""

    model: str
    fig2: Found
    fig4: Found
    spin: Found


@dataclass(frozen=True, slots=True)
class Kept:
    """Section 5.2 of a model: what is found, by what is kept."""

    model: str
    search: str
    found: Mapping[str, Found]


@dataclass(frozen=True, slots=True)
class Results:
    progress: tuple[Progress, ...]
    stack: tuple[StackTest, ...]
    kept: tuple[Kept, ...]


def progress(model: Model, repeat: int) -> Progress:
    text, label = model.text(), model.label
    runs: dict[str, list[Found]] = {name: [] for name in (*SECTION_6, *PAN)}
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as folder:
        pans = {n: build(text, Path(folder) / n, "-DNP", how) for n, how in PAN.items()}
        for number in range(repeat):
            paper.say(f"{label}, section 6: run {number + 1}")
            for name, options in SECTION_6.items():
                runs[name].append(whorl_search(text, options))
            for name, pan in pans.items():
                runs[name].append(spin_search(pan, ["-l"]))
    found = {name: typical(each) for name, each in runs.items()}
    measured = Progress(label, {n: found[n] for n in SECTION_6}, {n: found[n] for n in PAN})
    _check_progress(measured)
    return measured


def _check_progress(m: Progress) -> None:
    """What has to be so: the verdict, the bound of section 6, and the states of pan."""
    both = {**m.whorl, **m.spin}
    wrong = [n for n, f in both.items() if f.verdict not in ("holds", NOT_FOUND)]
    if wrong or m.ratio > 2 or not same(m.spin["full"].states, m.whorl["fig4"].states):
        raise SystemExit(f"benchmarks: {m}")


def stack_test(model: Model) -> StackTest:
    text, label = model.text(), model.label
    paper.say(f"{label}, section 5.1")
    fig2, fig4 = (
        whorl_search(text, {**BY_AUTOMATON, "por": "none", "algorithm": algorithm})
        for algorithm in ("fig2", "fig4")
    )
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as folder:
        pan = build(text, Path(folder), "-DNP", "-DNOREDUCE")
        measured = StackTest(label, fig2, fig4, spin_search(pan, ["-l"]))
    one_search = fig2.transitions == fig4.transitions or fig2.verdict == "violated"
    if len({fig2.verdict, fig4.verdict, measured.spin.verdict}) > 1 or not one_search:
        raise SystemExit(f"benchmarks: {measured}")
    return measured


def kept(model: Model, search: str, options: Mapping[str, Any]) -> Kept:
    paper.say(f"{model.label}, {search}, section 5.2")
    text = model.text()
    return Kept(
        model.label, search, {keep: whorl_search(text, {**options, "keep": keep}) for keep in KEEPS}
    )


def measure(names: Sequence[str] | None, repeat: int) -> Results:
    """Everything, or what there is to the models of these names."""

    def chosen(models: Sequence[Model]) -> list[Model]:
        return [m for m in models if names is None or m.case.name in names]

    of_section_5_2 = [
        kept(model, f"v1, {algorithm}", {**ALTERNATES, "algorithm": algorithm})
        for model in chosen([FORGETFUL])
        for algorithm in ("fig2", "fig4")
    ] + [
        kept(model, f"si, {algorithm}", {**SECTION_6["si"], "algorithm": algorithm})
        for model in chosen(KEPT_HOLDS)
        for algorithm in ("fig2", "fig4")
    ]
    return Results(
        tuple(progress(model, repeat) for model in chosen(HOLD)),
        tuple(stack_test(model) for model in chosen((*VIOLATED, *STACK_HOLDS))),
        tuple(of_section_5_2),
    )


# --- telling -------------------------------------------------------------------------------------


def states_table(rows: Sequence[Progress]) -> str:
    cells = [
        (
            m.model,
            f"{m.whorl['fig5'].states:,}",
            f"{m.whorl['fig4'].states:,}",
            f"{m.spin['full'].states:,}",
            f"{m.ratio:.2f}",
            f"{m.whorl['v0 of local steps'].states:,}",
            f"{m.spin['reduced'].states:,}",
            f"{m.whorl['si'].states:,}",
            f"{m.whorl['default'].states:,}",
        )
        for m in rows
    ]
    headings = (
        "model", "Fig. 5", "Fig. 4 and 6", "Spin's", "×", "Fig. 4, v0 of local steps", "Spin's",
        "Fig. 4, si", "Fig. 4, the default",
    )  # fmt: skip
    return table(headings, cells)


def effort_table(rows: Sequence[Progress]) -> str:
    """Transitions and CPU seconds of the same searches."""

    def cell(found: Found) -> str:
        return f"{found.transitions:,} ({found.cpu:.2f})"

    cells = [
        (
            m.model,
            *(cell(m.whorl[name]) for name in ("fig5", "fig4")),
            cell(m.spin["full"]),
            cell(m.whorl["v0 of local steps"]),
            cell(m.spin["reduced"]),
            *(cell(m.whorl[name]) for name in ("si", "default")),
        )
        for m in rows
    ]
    headings = (
        "model", "Fig. 5", "Fig. 4 and 6", "Spin's", "Fig. 4, v0 of local steps", "Spin's",
        "Fig. 4, si", "Fig. 4, the default",
    )  # fmt: skip
    return table(headings, cells)


def stack_table(rows: Sequence[StackTest]) -> str:
    def steps(found: Found) -> str:
        return "" if found.lasso is None else f"{found.lasso}"

    cells = [
        (
            m.model,
            f"{m.fig2.states:,}",
            f"{m.fig4.states:,}",
            f"{m.spin.states:,}",
            f"{m.fig2.transitions:,}",
            f"{m.fig4.transitions:,}",
            f"{m.spin.transitions:,}",
            steps(m.fig2),
            steps(m.fig4),
            m.fig4.verdict,
        )
        for m in rows
    ]
    headings = (
        "model", "Fig. 2: states", "Fig. 4", "Spin's", "Fig. 2: transitions", "Fig. 4", "Spin's",
        "Fig. 2: steps", "Fig. 4", "verdict",
    )  # fmt: skip
    return table(headings, cells)


def kept_table(rows: Sequence[Kept]) -> str:
    def cell(found: Found) -> str:
        verdict = "nothing found" if found.verdict == NOT_FOUND else found.verdict
        return f"{found.states:,}, {verdict}"

    cells = [(m.model, m.search, *(cell(m.found[keep]) for keep in KEEPS)) for m in rows]
    return table(("model", "search", "nothing", "one bit", "a number"), cells)


def text(found: Results) -> str:
    """The tables, as a terminal shows them."""
    parts = []
    if found.progress:
        parts += ["Section 6: states", states_table(found.progress)]
        parts += ["Section 6: transitions (CPU s)", effort_table(found.progress)]
    if found.stack:
        parts += ["Section 5.1: the stack test", stack_table(found.stack)]
    if found.kept:
        parts += ["Section 5.2: what is kept of a choice", kept_table(found.kept)]
    return "\n\n".join(parts)


def picture(rows: Sequence[Progress]) -> str:
    groups = []
    for m in rows:
        full = m.whorl["fig5"].states
        groups += [
            Group(f"{m.model}: Fig. 4 and 6", _shares(full, m.spin["full"], m.whorl["fig4"])),
            Group("as in Spin", _shares(full, m.spin["reduced"], m.whorl["v0 of local steps"])),
            Group("si", _shares(full, None, m.whorl["si"])),
            Group("the default", _shares(full, None, m.whorl["default"])),
        ]
    title = "Cycles without progress: states of Figure 4, as multiples of Figure 5's"
    return grouped(title, ("", "Spin 6.5.2", "whorl"), groups, "×")


def _shares(full: int, spin: Found | None, ours: Found) -> tuple[float | None, ...]:
    return None, None if spin is None else spin.states / full, ours.states / full


def page(found: Results, on: machine.Machine, repeat: int) -> str:
    worst = max(found.progress, key=lambda m: m.ratio)
    fewer = sum(m.spin["reduced"].states < m.whorl["fig5"].states for m in found.progress)
    return f"""# Nested searches

{paper.written("hpy")}

[HPY96] compares its searches in words, and has no tables; here are figures. The searches are
[explained elsewhere](explanation/product.md#the-searches). Both tools take every step by itself
(`spin -o1 -o2 -o3 -a`, `whorl check --no-merge`), but for the column of the default.

{about(on)}

## Cycles without progress (section 6)

"The addition of the two-state non-progress automaton can in the worst case double the memory
requirements", and "a reduced search based on Figure 4 should in almost all cases outperform an
exhaustive search based on Figure 5". Figure 5 is `whorl check --non-progress --algorithm fig5`.
Figure 4 with the automaton of Figure 6 is `--algorithm fig4 --infinite-runs --por none`, and in
Spin `-DNP -DNOREDUCE`, `pan -l`. With reduction it is `--por v0 --candidates local`, which is what
Spin's reduction is (`-DNP`), `--por si`, and `whorl check --non-progress --algorithm fig4`. `v0` is
[not sound](explanation/reduction.md#the-schemes) with this automaton: it ends without a verdict.
All models have progress on every cycle, or no cycle; `peterson`, `petersonN` and `bounded_buffer`
got a progress label: in the critical section, and where an item is put into the buffer.

The benchmark stops if Figure 4 without reduction does not store what Spin stores, or more than
twice what Figure 5 does. The most here is {worst.ratio:.3f} times ({worst.model}). Without
`--infinite-runs` a few states in which runs have stopped come on top.

Stored states:

{states_table(found.progress)}

Of these {len(found.progress)} models Spin's reduced search stores fewer states than Figure 5 of
{fewer}.

![States of Figure 4 as multiples of Figure 5's](img/{PICTURE})

Transitions, by both searches, and in brackets CPU seconds: medians; runs of each: {repeat}.

{effort_table(found.progress)}

On leader_trace whorl stores more than Spin does because operations that a trace assertion looks at
[depend on each other](explanation/reduction.md#where-spin-stores-less).

## With and without the stack test (section 5.1)

The second search of Figure 4 ends where it meets the stack of the first one, that of Figure 2 at
its seed alone. "It improves the performance of the algorithm, and it allows for shorter
counter-examples to an invalid correctness claim to be generated." Without reduction, with the
automaton of Figure 6; steps are those of the counterexample as it was found (`--no-shorten`).

{stack_table(found.stack)}

Where nothing is violated the two are one search. Where something is, the transitions of the second
search that finds it are saved.

## What is kept of a choice (section 5.2)

With a reduction that looks at the stack the second search has to be told what the first one chose:
by a selection number (`--keep number`), or by one bit, for which only the first candidate is tried
(`--keep bit`). With `--keep nothing` it chooses anew, so no verdict that a property holds rests on
it. The states that are stored, and what comes of it; `forgetful` violates `{ALTERNATES["ltl"]}`.

{kept_table(found.kept)}

In `forgetful` Figure 2 misses the violation without a remedy, and Figure 4 does not. The stack test
alone is no remedy for all models, however: the paper's own example of section 5.2 is a test
(`tests/search/test_cycles.py`). Both engines keep a byte a state, also for one bit.

[HPY96]: bibliography.md#hpy96
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks hpy")
    names = [model.case.name for model in (*HOLD, *VIOLATED, FORGETFUL)]
    options = paper.options(parser, names, PAGE)
    if options.from_json:
        on, repeat, found = read(options.from_json)
    else:
        on, repeat = paper.machine(options), options.repeat
        found = measure(options.only or (QUICK if options.quick else None), repeat)
        save(options.json, on, repeat, found)
    print(text(found))
    if options.write_docs and on is not None:
        (DOCS / PAGE).write_text(page(found, on, repeat), encoding="utf-8")
        (DOCS / "img" / PICTURE).write_text(picture(found.progress), encoding="utf-8")
        save(RESULTS, on, repeat, found)


def save(file: Path | None, on: machine.Machine | None, repeat: int, found: Results) -> None:
    paper.save(file, on, repeat, [*found.progress, *found.stack, *found.kept])


def read(file: Path) -> tuple[machine.Machine | None, int, Results]:
    on, repeat, measured = paper.kept(file)

    def by_name(found: Mapping[str, Any]) -> dict[str, Found]:
        return {name: Found(**figures) for name, figures in found.items()}

    return (
        on,
        repeat,
        Results(
            tuple(
                Progress(m["model"], by_name(m["whorl"]), by_name(m["spin"]))
                for m in measured
                if "whorl" in m
            ),
            tuple(
                StackTest(m["model"], *(Found(**m[name]) for name in ("fig2", "fig4", "spin")))
                for m in measured
                if "fig2" in m
            ),
            tuple(
                Kept(m["model"], m["search"], by_name(m["found"]))
                for m in measured
                if "search" in m
            ),
        ),
    )


if __name__ == "__main__":
    run_as_command(main)
