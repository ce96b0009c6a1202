"""What the page asks for, and what it is answered: plain data to plain data.

An answer depends on nothing but the question, which has the whole path as choices; what is kept
between questions is known already (`visits.py`), or grows as the user walks (`graph.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from whorl.diagnostics import Source, WhorlError
from whorl.explore.graph import SeenGraph
from whorl.explore.jump import Jump, JumpLimits, to_expression, to_violation
from whorl.explore.look import StateLook
from whorl.explore.visits import Visit, Visits, ends
from whorl.figures import counted
from whorl.program.choice import Choice
from whorl.program.program import (
    Builtin,
    Expr,
    LtlProperty,
    ProcessQuery,
    subexpressions,
)
from whorl.program.semantics import Semantics
from whorl.program.state import Fault, State, WorkingState
from whorl.property.reading import NO_PROCESS
from whorl.trace.as_json import trace_data
from whorl.trace.page import page
from whorl.trace.path import path_trace
from whorl.trace.trace import Trace
from whorl.trace.trail import Trail, choice_of, numbers_of

MOST_CHOICES = 50_000  # of a path
LONGEST_EXPRESSION = 2_000  # characters
FIELD = "the field"  # what an expression is written into, in messages


class BadQuestion(Exception):
    """What the page asked has no meaning; the text says why."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """What a check of the whole model found: the choices of its first violation, or none."""

    choices: tuple[Choice, ...] | None
    said: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The model that is explored, and what is known of it beside its semantics.

    `semantics` makes one that nobody else uses. `start` is the path that the page begins with.
    `expression` reads an expression, and `check` looks for a counterexample of the whole model.
    """

    name: str
    version: str
    source: Source
    defines: Mapping[str, str]
    sources: Sequence[Mapping[str, str]]
    start: tuple[Choice, ...]
    semantics: Callable[[], Semantics]
    expression: Callable[[str], LtlProperty]
    check: Callable[[], Counterexample]


@dataclass(slots=True)
class Jobs:
    """The searches that are under way, by the names that the page gave them."""

    running: dict[str, threading.Event] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, name: str) -> threading.Event:
        with self.lock:
            stop = self.running[name] = threading.Event()
        return stop

    def end(self, name: str) -> None:
        with self.lock:
            self.running.pop(name, None)

    def cancel(self, name: str) -> None:
        with self.lock:
            if name in self.running:
                self.running[name].set()


