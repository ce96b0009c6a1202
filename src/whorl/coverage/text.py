"""Coverage as text: a table, then each line with its mark."""

from __future__ import annotations

from collections.abc import Iterator

from whorl.coverage.annotated import (
    AnnotatedFile,
    AnnotatedLine,
    Mark,
    Share,
    annotated,
    basis,
    legend,
    missed_text,
    percent,
    shares,
)
from whorl.diagnostics import visible
from whorl.program.program import Program
from whorl.search.coverage import Coverage
from whorl.trace.style import PLAIN, Style

_ROLES = {Mark.ALL: "good", Mark.SOME: "unsure", Mark.NONE: "bad", Mark.UNKNOWN: "faint"}


def coverage_lines(coverage: Coverage, program: Program, style: Style = PLAIN) -> Iterator[str]:
    """The whole report."""
    yield basis(coverage)
    yield ""
    yield from share_lines(shares(coverage))
    words = ", ".join(f"{mark.value} {word}" for mark, word in legend(coverage).items())
    for file in annotated(coverage, program):
        yield ""
        yield style.paint(visible(file.name), "strong")
        yield style.paint(words, "faint")
        yield from _file_lines(file, coverage.complete, style)


def share_lines(each: list[Share]) -> Iterator[str]:
    """The table of process types."""
    rows: list[tuple[str, ...]] = [
        ("process type", "statements", "executed", "", "options", "taken", "")
    ]
    for share in each:
        executed = percent(share.executed, share.statements)
        taken = percent(share.taken, share.options)
        counts = (share.statements, share.executed, executed, share.options, share.taken, taken)
        rows.append((visible(share.name), *map(str, counts)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [first.ljust(widths[0])]
        cells += [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()


def _file_lines(file: AnnotatedFile, complete: bool, style: Style) -> Iterator[str]:
    width = max(4, len(str(len(file.lines))))
    for line in file.lines:
        sign = style.paint(line.mark.value, _ROLES.get(line.mark, "faint"))
        yield f"{sign} {line.number:{width}} | {visible(line.text)}".rstrip()
        for carets, said in _notes(line, complete):
            yield f"  {' ' * width} | {carets} {style.paint(visible(said), 'bad')}"


def _notes(line: AnnotatedLine, complete: bool) -> Iterator[tuple[str, str]]:
    """What stands below a line: carets under each statement that was not executed."""
    for statement in line.missed:
        before = line.text[: statement.column - 1]
        padding = "".join("\t" if char == "\t" else " " for char in before)
        yield padding + "^" * statement.width, missed_text(statement, complete)
