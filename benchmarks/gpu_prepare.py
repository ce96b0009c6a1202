"""Models for the GPU engine, with what the native engine says of them, in one file."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from benchmarks.gpu import Row, asked, expected
from whorl.diagnostics import WhorlError

EXAMPLES = Path(__file__).parents[1] / "examples"
SCHEMES = (("none", "all"), ("two-phase", "selective"), ("static", "selective"))
MOST_STATES = 300_000


def prepare(file: Path, programs: int) -> None:
    """Writes the examples by each scheme, and so many random programs by one each."""
    rows: list[Row] = []
    for row in (*_examples(), *_random(programs)):
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
            yield asked(f"{name} {number}", drawn.example(), por, cache)
