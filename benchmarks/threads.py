"""Searches on several threads, beside as many searches on one thread at once.

    python -m benchmarks threads [--threads 1,2] [--only NAME ...] [--repeat N]
    python -m benchmarks threads --prepare FOLDER       where there are whorl, Spin and a compiler
    python3 benchmarks/threads.py --run FOLDER          where there is nothing but Python
    python3 benchmarks/threads.py --ltl --run FOLDER    cycles: the ratio is to one thread, alone
    python3 benchmarks/threads.py --spin FOLDER         beside Spin's searches on several cores
    python3 benchmarks/threads.py --billion FOLDER      one search of more than a billion states
    python -m benchmarks threads --write-docs FILE ...  page and plot of what --json printed

The ceiling of N threads is what N verifiers for one thread do at the same time on the same
machine, so that hyperthreads, neighbours and memory that is shared cancel. `--prepare` leaves
statically linked verifiers and a list of them in a folder, which the other modes take anywhere.
`--budget` ends a run in time: what matters most comes first. On 16 cores `--run` wants eight
minutes or ten, `--spin` as many, and `--billion` three.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

LIST = "verifiers.json"
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
PATIENCE = 12  # seconds for which short runs are repeated
MOST_SECONDS = 120.0  # of a search beside Spin
CUT = r"depth too small|out of memory|Search not completed|reached -DMEMLIM|hash table is full"

Row = dict[str, Any]


def about() -> Row:
    """The machine, and when."""
    information = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    name = re.search(r"model name\s*: (.*)", information)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "kind": "machine",
        "processor": name[1] if name else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": memory,
        "load": os.getloadavg()[0],
        "date": time.strftime("%Y-%m-%d"),
    }


def prepared(folder: Path) -> Row:
    found: Row = json.loads((folder / LIST).read_text(encoding="utf-8"))
    return found


# --- beside as many on one thread ----------------------------------------------------------------


def together(commands: Sequence[Sequence[str]]) -> list[Row]:
    """The last lines of verifiers that run at the same time."""
    running = [subprocess.Popen(c, stdout=subprocess.PIPE, text=True) for c in commands]
    said = [process.communicate()[0] for process in running]
    return [json.loads(text.splitlines()[-1]) for text in said]


def rate(figures: Sequence[Row]) -> float:
    return sum(float(each["states"]) / float(each["seconds"]) for each in figures)


def best(commands: Sequence[Sequence[str]], repeat: int) -> list[Row]:
    """The quickest of some runs: at least `repeat`, and up to three if they are short."""
    began, runs = time.monotonic(), [together(commands)]
    while len(runs) < repeat or (len(runs) < 3 and time.monotonic() - began < PATIENCE / 2):
        runs.append(together(commands))
    return max(runs, key=rate)


def measured(case: Row, count: int, reached: Row, ceiling: list[Row] | None) -> Row:
    """A row: a search on so many threads, beside its ceiling if that was measured."""
    shares, seconds = reached["shares"], reached["seconds"]
    of_all = count * seconds
    alone = shares["alone"] or seconds * (reached["threads"] == 1)
    row = {
        "kind": "scale",
        "name": case["name"],
        "label": case["label"],
        "threads": reached["threads"],
        "states": reached["states"],
        "complete": reached["stopped"] is None,
        "seconds": seconds,
        "rate": rate([reached]),
        "waited": shares["waited"] / of_all,
        "moved": shares["moved"] / of_all,
        "idle": shares["idle"] / of_all,
        "alone": alone / seconds,
        "system": shares["system"] / max(reached["cpu_seconds"], 1e-9),
        "cpu_seconds": reached["cpu_seconds"],
        "memory_bytes": reached["memory_bytes"],
        "store_bytes": reached["store_bytes"],
    }
    if ceiling:
        row |= {
            "states_alone": ceiling[0]["states"],
            "ceiling": rate(ceiling),
            "ratio": rate([reached]) / rate(ceiling),
            "cpu_seconds_alone": sum(each["cpu_seconds"] for each in ceiling) / len(ceiling),
            "memory_bytes_alone": max(each["memory_bytes"] for each in ceiling),
        }
    return row


def run(folder: Path, options: argparse.Namespace) -> Iterator[Row]:
    """Each case with each number of threads, until the budget is spent."""
    began = time.monotonic()
    asked = [int(count) for count in options.threads.split(",")] if options.threads else None
    for case in prepared(folder)["ltl" if options.ltl else "scale"]:
        if options.only and case["name"] not in options.only:
            continue
        one, many = (str((folder / case[kind]).absolute()) for kind in ("one", "many"))
        limit = ["--seconds", str(options.seconds)] if options.seconds else []
        words = [*case["words"], *limit]
        words_many = [*case.get("words_many", case["words"]), *limit]
        for count in asked or fitting(case["counts"]):
            if options.budget and time.monotonic() - began > options.budget:
                return
            ceiling = None
            if asked or options.ltl or count in fitting(case["ceilings"]):
                ceiling = best([[one, *words]] * (1 if options.ltl else count), options.repeat)
            reached = best([[many, *words_many, "--threads", str(count)]], options.repeat)
            yield {**measured(case, count, reached[0], ceiling), "beside_one": options.ltl}


def fitting(counts: Sequence[int]) -> list[int]:
    """So many threads as there are cores for; two in any case."""
    cores = max(2, len(os.sched_getaffinity(0)))
    return [count for count in counts if count <= cores]


HEADINGS = (
    f"{'':<20}{'threads':>8}{'states':>15}{'M/s':>9}{'ceiling':>9}{'ratio':>7}{'B/state':>9}"
    f"{'memory':>8}{'waited':>8}{'moved':>7}{'idle':>7}{'alone':>7}{'system':>8}"
)


def row_of(found: Row) -> str:
    """A line of the table on a terminal."""
    if found["kind"] == "machine":
        return f"{found['processor']}, {found['cores']} cores, load {found['load']:.1f}"
    if found["kind"] == "spin":
        states = "–" if found["states"] is None else f"{found['states']:,}"
        said = f"{found['name']:<20}{found['way']:<30}{found['verdict']:<14}{states:>14}"
        if found["wall"] is None:
            return f"{said} more than {MOST_SECONDS:.0f} s"
        return f"{said}{found['wall']:>9.2f} s{found['cpu']:>10.2f} CPU s"
    ceiling, ratio, memory = "–", "–", "–"
    if "ceiling" in found:
        ceiling, ratio = f"{found['ceiling'] / 1e6:.2f}", f"{found['ratio']:.2f}"
        memory = f"{found['memory_bytes'] / found['memory_bytes_alone']:.2f}"
    shares = "".join(
        f"{found[what]:>{width}.3f}"
        for what, width in (("waited", 8), ("moved", 7), ("idle", 7), ("alone", 7), ("system", 8))
    )
    return (
        f"{found['name']:<20}{found['threads']:>8}{found['states']:>15,}"
        f"{found['rate'] / 1e6:>9.2f}{ceiling:>9}{ratio:>7}"
        f"{found['memory_bytes'] / found['states']:>9.1f}{memory:>8}{shares}"
    )


# --- a billion -----------------------------------------------------------------------------------


def billion(folder: Path, options: argparse.Namespace) -> Iterator[Row]:
    """The large search, depth first and by levels, with the number of states that is known."""
    count = int(options.threads or os.cpu_count() or 2)
    for case in prepared(folder)["billion"]:
        if options.only and case["name"] not in options.only:
            continue
        words = [str((folder / case["many"]).absolute()), *case["words"]]
        limit = ["--seconds", str(options.seconds)] if options.seconds else []
        found = together([[*words, *limit, "--threads", str(count)]])[0]
        row = measured(case, count, found, None)
        yield {**row, "expected": case["states"], "as_expected": row["states"] == case["states"]}


# --- beside Spin ---------------------------------------------------------------------------------


def reaped(command: Sequence[str], seconds: float) -> tuple[str, float, float] | None:
    """What a process and all that it starts print, and their wall and CPU seconds; None: they took
    longer. Those whose parent has ended come to this process."""
    prctl = ctypes.CDLL(None).prctl
    prctl(SUBREAPER, 1, 0, 0, 0)
    before, began = getrusage(RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryFile(mode="w+", errors="replace") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 15)  # pan gives its shared memory back
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
            return None
        finally:
            with contextlib.suppress(ChildProcessError):
                while True:  # those of its group: others may never end
                    os.waitpid(-process.pid, 0)
            prctl(SUBREAPER, 0, 0, 0, 0)
        wall, after = time.monotonic() - began, getrusage(RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        output.seek(0)
        return output.read(), wall, cpu


def of_pan(said: str) -> tuple[str, int | None]:
    """pan's verdict and its number of states."""
    errors = re.search(r"errors: (\d+)", said)
    stored = re.search(r"^\s*([\d.e+]+) states, stored", said, re.MULTILINE)
    if errors is None or stored is None:
        return "failed", None
    states = int(float(stored[1]))
    if int(errors[1]):
        return "violated", states
    return ("inconclusive" if re.search(CUT, said) else "holds"), states


