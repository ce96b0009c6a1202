"""The states that whorl and Spin store, each with its reduction, of the models that come with Spin.

    python -m benchmarks.examples [--seconds N] [MODEL ...]

Safety, all violations, as a user would run both. Printed are the models that both search to the
end, those of which whorl stores more first.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import whorl
from benchmarks import run_as_command
from benchmarks.process import run
from benchmarks.spin import MEMORY_MB
from benchmarks.table import table
from whorl.diagnostics import WhorlError

OURS = Path(__file__).parents[1] / "examples"


def models() -> Iterator[Path]:
    """Those that Debian's package of Spin has, and ours."""
    listed = subprocess.run(["dpkg", "-L", "spin"], capture_output=True, text=True, check=True)
    found = (Path(line) for line in listed.stdout.splitlines() if line.endswith(".pml"))
    yield from (path for path in found if path.is_file())
    yield from sorted(OURS.glob("*.pml"))


def whorl_states(model: Path, seconds: float) -> int | None:
    try:
        found = whorl.check(model, safety=True, all_errors=True, timeout=seconds)
    except WhorlError:
        return None
    return None if found.verdict == "inconclusive" else found.statistics.states


def spin_states(model: Path, seconds: float) -> int | None:
    """None where the search does not come to its end, or has no reduction."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = ["-O2", "-w", "-DSAFETY", "-DNOCLAIM", f"-DMEMLIM={MEMORY_MB}"]
        for command in (
            ["spin", "-a", str(model.resolve())],
            ["cc", *options, "-o", "pan", "pan.c"],
        ):
            if run(command, folder).status != 0:
                return None
        search = ["timeout", f"{seconds:g}", "./pan", "-c0", "-m10000000"]
        said = run(search, folder).output
    stored = re.search(r"(\d+) states, stored", said)
    cut = "Search not completed" in said or "max search depth too small" in said
    return int(stored[1]) if stored and not cut and "+ Partial Order" in said else None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.examples", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each search (60)")
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    options = parser.parse_args()
    rows: list[tuple[float, str, int, int]] = []
    left_out = 0
    for model in options.models or models():
        print(f"\r\033[K{model.name}", end="", file=sys.stderr)
        ours = whorl_states(model, options.seconds)
        spins = None if ours is None else spin_states(model, options.seconds)
        if ours is None or spins is None:
            left_out += 1
        else:
            rows.append((ours / spins, model.name, ours, spins))
    print("\r\033[K", end="", file=sys.stderr)
    cells = [
        (name, f"{ours:,}", f"{spins:,}", f"{ratio:.2f}")
        for ratio, name, ours, spins in sorted(rows, reverse=True)
    ]
    print(table(("model", "states", "Spin's", "ratio"), cells))
    more = sum(ours > spins for _, _, ours, spins in rows)
    print(f"\n{len(rows)} models; whorl stores more of {more}; {left_out} were not compared")


if __name__ == "__main__":
    run_as_command(main)
