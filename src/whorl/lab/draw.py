"""An instance as a drawing: program, automaton and product side by side, as in Siegel's Figure 1.

A dashed edge of the product is in the full one only. Accepting states have a double line, states
with a proper ample set are shaded, and the lasso that is lost is red.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whorl.lab import definitions
from whorl.lab.definitions import Graph, node_name
from whorl.lab.instance import Instance, letter_name, operation_name, state_name
from whorl.lab.schemes import Scheme
from whorl.property.letters import display_label

NODE = 19  # radius
GAP = 74  # the least distance between the middles of two nodes on a circle
MARGIN = 64  # around a circle: loops and their labels
CAPTION = 34

STYLE = """
  text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1d2430 }
  .caption { font-weight: bold }
  .small { font-size: 11px }
  .halo { stroke: #ffffff; stroke-width: 3px; paint-order: stroke }
  .paper { fill: #ffffff }
  .node { fill: #eef2f8; stroke: #52627c; stroke-width: 1.3 }
  .proper { fill: #fbe8c8 }
  .inner { fill: none; stroke: #52627c }
  .edge { fill: none; stroke: #52627c; stroke-width: 1.3 }
  .lost { stroke-dasharray: 5 4 }
  .lasso { stroke: #c62f21; stroke-width: 2 }
  .tip { fill: #52627c }
  .tip-lasso { fill: #c62f21 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6eaf2 }
    .halo { stroke: #14181f }
    .paper { fill: #14181f }
    .node { fill: #232a36; stroke: #98a3b5 }
    .proper { fill: #4d3d1d }
    .inner, .edge { stroke: #98a3b5 }
    .lasso { stroke: #ff7a6b }
    .tip { fill: #98a3b5 }
    .tip-lasso { fill: #ff7a6b }
  }
"""


@dataclass(frozen=True, slots=True)
class Dot:
    """A node: its name, what stands below it, and how it looks."""

    name: str
    note: str = ""
    accepting: bool = False
    proper: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    source: int
    target: int
    text: str
    lost: bool = False
    lasso: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    caption: str
    dots: Sequence[Dot]
    lines: Sequence[Line]

    @property
    def radius(self) -> float:
        count = len(self.dots)
        return 0 if count == 1 else max(GAP / 2, GAP / (2 * math.sin(math.pi / count)))

    @property
    def side(self) -> float:
        return 2 * (self.radius + MARGIN)


def draw(instance: Instance, scheme: Scheme, reduced: Graph) -> str:
    """The drawing as the text of an SVG file."""
    panels = [_program(instance), _automaton(instance), _product(instance, scheme, reduced)]
    width = sum(panel.side for panel in panels)
    height = max(panel.side for panel in panels) + CAPTION
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}">',
        f"<style>{STYLE}</style>",
        '<rect class="paper" width="100%" height="100%"/>',
    ]
    left = 0.0
    for panel in panels:
        out += _panel(panel, left, height)
        left += panel.side
    return "\n".join([*out, "</svg>", ""])


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
    lines = [Line(*ends, ",".join(texts)) for ends, texts in names.items()]
    return Panel("program", dots, lines)


def _automaton(instance: Instance) -> Panel:
    automaton = instance.automaton
    dots = [Dot(str(s), accepting=s in automaton.accepting) for s in automaton.states]
    labels: dict[tuple[int, int], int] = {}
    for s in automaton.states:
        for edge in automaton.edges[s]:
            labels[s, edge.target] = labels.get((s, edge.target), 0) | edge.label
    lines = [
        Line(*ends, display_label(label, automaton.propositions)) for ends, label in labels.items()
    ]
    return Panel("automaton", dots, lines)


def _product(instance: Instance, scheme: Scheme, reduced: Graph) -> Panel:
    full = definitions.full_product(instance)
    lasso = definitions.accepting_lasso(instance, full)
    assert lasso is not None
    path, cycle = lasso
    way = [*path, *cycle[1:], cycle[0]]
    steps = set(zip(way, way[1:], strict=False))
    nodes = list(full)
    dots = [
        Dot(
            node_name(node),
            accepting=node[1] in instance.automaton.accepting,
            proper=not instance.is_full(*node),
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
                    lines.append(Line(*ends, text, lost, on_lasso))
    return Panel(f"product ({scheme.selection.value}; dashed: full only)", dots, lines)


# --- lines and dots ------------------------------------------------------------------------------


def _panel(panel: Panel, left: float, height: float) -> list[str]:
    middle_x = left + panel.side / 2
    middle_y = CAPTION + (height - CAPTION) / 2
    count = len(panel.dots)

    def place(index: int) -> tuple[float, float]:
        angle = 2 * math.pi * index / count - math.pi / 2
        return (
            middle_x + panel.radius * math.cos(angle),
            middle_y + panel.radius * math.sin(angle),
        )

    places = [place(i) for i in range(count)]
    out = [
        f'<text class="caption" x="{middle_x:.1f}" y="22" text-anchor="middle">'
        f"{html.escape(panel.caption)}</text>"
    ]
    drawn: dict[tuple[int, int], int] = {}
    for line in panel.lines:
        turn = drawn.get((line.source, line.target), 0)
        drawn[line.source, line.target] = turn + 1
        out += _line(line, places, (middle_x, middle_y), turn)
    x, y = places[0]
    out.append(_arrow(f"M {x - 44:.1f} {y:.1f} L {x - NODE - 6:.1f} {y:.1f}", (x - NODE, y), 0.0))
    for dot, (x, y) in zip(panel.dots, places, strict=True):
        proper = " proper" if dot.proper else ""
        out.append(f'<circle class="node{proper}" cx="{x:.1f}" cy="{y:.1f}" r="{NODE}"/>')
        if dot.accepting:
            out.append(f'<circle class="inner" cx="{x:.1f}" cy="{y:.1f}" r="{NODE - 4}"/>')
        shift = 0 if dot.note else 4
        out.append(_text(x, y + shift, dot.name))
        if dot.note:
            out.append(_text(x, y + 12, dot.note, "small"))
    return out


def _line(
    line: Line, places: Sequence[tuple[float, float]], middle: tuple[float, float], turn: int
) -> list[str]:
    kinds = (" lost" if line.lost else "") + (" lasso" if line.lasso else "")
    (x1, y1), (x2, y2) = places[line.source], places[line.target]
    if line.source == line.target:
        away = math.atan2(y1 - middle[1], x1 - middle[0]) if len(places) > 1 else -math.pi / 2
        away += 0.5 * turn
        reach = NODE + 34 + 10 * turn
        ends = [away - 0.42, away + 0.42]
        start, end = ((x1 + NODE * math.cos(a), y1 + NODE * math.sin(a)) for a in ends)
        bend = [(x1 + reach * math.cos(a), y1 + reach * math.sin(a)) for a in ends]
        path = f"M {_at(start)} C {_at(bend[0])} {_at(bend[1])} {_at(end)}"
        heading = math.atan2(end[1] - bend[1][1], end[0] - bend[1][0])
        text = (x1 + (reach + 2) * math.cos(away), y1 + (reach + 2) * math.sin(away) + 4)
        return [_arrow(path, end, heading, kinds), _text(*text, line.text, "halo")]
    distance = math.hypot(x2 - x1, y2 - y1)
    side = 16 + 18 * turn
    normal = ((y1 - y2) / distance, (x2 - x1) / distance)
    control = ((x1 + x2) / 2 + 2 * side * normal[0], (y1 + y2) / 2 + 2 * side * normal[1])
    leave = math.atan2(control[1] - y1, control[0] - x1)
    heading = math.atan2(y2 - control[1], x2 - control[0])
    start = (x1 + NODE * math.cos(leave), y1 + NODE * math.sin(leave))
    end = (x2 - NODE * math.cos(heading), y2 - NODE * math.sin(heading))
    path = f"M {_at(start)} Q {_at(control)} {_at(end)}"
    text = ((x1 + x2) / 2 + side * normal[0], (y1 + y2) / 2 + side * normal[1] + 4)
    return [_arrow(path, end, heading, kinds), _text(*text, line.text, "halo")]


def _arrow(path: str, end: tuple[float, float], heading: float, kinds: str = "") -> str:
    corners = [
        end,
        *(
            (end[0] - 8 * math.cos(heading + turn), end[1] - 8 * math.sin(heading + turn))
            for turn in (-0.4, 0.4)
        ),
    ]
    tip = "tip-lasso" if "lasso" in kinds else "tip"
    return (
        f'<path class="edge{kinds}" d="{path}"/>'
        f'<polygon class="{tip}" points="{" ".join(map(_at, corners))}"/>'
    )


def _at(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{html.escape(text)}</text>'
