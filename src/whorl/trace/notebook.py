"""A trace as HTML for a notebook: its sequence chart, and its text folded away."""

from __future__ import annotations

import html

from whorl.svg import scoped
from whorl.trace.chart import chart
from whorl.trace.trace import Trace

# A long chart scrolls; what is around it does not move.
SCROLLS = "overflow:auto;max-height:40em"


def trace_html(trace: Trace) -> str:
    """HTML that needs nothing else. What comes from the model is text in it, never markup."""
    return (
        f'<div style="{SCROLLS}">{scoped(chart(trace))}</div>'
        f"<details><summary>as text</summary>{preformatted(str(trace))}</details>"
    )


def preformatted(text: str) -> str:
    """Text in the lines that it has."""
    return f'<pre style="overflow:auto">{html.escape(text)}</pre>'