def of_whorl(said: str) -> tuple[str, int | None]:
    """A verifier's verdict and its number of states."""
    lines = [json.loads(line) for line in said.splitlines()]
    done: Row = lines[-1]
    if any(line["type"] == "violation" for line in lines):
        return "violated", done["states"]
    return "inconclusive" if done["stopped"] else "holds", done["states"]


def beside_spin(folder: Path, options: argparse.Namespace) -> Iterator[Row]:
    """Each model: whorl and Spin on one core and on several, with verdicts and cost."""
    began = time.monotonic()
    cores = int(options.threads or len(os.sched_getaffinity(0)))
    os.chdir(folder)  # where pan writes its trails
    Path("model.pml").touch()  # pan makes the names of its shared memory of it
    for case in prepared(Path())["spin"]:
        if options.only and case["name"] not in options.only:
            continue
        verdicts = set()
        for way in case["ways"]:
            if options.budget and time.monotonic() - began > options.budget:
                return
            if way["cores"] not in (0, 1, cores):  # 0: as many as it is told
                continue
            at = [word.replace("CORES", str(cores)) for word in way["command"]]
            label = way["label"].replace("CORES", str(cores))
            ran = reaped([str(Path(at[0]).absolute()), *at[1:]], MOST_SECONDS)
            row = {"kind": "spin", "name": case["name"], "label": case["label"], "way": label}
            if ran is None:
                row |= {"verdict": "too long", "states": None, "wall": None, "cpu": None}
                yield row
                continue
            said, wall, cpu = ran
            verdict, states = (of_pan if way["tool"] == "spin" else of_whorl)(said)
            verdicts |= {verdict} & {"holds", "violated"}
            if verdict == "failed":
                print(said[-1000:], file=sys.stderr)
            yield {**row, "verdict": verdict, "states": states, "wall": wall, "cpu": cpu}
        if len(verdicts) > 1:
            print(f"{case['name']}: THE VERDICTS DIFFER", file=sys.stderr)


