"""What `--json` prints: results, diagnostics and errors as plain data."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

import whorl
from whorl.deadline import TimeUp
from whorl.diagnostics import Diagnostic, Span, WhorlError
from whorl.memory import refusal
from whorl.program.program import Program
from whorl.trace.as_json import trace_data
from whorl.verdict import Result


def dumps(data: Mapping[str, Any]) -> str:
    """One line of JSON. Only ASCII, so that it survives every encoding of the output."""
    return json.dumps(data).replace("\x7f", r"\u007f")


def result(
    outcome: Result,
    model: whorl.Model,
    defines: Mapping[str, str],
    warnings: Iterable[Diagnostic],
) -> dict[str, Any]:
    """A Result, as result.schema.json describes it."""
    of_swarm = {} if outcome.swarm is None else {"swarm": asdict(outcome.swarm)}
    return of_swarm | {
        "whorl": whorl.__version__,
        "model": model.name,
        "defines": dict(defines),
        "verdict": outcome.verdict,
        "properties": [asdict(checked) for checked in outcome.properties],
        "statistics": asdict(outcome.statistics),
        "engine": outcome.engine,
        "reduction": outcome.reduction,
        "trace": None if outcome.trace is None else trace_data(outcome.trace),
        "sources": sources(model.program) if outcome.traces or outcome.witnesses else [],
        "mtypes": {constant.name: constant.value for constant in model.program.mtypes},
        "notes": list(outcome.notes),
        "unreached": [asdict(missed) for missed in outcome.unreached],
        "searches": [asdict(search) for search in outcome.searches],
        "advice": list(outcome.advice),
        "vacuity": [asdict(found) for found in outcome.vacuity],
        "witnesses": [trace_data(witness) for witness in outcome.witnesses],
        "warnings": [diagnostic(warning) for warning in warnings],
    }


def sources(program: Program) -> list[dict[str, str]]:
    """The texts that the program's statements stand in, the model's own first."""
    texts = {program.source.name: program.source.text}
    for process in program.processes:
        for transition in process.transitions():
            span: Span | None = transition.span
            while span is not None:
                texts.setdefault(span.source.name, span.source.text)
                span = span.via
    return [{"file": name, "text": text} for name, text in texts.items()]


def diagnostic(said: Diagnostic) -> dict[str, Any]:
    span = said.span
    return {
        "severity": said.severity,
        "message": said.message,
        "file": None if span is None else span.source.name,
        "line": None if span is None else span.line,
        "column": None if span is None else span.column,
        "hint": said.hint,
    }


def error(error: BaseException) -> dict[str, Any]:
    """What is printed in place of a result when there is none."""
    said = [diagnostic(each) for each in diagnostics_of(error)]
    return {"whorl": whorl.__version__, "error": said}


def diagnostics_of(error: BaseException) -> tuple[Diagnostic, ...]:
    """Why there is no result."""
    match error:
        case WhorlError():
            return error.diagnostics
        case KeyboardInterrupt():
            said = "interrupted"
        case MemoryError():
            said = f"out of memory: {refusal()}"
        case TimeUp():
            said = str(error)
        case _:
            said = f"internal error: {summary(error)}"
    return (Diagnostic("error", said),)


def summary(error: BaseException) -> str:
    """An exception in one line, with the place in whorl that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    said = str(error).strip().splitlines()
    return type(error).__name__ + (f": {said[0]}" if said else "") + where
