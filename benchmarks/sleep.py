"""Sleep sets by themselves and among persistent sets: states and transitions.

    python -m benchmarks.sleep [--only NAME ...]

Safety on the models of the main benchmark that are ours, one run each. What is worth telling of the
table is in docs/explanation/reduction.md.
"""

from __future__ import annotations

import argparse
import sys

import whorl
from benchmarks import run_as_command
from benchmarks.cases import CASES, Case
from benchmarks.table import table

SCHEMES = ("none", "sleep", "static", "persistent-sleep", "persistent")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these models alone")
    arguments = parser.parse_args()
    rows = []
    for case in CASES:
        if case.ours and (arguments.only is None or case.name in arguments.only):
            print(case.label, file=sys.stderr, flush=True)
            rows += measured(case)
    print(table(("model", "scheme", "states", "transitions", "a state"), rows))


def measured(case: Case) -> list[tuple[str, ...]]:
    """A row for each scheme."""
    rows: list[tuple[str, ...]] = []
    for scheme in SCHEMES:
        result = whorl.check(
            case.text(),
            safety=True,
            por=scheme,
            engine="native",
            end_states=case.end_states,
        )
        figures = result.statistics
        rows.append(
            (
                case.label, scheme, f"{figures.states:,}", f"{figures.transitions:,}",
                f"{figures.transitions / figures.states:.2f}",
            )
        )  # fmt: skip
    return rows


if __name__ == "__main__":
    run_as_command(main)
