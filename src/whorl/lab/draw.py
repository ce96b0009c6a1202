"""An instance as a drawing: program, automaton and product side by side, as in Siegel's Figure 1.

A dashed edge of the product is in the full one only. Accepting states have a double line, states
with a proper ample set are shaded, and the lasso that is lost is red.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whorl.lab import definitions
from whorl.lab.definitions import Graph, SelectsBy, node_name
from whorl.lab.instance import Instance, letter_name, operation_name, state_name
from whorl.lab.schemes import LabScheme
from whorl.lab.walks import without_walks
from whorl.property import layout
from whorl.property.layout import RADIUS, Curve, layered
from whorl.property.letters import display_label
from whorl.svg import CHAR, FONT, head

LINE = 15
CAPTION = 30
GAP = 28  # between panels

STYLE = """
  .caption { font-weight: bold }
  .small { font-size: 11px }
  .label { paint-order: stroke; stroke: $paper; stroke-width: 4px; stroke-linejoin: round }
  .state { fill: $box; stroke: $line; stroke-width: 1.3 }
  .proper { fill: $amber-box; stroke: $amber }
  .ring { fill: none; stroke: $line; stroke-width: 1.3 }
  .edge { fill: none; stroke: $faint; stroke-width: 1.3 }
  .lost { stroke-dasharray: 5 4 }
  .lasso { stroke: $wrong-line; stroke-width: 2 }
  .tip { fill: $faint }
  .tip-lasso { fill: $wrong-line }
"""


@dataclass(frozen=True, slots=True)
class Dot:
    """A node: its name, what stands below it, and how it looks."""

    name: str
    note: str = ""
    accepting: bool = False
    proper: bool = False


@dataclass(frozen=True, slots=True)
class Arrow:
    source: int
    target: int
    text: str
    lost: bool = False
    lasso: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    caption: str
    initial: int
    dots: Sequence[Dot]
    arrows: Sequence[Arrow]


def draw(instance: Instance, scheme: LabScheme, reduced: Graph) -> str:
    """The drawing as the text of an SVG file."""
    if scheme.has_walks:
        reduced = without_walks(instance.program, reduced)
    panels = [_program(instance), _automaton(instance), _product(instance, scheme, reduced)]
    return "\n".join(_drawing(panels)) + "\n"


# --- the three panels ----------------------------------------------------------------------------


def _program(instance: Instance) -> Panel:
    program = instance.program
    propositions = instance.automaton.propositions
    dots = [
        Dot(state_name(q), letter_name(program.labels[q], propositions)) for q in program.states
    ]
    names: dict[tuple[int, int], list[str]] = {}
    for q in program.states:
        for o, target in program.steps(q):
            names.setdefault((q, target), []).append(operation_name(o))
    lines = [Arrow(*ends, ",".join(texts)) for ends, texts in names.items()]
    return Panel("program", 0, dots, lines)


def _automaton(instance: Instance) -> Panel:
    automaton = instance.automaton
    dots = [Dot(str(s), accepting=s in automaton.accepting) for s in automaton.states]
    labels: dict[tuple[int, int], int] = {}
    for s in automaton.states:
        for edge in automaton.edges[s]:
            labels[s, edge.target] = labels.get((s, edge.target), 0) | edge.label
    lines = [
        Arrow(*ends, display_label(label, automaton.propositions)) for ends, label in labels.items()
    ]
    return Panel("automaton", automaton.initial, dots, lines)


def _product(instance: Instance, scheme: LabScheme, reduced: Graph) -> Panel:
    full = definitions.full_product(instance)
    lasso = definitions.accepting_lasso(instance, full)
    assert lasso is not None
    path, cycle = lasso
    way = [*path, *cycle[1:], cycle[0]]
    steps = set(pairwise(way))
    nodes = list(full)
    dots = [
        Dot(
            node_name(node),
            accepting=node[1] in instance.automaton.accepting,
            # With V0 no state has an ample set of its own.
            proper=scheme.selection is SelectsBy.SOURCE and not instance.is_full(*node),
        )
        for node in nodes
    ]
    lines = []
    for node in nodes:
        for target, operations in full[node].items():
            kept = reduced.get(node, {}).get(target, frozenset())
            for some, lost in ((kept, False), (operations - kept, True)):
                if some:
                    text = ",".join(operation_name(o) for o in sorted(some))
                    on_lasso = (node, target) in steps and (lost or operations == kept)
                    ends = (nodes.index(node), nodes.index(target))
                    lines.append(Arrow(*ends, text, lost, on_lasso))
    return Panel("product (dashed: full only)", nodes.index(instance.initial), dots, lines)


# --- lines and dots ------------------------------------------------------------------------------


def _drawing(panels: Sequence[Panel]) -> Iterator[str]:
    layouts = [
        layered(
            len(panel.dots),
            panel.initial,
            [layout.Line(a.source, a.target, len(a.text) * CHAR, LINE) for a in panel.arrows],
        )
        for panel in panels
    ]
    widths = [
        max(placed.width, len(panel.caption) * CHAR)
        for panel, placed in zip(panels, layouts, strict=True)
    ]
    width = sum(widths) + GAP * (len(panels) + 1)
    height = CAPTION + max(placed.height for placed in layouts)
    title = "program, automaton and their product"
    yield from head(width, height, title, STYLE, ("tip", "tip-lasso"))
    left = float(GAP)
    for panel, placed, wide in zip(panels, layouts, widths, strict=True):
        top = CAPTION + (height - CAPTION - placed.height) / 2
        yield f'<text class="caption" x="{left:.0f}" y="20">{html.escape(panel.caption)}</text>'
        yield f'<g transform="translate({left:.1f} {top:.1f})">'
        yield _path(placed.entry, "", "tip")
        for arrow, curve in zip(panel.arrows, placed.curves, strict=True):
            kinds = (" lost" if arrow.lost else "") + (" lasso" if arrow.lasso else "")
            yield _path(curve, kinds, "tip-lasso" if arrow.lasso else "tip")
        for dot, place in zip(panel.dots, placed.nodes, strict=True):
            yield from _dot(dot, *place)
        for arrow, (x, y) in zip(panel.arrows, placed.labels, strict=True):
            yield _text(x, y + FONT * 0.36, arrow.text, "label")
        yield "</g>"
        left += wide + GAP
    yield "</svg>"


def _dot(dot: Dot, x: float, y: float) -> Iterator[str]:
    kind = "state proper" if dot.proper else "state"
    yield f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}"/>'
    if dot.accepting:
        yield f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS - 4:g}"/>'
    yield _text(x, y if dot.note else y + FONT * 0.36, dot.name)
    if dot.note:
        yield _text(x, y + 12, dot.note, "small")


def _path(curve: Curve, kinds: str, tip: str) -> str:
    numbers = [f"{x:.1f} {y:.1f}" for x, y in curve]
    parts = " ".join(f"C{' '.join(numbers[i : i + 3])}" for i in range(1, len(numbers), 3))
    return f'<path class="edge{kinds}" marker-end="url(#{tip})" d="M{numbers[0]} {parts}"/>'


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{html.escape(text)}</text>'
