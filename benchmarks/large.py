"""One search of more than a hundred million states, with the compressed store."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks import native
from benchmarks.cases import LARGE
from benchmarks.process import Cost


@dataclass(frozen=True, slots=True)
class Large:
    label: str
    states: int
    transitions: int
    vector: int
    store_bytes: int
    cost: Cost


def measure() -> Large:
    model = native.load(LARGE)
    native.search(model, LARGE, merge=False, store="tree", states=1000)
    found = native.search(model, LARGE, merge=False, store="tree")
    return Large(
        LARGE.label,
        found.states,
        found.transitions,
        native.state_bytes(model),
        found.store_bytes,
        found.cost,
    )
