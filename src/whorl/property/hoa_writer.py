"""Writes automata in the Hanoi Omega-Automata format, version 1."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.property.automaton import Automaton, Buchi, Edge
from whorl.property.letters import hoa_label


def hoa_text(automaton: Automaton | Buchi, name: str = "") -> str:
    """The automaton as HOA: a Büchi automaton with accepting states, or a generalised one."""
    return "\n".join(_lines(automaton, name)) + "\n"


def _lines(automaton: Automaton | Buchi, name: str) -> Iterator[str]:
    yield "HOA: v1"
    if name:
        yield f"name: {_quoted(name)}"
    yield f"States: {len(automaton.states)}"
    yield f"Start: {automaton.initial}"
    names = automaton.propositions
    yield " ".join(["AP:", str(len(names)), *map(_quoted, names)])
    properties = ["trans-labels", "explicit-labels"]
    if isinstance(automaton, Buchi):
        yield "acc-name: Buchi"
        yield "Acceptance: 1 Inf(0)"
        properties.append("state-acc")
        properties += ["deterministic"] if automaton.is_deterministic else []
        properties += ["complete"] if automaton.is_complete else []
    else:
        sets = automaton.sets
        known = {0: "all", 1: "Buchi"}.get(sets, f"generalized-Buchi {sets}")
        yield f"acc-name: {known}"
        yield f"Acceptance: {sets} {'&'.join(f'Inf({n})' for n in range(sets)) or 't'}"
        properties.append("trans-acc")
    yield f"properties: {' '.join(properties)}"
    yield "--BODY--"
    for state in automaton.states:
        accepting = isinstance(automaton, Buchi) and state in automaton.accepting
        yield f"State: {state}{' {0}' if accepting else ''}"
        for edge in automaton.edges[state]:
            yield f"[{hoa_label(edge.label, len(names))}] {edge.target}{_signature(edge)}"
    yield "--END--"


def _signature(edge: Edge) -> str:
    sets = [str(n) for n in range(edge.marks.bit_length()) if edge.marks >> n & 1]
    return f" {{{' '.join(sets)}}}" if sets else ""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
