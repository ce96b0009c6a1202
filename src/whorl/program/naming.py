"""Tells the variables of one name apart that a process has in different blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from whorl.diagnostics import Span
from whorl.program.program import VariableInfo

Blocks = tuple[int, ...]  # those around a place, outermost first


def told_apart(
    variables: Sequence[VariableInfo], spans: Sequence[Span], blocks: Sequence[Blocks]
) -> tuple[VariableInfo, ...]:
    """The variables of a process, with the blocks of their declarations and tags where needed."""
    result = [replace(v, blocks=around) for v, around in zip(variables, blocks, strict=True)]
    namesakes: dict[str, list[int]] = defaultdict(list)
    for number, variable in enumerate(result):
        namesakes[variable.name].append(number)
    for group in namesakes.values():
        if len(group) == 1:
            continue
        for number, tag in zip(group, _tags([spans[n] for n in group]), strict=True):
            others = [blocks[n] for n in group if n != number]
            overlaps = any(_overlap(blocks[number], other) for other in others)
            result[number] = replace(result[number], tag=f"@{tag}", overlaps=overlaps)
    return tuple(result)


def in_scope(variable: VariableInfo, blocks: Blocks) -> bool:
    """Whether a variable can be named at a place inside these blocks."""
    return blocks[: len(variable.blocks)] == variable.blocks


def _overlap(one: Blocks, other: Blocks) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _tags(spans: Sequence[Span]) -> list[str]:
    """A short word for each declaration: its line, or else the line that used its inline."""
    uses = [_use(span) for span in spans]
    for tags in (
        [str(span.line) for span in spans],
        [str(use.line) for use in uses],
        [f"{span.line}:{span.column}" for span in spans],
        [f"{use.line}:{use.column}" for use in uses],
    ):
        if len(set(tags)) == len(tags):
            return tags
    return [str(number) for number, _ in enumerate(spans, 1)]


def _use(span: Span) -> Span:
    """The outermost place that brought this one into the program."""
    while span.via is not None:
        span = span.via
    return span
