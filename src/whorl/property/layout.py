"""Where the parts of a drawn graph go: the types, and a layout of our own.

Nodes stand in columns by their distance from the first one. An edge is a curve; of several ways to
bend it, the one is taken that touches no node, crosses little and has room for its label.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

RADIUS = 18.0
MARGIN = 16.0
COLUMN = 74.0  # between the borders of nodes in neighbouring columns, without room for labels
ROW = 96.0
GAP = 4.0  # around labels
SAMPLES = 24
MOST_CAREFUL = 80  # edges; with more, they do not look at each other, which takes long

Point = tuple[float, float]
Curve = tuple[Point, ...]  # 3k + 1 points: k cubic Bézier curves, each from where the last ends
Box = tuple[float, float, float, float]  # left, top, right, bottom

BENDS = (0.0, 0.16, -0.16, 0.3, -0.3, 0.5, -0.5, 0.75, -0.75, 1.05, -1.05)
PLACES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)
LOOPS = (-90.0, 90.0, -45.0, -135.0, 45.0, 135.0, 0.0, 180.0)  # degrees; -90 is above


@dataclass(frozen=True, slots=True)
class Line:
    """An edge to be drawn, with the size of its label."""

    source: int
    target: int
    width: float
    height: float


@dataclass(slots=True)
class GraphLayout:
    """`curves[i]` and `labels[i]` (its middle) are of the i-th line."""

    width: float
    height: float
    nodes: list[Point]
    curves: list[Curve] = field(default_factory=list)
    labels: list[Point] = field(default_factory=list)
    entry: Curve = ()  # the arrow to the first node


def layered(count: int, initial: int, lines: Sequence[Line]) -> GraphLayout:
    """A layout of a graph with the nodes 0..count-1."""
    nodes = _places(_columns(count, initial, lines), lines)
    boxes: list[Box] = []
    drawn: list[list[Point]] = []
    curves: dict[int, Curve] = {}
    labels: dict[int, Point] = {}
    x, y = nodes[initial]
    entry = _line((x - RADIUS - 26, y), (x - RADIUS, y))
    obstacles = [(x - RADIUS - 26, y - 4, x - RADIUS, y + 4)]
    careful = len(lines) <= MOST_CAREFUL
    # Short edges first: they have the least choice. Loops last: they fit anywhere.
    order = sorted(range(len(lines)), key=lambda i: _length(nodes, lines[i]))
    for i in order:
        line = lines[i]
        best: tuple[float, Curve, Point] | None = None
        for cost, curve in islice(_candidates(nodes, line), None if careful else 3):
            path = list(_sampled(curve))
            cost += _touching(path, nodes, line)
            if careful:
                cost += 8 * sum(_inside(point, box) for point in path for box in boxes)
                cost += 25 * sum(_crosses(path, other) for other in drawn)
            for price, place in islice(_label_places(curve, line), None if careful else 2):
                total = cost + price
                if careful:
                    box = _around(place, line)
                    total += _covered(box, nodes, boxes + obstacles, drawn)
                if best is None or total < best[0]:
                    best = (total, curve, place)
        assert best is not None
        _, curves[i], labels[i] = best
        drawn.append(list(_sampled(curves[i])))
        boxes.append(_around(labels[i], line))
    layout = GraphLayout(0, 0, nodes, [], [], entry)
    layout.curves = [curves[i] for i in range(len(lines))]
    layout.labels = [labels[i] for i in range(len(lines))]
    return _moved_into_view(layout, boxes)


# --- nodes ---------------------------------------------------------------------------------------


def _columns(count: int, initial: int, lines: Sequence[Line]) -> list[list[int]]:
    """The nodes by distance from the first; those that cannot be reached stand in the last."""
    targets: dict[int, list[int]] = {node: [] for node in range(count)}
    near: dict[int, list[int]] = {node: [] for node in range(count)}
    for line in lines:
        targets[line.source].append(line.target)
        near[line.target].append(line.source)
        near[line.source].append(line.target)
    distance = {initial: 0}
    queue = [initial]
    for node in queue:  # grows meanwhile
        for target in targets[node]:
            if target not in distance:
                distance[target] = distance[node] + 1
                queue.append(target)
    last = max(distance.values()) + 1
    columns: list[list[int]] = [[] for _ in range(last + 1)]
    for node in [*queue, *(n for n in range(count) if n not in distance)]:
        columns[distance.get(node, last)].append(node)
    columns = [column for column in columns if column]
    # A few sweeps in which a node goes where its neighbours in other columns are.
    place = {n: i - (len(column) - 1) / 2 for column in columns for i, n in enumerate(column)}
    for _ in range(4):
        for column in columns:

            def middle(node: int, column: list[int] = column) -> float:
                others = [place[n] for n in near[node] if n not in column]
                return sum(others) / len(others) if others else place[node]

            column.sort(key=middle)
            place.update({n: i - (len(column) - 1) / 2 for i, n in enumerate(column)})
    return columns


def _places(columns: list[list[int]], lines: Sequence[Line]) -> list[Point]:
    column_of = {node: n for n, column in enumerate(columns) for node in column}
    nodes: dict[int, Point] = {}
    x = 0.0
    for n, column in enumerate(columns):
        inside = [
            line.height for line in lines if column_of[line.source] == column_of[line.target] == n
        ]
        row = max([ROW, *(2 * RADIUS + 44 + height for height in inside)])
        for i, node in enumerate(column):
            nodes[node] = (x, (i - (len(column) - 1) / 2) * row)
        passing = [
            line.width
            for line in lines
            if min(column_of[line.source], column_of[line.target]) <= n
            and max(column_of[line.source], column_of[line.target]) == n + 1
        ]
        x += 2 * RADIUS + max(COLUMN, max(passing, default=0.0) + 44)
    return [nodes[node] for node in range(len(nodes))]


# --- edges ---------------------------------------------------------------------------------------


def _length(nodes: list[Point], line: Line) -> float:
    return math.inf if line.source == line.target else math.dist(
        nodes[line.source], nodes[line.target]
    )  # fmt: skip


def _candidates(nodes: list[Point], line: Line) -> Iterator[tuple[float, Curve]]:
    """Ways to draw an edge, with what each costs by itself."""
    if line.source == line.target:
        for n, degrees in enumerate(LOOPS):
            yield 4.0 * n, _loop(nodes[line.source], math.radians(degrees))
        return
    (x1, y1), (x2, y2) = nodes[line.source], nodes[line.target]
    length = math.dist((x1, y1), (x2, y2))
    along = ((x2 - x1) / length, (y2 - y1) / length)
    across = (-along[1], along[0])
    backward = x2 <= x1
    for bend in BENDS:
        # The control points lie off the straight line, more for longer edges.
        off = bend * (30 + 0.55 * length)
        first = (x1 + along[0] * length / 4 + across[0] * off,
                 y1 + along[1] * length / 4 + across[1] * off)  # fmt: skip
        second = (x2 - along[0] * length / 4 + across[0] * off,
                  y2 - along[1] * length / 4 + across[1] * off)  # fmt: skip
        begin, end = _towards((x1, y1), first), _towards((x2, y2), second)
        yield 14 * abs(bend - (0.16 if backward else 0.0)), (begin, first, second, end)


def _loop(node: Point, angle: float) -> Curve:
    x, y = node
    reach = RADIUS + 34

    def at(offset: float, distance: float) -> Point:
        return x + distance * math.cos(angle + offset), y + distance * math.sin(angle + offset)

    return at(-0.5, RADIUS), at(-0.62, reach), at(0.62, reach), at(0.5, RADIUS)


def _towards(node: Point, other: Point) -> Point:
    """The point of a node's border that is nearest to another point."""
    length = math.dist(node, other)
    return (
        node[0] + (other[0] - node[0]) * RADIUS / length,
        node[1] + (other[1] - node[1]) * RADIUS / length,
    )


