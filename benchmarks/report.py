"""The results as text: the same tables on a terminal and in docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks import plot
from benchmarks.cases import CASES
from benchmarks.machine import Machine
from benchmarks.results import BIG, Results, Target
from benchmarks.table import geometric_mean, millions, table

DOCS = Path(__file__).parents[1] / "docs"
PROFILE = Path(__file__).with_name("profile.md")
WRITTEN = "<!-- Written by `make bench ARGS=--write-docs`; edit benchmarks/, not this file. -->"


def speed(results: Results) -> str:
    """The same states and transitions: how fast, and in how much memory."""
    rows = [
        (
            m.label,
            f"{m.whorl.states:,}",
            f"{m.whorl.transitions:,}",
            f"{m.repeats}",
            f"{m.whorl_vector}",
            f"{m.spin_vector}",
            m.store,
            millions(m.whorl.speed),
            millions(m.spin.speed),
            f"{m.speedup:.2f}",
            f"{m.whorl.bytes_per_state:.0f}",
            f"{m.spin.bytes_per_state:.0f}",
            f"{m.memory_ratio:.2f}",
        )
        for m in results.measured
    ]
    if results.big:
        rows.append(
            (
                "geometric mean",
                *("",) * 6,
                millions(geometric_mean(m.whorl.speed for m in results.big)),
                millions(geometric_mean(m.spin.speed for m in results.big)),
                f"{geometric_mean(m.speedup for m in results.big):.2f}",
                f"{geometric_mean(m.whorl.bytes_per_state for m in results.big):.0f}",
                f"{geometric_mean(m.spin.bytes_per_state for m in results.big):.0f}",
                f"{geometric_mean(m.memory_ratio for m in results.big):.2f}",
            )
        )
    headings = (
        "model", "states", "transitions", "runs", "vector", "Spin's", "store", "M trans./s",
        "Spin's", "×", "B/state", "Spin's", "×",
    )  # fmt: skip
    return table(headings, rows)


def defaults(results: Results) -> str:
    """Both with their default merging of steps: CPU seconds to the verdict."""
    rows = [
        (
            m.label,
            f"{m.whorl_default.states:,}",
            f"{m.spin_default.states:,}",
            f"{m.whorl_default.cpu:.2f}",
            f"{m.spin_default.cpu:.2f}",
            f"{m.speedup_default:.2f}",
        )
        for m in results.measured
    ]
    if results.big:
        mean = geometric_mean(m.speedup_default for m in results.big)
        rows.append(("geometric mean", *("",) * 4, f"{mean:.2f}"))
    return table(("model", "states", "Spin's", "CPU s", "Spin's", "×"), rows)


def tree(results: Results) -> str:
    """The compressed store beside the exact one."""
    rows = [
        (
            m.label,
            f"{m.whorl.states:,}",
            f"{m.whorl_vector}",
            f"{m.exact.bytes_per_state:.1f}",
            f"{m.tree.bytes_per_state:.1f}",
            f"{m.tree_bytes_per_state:.1f}",
            f"{m.tree_time_ratio:.2f}",
            f"{m.spin.cpu / m.tree.cpu:.2f}",
        )
        for m in results.measured
    ]
    if results.big:
        rows.append(
            (
                "geometric mean",
                "",
                "",
                f"{geometric_mean(m.exact.bytes_per_state for m in results.big):.1f}",
                f"{geometric_mean(m.tree.bytes_per_state for m in results.big):.1f}",
                f"{geometric_mean(m.tree_bytes_per_state for m in results.big):.1f}",
                f"{geometric_mean(m.tree_time_ratio for m in results.big):.2f}",
                f"{geometric_mean(m.spin.cpu / m.tree.cpu for m in results.big):.2f}",
            )
        )
    headings = (
        "model", "states", "vector", "exact: B/state", "tree: B/state", "in the store",
        "time × exact", "speed × Spin",
    )  # fmt: skip
    return table(headings, rows)


def small(results: Results) -> str:
    """From the model's text to the verdict, in seconds."""
    rows = [
        (
            s.name,
            *(f"{cost.wall:.2f}" for cost in (s.first, s.again, s.spin)),
            f"{s.first.wall / s.spin.wall:.2f}",
            *(f"{cost.cpu:.2f}" for cost in (s.first, s.again, s.spin)),
            f"{s.first.cpu / s.spin.cpu:.2f}",
        )
        for s in results.small
    ]
    headings = (
        "model", "wall: first", "again", "Spin", "first ×", "CPU: first", "again", "Spin", "first ×"
    )  # fmt: skip
    return table(headings, rows)


def limit(results: Results) -> str:
    """How far from one load from main memory a transition."""
    latency = results.machine.latency_ns
    rows = [
        (
            m.label,
            f"{1e9 / m.exact.speed:.0f}",
            f"{1e9 / m.exact.speed / latency:.2f}",
            f"{1e9 / m.tree.speed:.0f}",
            f"{1e9 / m.tree.speed / latency:.2f}",
            f"{1e9 / m.spin.speed:.0f}",
            f"{1e9 / m.spin.speed / latency:.2f}",
        )
        for m in results.big
    ]
    return table(("model", "exact: ns", "loads", "tree: ns", "loads", "Spin: ns", "loads"), rows)


def targets(found: list[Target]) -> str:
    marks = {True: "✓", False: "✗", None: "?"}
    rows = [(t.what, t.wanted, t.measured, marks[t.met]) for t in found]
    return table(("target", "wanted", "measured", "met"), rows)


