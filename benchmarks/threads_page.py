"""The page and the plot of the benchmark of threads, from the lines that it printed with --json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import curves
from benchmarks.report import DOCS
from benchmarks.table import geometric_mean, table
from benchmarks.threads import MOST_SECONDS, Row

PAGE = "threads-figures.md"
PICTURE = "bench-threads.svg"
LARGE = 10**7
WRITTEN = (
    "<!-- Written by `python -m benchmarks threads --write-docs FILE ...`; edit benchmarks/, not"
    " this file. -->"
)


def read(files: Sequence[Path]) -> list[Row]:
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")]


def _of(found: Row, what: str, digits: int = 2, scale: float = 1) -> str:
    return f"{found[what] / scale:.{digits}f}" if what in found else "–"


def _in_order(rows: Sequence[Row]) -> list[Row]:
    names = [row["name"] for row in rows]
    return sorted(rows, key=lambda found: (names.index(found["name"]), found["threads"]))


def scale_table(rows: Sequence[Row]) -> str:
    """A row for each model and number of threads."""
    cells = [
        (
            found["label"],
            f"{found['threads']}",
            f"{found['states']:,}",
            _of(found, "rate", 2, 1e6),
            _of(found, "ceiling", 2, 1e6),
            _of(found, "ratio"),
            f"{found['memory_bytes'] / found['states']:.1f}",
            (
                f"{found['memory_bytes'] / found['memory_bytes_alone']:.2f}"
                if "memory_bytes_alone" in found
                else "–"
            ),
        )
        for found in _in_order(rows)
    ]
    headings = ("model", "threads", "states", "M/s", "ceiling", "share", "B/state", "memory")
    return table(headings, cells)


def time_table(rows: Sequence[Row]) -> str:
    """What the time was spent on, but for the search itself, in hundredths."""
    spent = ("waited", "moved", "idle", "alone")
    cells = [
        (found["label"], f"{found['threads']}", *(f"{100 * found[what]:.1f}" for what in spent))
        for found in _in_order(rows)
    ]
    return table(("model", "threads", "waiting", "moving", "without work", "alone"), cells)


def beside_one_table(rows: Sequence[Row]) -> str:
    """A row for each formula and number of threads, beside one thread of the usual verifier."""
    cells = [
        (
            found["label"],
            f"{found['threads']}",
            f"{found['states']:,}",
            f"{found['seconds']:.2f}",
            f"{found['ratio']:.2f}",
            f"{found['cpu_seconds'] / found['cpu_seconds_alone']:.2f}",
            f"{found['memory_bytes'] / found['memory_bytes_alone']:.2f}",
            f"{100 * found['alone']:.1f}",
        )
        for found in _in_order(rows)
    ]
    headings = ("formula", "threads", "states", "s", "speed", "CPU s", "memory", "alone %")
    return table(headings, cells)


def spin_table(rows: Sequence[Row]) -> str:
    """A row for each model and way to search it."""
    cells = [
        (
            found["label"],
            found["way"],
            found["verdict"],
            "–" if found["states"] is None else f"{found['states']:,}",
            f"over {MOST_SECONDS:.0f}" if found["wall"] is None else f"{found['wall']:.2f}",
            "–" if found["cpu"] is None else f"{found['cpu']:.2f}",
        )
        for found in rows
    ]
    return table(("model", "search", "verdict", "states", "s", "CPU s"), cells)


def picture(rows: Sequence[Row]) -> str:
    """How fast each model is searched over the number of threads, and its ceiling."""
    panels = []
    for name in dict.fromkeys(row["name"] for row in rows):
        here = sorted((r for r in rows if r["name"] == name), key=lambda row: row["threads"])
        if len(here) < 2:
            continue
        reached = [(row["threads"], row["rate"] / 1e6) for row in here]
        ceiling = [(row["threads"], row["ceiling"] / 1e6) for row in here if "ceiling" in row]
        lines = [
            curves.Curve("threads", True, False, reached),
            curves.Curve("as many on one thread", False, True, ceiling),
        ]
        panels.append(curves.Panel(here[0]["label"], "threads", lines, doubled=True))
    return curves.draw("Million states a second", " M/s", panels, 1.0)


def _scale(rows: Sequence[Row], *, beside_one: bool) -> list[Row]:
    return [
        row
        for row in rows
        if row["kind"] == "scale"
        and "expected" not in row
        and row.get("beside_one", False) == beside_one
    ]


def _machines(rows: Sequence[Row]) -> Iterator[str]:
    """A line for each machine and day."""
    runs: dict[str, list[float]] = {}
    for on in rows:
        size = f"{on['memory_bytes'] / 2**30:.0f} GiB"
        what = f"{on['processor']}, {on['cores']} cores, {size}; {on['date']}"
        runs.setdefault(what, []).append(on["load"])
    for what, loads in runs.items():
        several = f"{min(loads):.1f} to {max(loads):.1f}" if len(loads) > 1 else f"{loads[0]:.1f}"
        yield f"{what}, load {several} at the beginning{' of a run' * (len(loads) > 1)}."


def page(rows: Sequence[Row]) -> Iterator[str]:
    scale, formulas = _scale(rows, beside_one=False), _scale(rows, beside_one=True)
    large = [row for row in rows if "expected" in row]
    spin = [row for row in rows if row["kind"] == "spin"]
    yield "# Searches on several threads"
    yield WRITTEN
    yield from _machines([row for row in rows if row["kind"] == "machine"])
    if scale:
        yield (
            "Million states a second. The ceiling of N threads is what N searches on one thread do"
            " at the same time; `share` is how much of it is reached. `memory` is compared with"
            " one thread."
        )
        yield scale_table(scale)
        shares = [
            row["ratio"]
            for row in scale
            if row["threads"] == 2 and "ratio" in row and row["states"] >= LARGE
        ]
        if shares:
            yield (
                f"With 2 threads the geometric mean of the shares is {geometric_mean(shares):.2f}"
                " on models of ten million states and more."
            )
        yield f"![States a second over threads, a panel a model](img/{PICTURE})"
        yield "## Where the time goes"
        yield (
            "In hundredths of the time of all threads: waiting at barriers, moving tables to larger"
            " ones, without work; and of the search's time: what one thread did before the others"
            " came."
        )
        yield time_table([*scale, *large])
    if formulas:
        yield "## Formulas that hold"
        yield (
            "Speed, CPU time and memory are compared with one search on one thread, alone on the"
            " machine, by the verifier that a check without threads has."
        )
        yield beside_one_table(formulas)
        most = max(row["threads"] for row in formulas)
        mean = geometric_mean([row["ratio"] for row in formulas if row["threads"] == most])
        yield f"With {most} threads the geometric mean of the speeds is {mean:.1f}."
    if large:
        yield "## More than a billion states"
        yield scale_table(large)
        yield " ".join(
            f"{row['name']}: {row['states']:,} states in {row['seconds']:.0f} s,"
            f" {row['memory_bytes'] / 2**30:.1f} GiB; {row['expected']:,} were expected."
            for row in large
        )
    if spin:
        yield "## Beside Spin's searches on several cores"
        yield (
            "`-DSEP_STATE` searches for each core by itself, and so stores states more than once;"
            " `-DBFS_PAR` stores hashes unless it has `-DNO_HC`. CPU seconds are those of all"
            " processes."
        )
        yield spin_table(spin)


def write(files: Sequence[Path]) -> None:
    rows = read(files)
    scale = _scale(rows, beside_one=False)
    (DOCS / PAGE).write_text("\n\n".join(page(rows)) + "\n", encoding="utf-8")
    (DOCS / "img" / PICTURE).write_text(picture(scale), encoding="utf-8")
