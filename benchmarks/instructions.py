"""How many instructions a transition takes, and where: a measure without noise, to optimise by.

    python -m benchmarks.instructions [--only NAME ...] [--states N]

A full search with the default store, as in `python -m benchmarks`, under `valgrind
--tool=callgrind`, which counts by file of the source; so it is told what inlined functions take. It
stops after so many states (a million): what is done once weighs more there than in a whole search.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from benchmarks import native, run_as_command
from benchmarks.cases import CASES, Case
from benchmarks.table import geometric_mean, table
from whorl.native.code.generate import generate
from whorl.native.compiler import find_compiler
from whorl.program.semantics import Semantics
from whorl.program.walks import estimate

PARTS = {
    "successors": {
        *("model.c", "context.h", "prelude.h", "expand.h"),
        *("processes.h", "channels.h", "restraints.h"),
    },
    "folding": {"tree.h", "shape.h", "hash.h", "table.h", "emmintrin.h"},
    "roots": {"roots.h"},
    "search": {"search.h", "frontier.h", "visited.h", "memory.h"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these models alone")
    parser.add_argument("--states", type=int, default=1_000_000, metavar="N", help="(1,000,000)")
    arguments = parser.parse_args()
    missing = [tool for tool in ("valgrind", "cc") if shutil.which(tool) is None]
    if missing:
        sys.exit(f"benchmarks: this machine has no {' and no '.join(missing)}")
    rows, totals = [], []
    for case in CASES:
        if arguments.only is not None and case.name not in arguments.only:
            continue
        print(case.label, file=sys.stderr, flush=True)
        counts = count(case, arguments.states)
        total = sum(counts.values())
        totals.append(total)
        rows.append((case.label, f"{total:.0f}", *(f"{counts[part]:.0f}" for part in PARTS)))
    rows.append(("geometric mean", f"{geometric_mean(totals):.0f}", *("" for _ in PARTS)))
    print(table(("model", "instructions", *PARTS), rows))


def count(case: Case, states: int) -> Mapping[str, float]:
    """Instructions a transition, by part of the verifier."""
    semantics = Semantics(native.load(case).program)
    processes, channels = estimate(semantics)
    made = generate(semantics, processes_most=processes, channels_most=channels, merge=False)
    compiler = find_compiler()
    assert compiler is not None
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as folder:
        model, verifier, counted = (Path(folder) / n for n in ("model.c", "verifier", "counted"))
        model.write_text("#define WHORL_ONLY WHORL_TREE\n" + made.text)
        subprocess.run([*compiler.arguments(model, verifier), "-g"], check=True)
        command = [
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}", str(verifier),
            "--all-errors", "--no-end-states", "--max-states", str(states),
            "--memory", str(native.MEMORY_BYTES),
        ]  # fmt: skip
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        transitions = json.loads(done.stdout.splitlines()[-1])["transitions"]
        return _by_part(counted.read_text(), transitions)


def _by_part(text: str, transitions: int) -> Mapping[str, float]:
    """Sums of a callgrind profile: the costs of the file named last, without those of calls."""
    names: dict[str, str] = {}
    costs: dict[str, float] = defaultdict(float)
    part, in_call = "rest", False
    for line in text.splitlines():
        file = re.match(r"(c?)f[lie]=\((\d+)\)(?: (.*))?", line)
        if file:
            name = names.setdefault(file[2], Path(file[3] or "").name)
            if not file[1]:
                part = next((part for part, files in PARTS.items() if name in files), "rest")
        elif line.startswith("calls="):
            in_call = True
        elif re.match(r"[+*\d-]", line):
            if not in_call:
                costs[part] += int(line.split()[1]) / transitions
            in_call = False
    return costs


if __name__ == "__main__":
    run_as_command(main)
