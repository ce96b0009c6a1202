"""Writes Büchi automata as never claims that Spin accepts."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.property.automaton import Buchi, full
from whorl.property.letters import promela_label


def never_text(buchi: Buchi, name: str = "") -> str:
    """The automaton as a never claim.

    States that accept every word are written as one, at the end of the claim, so that Spin reports
    a violation where a finite run is enough to show it.
    """
    return "\n".join(_lines(buchi, name)) + "\n"


def _lines(buchi: Buchi, name: str) -> Iterator[str]:
    about = name.replace("*/", "* /").replace("\n", " ")
    yield f"never {{ /* {about} */" if about else "never {"
    everything = full(len(buchi.propositions))
    ends = {
        state
        for state in buchi.accepting
        if any(e.target == state and e.label == everything for e in buchi.edges[state])
    }

    def label(state: int) -> str:
        """Spin looks for `accept` at the start of a label."""
        prefix = "accept" if state in buchi.accepting else "T0"
        if state == buchi.initial:
            return f"{prefix}_init"
        return "accept_all" if state in ends else f"{prefix}_S{state}"

    if buchi.initial in ends:
        yield from (f"{label(buchi.initial)}:", "    skip", "}")
        return
    for state in sorted(buchi.states, key=lambda s: (s != buchi.initial, s)):  # it begins the claim
        if state in ends:
            continue
        yield f"{label(state)}:"
        if not buchi.edges[state]:
            yield "    false;"
            continue
        yield "    do"
        for edge in buchi.edges[state]:
            condition = promela_label(edge.label, buchi.propositions)
            yield f"    :: ({condition}) -> goto {label(edge.target)}"
        yield "    od;"
    if ends:
        yield "accept_all:"
        yield "    skip"
    yield "}"
