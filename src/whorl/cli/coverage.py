"""`whorl check --coverage`: the source with marks, as text, as a page, and as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

import whorl
from whorl.coverage.text import coverage_lines
from whorl.search.coverage import Coverage
from whorl.trace.style import Style
from whorl.verdict import Result

HERE = "-"  # instead of the name of a file: with the report


def file_text(coverage: Coverage, model: whorl.Model, name: str) -> str:
    """What the file of that name has: a page if it is one of HTML, otherwise text."""
    if PurePath(name).suffix.lower() in (".html", ".htm"):
        from whorl.coverage.page import coverage_page

        return coverage_page(coverage, model.program)
    return "".join(f"{line}\n" for line in coverage_lines(coverage, model.program))


def report_lines(result: Result, model: whorl.Model, style: Style) -> Iterator[str]:
    """What stands below the report."""
    if result.coverage is not None:
        yield ""
        yield from coverage_lines(result.coverage, model.program, style)
        yield ""


def data(result: Result) -> dict[str, Any] | None:
    """What `--json` has of it."""
    return None if result.coverage is None else asdict(result.coverage)
