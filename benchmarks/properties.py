"""Many properties of one small model: what a check of all of them costs, with nothing compiled.

    python -m benchmarks.properties [--claims N ...] [--repeat N]

Beside it is what as many checks of one property take, by the median of a few of them: each of those
compiles a verifier for itself alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks import run_as_command
from benchmarks.process import Cost, run

MODEL = """byte x, y, turn, inside; bool wants[2];
active [2] proctype P() {
  do
  :: wants[_pid] = true; turn = 1 - _pid;
     (!wants[1 - _pid] || turn == _pid) -> inside++; x = (x + 1) % 8; inside--; wants[_pid] = false
  od
}
active proctype Q() { do :: y = (y + 1) % 6 :: y > 2 -> y = 0 od }
"""
SHAPES = (
    "[] (inside <= {n} + 2)",
    "[] (x == {n} -> <> (x != {n}))",
    "[] <> (y == {n})",
    "<> (x == {n})",
    "[] (y < {n} + 6)",
    "(inside == 0) U (inside == 1 || x == {n})",
    "[] (wants[0] -> <> (inside > 0 || y == {n}))",
)
SAMPLE = 5  # checks of one property


def model(claims: int) -> str:
    """The model with so many ltl blocks."""
    formulas = [SHAPES[n % len(SHAPES)].format(n=n // len(SHAPES)) for n in range(claims)]
    return MODEL + "".join(f"ltl p{n} {{ {formula} }}\n" for n, formula in enumerate(formulas))


def measure(text: str, names: Sequence[str], modules: Path) -> Cost:
    """A check of these properties; of all, and of safety, if there are none."""
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        folder = Path(name)
        (folder / "model.pml").write_text(text, encoding="utf-8")
        words = [word for claim in names for word in ("--claim", claim)]
        ran = run(
            (sys.executable, "-m", "whorl", "check", "--quiet", *words, "model.pml"),
            folder,
            {
                "WHORL_CACHE": str(folder / "cache"),
                "WHORL_CC": "",  # as a user has it
                "PYTHONDONTWRITEBYTECODE": "",
                "PYTHONPYCACHEPREFIX": str(modules),
            },
        )
        assert ran.status in (0, 1), ran.output
        return ran.cost


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.properties", description=__doc__)
    parser.add_argument("--claims", type=int, nargs="+", default=[1, 10, 50, 200])
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="whorl-bench-") as name:
        modules = Path(name)
        measure(model(1), (), modules)  # Python compiles the modules
        singles = [measure(model(SAMPLE), [f"p{n}"], modules) for n in range(SAMPLE)]
        alone = median(cost.cpu for cost in singles), median(cost.wall for cost in singles)
        print("claims  CPU s  wall s  CPU s a claim  one by one: CPU s  wall s", flush=True)
        for claims in asked.claims:
            costs = [measure(model(claims), (), modules) for _ in range(asked.repeat)]
            cpu, wall = median(c.cpu for c in costs), median(c.wall for c in costs)
            print(
                f"{claims:6} {cpu:6.2f} {wall:7.2f} {cpu / claims:14.3f}"
                f" {claims * alone[0]:18.1f} {claims * alone[1]:7.1f}",
                flush=True,
            )


if __name__ == "__main__":
    run_as_command(main)