# --- the command ---------------------------------------------------------------------------------


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--threads", metavar="N,...", help="so many, instead of each case's own")
    parser.add_argument("--ltl", action="store_true", help="searches for cycles, not for safety")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="search no longer than this")
    parser.add_argument("--budget", type=float, help="begin nothing after so many seconds")
    parser.add_argument("--prepare", type=Path, metavar="FOLDER")
    parser.add_argument("--cores", default="2,16", help="--prepare: of Spin's searches (2,16)")
    parser.add_argument("--spin-memory-mb", type=int, default=24_000, metavar="N")
    parser.add_argument("--run", type=Path, metavar="FOLDER")
    parser.add_argument("--spin", type=Path, metavar="FOLDER")
    parser.add_argument("--billion", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")
    parser.add_argument("--write-docs", nargs="+", type=Path, metavar="FILE")
    return parser.parse_args()


def _tell(rows: Iterator[Row], as_json: bool, headings: str | None = None) -> None:
    for number, found in enumerate(rows):
        if number == 1 and headings and not as_json:
            print(headings)
        print(json.dumps(found) if as_json else row_of(found), flush=True)


def main() -> None:
    options = _options()
    if options.write_docs:
        from benchmarks.threads_page import write

        write(options.write_docs)
        return
    if options.prepare:
        from benchmarks.threads_prepare import prepare

        cores = [int(count) for count in options.cores.split(",")]
        prepare(options.prepare, options.only, cores, options.spin_memory_mb)
        return

    def rows(mode: Any, folder: Path) -> Iterator[Row]:
        yield about()
        yield from mode(folder, options)

    if options.spin:
        _tell(rows(beside_spin, options.spin), options.json)
    elif options.billion:
        _tell(rows(billion, options.billion), options.json, HEADINGS)
    elif options.run:
        _tell(rows(run, options.run), options.json, HEADINGS)
    else:
        from benchmarks.threads_prepare import prepare

        with tempfile.TemporaryDirectory(prefix="whorl-threads-") as made:
            prepare(Path(made), options.only, (), 0)
            _tell(rows(run, Path(made)), options.json, HEADINGS)


if __name__ == "__main__":
    main()
