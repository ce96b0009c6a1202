"""Table 1 of the Two phase paper, beside Spin 6.5.2 and whorl, all in one run.

    python -m benchmarks two_phase [--repeat N] [--only ROW ...] [--json FILE] [--write-docs]

Spin with its reduction; `dfs_po` and `pv` as the paper prints them; our `two-phase`; our default.
Every way by turns; and once with 64 MB, as in the paper. `--add FILE` puts the rows of this run
among those in a file, each whole in place of an older one, and the page says of which day the
others are; `--from-json FILE` shows a file and runs nothing. `results/two_phase.json` is what the
page shows.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import machine, run_as_command, two_phase_plot
from benchmarks.report import DOCS, WRITTEN
from benchmarks.report import machine as about
from benchmarks.table import table
from benchmarks.two_phase_runs import (
    MEMORY_MB,
    SECONDS,
    SMALL_MB,
    SPIN,
    TABLE_1,
    WAYS,
    Figures,
    Protocol,
    Row,
    measure,
)

PAGE = "two-phase-table.md"
RESULTS = Path(__file__).parent / "results" / "two_phase.json"
PICTURE = "bench-two-phase.svg"
NAMES = (SPIN, *(way.name for way in WAYS))
SELECTIVE = "pv, selective"
PROTOCOLS = {protocol.name: protocol for protocol in TABLE_1}
# dfs_po, Two phase with all states and with selective caching: each stores more than the next one
SHAPES = {
    "as it is printed": (SPIN, "pv, all", SELECTIVE),
    "as ours is": (SPIN, "two-phase, all", "two-phase, selective"),
}


def in_shape(row: Row, names: Sequence[str]) -> bool:
    """Whether the figures stand to each other as the published ones do (W5: the other way)."""
    protocol = PROTOCOLS[row.name]
    found = [row.ways[name].states for name in names]
    published = [states for states, _ in _columns(protocol)]
    return all(
        one is not None and two is not None and (one > two) == (p > q) and (one == two) == (p == q)
        for one, two, p, q in zip(found, found[1:], published, published[1:], strict=False)
    )


def _columns(protocol: Protocol) -> tuple[tuple[float, float], ...]:
    published = protocol.published
    return published.dfs_po, published.all, published.selective


# --- telling -------------------------------------------------------------------------------------


def states_table(rows: Sequence[Row]) -> str:
    headings = ("row", "published: dfs_po", "all", "selective", *_with_list(NAMES, "list"))
    return table(
        headings,
        [
            (
                row.name,
                *(f"{states:,.0f}" for states, _ in _columns(PROTOCOLS[row.name])),
                *_with_list(
                    [_count(row.ways[name].states) for name in NAMES],
                    _count(row.ways[SELECTIVE].listed),
                ),
            )
            for row in rows
        ],
    )


def _with_list(cells: Sequence[str], listed: str) -> list[str]:
    """The cells of all ways, and after that of pv's selective caching that of its list."""
    at = NAMES.index(SELECTIVE) + 1
    return [*cells[:at], listed, *cells[at:]]


def seconds_table(rows: Sequence[Row]) -> str:
    headings = ("row", "published: dfs_po", "all", "selective", *NAMES)
    return table(
        headings,
        [
            (
                row.name,
                *(f"{seconds:g}" for _, seconds in _columns(PROTOCOLS[row.name])),
                *(f"{row.ways[name].cpu:.2f}" for name in NAMES),
            )
            for row in rows
        ],
    )


def memory_table(rows: Sequence[Row]) -> str:
    return _by_way(rows, lambda row, name: f"{row.ways[name].memory_bytes / 1e6:.1f}")


def small_table(rows: Sequence[Row]) -> str:
    return _by_way(rows, lambda row, name: "–" if row.small[name].states is None else "✓")


def _by_way(rows: Sequence[Row], cell: Callable[[Row, str], str]) -> str:
    cells = [(row.name, *(cell(row, name) for name in NAMES)) for row in rows]
    return table(("row", *NAMES), cells)


