"""Marks by which a tool knows a message again after the lines around it have moved."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from whorl.reports.annotations import Annotation
from whorl.reports.paths import path_text


def fingerprints(said: Iterable[Annotation], root: Path) -> list[str]:
    """A mark for each message, all different. No line number or length of a run is part of it."""
    marks, seen = [], Counter[str]()
    for each in said:
        text = _identity(each, root)
        seen[text] += 1
        digest = hashlib.sha256(f"{text}\0{seen[text]}".encode("utf-8", "surrogatepass"))
        marks.append(digest.hexdigest())
    return marks


def _identity(said: Annotation, root: Path) -> str:
    file = said.outcome.name if said.place is None else said.place.file
    about = said.message
    if said.trace is not None:
        step = said.trace.steps[-1].text if said.trace.steps else ""
        about = f"{said.trace.message}\0{said.trace.claim}\0{step}"
    values = (f"{name}={value}" for name, value in sorted(said.outcome.defines.items()))
    return "\0".join([said.rule, path_text(file, root), about, *values])
