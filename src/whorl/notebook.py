"""A result as HTML for a notebook: the verdict, a row for each property, the counterexamples."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import replace

from whorl.report import Detail, counterexample_lines, report_lines, verdict_line
from whorl.spelling import ATTRIBUTES
from whorl.trace.notebook import preformatted, trace_html
from whorl.trace.style import PLAIN
from whorl.trace.trace import Trace
from whorl.verdict import VIOLATED, Result

# Readable on light and on dark pages; the symbols say the same.
COLOURS = {"holds": "#2e8b57", "violated": "#d1392b", "inconclusive": "#b7791f"}
CELL = "text-align:left;vertical-align:top"
MOST_TRACES = 10  # that are drawn


def result_html(result: Result) -> str:
    """HTML that needs nothing else. What comes from the model is text in it, never markup."""
    return "\n".join(["<div>", *_lines(result), "</div>"])


def _lines(result: Result) -> Iterator[str]:
    colour = COLOURS[result.verdict]
    line = html.escape(verdict_line(result, None, PLAIN))
    yield f'<p><strong style="color:{colour}">{line}</strong></p>'
    yield "<table>"
    for checked in result.properties:
        symbol = getattr(PLAIN.symbols, checked.verdict)
        why = f"violated: {checked.why}" if checked.verdict == VIOLATED else checked.why
        cells = (
            f'<td style="{CELL};color:{COLOURS[checked.verdict]}">{html.escape(symbol)}</td>',
            f'<td style="{CELL}">{html.escape(checked.name)}</td>',
            f'<td style="{CELL}">{html.escape(why)}</td>',
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</table>"
    for number, trace in enumerate(result.traces[:MOST_TRACES], 1):
        yield _shown(trace, number, len(result.traces))
    for trace in result.witnesses:
        yield _shown(trace, 1, 1)
    for said in (*(f"note: {note}" for note in result.notes), *_advice(result)):
        yield f"<p>{html.escape(said)}</p>"
    figures = replace(result, properties=(), traces=(), witnesses=(), notes=(), advice=())
    lines = report_lines(figures, PLAIN, Detail(), spelled=ATTRIBUTES.__getitem__)
    searched = preformatted("\n".join(lines).strip())
    yield f"<details><summary>the search</summary>{searched}</details>"


def _shown(trace: Trace, number: int, count: int) -> str:
    """A run, under the line that it has in a report."""
    heading = html.escape(next(counterexample_lines(trace, number, count, PLAIN, Detail())))
    opened = " open" if number == 1 else ""
    return f"<details{opened}><summary>{heading}</summary>{trace_html(trace)}</details>"


def _advice(result: Result) -> Iterator[str]:
    if result.advice:
        yield f"Try next: {'; '.join(result.advice)}"
