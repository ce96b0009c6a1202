"""A trace as plain data, ready to be written as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whorl.trace.trace import Change, Position, Trace, TraceStep


def trace_data(trace: Trace) -> dict[str, Any]:
    places = range(len(trace.propositions))
    return {
        "kind": trace.kind,
        "message": trace.message,
        "steps": [step_data(step) for step in trace.steps],
        "final": final_data(trace.final, trace.values),
        "cycle": trace.cycle,
        "fault": trace.fault,
        "propositions": list(trace.propositions),
        "truth": [
            None if letter is None else [bool(letter >> n & 1) for n in places]
            for letter in trace.letters
        ],
    }


def final_data(positions: Iterable[Position], values: Iterable[Change]) -> dict[str, Any]:
    """Where each process is at the end of a run, and every value."""
    return {
        "processes": [
            {
                "process": position.process,
                "pid": position.pid,
                "file": position.file,
                "line": position.line,
                "waiting": list(position.waiting),
                "valid_end": position.valid_end,
            }
            for position in positions
        ],
        "values": [change_data(value) for value in values],
    }


def step_data(step: TraceStep) -> dict[str, Any]:
    """A step, without what there is nothing to say of: a run may have very many."""
    partner = message = None
    if step.partner is not None:
        partner = {
            "process": step.partner,
            "pid": step.partner_pid,
            "file": step.partner_file,
            "line": step.partner_line,
            "text": step.partner_text,
        }
    if step.message is not None:
        message = {
            "direction": step.message.direction,
            "channel": step.message.channel,
            "text": step.message.text,
            "sent_at": step.message.sent_at,
        }
    always = {
        "number": step.number,
        "process": step.process,
        "pid": step.pid,
        "file": step.file,
        "line": step.line,
        "text": step.text,
        "changes": [change_data(change) for change in step.changes],
    }
    sometimes = {
        "partner": partner,
        "message": message,
        "output": "".join(step.output),
        "atomic": step.atomic,
        "failures": list(step.failures),
    }
    return always | {name: value for name, value in sometimes.items() if value}


def change_data(change: Change) -> dict[str, Any]:
    return {"name": change.name, "value": change.value, "process": change.process}
