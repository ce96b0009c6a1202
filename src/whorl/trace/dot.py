"""Writes a trace for Graphviz: a chain of states, with an edge back where it is a lasso."""

from __future__ import annotations

from collections.abc import Iterable

from whorl.trace.grouped import in_lines
from whorl.trace.trace import Change, Trace, TraceMoment, TraceStep, failure_text


def dot(trace: Trace) -> str:
    """A node a state, with what changed there, and an edge a step."""
    count = len(trace.steps)
    loop = None if trace.cycle is None else min(trace.cycle - 1, count)
    last = count if loop is None or loop == count or trace.fault is not None else count - 1
    lines = [
        "digraph counterexample {",
        f"  label={_quoted(failure_text(trace.kind, trace.message))};",
        "  labelloc=t;",
        '  node [shape=box, fontname="monospace"];',
        '  edge [fontname="monospace"];',
    ]
    for index, moment in enumerate(trace.moments[: last + 1]):
        wrong = ", color=red, penwidth=2" if index == count and loop is None else ""
        lines.append(f"  s{index} [label={_quoted(_node(index, moment))}{wrong}];")
    for index, step in enumerate(trace.steps):
        if index + 1 <= last:
            lines.append(f"  s{index} -> s{index + 1} [label={_quoted(_edge(step))}];")
    if loop is not None:
        back = _edge(trace.steps[-1]) if last < count else "for ever"
        start = last if last == count else loop
        lines.append(f"  s{last} -> s{start} [label={_quoted(back)}, style=bold];")
    return "\n".join([*lines, "}"]) + "\n"


def _node(index: int, moment: TraceMoment) -> str:
    return "\n".join([str(index), *_values(moment.values)])


def _values(values: Iterable[Change]) -> list[str]:
    lines: list[str] = []
    by_owner: dict[str | None, list[Change]] = {}
    for value in values:
        by_owner.setdefault(value.process, []).append(value)
    for owner, own in by_owner.items():
        before = "" if owner is None else f"{owner}."
        lines += [f"{before}{name} = {text}" for name, text in in_lines(own)]
    return lines


def _edge(step: TraceStep) -> str:
    lines = [f"{step.who}  {step.said}"]
    if step.partner_who is not None:
        lines.append(f"{step.partner_who}  {step.partner_text or ''}")
    return "\n".join([*lines, *step.failures])


def _quoted(text: str) -> str:
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
    return f'"{safe}\\l"' if "\\l" in safe else f'"{safe}"'
