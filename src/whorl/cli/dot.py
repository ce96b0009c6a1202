"""Draws the process automata of a program as Graphviz DOT."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.diagrams.processes import reachable
from whorl.program.program import ProcessType, Program, Transition


def dot_lines(program: Program) -> Iterator[str]:
    """One digraph with a cluster for each process type and claim."""
    yield f"digraph {_quoted(program.source.name)} {{"
    yield '  graph [fontname="monospace", rankdir=TB];'
    yield '  node [fontname="monospace", fontsize=10, shape=circle];'
    yield '  edge [fontname="monospace", fontsize=10];'
    claims = [("never ", claim) for claim in program.never]
    if program.trace is not None:
        claims.append(("notrace " if program.trace_negated else "trace ", program.trace))
    everything = [("", process) for process in program.processes] + claims
    for number, (keyword, process) in enumerate(everything):
        yield from _cluster(number, keyword, process)
    yield "}"


def _cluster(number: int, keyword: str, process: ProcessType) -> Iterator[str]:
    yield f"  subgraph cluster_{number} {{"
    yield f"    label={_quoted(keyword + process.title)};"
    locations = reachable(process)
    for location in locations:
        yield f"    {_name(number, location)} [{_attributes(process, location)}];"
    for location in locations:
        for transition in process.locations.get(location, ()):
            yield f"    {_edge(number, process, transition)}"
    yield "  }"


def _attributes(process: ProcessType, location: int) -> str:
    names = [label for label, at in process.labels.items() if at == location]
    attributes = [f"label={_quoted(chr(10).join([str(location), *names]))}"]
    if location in process.end_locations:
        attributes.append("shape=doublecircle")
    fill = None
    if location in process.accept_locations:
        fill = "#f6c9c9"
    elif location in process.progress_locations:
        fill = "#c9e6c9"
    styles = ["filled"] if fill else []
    if location == process.start:
        styles.append("bold")
    if fill:
        attributes.append(f'fillcolor="{fill}"')
    if styles:
        attributes.append(f'style="{",".join(styles)}"')
    kinds = [
        kind
        for kind, among in (
            ("start", {process.start}),
            ("end", process.end_locations),
            ("accept", process.accept_locations),
            ("progress", process.progress_locations),
        )
        if location in among
    ]
    if kinds:
        attributes.append(f"tooltip={_quoted(', '.join(kinds))}")
    return ", ".join(attributes)


def _edge(number: int, process: ProcessType, transition: Transition) -> str:
    text = transition.text or "goto"
    line = transition.span.line
    marks = ["atomic"] if transition.atomic else []
    if transition.escape:
        marks.append("unless")
    marked = f" ({', '.join(marks)})" if marks else ""
    attributes = [f"label={_quoted(f'{text}{marked}')}", f'tooltip="line {line}"']
    if transition.atomic:
        attributes.append('color="#2a6fb0", penwidth=2')
    source, target = _name(number, transition.source), _name(number, transition.target)
    if transition.target == process.final and transition.source == process.final:
        return f"{source} -> {target} [{', '.join(attributes)}, style=dotted];"
    return f"{source} -> {target} [{', '.join(attributes)}];"


def _name(number: int, location: int) -> str:
    return f"p{number}_{location}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
