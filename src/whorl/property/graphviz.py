"""A layout by Graphviz's program dot, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

from whorl.property.layout import MARGIN, RADIUS, GraphLayout, Line, Point

INCH = 72.0  # dot's unit of length, in the units of the picture
TIMEOUT = 20  # seconds
_BARE = 'border="0" cellborder="0" cellspacing="0" cellpadding="0" fixedsize="true"'


def by_graphviz(count: int, initial: int, lines: Sequence[Line]) -> GraphLayout | None:
    """A layout of a graph with the nodes 0..count-1; None where dot is missing or fails."""
    program = shutil.which("dot")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "-Tplain"],
            input=_graph(count, initial, lines),
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=True,
        )
        return _read(done.stdout, count, lines)
    except (OSError, ValueError, LookupError, subprocess.SubprocessError):
        return None


def _graph(count: int, initial: int, lines: Sequence[Line]) -> str:
    """Nodes and labels as boxes of known sizes: which font dot has does not matter then."""
    size = f"{2 * RADIUS / INCH:.4f}"
    text = [
        "digraph {",
        "rankdir=LR; nodesep=0.4; ranksep=0.45;",
        f'node [shape=circle, fixedsize=true, width={size}, height={size}, label=""];',
        "edge [arrowhead=none];",
        "entry [shape=point, width=0.01, height=0.01];",
        *(f"{node};" for node in range(count)),
        f"entry -> {initial};",
    ]
    for line in lines:
        box = f'width="{line.width + 6:.0f}" height="{line.height + 4:.0f}"'
        label = f"<table {_BARE} {box}><tr><td></td></tr></table>"
        text.append(f"{line.source} -> {line.target} [label=<{label}>];")
    return "\n".join([*text, "}"])


def _read(plain: str, count: int, lines: Sequence[Line]) -> GraphLayout:
    """What `dot -Tplain` says; its origin is at the bottom left."""
    width = height = 0.0
    nodes: dict[str, Point] = {}
    curves: dict[tuple[str, str], tuple[Point, ...]] = {}
    labels: dict[tuple[str, str], Point] = {}
    for row in plain.replace("\\\n", "").splitlines():
        words = row.split()
        if words[0] == "graph":
            width, height = float(words[2]) * INCH, float(words[3]) * INCH

        def point(x: str, y: str, top: float = height) -> Point:
            return MARGIN + float(x) * INCH, MARGIN + top - float(y) * INCH

        if words[0] == "node":
            nodes[words[1]] = point(words[2], words[3])
        elif words[0] == "edge":
            key = words[1], words[2]
            numbers = words[4 : 4 + 2 * int(words[3])]
            curves[key] = tuple(map(point, numbers[::2], numbers[1::2]))
            if key[0] != "entry":
                labels[key] = point(words[-4], words[-3])
    keys = [(str(line.source), str(line.target)) for line in lines]
    (entry,) = (curve for key, curve in curves.items() if key[0] == "entry")
    return GraphLayout(
        width + 2 * MARGIN,
        height + 2 * MARGIN,
        [nodes[str(node)] for node in range(count)],
        [curves[key] for key in keys],
        [labels[key] for key in keys],
        entry,
    )
