"""Diagrams of process automata: locations by their lines, and statements beside the arrows."""

from __future__ import annotations

from pathlib import PurePath

from whorl.diagnostics import Span
from whorl.diagrams.texts import joined, shortened
from whorl.pictures.diagram import Appearance, Arc, Diagram, Vertex
from whorl.program.program import ProcessType, Program, Terminate, Transition

LEGEND = {
    Appearance.END: "valid end",
    Appearance.ACCEPTING: "accept label",
    Appearance.PROGRESS: "progress label",
    Appearance.INSIDE: "control is kept here",
    Appearance.ATOMIC: "atomic: keeps control",
}


def process_diagram(program: Program, process: ProcessType, caption: str = "") -> Diagram:
    """The automaton of a process type: what its start leads to."""
    locations = reachable(process)
    number = {location: n for n, location in enumerate(locations)}
    kept = _kept(process, locations)
    vertices = [_vertex(program, process, location, location in kept) for location in locations]
    arcs = [
        _arc(transition, number)
        for location in locations
        for transition in process.locations.get(location, ())
        if not isinstance(transition.action, Terminate)
    ]
    return Diagram(caption or process.title, 0, vertices, joined(arcs), LEGEND, deep=True)


def reachable(process: ProcessType) -> list[int]:
    """The locations that the start leads to, in the order in which they are met."""
    met = {process.start: None}
    waiting = [process.start]
    while waiting:
        location = waiting.pop()
        for transition in process.locations.get(location, ()):
            if transition.target not in met:
                met[transition.target] = None
                waiting.append(transition.target)
    return list(met)


def _kept(process: ProcessType, locations: list[int]) -> set[int]:
    """The locations to which only transitions lead that keep control."""
    kept, others = set[int](), {process.start}
    for location in locations:
        for transition in process.locations.get(location, ()):
            (kept if transition.atomic else others).add(transition.target)
    return kept - others


def _vertex(program: Program, process: ProcessType, location: int, kept: bool) -> Vertex:
    names = [name for name, at in process.labels.items() if at == location]
    looks = {
        look
        for look, among in (
            (Appearance.END, process.end_locations),
            (Appearance.ACCEPTING, process.accept_locations),
            (Appearance.PROGRESS, process.progress_locations),
        )
        if location in among
    }
    if kept:
        looks.add(Appearance.INSIDE)
    where = "end" if location == process.final else _line(program, process, location)
    about = [f"location {location}", where, *names]
    about += [LEGEND[look] for look in Appearance if look in looks]
    return Vertex((where, *names), ", ".join(dict.fromkeys(about)), frozenset(looks))


def _line(program: Program, process: ProcessType, location: int) -> str:
    leaving = [t for t in process.locations.get(location, ()) if t.text]
    lines = {t.span.line for t in leaving}
    span = leaving[0].span if len(lines) == 1 else process.lines.get(location, process.span)
    return _place(program, span)


def _place(program: Program, span: Span) -> str:
    inside = span.source.name == program.source.name
    return f"line {span.line}" if inside else f"{PurePath(span.source.name).name}:{span.line}"


def _arc(transition: Transition, number: dict[int, int]) -> Arc:
    text = transition.text or "goto"
    marks = ["atomic"] if transition.atomic else []
    marks += ["unless"] if transition.escape else []
    marked = f" ({', '.join(marks)})" if marks else ""
    about = f"{transition.span.source.name}:{transition.span.line}: {text}{marked}"
    shown = shortened(f"unless: {text}" if transition.escape else text)
    looks = frozenset({Appearance.ATOMIC}) if transition.atomic else frozenset[Appearance]()
    ends = number[transition.source], number[transition.target]
    return Arc(*ends, (shown,), about, looks)