def _count(states: int | None) -> str:
    return "–" if states is None else f"{states:,}"


def picture(rows: Sequence[Row]) -> str:
    shown = (*SHAPES["as it is printed"], "default")
    return two_phase_plot.draw(
        "Stored states, in the paper and today",
        ("dfs_po (Spin)", "Two phase as printed, all", "selective", "whorl's default"),
        [
            two_phase_plot.Line(
                row.name,
                [states for states, _ in _columns(PROTOCOLS[row.name])],
                [row.ways[name].states for name in shown],
            )
            for row in rows
        ],
    )


def shape(rows: Sequence[Row]) -> str:
    """In which rows the order of the columns is the paper's, in sentences."""
    said = []
    for kind, names in SHAPES.items():
        not_so = [row.name for row in rows if not in_shape(row, names)]
        so = len(rows) - len(not_so)
        but = f"; not in {', '.join(not_so)}" if not_so else ""
        said.append(
            f"With Two phase {kind}, the order is the published one in {so} of {len(rows)}"
            f" rows{but}."
        )
    return " ".join(said)


def page(rows: Sequence[Row], on: machine.Machine) -> Iterator[str]:
    most = max(row.repeats for row in rows)
    runs = "of one run" if most == 1 else f"medians of up to {most} runs, which alternate"
    rebuilt = [row.name for row in rows if PROTOCOLS[row.name].rebuilt]
    left_out = [name for name in PROTOCOLS if name not in {row.name for row in rows}]
    yield "# Table 1 of the Two phase paper"
    yield WRITTEN.replace("make bench ARGS=", "python -m benchmarks two_phase ")
    yield (
        "Nalumasu and Gopalakrishnan compare their algorithm with `dfs_po`, the reduction with the"
        " proviso that Spin has, on eleven protocols ([NG98], Table 1). This is their table, with"
        " their figures, and with those of Spin and of whorl today."
    )
    yield (
        f"Only Pftp and Snoopy are the paper's models: they come with Spin. The others are lost;"
        f" those that stand here for {', '.join(rebuilt)} are rebuilt in `benchmarks/models` from"
        " what the paper says of them and from what is commonly known of such protocols. Each of"
        " these has a flaw to switch on (`-DBROKEN`, as its head comment says; three in the model"
        " of WA, UPO and ROWO), which whorl and Spin find (`tests/differential/test_table_1.py`,"
        " `test_runway.py`). B5 and W5 are described completely. Of all but these two and those"
        " that come with Spin the figures themselves cannot be compared with the published ones;"
        " their order can: dfs_po stores more than Two phase, and that more than its selective"
        " caching. In W5 dfs_po stores least, and in Pftp less than Two phase with all states, in"
        " the paper too."
    )
    if left_out:
        yield f"Not measured: {', '.join(left_out)}."
    older = [f"{row.name} ({row.date})" for row in rows if row.date != on.date]
    yield about(on) + (f" Of earlier runs: {', '.join(older)}." if older else "")
    yield "## Stored states"
    yield shape(rows)
    yield f"![Stored states of each row, on a scale of powers of ten](img/{PICTURE})"
    yield states_table(rows)
    yield (
        f"Spin: `spin -o2 -o3 -a`, `cc -O2 -DNOCLAIM`, `pan -c0 -n`, with `-E` for Pftp and Snoopy,"
        " so without merging of steps and resetting of dead variables. `dfs_po` is Figure 3 of"
        " the paper, `pv` Figure 5 as they are printed (`whorl check --safety --no-merge --por"
        " dfs_po`, `--por pv`); `two-phase` is ours, whose phase 1 is a function of the state."
        " Spin's reduction is not quite Figure 3: it takes the steps of a set before it refuses the"
        " set, and keeps what they lead to; and it may take other steps for safe"
        " ([its rule](explanation/reduction.md#spins-rule)). So its figure is near that of"
        " `dfs_po`, and seldom the same."
        ' `selective` counts the states that are kept, in Vr. The paper counts those "entered in Vr'
        ' or list": `list` is how large the list of a phase 1 was at most, with the state where it'
        " begins (`largest_list` of `--json`); the next one uses its memory again. `default` is"
        " `whorl check --safety`, which merges steps. A dash is a search that took more than"
        f" {MEMORY_MB} MB or {SECONDS} s. Every verdict is that nothing is violated."
    )
    yield "## CPU seconds"
    yield (
        "The published seconds are those of an Ultra-SPARC-1. Those measured are of the search"
        f" alone, user and system together, {runs}."
    )
    yield seconds_table(rows)
    yield "## Memory"
    yield "The most that the process had resident, in MB."
    yield memory_table(rows)
    yield f"## With {SMALL_MB} MB"
    yield (
        f"Which searches come to their end with {SMALL_MB} MB (`-DMEMLIM={SMALL_MB}`, with"
        f" `-m` no larger than the search needs and `-w16`; `--memory {SMALL_MB}M`). In the paper"
        " dfs_po does not for SC4 and Inv."
    )
    yield small_table(rows)
    yield "[NG98]: bibliography.md#ng98"


