"""Where the parts of a diagram go: vertices in rows by rank, labels in rows of their own.

Between two rows of vertices there is one of labels, so that a label lies on nothing else, as in
Graphviz (Gansner, Koutsofios, North and Vo, "A technique for drawing directed graphs", 1993). The
label stands where the edge leaves its source, to the right of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whorl.pictures.diagram import Arc, Diagram
from whorl.pictures.ranks import ranks
from whorl.pictures.rows import RowItem, arrange
from whorl.svg import CHAR

LINE = 15.0  # the height of a line of text
MARGIN = 16.0
ENTRY = 24.0  # the arrow to the initial vertex
LOOP, LOOP_HEIGHT = 26.0, 18.0  # how far a loop reaches from its vertex
BESIDE = 6.0  # between an edge and its label
NEAR, FAR = 20.0, 64.0  # least and greatest distance of rows

Box = tuple[float, float, float, float]  # left, top, right, bottom
Station = tuple[float, float, float]  # an edge passes here straight down: x, from y, to y


@dataclass(slots=True)
class PlacedDiagram:
    """`boxes` are the vertices'. `ways[i]` and `labels[i]` (its left, its middle) are of arc i.

    A way goes from station to station, upwards if that is its direction; that of a loop is empty.
    """

    width: float
    height: float
    boxes: list[Box]
    ways: list[list[Station]]
    labels: list[tuple[float, float]]


def size(text: Sequence[str]) -> tuple[float, float]:
    """The width and height of some lines of text."""
    return max(map(len, text), default=0) * CHAR, len(text) * LINE


def vertex_size(text: Sequence[str]) -> tuple[float, float]:
    width, height = size(text)
    return max(width + 16, 30.0), max(height + 10, 26.0)


def place(diagram: Diagram) -> PlacedDiagram:
    """A layout without overlaps of texts and vertices."""
    return _Layout(diagram).placed()


class _Layout:
    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.sizes = [vertex_size(vertex.text) for vertex in diagram.vertices]
        pairs = [(arc.source, arc.target) for arc in diagram.arcs]
        rank = ranks(len(self.sizes), diagram.initial, pairs, diagram.deep)
        self.items = [
            RowItem(2 * rank[n], width / 2, width / 2, height)
            for n, (width, height) in enumerate(self.sizes)
        ]
        self.loops: dict[int, list[float]] = {}  # the heights of those of a vertex
        self.chains = [self._chain(arc) for arc in diagram.arcs]
        arrange(self.items)
        self._rows()

    def _chain(self, arc: Arc) -> list[int]:
        """The items of an arc between its ends, downwards; that of its label among them."""
        wide, high = size(arc.text)
        source, target = self.items[arc.source], self.items[arc.target]
        if arc.source == arc.target:
            source.right = max(source.right, self.sizes[arc.source][0] / 2 + LOOP + wide)
            loops = self.loops.setdefault(arc.source, [])
            loops.append(max(high, LOOP_HEIGHT))
            source.height = max(source.height, sum(loops))
            return []
        down = source.row < target.row
        top, bottom = (arc.source, arc.target) if down else (arc.target, arc.source)
        rows = range(self.items[top].row + 1, self.items[bottom].row)
        labelled = rows[0] if down else rows[-1]
        chain = []
        for row in rows:
            has_label = row == labelled and arc.text
            right, height = (BESIDE + wide, high) if has_label else (2.0, 0.0)
            self.items.append(RowItem(row, 2.0, right, height, straight=True))
            chain.append(len(self.items) - 1)
        for upper, lower in zip([top, *chain], [*chain, bottom], strict=True):
            self.items[upper].below.append(lower)
            self.items[lower].above.append(upper)
        return chain

    def _rows(self) -> None:
        """The top and the bottom of each row: further apart where edges go far to the side."""
        count = max(item.row for item in self.items) + 1
        heights, slopes = [0.0] * count, [0.0] * count
        for item in self.items:
            heights[item.row] = max(heights[item.row], item.height)
            for below in item.below:
                aside = abs(self.items[below].x - item.x)
                slopes[item.row] = max(slopes[item.row], aside)
        self.tops, y = [], MARGIN + ENTRY
        for height, slope in zip(heights, slopes, strict=True):
            self.tops.append(y)
            y += height + min(FAR, max(NEAR, 0.16 * slope))
        self.bottoms = [top + height for top, height in zip(self.tops, heights, strict=True)]

    def placed(self) -> PlacedDiagram:
        shift = MARGIN - min(item.x - item.left for item in self.items)
        for item in self.items:
            item.x += shift
        boxes = [self._box(n) for n in range(len(self.sizes))]
        ports = self._ports(boxes)
        arcs = list(enumerate(zip(self.diagram.arcs, self.chains, strict=True)))
        ways = [self._way(arc, chain, boxes, ports.get(n)) for n, (arc, chain) in arcs]
        labels = [self._label(n, boxes) for n, _ in arcs]
        width = max(item.x + item.right for item in self.items) + MARGIN
        return PlacedDiagram(width, self.bottoms[-1] + MARGIN, boxes, ways, labels)

    def _box(self, number: int) -> Box:
        item, (width, height) = self.items[number], self.sizes[number]
        y = (self.tops[item.row] + self.bottoms[item.row]) / 2
        return item.x - width / 2, y - height / 2, item.x + width / 2, y + height / 2

    def _ports(self, boxes: Sequence[Box]) -> dict[int, tuple[float, float]]:
        """Of each arc, where on the border of its upper and of its lower end it is attached."""
        sides: dict[tuple[int, bool], list[tuple[float, int]]] = {}
        for number, (arc, chain) in enumerate(zip(self.diagram.arcs, self.chains, strict=True)):
            if chain:
                ends = sorted((arc.source, arc.target), key=lambda n: self.items[n].row)
                for end, upper, near in ((ends[0], True, chain[0]), (ends[1], False, chain[-1])):
                    sides.setdefault((end, upper), []).append((self.items[near].x, number))
        found: dict[int, dict[bool, float]] = {}
        for (vertex, upper), attached in sides.items():
            left, _, right, _ = boxes[vertex]
            room = (right - left) * 0.7
            gap = min(14.0, room / max(len(attached) - 1, 1))
            first = (left + right) / 2 - gap * (len(attached) - 1) / 2
            for n, (_, number) in enumerate(sorted(attached)):
                found.setdefault(number, {})[upper] = first + n * gap
        return {number: (ends[True], ends[False]) for number, ends in found.items()}

    def _way(
        self, arc: Arc, chain: list[int], boxes: Sequence[Box], ports: tuple[float, float] | None
    ) -> list[Station]:
        if ports is None:
            return []
        top, bottom = sorted((arc.source, arc.target), key=lambda n: self.items[n].row)
        upper, lower = self.items[top].row, self.items[bottom].row
        way = [(ports[0], boxes[top][3], self.bottoms[upper])]
        for number in chain:
            item = self.items[number]
            way.append((item.x, self.tops[item.row], self.bottoms[item.row]))
        way.append((ports[1], self.tops[lower], boxes[bottom][1]))
        if top == arc.source:
            return way
        return [(x, end, begin) for x, begin, end in reversed(way)]

    def _label(self, number: int, boxes: Sequence[Box]) -> tuple[float, float]:
        arc, chain = self.diagram.arcs[number], self.chains[number]
        if not chain:
            _, top, right, bottom = boxes[arc.source]
            heights = self.loops[arc.source]
            before = sum(
                1 for a in self.diagram.arcs[:number] if a.source == a.target == arc.source
            )
            above = sum(heights[:before]) + heights[before] / 2
            return right + LOOP, (top + bottom) / 2 - sum(heights) / 2 + above
        down = self.items[arc.source].row < self.items[arc.target].row
        item = self.items[chain[0 if down else -1]]
        return item.x + BESIDE, (self.tops[item.row] + self.bottoms[item.row]) / 2
