"""All that something in a program is made of: transitions, actions, expressions, places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

from whorl.program.program import DStep, ProcessType, Program, Transition

PLAIN = ("int", "str", "bool", "Region")  # as annotations have them


def parts(whole: object) -> Iterator[object]:
    """Every transition, action, expression and place in `whole`, without their texts and types."""
    waiting = [whole]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        if isinstance(node, (tuple, list)):
            waiting.extend(node)
        elif isinstance(node, dict):
            waiting.extend(node.values())
        else:
            kind: type = type(node)
            below = _below(kind)
            if below is not None:
                yield node
                for name in below:
                    waiting.append(getattr(node, name))


def process_parts(process: ProcessType) -> Iterator[object]:
    """Every transition, action, expression and place of one process type."""
    return parts(
        [*process.transitions(), process.provided, *(initial.value for initial in process.initials)]
    )


def program_parts(program: Program) -> Iterator[object]:
    """Every transition, action, expression and place of all process types."""
    for process in program.processes:
        yield from process_parts(process)


@cache
def _below(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass that lead to its parts; None where it is something else."""
    if kind is DStep:
        return ("locations",)
    if kind is Transition:
        return ("action",)
    if not is_dataclass(kind):
        return None
    return tuple(
        f.name for f in fields(kind) if f.name not in ("span", "type") and f.type not in PLAIN
    )
