"""Models for the GPU engine, with what the native engine says of them, in one file."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import whorl
from benchmarks.gpu import Row, asked, asked_of_claim, expected
from whorl.diagnostics import WhorlError

EXAMPLES = Path(__file__).parents[1] / "examples"
SCHEMES = (("none", "all"), ("two-phase", "selective"), ("static", "selective"))
MOST_STATES = 300_000
GLOBAL = re.compile(r"^(?:bit|bool|byte|short|int) (\w+)(?: = \d+)?;", re.MULTILINE)
FORMULAS = (  # of a variable
    "[]<> (g == 1)",
    "<>[] (g == 0)",
    "[] (g == 0 -> <> (g != 0))",
    "(g < 2) U (g == 1)",
    "[] (g < 3)",
)


def prepare(file: Path, programs: int) -> None:
    """Writes the examples by each scheme, so many random programs by one each, and formulas."""
    rows: list[Row] = []
    for row in (*_claims(), *_examples(), *_random(programs)):
        try:
            answered = expected(row, MOST_STATES)
        except WhorlError:  # a random program may be wrong
            continue
        if answered is not None:
            rows.append(answered)
    file.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def _examples() -> Iterator[Row]:
    for por, cache in SCHEMES:
        for path in sorted(EXAMPLES.glob("*.pml")):
            yield asked(path.stem, path.read_text(encoding="utf-8"), por, cache)


def _claims() -> Iterator[Row]:
    """The formulas of the examples."""
    for por in ("none", "auto"):
        for path in sorted(EXAMPLES.glob("*.pml")):
            text = path.read_text(encoding="utf-8")
            for formula in whorl.load(path).program.formulas:
                yield asked_of_claim(path.stem, text, por, claim=formula.name)


def _random(count: int) -> Iterator[Row]:
    from hypothesis import strategies as st
    from hypothesis.errors import NonInteractiveExampleWarning

    from support.generator import PROFILES, programs

    names = cycle(sorted(PROFILES))
    schemes = cycle(SCHEMES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NonInteractiveExampleWarning)
        for number, name, (por, cache) in zip(range(count), names, schemes, strict=False):
            drawn: st.SearchStrategy[str] = programs(PROFILES[name])
            text = drawn.example()
            yield asked(f"{name} {number}", text, por, cache)
            known = GLOBAL.search(text)
            if known is not None:
                formula = FORMULAS[number % len(FORMULAS)].replace("g", known[1])
                yield asked_of_claim(f"{name} {number}", text, "none", ltl=formula)
