"""Stubborn sets beside the components of dependent processes: how many states each one leaves.

    python -m benchmarks.stubborn [--only NAME ...]

Safety, in the reference engine, at sizes that it can do. What is worth telling of the table is in
docs/explanation/reduction.md.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import whorl
from benchmarks.cases import OURS, SPINS, Case
from benchmarks.table import table

EXAMPLES = Path(__file__).parents[1] / "examples"
MOST = 20_000  # states
CASES = (
    Case("bounded_buffer", OURS / "bounded_buffer.pml", 0, {"P": 2, "C": 2, "V": 1}),
    Case("dining", OURS / "dining.pml", 0, {"N": 3, "M": 2}),
    Case("directory_cache", OURS / "directory_cache.pml", 0, {"N": 2}),
    Case("peterson", OURS / "peterson.pml", 0, {"N": 3}),
    Case("ring_election", OURS / "ring_election.pml", 0, {"N": 4}),
    Case("sliding_window", OURS / "sliding_window.pml", 0, {"M": 3, "W": 1, "L": 1, "V": 2}),
    Case("spawn", OURS / "spawn.pml", 0, {"C": 2, "K": 1}),
    Case("szymanski", OURS / "szymanski.pml", 0, {"N": 2, "R": 1}),
    Case("leader", SPINS / "LTL/leader.pml", 0, {"N": 4, "L": 8}),
    Case("leader0", SPINS / "leader0.pml", 0, {"N": 4, "L": 8}),
    Case("petersonN", SPINS / "LTL/petersonN.pml", 0, {"N": 3}),
    Case("sort", SPINS / "sort.pml", 0, {"N": 5}),
    *(Case(path.stem, path, 0) for path in sorted(EXAMPLES.glob("*.pml"))),
)
RULES = ("component", "stubborn")
SCHEMES = (("static", "all"), ("proviso", "all"), ("proviso", "selective"))


def states(case: Case, por: str, cache: str = "all", rule: str | None = None) -> int | None:
    """How many states are stored; None if there are too many, or nothing can be reduced."""
    text = re.sub(r"^ltl\b[^{]*\{[^}]*\}", "", case.text(), flags=re.MULTILINE)
    try:
        result = whorl.check(
            text,
            safety=True,
            engine="reference",
            por=por,
            cache=cache,
            candidates=rule,
            all_errors=True,
            max_states=MOST,
        )
    except whorl.WhorlError as error:
        print(f"{case.label}: {error}", file=sys.stderr)
        return None
    return result.statistics.states if result.statistics.complete else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these models alone")
    only = parser.parse_args().only
    rows = []
    for case in CASES:
        if only is not None and case.name not in only:
            continue
        print(case.label, file=sys.stderr, flush=True)
        cells = [states(case, "none")]
        cells += [states(case, *scheme, rule) for scheme in SCHEMES for rule in RULES]
        rows.append((case.label, *("-" if n is None else f"{n:,}" for n in cells)))
        print("\t".join(rows[-1]), file=sys.stderr, flush=True)
    heads = [
        ", ".join(word for word in (*scheme, rule) if word != "all")
        for scheme in SCHEMES
        for rule in RULES
    ]
    print(table(("model", "full", *heads), rows))


if __name__ == "__main__":
    main()
