"""The whole states of a trace: its moments, each put on those before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from whorl.trace.trace import Change, Position, Trace


@dataclass(frozen=True, slots=True)
class WholeState:
    """A state of a run: where each process is, and every value in scope."""

    positions: tuple[Position, ...]
    values: tuple[Change, ...]


def whole_states(trace: Trace) -> Iterator[WholeState]:
    """The initial state, then the state after each step."""
    positions: dict[int, Position] = {}
    values: dict[tuple[str | None, str], Change] = {}
    for moment in trace.moments:
        for pid in moment.ended:
            del positions[pid]
        positions |= {position.pid: position for position in moment.moved}
        for gone in moment.gone:
            del values[gone]
        values |= {(value.process, value.name): value for value in moment.values}
        yield WholeState(tuple(positions[pid] for pid in sorted(positions)), tuple(values.values()))
