"""The diagram of a property automaton, for Graphviz; `property.draw` draws it."""

from __future__ import annotations

from whorl.pictures.diagram import Appearance, Arc, Diagram, Vertex
from whorl.property.automaton import Buchi
from whorl.property.draw import edge_texts, label_lines


def property_diagram(title: str, automaton: Buchi) -> Diagram:
    vertices = [
        Vertex(
            (str(state),),
            f"state {state}",
            frozenset({Appearance.ACCEPTING} if state in automaton.accepting else ()),
        )
        for state in automaton.states
    ]
    arcs = [
        Arc(*ends, tuple(label_lines(text)), text) for ends, text in edge_texts(automaton).items()
    ]
    return Diagram(title, automaton.initial, vertices, arcs)
