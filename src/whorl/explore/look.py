"""What the page shows of a path and of the state at its end, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whorl.explore.hindrance import Hindrance
from whorl.explore.reads import ExpressionReader, ReadValue
from whorl.explore.visits import Visit
from whorl.explore.why import HinderedProcess, Why
from whorl.program.program import Assertion, Expr, Guard, contains_run
from whorl.program.semantics import Semantics, Step
from whorl.program.state import TYPE, WorkingState
from whorl.trace.as_json import step_data
from whorl.trace.describe import calls
from whorl.trace.path import END_STATE, verdict
from whorl.trace.trail import numbers_of


class StateLook:
    """Makes data of states: the steps that are enabled, and why others are not."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.program = semantics.program
        self.reader = ExpressionReader(semantics)
        self.why = Why(semantics)

    def enabled(self, visit: Visit) -> list[dict[str, Any]]:
        """Each step that is possible, with what it would change and the choices that it takes."""
        return [self._step(visit, step) for step in visit.steps()]

    def _step(self, visit: Visit, step: Step) -> dict[str, Any]:
        after = visit.then(step)
        data: dict[str, Any]
        if after.told is not None:
            data = step_data(after.told)
        else:
            record, span = visit.state.processes[step.pid], step.transition.span
            data = {
                "process": self.program.processes[record[TYPE]].title,
                "pid": step.pid,
                "file": span.source.name,
                "line": span.line,
                "text": "(goes on)",
                "changes": [],
            }
        taken = after.passed_on().choices(since=visit)
        return data | {
            "choices": [numbers_of(choice) for choice in taken],
            "reads": [value_data(value) for value in self._reads(visit, step)],
            "visible": bool(step.transition.text),
        }

    def _reads(self, visit: Visit, step: Step) -> Iterable[ReadValue]:
        """What a condition that is true reads."""
        action = step.transition.action
        condition: Expr | None = None
        if isinstance(action, Guard | Assertion):
            condition = action.condition
        if condition is None or contains_run(condition):
            return ()
        store = WorkingState(visit.state)
        return self.reader.reads(condition, store, visit.state.processes[step.pid])

    def disabled(self, visit: Visit) -> list[dict[str, Any]]:
        """The processes with transitions that are not enabled, and why they are not."""
        if visit.broken:
            return []
        found = self.why.hindered(visit.state, visit.steps())
        return [hindered_data(process) for process in found]

    def end(self, visit: Visit) -> dict[str, Any] | None:
        """Why no step follows, if none does; whether that is wrong."""
        if visit.broken:
            assert visit.step is not None
            said = "; ".join(failure.message for failure in visit.step.failures)
            return {
                "wrong": True,
                "text": f"The last step has no meaning, and ends the run: {said}.",
            }
        if visit.steps():
            return None
        if not visit.state.processes:
            return {"wrong": False, "text": "Every process has ended."}
        if verdict(self.semantics, visit.state, None)[0] == END_STATE:
            text = "Invalid end state: no process can move, and not every one is at a valid end."
            return {"wrong": True, "text": text}
        text = "No process can move, and each one is at a valid end."
        return {"wrong": False, "text": text}


def hindered_data(process: HinderedProcess) -> dict[str, Any]:
    return {
        "pid": process.pid,
        "process": process.process,
        "reasons": [reason_data(reason) for reason in process.reasons],
        "steps": [
            {
                "text": step.transition.text or "(goes on)",
                "file": step.transition.span.source.name,
                "line": step.transition.span.line,
                "calls": [call.name for call in calls(step.transition.span)],
                "reasons": [reason_data(reason) for reason in step.reasons],
            }
            for step in process.steps
        ],
    }


def reason_data(reason: Hindrance) -> dict[str, Any]:
    return {
        "kind": reason.kind,
        "text": reason.text,
        "values": [value_data(value) for value in reason.values],
    }


def value_data(value: ReadValue) -> dict[str, Any]:
    return {"name": value.name, "value": value.value, "written": value.written}
