"""The published sets of formulas in tests/property/formulas, and the sizes of their automata."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whorl.language.formula import Formula
from whorl.property.parse import parse_formula

FOLDER = Path(__file__).parents[1] / "property" / "formulas"
OURS = FOLDER / "ours.csv"
SETS = ("!dac", "!eh", "!sb", "dac", "eh", "sb")  # `!`: the negations


@dataclass(frozen=True)
class Entry:
    """Formula `number` of a set, and the states that others need (None: Spin has no answer)."""

    set: str
    number: int
    formula: Formula
    spot: int
    ltl3ba: int
    ltl2ba: int
    spin: int | None


@dataclass(frozen=True)
class Size:
    states: int
    edges: int
    deterministic: bool


def entries(of: str) -> Iterator[Entry]:
    """The formulas of a set that count."""
    lines = (FOLDER / f"{of.lstrip('!')}.ltl").read_text().splitlines()
    for row in _rows("others.csv"):
        if row["set"] == of and row["spot_sba"]:
            number = int(row["n"])
            formula = parse_formula(lines[number - 1])
            yield Entry(
                of,
                number,
                ~formula if of.startswith("!") else formula,
                int(row["spot_sba"]),
                int(row["ltl3ba_ba"]),
                int(row["ltl2ba"]),
                int(row["spin652"]) if row["spin652"].isdigit() else None,
            )


def frozen(of: str) -> dict[int, Size]:
    """The sizes that our automata had when ours.csv was written, by the number of the formula."""
    return {
        int(row["n"]): Size(int(row["states"]), int(row["edges"]), row["deterministic"] == "yes")
        for row in _rows(OURS.name)
        if row["set"] == of
    }


def freeze(sizes: dict[tuple[str, int], Size]) -> None:
    """Writes ours.csv."""
    with OURS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("set", "n", "states", "edges", "deterministic"))
        for (of, number), size in sizes.items():
            yes = "yes" if size.deterministic else "no"
            writer.writerow((of, number, size.states, size.edges, yes))


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(newline="") as file:
        return list(csv.DictReader(file))