def _line(begin: Point, end: Point) -> Curve:
    (x1, y1), (x2, y2) = begin, end
    return (
        begin,
        (x1 + (x2 - x1) / 3, y1 + (y2 - y1) / 3),
        (x1 + (x2 - x1) * 2 / 3, y1 + (y2 - y1) * 2 / 3),
        end,
    )


def _on(curve: Curve, t: float) -> Point:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    s = 1 - t
    k = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return (
        k[0] * ax + k[1] * bx + k[2] * cx + k[3] * dx,
        k[0] * ay + k[1] * by + k[2] * cy + k[3] * dy,
    )


def _sampled(curve: Curve) -> Iterator[Point]:
    for i in range(SAMPLES + 1):
        yield _on(curve, i / SAMPLES)


def _touching(path: list[Point], nodes: list[Point], line: Line) -> float:
    """What it costs that a curve comes too near to nodes that are not its own."""
    cost = 0.0
    for n, node in enumerate(nodes):
        if n not in (line.source, line.target):
            near = min(math.dist(node, point) for point in path)
            if near < RADIUS + 8:
                cost += 400 + 10 * (RADIUS + 8 - near)
    return cost


def _crosses(one: list[Point], other: list[Point]) -> bool:
    """Whether two curves come close to each other somewhere away from their ends."""
    inner = one[4:-4]
    return any(math.dist(a, b) < 7 for a in inner for b in other[4:-4:2])


