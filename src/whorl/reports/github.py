"""Annotations of GitHub Actions: commands that a job prints, one a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from whorl.reports.annotations import Annotation, annotations_of
from whorl.reports.outcome import ModelOutcome
from whorl.reports.paths import path_text
from whorl.reports.rules import rule
from whorl.trace.text import trace_lines

MOST_LINES = 40  # of a run: an annotation is a small box
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _DATA | {":": "%3A", ",": "%2C"}


def github(outcomes: Iterable[ModelOutcome], root: Path) -> Iterator[str]:
    """The lines that a job prints; names of files are relative to `root`."""
    for said in annotations_of(outcomes):
        values = ",".join(
            f"{name}={_escaped(str(value), _PROPERTY)}"
            for name, value in _properties(said, root).items()
            if value is not None
        )
        yield f"::{said.level} {values}::{_escaped(_message(said), _DATA)}"


def _properties(said: Annotation, root: Path) -> dict[str, object]:
    title: dict[str, object] = {"title": f"whorl: {rule(said.rule).short}"}
    place = said.place
    if place is None or not place.is_file:
        return title
    return {
        "file": path_text(place.file, root),
        "line": place.line,
        "endLine": place.end_line,
        "col": place.column if place.end_line in (None, place.line) else None,
        **title,
    }


def _message(said: Annotation) -> str:
    lines = [said.with_values]
    if said.place is None or not said.place.is_file:
        lines[0] = f"{said.outcome.name}: {lines[0]}"
    if said.hint is not None:
        lines.append(f"hint: {said.hint}")
    lines += (f"{place.file}:{place.line}: {text}" for place, text in said.related)
    if said.trace is not None:
        steps = list(islice(trace_lines(said.trace, all_of_it="the log"), MOST_LINES + 1))
        lines += steps[:MOST_LINES]
        lines += ["(the log has the rest)"] if len(steps) > MOST_LINES else []
    return "\n".join(lines)


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(letter, letter) for letter in text)
