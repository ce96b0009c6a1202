"""Draws diagrams as SVG, one beside the other, with a legend of what occurs in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whorl.pictures.diagram import Appearance, Arc, Diagram, Vertex
from whorl.pictures.placed import LINE, LOOP, MARGIN, Box, PlacedDiagram, Station, place
from whorl.svg import CHAR, FONT, escaped, head

CAPTION = 30
BETWEEN = 24  # diagrams
WIDEST, FLATTEST = 2400, 1.8  # with several diagrams; the next one goes into a new row
RULE = 22  # the height of a line of the legend
SAMPLE = 34  # the width of what a line of the legend shows
ON_EDGES = (Appearance.ATOMIC, Appearance.FAILING, Appearance.ON_LASSO)
RED = frozenset({Appearance.FAILING, Appearance.ON_LASSO})
CORNERS = frozenset({Appearance.END, Appearance.WRONG})

STYLE = """
  .caption { font-weight: bold }
  .small { fill: $faint; font-size: 11px }
  .vertex { fill: $box; stroke: $line; stroke-width: 1.3 }
  .inside { fill: $amber-box }
  .part { fill: $amber-box; stroke: $amber }
  .progress { stroke: $violet; stroke-width: 2.4 }
  .accepting { stroke: $blue; stroke-width: 1.6 }
  .end { stroke: $green; stroke-width: 2.6 }
  .wrong { fill: $wrong; stroke: $wrong-line; stroke-width: 1.8 }
  .passed { fill: $paper; stroke: $faint; stroke-width: 1 }
  .left-out { stroke-dasharray: 5 4; stroke: $dashes }
  .vertex.left-out { fill: $paper }
  .pale { fill: $faint }
  .bad { fill: $wrong-ink }
  .ring { fill: none; stroke-width: 1.2 }
  .edge { fill: none; stroke: $faint; stroke-width: 1.3 }
  .edge.atomic { stroke: $amber; stroke-width: 2.6 }
  .edge.left-out { stroke: $faint; stroke-width: 1 }
  .edge.failing { stroke: $wrong-line; stroke-width: 2 }
  .edge.on-lasso { stroke: $wrong-line; stroke-width: 2 }
  .tip { fill: $faint }
  .tip-atomic { fill: $amber }
  .tip-red { fill: $wrong-line }
