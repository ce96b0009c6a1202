"""The source with what is known of each line, for text and page alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from whorl.diagnostics import Source
from whorl.program.program import Program
from whorl.search.coverage import Coverage, CoveredStatement


class Mark(Enum):
    """What is known of the statements of a line; the value is its sign."""

    NOTHING = " "  # there are none
    ALL = "+"
    SOME = "~"
    NONE = "-"
    UNKNOWN = "?"


_WORDS = {
    Mark.ALL: "executed",
    Mark.SOME: "in part",
    Mark.NONE: "never executed",
    Mark.UNKNOWN: "a d_step was executed, which of its options is not recorded",
}


def legend(coverage: Coverage) -> dict[Mark, str]:
    """The marks that the source may have, in words."""
    words = dict(_WORDS)
    if not coverage.complete:
        words[Mark.NONE] = "not executed so far"
    if all(statement.executed is not None for statement in coverage.statements):
        del words[Mark.UNKNOWN]
    return words


@dataclass(frozen=True, slots=True)
class AnnotatedLine:
    """A line of the source, and those of its statements that were not executed."""

    number: int
    text: str
    mark: Mark
    missed: tuple[CoveredStatement, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedFile:
    name: str
    lines: tuple[AnnotatedLine, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """How much of a process type was executed; what a d_step does not tell is not counted."""

    name: str
    statements: int
    executed: int
    options: int
    taken: int


def annotated(coverage: Coverage, program: Program) -> list[AnnotatedFile]:
    """The texts that the statements stand in, the model's own first."""
    sources = {program.source.name: program.source}
    for process in program.processes:
        for transition in process.transitions():
            sources.setdefault(transition.span.source.name, transition.span.source)
    by_place: dict[tuple[str, int], list[CoveredStatement]] = defaultdict(list)
    for statement in coverage.statements:
        by_place[statement.file, statement.line].append(statement)
    return [_file(source, by_place) for source in sources.values()]


def _file(
    source: Source, by_place: Mapping[tuple[str, int], list[CoveredStatement]]
) -> AnnotatedFile:
    lines = []
    for number in range(1, source.line_number(max(len(source.text) - 1, 0)) + 1):
        here = by_place.get((source.name, number), [])
        missed = sorted((s for s in here if s.executed is False), key=lambda s: s.column)
        lines.append(AnnotatedLine(number, source.line_at(number), _mark(here), tuple(missed)))
    return AnnotatedFile(source.name, tuple(lines))


def _mark(statements: Iterable[CoveredStatement]) -> Mark:
    known = {statement.executed for statement in statements}
    if not known:
        return Mark.NOTHING
    if False not in known:
        return Mark.UNKNOWN if None in known else Mark.ALL
    return Mark.NONE if known == {False} else Mark.SOME


def shares(coverage: Coverage) -> list[Share]:
    """How much was executed of each process type and, where there are several, of all."""
    each = [_share(name, coverage.statements) for name in coverage.processes]
    if len(each) > 1:
        each.append(_share(None, coverage.statements))
    return each


def _share(process: str | None, statements: Iterable[CoveredStatement]) -> Share:
    own = [s for s in statements if process in (None, s.process) and s.executed is not None]
    options = [s for s in own if s.option]
    executed, taken = (sum(bool(s.executed) for s in among) for among in (own, options))
    return Share(process or "all", len(own), executed, len(options), taken)


def percent(part: int, whole: int) -> str:
    """A share in percent, rounded down: 100 % is all of it."""
    return "–" if not whole else f"{100 * part // whole} %"


def missed_text(statement: CoveredStatement, complete: bool) -> str:
    """What is said of a statement that was not executed."""
    what = "option" if statement.option else "statement"
    verb = "taken" if statement.option else "executed"
    how = f"never {verb}" if complete else f"not {verb} so far"
    return f"{statement.process}: {what} {how}: {statement.text}"


def basis(coverage: Coverage) -> str:
    """What the marks mean for statements that were not executed."""
    if coverage.complete:
        return "The search was exhaustive: what was never executed never can be."
    return "Not all states were seen: what was not executed so far still may be."
