"""The sizes of Büchi automata beside those of other translators, on published formulas.

    PYTHONPATH=tests python -m benchmarks.translation [--all] [--freeze] [--write-docs]

Prints the sums, and the formulas for which another program's automaton is smaller (--all: every
formula). --freeze writes the sizes that the tests expect, --write-docs the table of
docs/explanation/translation.md. Takes some seconds.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks import run_as_command
from benchmarks.table import table
from support.formula_sets import SETS, Entry, Size, entries, freeze
from whorl.property.automaton import Buchi
from whorl.property.translate import translate

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "translation.md"
BEGIN = "<!-- Written by `python -m benchmarks.translation --write-docs` -->"
END = "<!-- to here -->"


@dataclass(frozen=True)
class Measured:
    entry: Entry
    automaton: Buchi
    seconds: float

    @property
    def size(self) -> Size:
        automaton = self.automaton
        return Size(len(automaton.states), automaton.edge_count, automaton.is_deterministic)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.translation")
    parser.add_argument("--all", action="store_true", help="show every formula")
    parser.add_argument("--freeze", action="store_true", help="write what the tests expect")
    parser.add_argument("--write-docs", action="store_true", help="write the table of the docs")
    options = parser.parse_args()
    measured = [measure(entry) for of in SETS for entry in entries(of)]
    for m in measured:
        entry = m.entry
        others = (entry.spot, entry.ltl3ba, entry.ltl2ba, entry.spin)
        if options.all or any(other is not None and 0 < other < m.size.states for other in others):
            print(f"{entry.set} {entry.number}: {m.size}, {m.seconds * 1000:.0f} ms", end="; ")
            print(f"Spot {entry.spot}, LTL3BA {entry.ltl3ba}: {entry.formula}")
    text = sums(measured)
    print(text)
    if options.freeze:
        freeze({(m.entry.set, m.entry.number): m.size for m in measured})
    if options.write_docs:
        page = PAGE.read_text()
        before, rest = page.split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}")


def measure(entry: Entry) -> Measured:
    start = time.process_time()
    automaton = translate(entry.formula)
    return Measured(entry, automaton, time.process_time() - start)


def sums(measured: list[Measured]) -> str:
    """The table: the states of all automata of a set together."""
    groups = {of: [m for m in measured if m.entry.set == of] for of in SETS}
    rows = [_row(of, group) for of, group in groups.items()]
    negated = [m for m in measured if m.entry.set.startswith("!")]
    rows.insert(3, _row("negations together", negated))
    rows.append(_row("all", measured))
    headings = (
        "set", "formulas", "whorl", "Spot", "LTL3BA", "LTL2BA", "Spin", "deterministic", "edges",
        "mean ms", "most ms",
    )  # fmt: skip
    return table(headings, rows)


def _row(name: str, group: list[Measured]) -> tuple[str, ...]:
    answered = [m.entry.spin for m in group if m.entry.spin is not None]
    milliseconds = [m.seconds * 1000 for m in group]
    return (
        name,
        str(len(group)),
        str(sum(m.size.states for m in group)),
        str(sum(m.entry.spot for m in group)),
        str(sum(m.entry.ltl3ba for m in group)),
        str(sum(m.entry.ltl2ba for m in group)),
        f"{sum(answered)} ({len(answered)})",
        str(sum(m.size.deterministic for m in group)),
        str(sum(m.size.edges for m in group)),
        f"{sum(milliseconds) / len(group):.0f}",
        f"{max(milliseconds):.0f}",
    )


if __name__ == "__main__":
    run_as_command(main)