def summary(found: list[Target]) -> str:
    """What was measured, without what was wanted: the page is for users."""
    return table(("", "measured"), [(t.what, t.measured) for t in found])


def machine(about: Machine) -> str:
    shared = (
        f" Other work shared the machine (load {about.load:.0f}): CPU seconds are more than on a"
        " quiet one, and differ from run to run."
    )
    return (
        f"{about.processor}, {about.cores} cores, {about.memory_gb} GB; {about.compiler}; "
        f"{about.spin}; whorl {about.whorl} on Python {about.python}; {about.date}. "
        f"A load from main memory takes {about.latency_ns:.0f} ns, or "
        f"{about.overlapped_ns:.0f} ns where as many as possible overlap."
        f"{shared if about.is_shared else ''}"
    )


def missing(results: Results) -> str:
    """Which cases the results leave out: the means are then not those of the whole set."""
    measured = {m.name for m in results.measured}
    left_out = [case.name for case in CASES if case.name not in measured]
    return f" Not measured, and so in no mean: {', '.join(left_out)}." if left_out else ""


def large(results: Results) -> str:
    found = results.large
    if found is None:
        return ""
    return (
        f"`{found.label}`, with `--store tree`: {found.states:,} states of {found.vector} bytes, "
        f"{found.transitions:,} transitions, complete in {found.cost.cpu:.0f} CPU seconds "
        f"({found.transitions / found.cost.cpu / 1e6:.1f} million transitions a second) and "
        f"{found.cost.memory_bytes / 1e9:.1f} GB: {found.store_bytes / found.states:.1f} bytes a "
        f"state in the store, {found.cost.memory_bytes / found.states:.1f} with everything."
    )


def terminal(results: Results) -> str:
    parts = [machine(results.machine) + missing(results)]
    if results.measured:
        parts += [
            "Every step by itself: the same states and transitions in both", speed(results),
            "Default merging of steps in both", defaults(results),
            "Compressed store", tree(results),
        ]  # fmt: skip
        if results.big:
            parts += ["Distance from one load from main memory a transition", limit(results)]
    if results.small:
        parts += ["Small models, end to end (seconds)", small(results)]
    if results.large:
        parts += ["Large", large(results)]
    parts += ["Targets", targets(results.targets())]
    return "\n\n".join(parts)


def _page(results: Results) -> Iterator[str]:
    yield f"# Benchmarks\n\n{WRITTEN}"
    yield (
        "whorl beside Spin, each measured by `make bench`. Runs of the two alternate; figures are "
        "medians of as many runs as the column `runs` says, of CPU time: user and system together."
        f"{missing(results)}"
    )
    yield machine(results.machine)
    yield (
        "## Summary\n\n"
        "`×` is a multiple of Spin's figure; of the tree's time, of the exact store's. `tree` is "
        "of models of 10 million states or more."
    )
    yield summary(results.targets())
    yield (
        "## Speed and memory\n\n"
        "A full search for safety violations that takes every step by itself, so that both see "
        "exactly the same states and transitions; the benchmark stops if they do not. Spin: "
        "`spin -o1 -o2 -o3 -a`, `cc -O2 -DSAFETY -DNOREDUCE -DNOCLAIM`, and `pan` with a `-w` that "
        "gives every state a slot and with the `-m` that the model needs. whorl: "
        "`whorl check --safety --no-merge --por none`, which needs neither, compiled with `-O2` as "
        "well, with the store that it takes by default: exact, and compressed as a tree. `vector` "
        "is the bytes of a state, `B/state` the peak memory of the whole process by the states. "
        "The models with "
        "Spin's own names are those that come with Spin, at the sizes given; the others are in "
        f"`benchmarks/models`. Models of less than {BIG:,} states count "
        "for the least and the most, not for the means."
    )
    yield f"![How many times faster than Spin, a bar a model](img/{plot.SPEED.name})"
    yield speed(results)
    yield f"![Memory as a share of Spin's, a bar a model](img/{plot.MEMORY.name})"
    yield (
        "## Default settings\n\n"
        "Both merge steps that nobody can notice (Spin also drops dead variables), each in its own "
        "way, so the states differ. What counts is the CPU time to the verdict; no partial-order "
        "reduction in either."
    )
    yield defaults(results)
    yield (
        "## Compressed store\n\n"
        "`--store tree` is exact too: a state is a pair of references into a shared tree. "
        "`B/state` is peak memory, and `in the store` what the states take of it: the rest is "
        "the stack."
    )
    yield tree(results)
    if results.large:
        yield f"### A hundred million states\n\n{large(results)}"
    if results.small:
        yield (
            "## Small models, end to end\n\n"
            "The examples, from the text to the verdict, in seconds: `whorl check` with nothing "
            "compiled before, the same again, and `spin -a` + `cc -O2` + `./pan`. whorl's time has "
            "the start of Python in it; its modules are compiled by Python, as in an installation."
        )
        yield small(results)
    yield (
        "## How far from the limit\n\n"
        "A successor's place in the table is at a random address, so a search that does not "
        "overlap its loads waits for main memory at least once a transition. `loads` is the time "
        "of a transition in such waits; below 1, they overlap."
    )
    yield limit(results)
    yield PROFILE.read_text(encoding="utf-8").strip()


def write_docs(results: Results) -> None:
    (DOCS / "benchmarks.md").write_text("\n\n".join(_page(results)) + "\n", encoding="utf-8")
    plot.write(results, DOCS / "img")
