"""Compares what whorl's reference engine and Spin say about the whole state space of a model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import whorl
from support.spin import SpinResult

# How Spin words what it finds, and the kind of property that this is for whorl.
_KINDS = (
    ("assertion violated - invalid array index", "array bounds"),
    ("assertion violated", "assertion"),
    ("invalid end state", "end state"),
    ("event_trace", "trace"),
)
_PRECONDITION = re.compile(r"c_(code|expr) line \d+ precondition false")
_EMBEDDED = re.compile(r"c_expr \{(.*?)\}")
# pan words what an assertion asks of a channel or a process as the C that it runs: calls, and
# memory. Of such an assertion only that it fails is compared.
_CALL = re.compile(r"\w\(|\?\[")
_CONSTANTS = {"true": "1", "false": "0", "skip": "1"}


@dataclass(frozen=True)
class Figures:
    """What two engines must agree on."""

    states: int
    transitions: int
    violations: frozenset[str]


def of_spin(result: SpinResult) -> Figures:
    return Figures(
        result.states, result.transitions, frozenset(_spin_kind(v) for v in result.violations)
    )


def _spin_kind(text: str) -> str:
    if _PRECONDITION.match(text):
        return "precondition"
    for start, kind in _KINDS:
        if text.startswith(start):
            rest = text[len(start) :] if kind == "assertion" else ""
            return f"{kind} {_plain(rest)}".strip()
    return text


def _plain(text: str) -> str:
    """An assertion without what the two write differently: blanks, parentheses, true and false."""
    text = _EMBEDDED.sub(r"\1", text)
    if _CALL.search(text):
        return "with a call"
    text = text.replace("->", "?")  # of a conditional expression
    text = text.replace(":", ".")  # of a remote reference
    text = text.replace("._p==", "@")  # of one to a label
    text = re.sub(r"\b(true|false|skip)\b", lambda m: _CONSTANTS[m[0]], text)
    return re.sub(r"[()\s]", "", text)


def of_whorl(
    model: Path | str,
    *,
    engine: str = "reference",
    max_states: int | None = None,
    allow_embedded_c: bool = False,
) -> tuple[Figures, bool]:
    """The figures of a full search, and whether it saw everything."""
    result = whorl.check(
        model,
        engine=engine,
        all_errors=True,
        safety=True,
        por="none",
        max_states=max_states,
        merge=False,
        allow_embedded_c=allow_embedded_c,
    )
    found = set()
    for trace in result.traces:
        text = _plain(trace.message) if trace.kind == "assertion" else ""
        found.add(f"{trace.kind} {text}".strip())
    statistics = result.statistics
    figures = Figures(statistics.states, statistics.transitions, frozenset(found))
    return figures, statistics.complete


def same_states(first: Figures, second: Figures) -> bool:
    """Whether both saw the same number of states, by the same number of transitions."""
    return (first.states, first.transitions) == (second.states, second.transitions)