# --- labels --------------------------------------------------------------------------------------


def _label_places(curve: Curve, line: Line) -> Iterator[tuple[float, Point]]:
    """Places for the label, on either side of the curve, with what each costs by itself."""
    for n, t in enumerate(PLACES):
        x, y = _on(curve, t)
        x0, y0 = _on(curve, t - 0.05)
        x1, y1 = _on(curve, t + 0.05)
        length = math.dist((x0, y0), (x1, y1)) or 1.0
        across = (-(y1 - y0) / length, (x1 - x0) / length)
        # How far the middle of the label must go until its box is beside the curve.
        off = abs(across[0]) * line.width / 2 + abs(across[1]) * line.height / 2 + GAP
        for side, price in ((-1, 0.0), (1, 1.0)):
            above = across[1] * side
            place = (x + across[0] * side * off, y + across[1] * side * off)
            yield 3.0 * n + price + (1.0 if above > 0 else 0.0), place


def _around(place: Point, line: Line) -> Box:
    x, y = place
    return (x - line.width / 2, y - line.height / 2, x + line.width / 2, y + line.height / 2)


def _covered(
    box: Box, nodes: list[Point], boxes: Iterable[Box], drawn: Iterable[list[Point]]
) -> float:
    """What it costs that a label lies on nodes, on other labels or on edges."""
    left, top, right, bottom = box
    cost = 0.0
    for x, y in nodes:
        nearest = (min(max(x, left), right), min(max(y, top), bottom))
        if math.dist((x, y), nearest) < RADIUS + 2:
            cost += 300
    for other in boxes:
        wide = min(right, other[2]) - max(left, other[0])
        high = min(bottom, other[3]) - max(top, other[1])
        if wide > -GAP and high > -GAP / 2:
            cost += 500
    for path in drawn:
        cost += 6 * sum(_inside(point, box) for point in path)
    return cost


def _inside(point: Point, box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _moved_into_view(layout: GraphLayout, boxes: list[Box]) -> GraphLayout:
    """The layout with its top left corner at the origin, and with its size."""
    curves = [*layout.curves, layout.entry]
    xs = [x for curve in curves for x, _ in _sampled(curve)] + [
        side for b in boxes for side in b[::2]
    ]
    ys = [y for curve in curves for _, y in _sampled(curve)] + [
        side for b in boxes for side in b[1::2]
    ]
    xs += [x + d for x, _ in layout.nodes for d in (-RADIUS, RADIUS)]
    ys += [y + d for _, y in layout.nodes for d in (-RADIUS, RADIUS)]
    dx, dy = MARGIN - min(xs), MARGIN - min(ys)

    def moved(points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((x + dx, y + dy) for x, y in points)

    return GraphLayout(
        max(xs) + dx + MARGIN,
        max(ys) + dy + MARGIN,
        list(moved(layout.nodes)),
        [moved(curve) for curve in layout.curves],
        list(moved(layout.labels)),
        moved(layout.entry),
    )
