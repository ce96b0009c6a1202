"""Draws an automaton as SVG: states as circles, accepting ones doubled, labels beside the edges."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from whorl.property.automaton import Automaton, Buchi
from whorl.property.graphviz import by_graphviz
from whorl.property.layout import MARGIN, RADIUS, Curve, GraphLayout, Line, layered
from whorl.property.letters import display_label
from whorl.svg import CHAR, FONT, head

LINE = 15
TITLE = 30
LONGEST = 30  # characters of a label in one line
MOST_LINES = 4

STYLE = """
  .title { font-weight: bold }
  .state { fill: $box; stroke: $line; stroke-width: 1.3 }
  .accepting { fill: $head; stroke: $blue; stroke-width: 1.6 }
  .ring { fill: none; stroke: $blue; stroke-width: 1.3 }
  .edge { fill: none; stroke: $faint; stroke-width: 1.3 }
  .tip { fill: $faint }
  .label { paint-order: stroke; stroke: $paper; stroke-width: 4px; stroke-linejoin: round }
"""


def draw(
    automaton: Automaton | Buchi,
    title: str = "",
    *,
    names: Sequence[str] | None = None,
    graphviz: bool = True,
) -> str:
    """The automaton as the text of an SVG file.

    Graphviz places its parts if it is installed and `graphviz` allows it, and we do otherwise.
    `names` has the texts of the states, in place of their numbers.
    """
    return "\n".join(_Drawing(automaton, title, names, graphviz).lines()) + "\n"


class _Drawing:
    def __init__(
        self,
        automaton: Automaton | Buchi,
        title: str,
        names: Sequence[str] | None,
        graphviz: bool,
    ) -> None:
        self.automaton = automaton
        self.title = title
        self.names = [str(s) for s in automaton.states] if names is None else list(names)
        self.texts = edge_texts(automaton)
        pairs = list(self.texts)
        self.shown = {pair: label_lines(text) for pair, text in self.texts.items()}
        sizes = [self.shown[pair] for pair in pairs]
        lines = [
            Line(*pair, max(map(len, text)) * CHAR, len(text) * LINE)
            for pair, text in zip(pairs, sizes, strict=True)
        ]
        count = len(automaton.states)
        layout = by_graphviz(count, automaton.initial, lines) if graphviz else None
        self.layout: GraphLayout = layout or layered(count, automaton.initial, lines)
        self.pairs = pairs

    def lines(self) -> Iterator[str]:
        top = TITLE if self.title else 0
        width = max(self.layout.width, len(self.title) * CHAR + 2 * MARGIN if self.title else 0)
        yield from head(width, self.layout.height + top, self.title or "Büchi automaton", STYLE)
        if self.title:
            title = html.escape(self.title)
            yield f'<text class="title" x="{MARGIN:.0f}" y="{MARGIN + FONT:.0f}">{title}</text>'
        yield f'<g transform="translate(0 {top})">'
        yield _path(self.layout.entry)
        for pair, curve in zip(self.pairs, self.layout.curves, strict=True):
            yield _path(curve, self.texts[pair])
        for state in self.automaton.states:
            yield from self._state(state)
        for pair, place in zip(self.pairs, self.layout.labels, strict=True):
            yield from _label(place, self.shown[pair])
        yield "</g>"
        yield "</svg>"

    def _state(self, state: int) -> Iterator[str]:
        x, y = self.layout.nodes[state]
        automaton = self.automaton
        accepting = isinstance(automaton, Buchi) and state in automaton.accepting
        kind = "accepting" if accepting else "state"
        yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}"/>'
        if accepting:
            yield f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS - 4:g}"/>'
        name = html.escape(self.names[state])
        yield f'<text x="{x:.1f}" y="{y + FONT * 0.36:.1f}" text-anchor="middle">{name}</text>'


def edge_texts(automaton: Automaton | Buchi) -> dict[tuple[int, int], str]:
    """The text beside the arrow from one state to another; `{0}`: the edge is in set 0."""
    parts: dict[tuple[int, int], dict[int, int]] = {}
    for state, out in enumerate(automaton.edges):
        for edge in out:
            labels = parts.setdefault((state, edge.target), {})
            labels[edge.marks] = labels.get(edge.marks, 0) | edge.label
    texts = {}
    for pair, by_marks in parts.items():
        lines = []
        for marks, label in by_marks.items():
            sets = ",".join(str(n) for n in range(marks.bit_length()) if marks >> n & 1)
            text = display_label(label, automaton.propositions)
            lines.append(f"{text} {{{sets}}}" if sets else text)
        texts[pair] = "\n".join(lines)
    return texts


def label_lines(text: str) -> list[str]:
    """The lines of a label, divided where a term ends, and shortened where they are too many."""
    lines: list[str] = []
    for part in text.split("\n"):
        line = ""
        for term in part.split(" | "):
            longer = f"{line} | {term}" if line else term
            if line and len(longer) > LONGEST:
                lines.append(f"{line} |")
                line = term
            else:
                line = longer
        lines.append(line)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "…"]
    return [line if len(line) <= 2 * LONGEST else f"{line[: 2 * LONGEST - 1]}…" for line in lines]


def _path(curve: Curve, about: str = "") -> str:
    numbers = [f"{x:.1f} {y:.1f}" for x, y in curve]
    title = f"<title>{html.escape(about)}</title>" if about else ""
    parts = " ".join(f"C{' '.join(numbers[i : i + 3])}" for i in range(1, len(numbers), 3))
    return f'<path class="edge" marker-end="url(#tip)" d="M{numbers[0]} {parts}">{title}</path>'


def _label(place: tuple[float, float], lines: list[str]) -> Iterator[str]:
    x, y = place
    first = y - (len(lines) - 1) * LINE / 2 + FONT * 0.36
    for n, line in enumerate(lines):
        yield (
            f'<text class="label" x="{x:.1f}" y="{first + n * LINE:.1f}"'
            f' text-anchor="middle">{html.escape(line)}</text>'
        )