class Application:
    """Answers questions: those about paths one at a time, searches beside each other."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.lock = threading.Lock()
        self.semantics = subject.semantics()
        self.visits = Visits(self.semantics)
        self.graph = SeenGraph()
        self.look = StateLook(self.semantics)
        self.jobs = Jobs()
        self.propositions = _propositions(self.semantics.program.formulas)
        self.truths = [self.semantics.evaluator.value(e) for e in self.propositions.values()]
        self.asks_timeout = any(
            part == Builtin("timeout") or isinstance(part, ProcessQuery)
            for proposition in self.propositions.values()
            for part in subexpressions(proposition)
        )
        self.questions: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "path": self.path,
            "state": self.state,
            "node": self.node,
            "jump": self.jump,
            "check": self.check,
            "cancel": self.cancel,
            "share": self.share,
        }

    def begin(self) -> dict[str, Any]:
        """What the page has from the beginning: the model, and the path to begin with."""
        program = self.semantics.program
        with self.lock:
            start = self._path(self.visits.follow(self.subject.start))
        return {
            "whorl": self.subject.version,
            "model": self.subject.name,
            "defines": dict(self.subject.defines),
            "sources": list(self.subject.sources),
            "mtypes": {constant.name: constant.value for constant in program.mtypes},
            "formulas": [{"name": f.name, "text": f.text} for f in program.formulas],
            "start": start,
        }

    # --- paths -----------------------------------------------------------------------------------

    def path(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The path as the viewer shows a run, with the numbers of its states in the graph.

        The page may have its first `known` steps: then the trace begins after these.
        """
        with self.lock:
            return self._path(self.visits.follow(_choices(asked)), _known(asked))

    def _path(self, visit: Visit, known: int = 0) -> dict[str, Any]:
        way = visit.way()
        at = list(ends(way))
        known = min(known, len(at) - 1)
        return {
            "choices": [numbers_of(choice) for choice in visit.choices()],
            "ends": at,
            "known": known,
            "nodes": self.graph.walk([way[n] for n in at[known:]], known),
            "trace": trace_data(self._trace(way[at[known] :])),
        }

    def _trace(self, way: Sequence[Visit]) -> Trace:
        """The trace from the first of these visits to the last."""
        steps = [visit.step for visit in way[1:] if visit.step is not None]
        told = tuple(visit.told for visit in way[1:] if visit.told is not None)
        names = tuple(self.propositions)
        letter = self._letter if names else None
        return path_trace(self.semantics, way[0].state, steps, names, letter, told)

    def _letter(self, state: State) -> int:
        letter = 0
        store, everyone = WorkingState(state), range(len(state.processes))
        if self.asks_timeout and not self.semantics.steps_of(store, everyone):
            store = WorkingState(state, timeout=True)
        for n, truth in enumerate(self.truths):
            try:
                letter |= bool(truth(store, NO_PROCESS)) << n
            except Fault:
                continue  # what has no value is not true
        return letter

    def state(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The state at the end of a path: what is enabled, what is not and why, what is near."""
        with self.lock:
            visit = self.visits.follow(_choices(asked))
            depth = sum(each.told is not None for each in visit.way())
            node = self.graph.add(visit, depth)
            return {
                "node": node,
                "enabled": self.look.enabled(visit),
                "targets": self.graph.targets(node, visit),
                "disabled": self.look.disabled(visit),
                "end": self.look.end(visit),
                "graph": self.graph.around(node),
            }

    def node(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The path by which a node of the graph was first reached."""
        number = asked.get("node")
        with self.lock:
            if type(number) is not int or not 0 <= number < len(self.graph.nodes):
                raise BadQuestion("there is no such state in the graph")
            choices = self.graph.nodes[number].visit.choices()
            return self._path(self.visits.follow(choices))

    # --- jumps -----------------------------------------------------------------------------------

    def jump(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The path, and then the way to a violation or to where an expression is true."""
        name, text = asked.get("job"), asked.get("expression")
        if not isinstance(name, str) or not (text is None or isinstance(text, str)):
            raise BadQuestion("a jump has a name, and an expression or none")
        with self.lock:
            visit = self.visits.follow(_choices(asked))
        known = _known(asked)
        if visit.broken:
            return {"path": None, "said": "nothing follows a step that has no meaning"}
        expression = None if text is None else self._expression(text)
        stop = self.jobs.begin(name)
        try:
            limits = JumpLimits(cancelled=stop.is_set)
            semantics = self.subject.semantics()
            if expression is None:
                found = to_violation(semantics, visit.state, limits)
            else:
                found = to_expression(semantics, visit.state, expression, limits)
        finally:
            self.jobs.end(name)
        return self._jumped(visit, found, expression is None, known)

    def _jumped(self, visit: Visit, found: Jump, violation: bool, known: int) -> dict[str, Any]:
        if found.choices is None:
            return {"path": None, "said": found.said}
        if not found.choices:
            return {"path": None, "said": "this is an invalid end state: a violation"}
        with self.lock:
            there = self.visits.follow((*visit.choices(), *found.choices))
            steps = sum(each.told is not None for each in there.way(since=visit))
            what = "the nearest violation" if violation else "the next state where it is true"
            looked = f"{counted(found.states, 'state')} looked at"
            said = f"{what}, after {counted(steps, 'more step')} ({looked})"
            return {"path": self._path(there, known), "said": said}

    def _expression(self, text: str) -> LtlProperty:
        if not text.strip():
            raise BadQuestion("there is no expression")
        if len(text) > LONGEST_EXPRESSION:
            raise BadQuestion("the expression is too long")
        return self.subject.expression(text)

    def check(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The counterexample of the whole model, from the initial state on."""
        found = self.subject.check()
        if found.choices is None:
            return {"path": None, "said": found.said}
        with self.lock:
            return {"path": self._path(self.visits.follow(found.choices)), "said": found.said}

    def cancel(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Stops a jump; one that has ended already is none to stop."""
        self.jobs.cancel(str(asked.get("job")))
        return {}

    # --- sharing ---------------------------------------------------------------------------------

    def share(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The path as a file: a trail, or the viewer's page."""
        kind = asked.get("as")
        with self.lock:
            trace = self._trace(self.visits.follow(_choices(asked)).way())
        name = self.subject.name.replace("\\", "/").rpartition("/")[2].removesuffix(".pml")
        name = "".join(c if c.isalnum() or c in "-_." else "_" for c in name) or "path"
        if kind == "trail":
            trail = Trail.of(trace, self.subject.source, self.subject.defines)
            return {"name": f"{name}.path.trail", "text": trail.dumps()}
        if kind == "page":
            begun = self.begin()
            result = {key: begun[key] for key in ("whorl", "model", "defines", "sources", "mtypes")}
            return {
                "name": f"{name}.path.html",
                "text": page(result | {"trace": trace_data(trace)}),
            }
        raise BadQuestion("a path is shared as a trail or as a page")


def _choices(asked: dict[str, Any]) -> tuple[Choice, ...]:
    given = asked.get("choices")
    if not isinstance(given, list) or len(given) > MOST_CHOICES:
        raise BadQuestion(f"a path is a list of up to {MOST_CHOICES:,} choices")
    try:
        return tuple(map(choice_of, given))
    except ValueError as error:
        raise BadQuestion(str(error)) from None


def _known(asked: dict[str, Any]) -> int:
    number = asked.get("known", 0)
    if type(number) is not int or number < 0:
        raise BadQuestion("what is known is a number of steps")
    return number


def _propositions(formulas: Sequence[LtlProperty]) -> dict[str, Expr]:
    """What the formulas of a model look at, by its text."""
    return {
        name: atom
        for formula in formulas
        for name, atom in zip(formula.formula.propositions, formula.atoms, strict=True)
    }


def error_data(error: WhorlError) -> dict[str, Any]:
    """What is wrong with what a user wrote; the column is in that text, if it is there."""
    said = error.diagnostics[0]
    there = said.span is not None and said.span.source.name == FIELD
    return {
        "message": said.message,
        "hint": said.hint,
        "column": said.span.column if there and said.span is not None else None,
    }
