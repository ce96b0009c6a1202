"""Coverage as one HTML page, which needs nothing else: no script, no network.

A mark is a sign and a word, never a colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

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

_CLASSES = {Mark.ALL: "all", Mark.SOME: "some", Mark.NONE: "none", Mark.UNKNOWN: "unknown"}

_STYLE = """
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1d2430; --faint: #5b6577; --line: #dde1e8; --panel: #f7f8fa;
  --good: #1a7f4b; --bad: #b3261e; --bad-paper: #fdeceb; --some: #8a4b00; --some-paper: #fff3dc; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #12161c; --ink: #e6eaf2; --faint: #9aa6b8; --line: #2c3441; --panel: #191e26;
  --good: #6fcf97; --bad: #ff8a7d; --bad-paper: #3d1c1a; --some: #f2c277; --some-paper: #3a2c12; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 16px; background: var(--paper);
  color: var(--ink); font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 18px; overflow-wrap: anywhere; } h2 { font-size: 15px; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
.shares td, .shares th { padding: 2px 10px 2px 0; text-align: right; white-space: nowrap; }
.shares td:first-child, .shares th:first-child { text-align: left; }
.shares th { color: var(--faint); font-weight: 500; border-bottom: 1px solid var(--line); }
.shares .sum td { border-top: 1px solid var(--line); font-weight: 600; }
.legend { color: var(--faint); }
.source { width: 100%; border: 1px solid var(--line);
  font: 12.5px/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.source td { padding: 0 8px; vertical-align: top; }
.source .number { width: 1%; color: var(--faint); text-align: right; user-select: none; }
.source .mark { width: 1%; padding-right: 0; font-weight: 700; }
.source pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.all .mark { color: var(--good); } .none .mark { color: var(--bad); }
.some .mark { color: var(--some); } .none { background: var(--bad-paper); }
.some { background: var(--some-paper); }
.source mark { background: none; color: inherit; text-decoration: underline wavy var(--bad); }
.note { color: var(--bad); font-style: italic; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.missed { padding-left: 18px; } .missed a { color: inherit; }
@media (max-width: 500px) { body { padding: 8px; } .source { font-size: 11.5px; }
  .source td { padding: 0 4px; }
  .shares { font-size: 12px; } .shares td, .shares th { padding-right: 5px; } }
"""


def coverage_page(coverage: Coverage, program: Program) -> str:
    """The page."""
    files = annotated(coverage, program)
    title = f"Coverage of {escape(visible(program.source.name))}"
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        f"<p>{escape(basis(coverage))}</p>",
        '<div class="scroll"><table class="shares">',
        *_share_rows(shares(coverage)),
        "</table></div>",
        *_missed(coverage, files),
    ]
    for number, file in enumerate(files):
        parts += _source(file, number, coverage)
    return "\n".join([*parts, "</body></html>", ""])


def _share_rows(each: list[Share]) -> Iterator[str]:
    heads = ("process type", "statements", "executed", "", "options", "taken", "")
    yield f"<tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"
    for share in each:
        cells = [
            escape(visible(share.name)),
            f"{share.statements:,}",
            f"{share.executed:,}",
            percent(share.executed, share.statements),
            f"{share.options:,}",
            f"{share.taken:,}",
            percent(share.taken, share.options),
        ]
        whole = ' class="sum"' if len(each) > 1 and share is each[-1] else ""
        yield f"<tr{whole}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _missed(coverage: Coverage, files: list[AnnotatedFile]) -> Iterator[str]:
    """The statements that were not executed, each with a link to its line."""
    numbers = {file.name: number for number, file in enumerate(files)}
    if not coverage.missed:
        yield "<p>Every statement was executed.</p>"
        return
    yield f"<h2>{'Never executed' if coverage.complete else 'Not executed so far'}</h2>"
    yield '<ul class="missed">'
    for statement in coverage.missed:
        said = escape(visible(missed_text(statement, coverage.complete)))
        link = f"#f{numbers[statement.file]}l{statement.line}"
        yield f'<li><a href="{link}">line {statement.line}</a>, {said}</li>'
    yield "</ul>"


def _source(file: AnnotatedFile, number: int, coverage: Coverage) -> Iterator[str]:
    yield f"<h2>{escape(visible(file.name))}</h2>"
    words = legend(coverage)
    explained = ", ".join(f"{mark.value} {word}" for mark, word in words.items())
    yield f'<p class="legend">{escape(explained)}</p><table class="source">'
    for line in file.lines:
        word = words.get(line.mark, "")
        said = f'<span class="hidden">{escape(word)}</span>' if word else ""
        kind = _CLASSES.get(line.mark)
        row = f' class="{kind}" title="{escape(word)}"' if kind else ""
        yield (
            f'<tr id="f{number}l{line.number}"{row}><td class="mark">{line.mark.value}{said}</td>'
            f'<td class="number">{line.number}</td><td><pre>{_text(line)}</pre>'
            f"{_notes(line, coverage.complete)}</td></tr>"
        )
    yield "</table>"


def _text(line: AnnotatedLine) -> str:
    """The line, with its statements underlined that were not executed."""
    pieces, at = [], 0
    for statement in line.missed:
        start = statement.column - 1
        if start < at:  # what a macro stands for is all in one place
            continue
        end = start + statement.width
        pieces += [escape(visible(line.text[at:start]))]
        pieces += [f"<mark>{escape(visible(line.text[start:end]))}</mark>"]
        at = end
    return "".join([*pieces, escape(visible(line.text[at:]))])


def _notes(line: AnnotatedLine, complete: bool) -> str:
    said = dict.fromkeys(missed_text(statement, complete) for statement in line.missed)
    return "".join(f'<div class="note">{escape(visible(text))}</div>' for text in said)
