"""The page and the plot of the benchmark of threads, from the lines that it printed with --json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import curves
from benchmarks.report import DOCS
from benchmarks.table import geometric_mean, table
from benchmarks.threads import Row

PAGE = "threads-figures.md"
PICTURE = "bench-threads.svg"
WRITTEN = (
    "<!-- Written by `python -m benchmarks threads --write-docs FILE ...`; edit benchmarks/, not"
    " this file. -->"
)


def read(files: Sequence[Path]) -> list[Row]:
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines if line.startswith("{")]


def _of(found: Row, what: str, digits: int = 2, scale: float = 1) -> str:
    return f"{found[what] / scale:.{digits}f}" if what in found else "–"


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
            *(f"{100 * found[what]:.1f}" for what in ("waited", "moved", "idle", "alone")),
        )
        for found in sorted(rows, key=lambda found: (_place(rows, found), found["threads"]))
    ]
    headings = (
        "model", "threads", "states", "M states/s", "ceiling", "share", "B/state", "memory",
        "waited %", "moved %", "idle %", "alone %",
    )  # fmt: skip
    return table(headings, cells)


def _place(rows: Sequence[Row], found: Row) -> int:
    return [row["name"] for row in rows].index(found["name"])


def spin_table(rows: Sequence[Row]) -> str:
    """A row for each model and way to search it."""
    cells = [
        (
            found["label"],
            found["way"],
            found["verdict"],
            "–" if found["states"] is None else f"{found['states']:,}",
            f"{found['wall']:.2f}",
            f"{found['cpu']:.2f}",
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
        panels.append(curves.Panel(here[0]["label"], "threads", lines))
    return curves.draw("Million states a second", " M/s", panels, 1.0)


def page(rows: Sequence[Row]) -> Iterator[str]:
    scale = [row for row in rows if row["kind"] == "scale" and "expected" not in row]
    large = [row for row in rows if "expected" in row]
    spin = [row for row in rows if row["kind"] == "spin"]
    yield "# Searches on several threads"
    yield WRITTEN
    for on in {json.dumps(row): row for row in rows if row["kind"] == "machine"}.values():
        yield (
            f"{on['processor']}, {on['cores']} cores, {on['memory_bytes'] / 2**30:.0f} GiB;"
            f" {on['date']}, load {on['load']:.1f} at the beginning."
        )
    if scale:
        yield (
            "The ceiling of N threads is what N searches on one thread do at the same time;"
            " `share` is how much of it is reached, `memory` is compared with one thread. Then, of"
            " the time of all threads: waiting at barriers, moving tables to larger ones, without"
            " work; and of the search's time: what one thread did before the others came."
        )
        yield scale_table(scale)
        shares = [row["ratio"] for row in scale if row["threads"] == 2 and "ratio" in row]
        if shares:
            mean = geometric_mean(shares)
            yield f"With 2 threads the geometric mean of the shares is {mean:.2f}."
        yield f"![States a second over threads, a panel a model](img/{PICTURE})"
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
    scale = [row for row in rows if row["kind"] == "scale" and "expected" not in row]
    (DOCS / PAGE).write_text("\n\n".join(page(rows)) + "\n", encoding="utf-8")
    (DOCS / "img" / PICTURE).write_text(picture(scale), encoding="utf-8")
