"""A trace as plain data, ready to be written as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whorl.property.automaton import Buchi
from whorl.property.draw import edge_texts
from whorl.trace.trace import (
    Change,
    Explanation,
    InlineCall,
    Position,
    Trace,
    TraceMoment,
    TraceStep,
)


def trace_data(trace: Trace) -> dict[str, Any]:
    places = range(len(trace.propositions))
    data = {
        "kind": trace.kind,
        "message": trace.message,
        "property": trace.claim,
        "formula": trace.formula,
        **steps_data(trace.steps, trace.moments),
        "final": final_data(trace.final, trace.values),
        "cycle": trace.cycle,
        "fault": trace.fault,
        "propositions": list(trace.propositions),
        "truth": [
            None if letter is None else [bool(letter >> n & 1) for n in places]
            for letter in trace.letters
        ],
        "automaton": None if trace.automaton is None else automaton_data(trace.automaton),
        "run": [None if states is None else list(states) for states in trace.run],
    }
    if trace.explanation is not None:
        data["explanation"] = explanation_data(trace.explanation)
    return data


def explanation_data(said: Explanation) -> dict[str, Any]:
    """What matters in a trace, steps by their numbers."""
    passing = None
    if said.passing is not None:
        passing = {
            "after": said.passing.after,
            "ending": said.passing.ending,
            "cycle": said.passing.cycle,
            "steps": [step_data(step) for step in said.passing.steps],
        }
    return {
        "needed": list(said.needed),
        "undecided": list(said.undecided),
        "races": [list(pair) for pair in said.races],
        "passing": passing,
        "certain": said.certain,
        "states": said.states,
        "unexplained": list(said.unexplained),
    }


def steps_data(steps: Iterable[TraceStep], moments: Iterable[TraceMoment]) -> dict[str, Any]:
    """The initial state and the steps, each with what its state has that the one before has not."""
    first, *following = moments
    positions: dict[Position, int] = {}
    return {
        "initial": final_data(first.moved, first.values),
        "steps": [
            step_data(step) | moment_data(moment, step, positions)
            for step, moment in zip(steps, following, strict=True)
        ],
        "positions": [position_data(position) for position in positions],
    }


def automaton_data(automaton: Buchi) -> dict[str, Any]:
    return {
        "states": len(automaton.states),
        "initial": automaton.initial,
        "accepting": sorted(automaton.accepting),
        "edges": [
            {"source": source, "target": target, "label": text}
            for (source, target), text in edge_texts(automaton).items()
        ],
    }


def moment_data(moment: TraceMoment, step: TraceStep, known: dict[Position, int]) -> dict[str, Any]:
    """The state after a step, as far as the step's changes do not say it.

    Positions are those of few places, again and again: `known` numbers them.
    """
    data = {
        "moved": [known.setdefault(position, len(known)) for position in moment.moved],
        "ended": list(moment.ended),
        "gone": [{"name": name, "process": process} for process, name in moment.gone],
    }
    if moment.values != step.changes:
        data["values"] = [change_data(value) for value in moment.values]
    return {name: value for name, value in data.items() if value or name == "values"}


def final_data(positions: Iterable[Position], values: Iterable[Change]) -> dict[str, Any]:
    """Where each process is at the end of a run, and every value."""
    return {
        "processes": [position_data(position) for position in positions],
        "values": [change_data(value) for value in values],
    }


def position_data(position: Position) -> dict[str, Any]:
    always = {
        "process": position.process,
        "pid": position.pid,
        "file": position.file,
        "line": position.line,
        "waiting": list(position.waiting),
        "valid_end": position.valid_end,
    }
    sometimes = {"labels": list(position.labels), "calls": calls_data(position.calls)}
    return always | {name: value for name, value in sometimes.items() if value}


def calls_data(calls: Iterable[InlineCall]) -> list[dict[str, Any]]:
    return [
        {"name": call.name, "file": call.file, "line": call.line, "column": call.column}
        for call in calls
    ]


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
        "calls": calls_data(step.calls),
    }
    return always | {name: value for name, value in sometimes.items() if value}


def change_data(change: Change) -> dict[str, Any]:
    return {"name": change.name, "value": change.value, "process": change.process}