def main() -> None:
    options = _options()
    missing = [tool for tool in ("spin", "cc") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    kept = options.from_json or options.add
    rows = list[Row]()
    if kept is not None and (options.from_json or kept.exists()):
        on, rows = read(kept)
    if not options.from_json:
        on = machine.look()
        with tempfile.TemporaryDirectory(prefix="whorl-bench-cache-") as cache:
            os.environ.setdefault("WHORL_CC", "cc -O2")
            os.environ["WHORL_CACHE"] = cache
            for protocol in _chosen(options.only):
                rows = merge(rows, measure(protocol, options.repeat))
                if options.json or options.add:
                    write(on, rows, options.json or options.add)
    print(states_table(rows), seconds_table(rows), small_table(rows), shape(rows), sep="\n\n")
    if options.write_docs:
        (DOCS / "img" / PICTURE).write_text(picture(rows), encoding="utf-8")
        (DOCS / PAGE).write_text("\n\n".join(page(rows, on)) + "\n", encoding="utf-8")
        write(on, rows, RESULTS)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks two_phase")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each (3)")
    parser.add_argument("--only", nargs="*", metavar="ROW", help=f"of {', '.join(PROTOCOLS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there")
    parser.add_argument("--add", type=Path, metavar="FILE", help="add the results to those there")
    parser.add_argument("--from-json", type=Path, metavar="FILE", help="show those; run nothing")
    parser.add_argument("--write-docs", action="store_true", help=f"write docs/{PAGE}")
    options = parser.parse_args()
    unknown = set(options.only or ()) - set(PROTOCOLS)
    if unknown:
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    return options


def _chosen(only: Sequence[str] | None) -> Iterator[Protocol]:
    for protocol in TABLE_1:
        if only is not None and protocol.name not in only:
            continue
        if protocol.case.path.exists():
            yield protocol
        else:
            print(f"{protocol.name}: {protocol.case.path} is not there", file=sys.stderr)


def merge(rows: Sequence[Row], new: Row) -> list[Row]:
    """The rows with the new one in its place."""
    order = list(PROTOCOLS)
    return sorted(
        [*(row for row in rows if row.name != new.name), new], key=lambda r: order.index(r.name)
    )


def write(on: machine.Machine, rows: Sequence[Row], file: Path) -> None:
    kept = {"machine": asdict(on), "rows": [asdict(row) for row in rows]}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def read(file: Path) -> tuple[machine.Machine, list[Row]]:
    kept = json.loads(file.read_text(encoding="utf-8"))
    rows = [
        Row(
            row["name"],
            row["label"],
            row["repeats"],
            {name: Figures(**figures) for name, figures in row["ways"].items()},
            {name: Figures(**figures) for name, figures in row["small"].items()},
            row["date"],
        )
        for row in kept["rows"]
    ]
    return machine.Machine(**kept["machine"]), rows


if __name__ == "__main__":
    run_as_command(main)
