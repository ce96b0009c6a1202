"""Writes diagrams for Graphviz: a cluster each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whorl.pictures.diagram import Appearance, Arc, Diagram, Vertex

VERTEX = {
    Appearance.END: 'style="", color="#2f7d4f", penwidth=3',
    Appearance.ACCEPTING: 'peripheries=2, color="#2563b8"',
    Appearance.PROGRESS: 'color="#7a4fb5", penwidth=2',
    Appearance.INSIDE: 'style="rounded,filled", fillcolor="#fbe8c8"',
    Appearance.PART: 'style="rounded,filled", fillcolor="#fbe8c8"',
    Appearance.PASSED: 'color="#98a3b5"',
    Appearance.WRONG: 'style=filled, fillcolor="#fde4e1", color="#c62f21"',
    Appearance.LEFT_OUT: 'style="rounded,dashed", color="#98a3b5", fontcolor="#98a3b5"',
}
ARC = {
    Appearance.ATOMIC: 'color="#b7791f", penwidth=2',
    Appearance.LEFT_OUT: 'style=dashed, color="#98a3b5", fontcolor="#98a3b5"',
    Appearance.FAILING: 'color="#c62f21", penwidth=2',
    Appearance.ON_LASSO: 'color="#c62f21", penwidth=2',
}


def dot(title: str, diagrams: Sequence[Diagram]) -> str:
    """The diagrams as one digraph."""
    return "\n".join(_lines(title, diagrams)) + "\n"


def _lines(title: str, diagrams: Sequence[Diagram]) -> Iterator[str]:
    yield f"digraph {_quoted(title)} {{"
    yield '  graph [fontname="monospace"];'
    yield '  node [fontname="monospace", fontsize=10, shape=box, style=rounded];'
    yield '  edge [fontname="monospace", fontsize=10];'
    for number, diagram in enumerate(diagrams):
        yield f"  subgraph cluster_{number} {{"
        yield f"    label={_quoted(diagram.caption)};"
        yield f"    g{number}_entry [shape=point, width=0.01];"
        for at, vertex in enumerate(diagram.vertices):
            yield f"    g{number}_{at} [{_vertex(vertex)}];"
        yield f"    g{number}_entry -> g{number}_{diagram.initial};"
        for arc in diagram.arcs:
            yield f"    g{number}_{arc.source} -> g{number}_{arc.target} [{_arc(arc)}];"
        yield "  }"
    yield "}"


def _vertex(vertex: Vertex) -> str:
    parts = [f"label={_quoted(vertex.text)}", f"tooltip={_quoted(vertex.about)}"]
    return ", ".join([*parts, *(VERTEX[look] for look in VERTEX if look in vertex.looks)])


def _arc(arc: Arc) -> str:
    parts = [f"label={_quoted(arc.text)}", f"tooltip={_quoted(arc.about)}"]
    return ", ".join([*parts, *(ARC[look] for look in ARC if look in arc.looks)])


def _quoted(text: str | Sequence[str]) -> str:
    lines = text.split("\n") if isinstance(text, str) else text
    safe = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(safe) + '"'
