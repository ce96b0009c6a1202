"""Writes a trace in ITF, the Informal Trace Format of Apalache: one JSON object, a state a record.

https://apalache-mc.org/docs/adr/015adr-trace.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from whorl.trace.trace import Change, Position, Trace, TraceStep, failure_text
from whorl.trace.whole import WholeState, whole_states

FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"
PROCESSES = "processes"  # no variable of Promela can have a name that begins otherwise
_PART = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")
_MESSAGE = re.compile(r"\[([^\]]*)\]")


def itf(trace: Trace, model: str) -> str:
    """The states of a run. Of a lasso, the last one leads to that whose index is `loop`."""
    whole = list(whole_states(trace))
    loop = None if trace.cycle is None else min(trace.cycle, len(whole)) - 1
    if loop is not None and loop < len(whole) - 1:
        whole.pop()  # it is the one with which the cycle begins
    steps: list[TraceStep | None] = [None, *trace.steps]
    states = [
        {"#meta": _meta(index, step)} | _state(state)
        for index, (state, step) in enumerate(zip(whole, steps, strict=False))
    ]
    data: dict[str, Any] = {
        "#meta": {
            "format": "ITF",
            "format-description": FORMAT,
            "source": model,
            "status": "violation",
            "description": failure_text(trace.kind, trace.message),
        },
        "vars": [name for name in states[0] if name != "#meta"],
    }
    if loop is not None:
        data["loop"] = loop
    head = json.dumps(data, ensure_ascii=False)[:-1]
    lines = ",\n".join(json.dumps(state, ensure_ascii=False) for state in states)
    return f'{head}, "states": [\n{lines}\n]}}\n'  # a state a line


def _meta(index: int, step: TraceStep | None) -> dict[str, Any]:
    meta: dict[str, Any] = {"index": index}
    if step is not None:
        meta |= {"process": step.who, "file": step.file, "line": step.line, "text": step.text}
    return meta


def _state(state: WholeState) -> dict[str, Any]:
    shared = _record(value for value in state.values if value.process is None)
    return shared | {_name(shared): [_process(p, state.values) for p in state.positions]}


def _name(taken: dict[str, Any]) -> str:
    name = PROCESSES
    while name in taken:
        name = f"_{name}"
    return name


def _process(position: Position, values: Iterable[Change]) -> dict[str, Any]:
    line = -1 if position.line is None else position.line
    own = (value for value in values if value.process == position.who)
    return {
        "name": position.process,
        "pid": _number(position.pid),
        "line": _number(line),
        "variables": _record(own),
    }


def _record(values: Iterable[Change]) -> dict[str, Any]:
    """Variables by their names; an array is a list, a typedef a record."""
    record: dict[str, Any] = {}
    for value in values:
        place: Any = record
        path = [int(index) if index else name for index, name in _PART.findall(value.name)]
        for part, following in pairwise(path):
            inner: Any = [] if isinstance(following, int) else {}
            place = _entered(place, part, inner)
        _entered(place, path[-1], _value(value.value))
    return record


def _entered(place: Any, part: int | str, value: Any) -> Any:
    """What is at that part of a list or record; `value` if nothing was."""
    if isinstance(place, dict):
        return place.setdefault(part, value)
    assert isinstance(part, int)
    if part == len(place):
        place.append(value)
    return place[part]


def _value(text: str) -> Any:
    if re.fullmatch(r"-?\d+", text):
        return _number(int(text))
    if text == "empty":
        return []
    if text.startswith("["):
        return [[_value(word) for word in m.split(",")] for m in _MESSAGE.findall(text)]
    return text


def _number(value: int) -> dict[str, str]:
    """The format asks for this form of small numbers, too."""
    return {"#bigint": str(value)}
