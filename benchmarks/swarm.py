"""Swarms: time to the first violation of ten faults, beside Spin's own swarm.

    python -m benchmarks swarm [--only NAME ...] [--repeat N] [--workers N] [--seconds S]
                               [--json FILE] [--show FILE] [--write-docs]

Both begin with the text of a model and nothing compiled. They take turns, run after run, with
another seed each time. CPU time is that of everything: translation, compilers and searches, those
that were ended among them. A run that has spent S seconds of it has found nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import machine, run_as_command
from benchmarks.spin_swarm import SpinSwarm, SwarmCost, spent_by
from benchmarks.swarm_faults import FAULTS, Fault
from whorl.figures import counted

TOOLS = ("whorl", "Spin")
DOCS = Path(__file__).parents[1] / "docs" / "swarm.md"
BEGIN, END = "<!-- table: swarms -->\n", "<!-- end of table -->"


@dataclass(frozen=True, slots=True)
class Measured:
    """The runs of both tools on a fault, in turn."""

    fault: str
    about: str
    whorl: tuple[SwarmCost, ...]
    spin: tuple[SwarmCost, ...]


def of_whorl(fault: Fault, seed: int, workers: int, seconds: float) -> SwarmCost:
    """A swarm of whorl's, with nothing in its cache."""
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        model = Path(name) / "model.pml"
        model.write_text(fault.text(), encoding="utf-8")
        words = ["--json", "--workers", str(workers), "--seed", str(seed), str(model)]
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "whorl", "swarm", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**_users(), "WHORL_CACHE": name},
        )
        watch = threading.Thread(target=_end_at, args=(process.pid, seconds), daemon=True)
        watch.start()
        assert process.stdout is not None
        swarm = json.loads(process.stdout.read())["swarm"]
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return SwarmCost(
        swarm["found_by"] is not None,
        time.monotonic() - started,
        usage.ru_utime + usage.ru_stime,
        swarm["cpu_seconds"],
        swarm["searches"] + swarm["cut"],
    )


def _users() -> dict[str, str]:
    """The environment without the compiler that measurements name: a user has the quick one."""
    return {name: value for name, value in os.environ.items() if name != "WHORL_CC"}


def _end_at(pid: int, seconds: float) -> None:
    """Asks a command to end once it and what it has started have spent so much CPU time."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    with contextlib.suppress(OSError):
        while spent_by(pid) + sum(spent_by(int(c)) for c in children.read_text().split()) < seconds:
            time.sleep(0.05)
        os.kill(pid, signal.SIGTERM)  # a shell may have it ignore a Ctrl-C


def of_spin(fault: Fault, seed: int, workers: int, seconds: float) -> SwarmCost:
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        return SpinSwarm(Path(name), fault.text(), workers).run(seed, seconds)


def measure(fault: Fault, repeat: int, workers: int, seconds: float) -> Measured:
    runs: tuple[list[SwarmCost], list[SwarmCost]] = ([], [])
    for turn in range(repeat):
        tools = ((of_whorl, runs[0]), (of_spin, runs[1]))
        for tool, costs in tools if turn % 2 == 0 else reversed(tools):
            costs.append(tool(fault, turn + 1, workers, seconds))
            found = "found" if costs[-1].found else "not found"
            print(f"{fault.name}: {tool.__name__[3:]}: {found}, {costs[-1].cpu:.2f} s CPU",
                  file=sys.stderr, flush=True)  # fmt: skip
    return Measured(fault.name, fault.about, tuple(runs[0]), tuple(runs[1]))


def table(measured: Sequence[Measured]) -> Iterator[str]:
    """The rows of the page; a time where nothing was found is a bound from below."""
    yield (
        "| fault | found: whorl, Spin | CPU s: whorl | Spin | of these, searching: whorl | Spin"
        " | wall s: whorl | Spin |"
    )
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for each in measured:
        found = ", ".join(
            f"{sum(cost.found for cost in costs)} of {len(costs)}"
            for costs in (each.whorl, each.spin)
        )
        cells = [
            f"{_middle(costs, what):.2f}"
            for what in ("cpu", "searching", "wall")
            for costs in (each.whorl, each.spin)
        ]
        yield f"| `{each.fault}` | {found} | {' | '.join(cells)} |"
    means = [f"{ratio(measured, what):.2f}" for what in ("cpu", "searching", "wall")]
    yield f"| Spin's by whorl's, geometric mean | | {' | | '.join(means)} | |"


def ratio(measured: Sequence[Measured], what: str) -> float:
    """The geometric mean over the faults of Spin's median by whorl's."""
    logarithms = [
        math.log(max(_middle(each.spin, what), 0.001) / max(_middle(each.whorl, what), 0.001))
        for each in measured
    ]
    return math.exp(statistics.fmean(logarithms))


def _middle(costs: Sequence[SwarmCost], what: str) -> float:
    return float(statistics.median(getattr(cost, what) for cost in costs))


def faults(measured: Sequence[Measured]) -> Iterator[str]:
    yield "| fault | what it is |"
    yield "|---|---|"
    yield from (f"| `{each.fault}` | {each.about} |" for each in measured)


def page(measured: Sequence[Measured], about: str) -> str:
    """The page with today's table."""
    text = DOCS.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    rows = "\n".join([about, "", *table(measured), "", *faults(measured)])
    return f"{head}{BEGIN}\n{rows}\n\n{END}{tail}"


def main() -> None:
    options = _options()
    measured = kept(options.show) if options.show else _measured(options)
    print("\n".join(table(measured)))
    if options.write_docs:
        DOCS.write_text(page(measured, _about(options, len(measured[0].whorl))), encoding="utf-8")


def _measured(options: argparse.Namespace) -> list[Measured]:
    measured = []
    for fault in FAULTS:
        if options.only and fault.name not in options.only:
            continue
        measured.append(measure(fault, options.repeat, options.workers, options.seconds))
        if options.json:
            data = {"workers": options.workers, "faults": [asdict(each) for each in measured]}
            options.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return measured


def kept(file: Path) -> list[Measured]:
    """What was measured before."""
    return [
        Measured(
            each["fault"],
            each["about"],
            tuple(SwarmCost(**cost) for cost in each["whorl"]),
            tuple(SwarmCost(**cost) for cost in each["spin"]),
        )
        for each in json.loads(file.read_text(encoding="utf-8"))["faults"]
    ]


def _about(options: argparse.Namespace, runs: int) -> str:
    looked = machine.look()
    load = os.getloadavg()[2]
    return (
        f"{looked.date}, {looked.processor}, {looked.cores} cores, {looked.compiler},"
        f" {looked.spin}. {options.workers} searches at a time, {counted(runs, 'run')} of each tool"
        f" (medians), at most {options.seconds:g} s of CPU time a run. Others used the machine at"
        f" the same time (load {load:.0f} at the end): times on the clock say little."
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks swarm", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these faults")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each tool")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--seconds", type=float, default=60, help="of CPU time, at most, a run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures")
    parser.add_argument(
        "--show", type=Path, metavar="FILE", help="measure nothing: show what was kept"
    )
    parser.add_argument(
        "--write-docs", action="store_true", help="write the table of docs/swarm.md"
    )
    return parser.parse_args()


if __name__ == "__main__":
    run_as_command(main)