"""


def draw(title: str, diagrams: Sequence[Diagram]) -> str:
    """The diagrams as the text of an SVG file. Those of the same graph are laid out alike."""
    return "\n".join(_lines(title, diagrams)) + "\n"


def _lines(title: str, diagrams: Sequence[Diagram]) -> Iterator[str]:
    corners, width, height = _corners(diagrams, layouts := _layouts(diagrams))
    legend = dict(meant for diagram in diagrams for meant in diagram.meant())
    rows = _legend_rows(legend, width)
    width = max([width, *(wide for _, wide in rows)])
    bottom = height + len(rows) * RULE + (MARGIN if rows else 0)
    yield from head(width, bottom, title, STYLE, ("tip", "tip-atomic", "tip-red"))
    for diagram, placed, (x, y) in zip(diagrams, layouts, corners, strict=True):
        yield f'<g class="diagram" transform="translate({x:.0f} {y + CAPTION:.0f})">'
        yield _text(MARGIN, -6, [diagram.caption], "caption")
        yield from _diagram(diagram, placed)
        yield "</g>"
    for n, (row, _) in enumerate(rows):
        yield from _legend(row, height + n * RULE + RULE / 2)
    yield "</svg>"


def _layouts(diagrams: Sequence[Diagram]) -> list[PlacedDiagram]:
    """The layout of each diagram, or of its frame."""
    framed = [diagram.frame or diagram for diagram in diagrams]
    known = {id(frame): frame for frame in framed}
    placed = {key: place(frame) for key, frame in known.items()}
    return [placed[id(frame)] for frame in framed]


def _corners(
    diagrams: Sequence[Diagram], layouts: Sequence[PlacedDiagram]
) -> tuple[list[tuple[float, float]], float, float]:
    """Where each begins: beside the one before, or in a new row; and the size of all together."""
    corners: list[tuple[float, float]] = []
    widest = max([WIDEST, *(FLATTEST * placed.height for placed in layouts)])
    x = y = width = bottom = 0.0
    for diagram, placed in zip(diagrams, layouts, strict=True):
        wide = max(placed.width, len(diagram.caption) * CHAR + 2 * MARGIN)
        if x and x + wide > widest:
            x, y = 0.0, bottom
        corners.append((x, y))
        x += wide + BETWEEN
        width, bottom = max(width, x - BETWEEN), max(bottom, y + CAPTION + placed.height)
    return corners, width, bottom


# --- a diagram ------------------------------------------------------------------------------------


def _diagram(diagram: Diagram, placed: PlacedDiagram) -> Iterator[str]:
    left, top, right, _ = placed.boxes[diagram.initial]
    x = (left + right) / 2
    entry = f"M{x:.1f} {top - 20:.1f} V{top:.1f}"
    yield f'<path class="entry edge" marker-end="url(#tip)" d="{entry}"/>'
    ways = list(zip(diagram.arcs, placed.ways, placed.labels, strict=False))  # the frame has more
    for arc, way, (_, y) in ways:
        path = _curve(way) if way else _loop(placed.boxes[arc.source], y)
        yield _edge(arc.looks, path, arc.about, arc.source, arc.target)
    for vertex, box in zip(diagram.vertices, placed.boxes, strict=False):
        yield from _vertex(vertex, box)
    for arc, _, (x, y) in ways:
        yield from _label(arc, x, y)


def _vertex(vertex: Vertex, box: Box) -> Iterator[str]:
    left, top, right, bottom = box
    yield f"<g>{_title(vertex.about)}"
    yield from _shape(vertex.looks, box)
    kind = ""
    if Appearance.LEFT_OUT in vertex.looks:
        kind = "pale"
    elif Appearance.WRONG in vertex.looks:
        kind = "bad"
    yield _text((left + right) / 2, (top + bottom) / 2, vertex.text, kind, "middle")
    yield "</g>"


def _shape(looks: frozenset[Appearance], box: Box) -> Iterator[str]:
    left, top, right, bottom = box
    classes = " ".join(["vertex", *(look.value for look in Appearance if look in looks)])
    corner = 2 if looks & CORNERS else min(12.0, (bottom - top) / 2)
    for inset in (0, 3.5) if Appearance.ACCEPTING in looks else (0,):
        kind = f"{classes} ring" if inset else classes
        yield (
            f'<rect class="{kind}" x="{left + inset:.1f}" y="{top + inset:.1f}"'
            f' width="{right - left - 2 * inset:.1f}" height="{bottom - top - 2 * inset:.1f}"'
            f' rx="{max(corner - inset, 0):.1f}"/>'
        )


def _edge(
    looks: frozenset[Appearance], path: str, about: str, source: int | None = None, target: int = 0
) -> str:
    tip = "tip-red" if looks & RED else "tip-atomic" if Appearance.ATOMIC in looks else "tip"
    classes = " ".join(["edge", *(look.value for look in Appearance if look in looks)])
    ends = "" if source is None else f' data-from="{source}" data-to="{target}"'
    opened = f'<path class="{classes}"{ends} marker-end="url(#{tip})" d="{path}"'
    return f"{opened}>{_title(about)}</path>" if about else f"{opened}/>"


def _curve(way: Sequence[Station]) -> str:
    """Straight in the rows, and from one row to the next with a bend that begins and ends so."""
    x, begin, end = way[0]
    parts = [f"M{x:.1f} {begin:.1f} V{end:.1f}"]
    for x1, top, bottom in way[1:]:
        middle = (end + top) / 2
        if abs(x1 - x) < 0.5:
            parts.append(f"V{top:.1f}")
        else:
            parts.append(f"C{x:.1f} {middle:.1f} {x1:.1f} {middle:.1f} {x1:.1f} {top:.1f}")
        if abs(bottom - top) > 0.05:
            parts.append(f"V{bottom:.1f}")
        x, end = x1, bottom
    return " ".join(parts)


def _loop(box: Box, y: float) -> str:
    _, top, right, bottom = box
    begin, end = (min(max(at, top + 4), bottom - 4) for at in (y - 6, y + 6))
    far = right + LOOP
    return (
        f"M{right:.1f} {begin:.1f} C{far:.1f} {y - 13:.1f} {far:.1f} {y + 13:.1f}"
        f" {right:.1f} {end:.1f}"
    )


def _label(arc: Arc, x: float, y: float) -> Iterator[str]:
    if arc.text:
        kind = "bad" if arc.looks & RED else "pale" if Appearance.LEFT_OUT in arc.looks else ""
        yield _text(x, y, arc.text, f"label {kind}".strip())


# --- the legend -----------------------------------------------------------------------------------

LegendRow = list[tuple[float, Appearance, str]]


def _legend_rows(legend: dict[Appearance, str], width: float) -> list[tuple[LegendRow, float]]:
    """What the looks mean, in rows, with where each begins and how wide the row is."""
    rows: list[tuple[LegendRow, float]] = []
    for look, text in legend.items():
        wide = SAMPLE + 8 + len(text) * CHAR + 2 * MARGIN
        if rows and rows[-1][1] + wide <= width:
            row, x = rows.pop()
        else:
            row, x = [], MARGIN
        row.append((x, look, text))
        rows.append((row, x + wide))
    return rows


def _legend(row: LegendRow, y: float) -> Iterator[str]:
    for x, look, text in row:
        yield '<g class="legend">'
        if look in ON_EDGES:
            yield _edge(frozenset({look}), f"M{x:.1f} {y:.1f} H{x + SAMPLE:.1f}", "")
        else:
            yield from _shape(frozenset({look}), (x + 4, y - 8, x + SAMPLE, y + 8))
        yield _text(x + SAMPLE + 8, y, [text], "small")
        yield "</g>"


# --- texts ----------------------------------------------------------------------------------------


def _text(x: float, y: float, lines: Sequence[str], kind: str, anchor: str = "start") -> str:
    """Lines of text, their middle at `y`."""
    first = y - (len(lines) - 1) * LINE / 2 + FONT * 0.36
    about = f' class="{kind}"' if kind else ""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return "".join(
        f'<text{about} x="{x:.1f}" y="{first + n * LINE:.1f}"{at}>{escaped(line)}</text>'
        for n, line in enumerate(lines)
    )


def _title(about: str) -> str:
    return f"<title>{escaped(about)}</title>" if about else ""
