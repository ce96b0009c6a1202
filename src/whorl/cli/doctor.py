"""`whorl doctor`: is everything here that checks need, and if not, what to do."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING

import whorl
from whorl.cli.from_table import add_output
from whorl.cli.terminal import OutputStream, Terminal, is_live
from whorl.doctor import examine
from whorl.doctor.finding import Finding, Level, ok, warning
from whorl.figures import counted
from whorl.trace.style import ASCII, Style
from whorl.verdict import EXIT_BAD_INPUT

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

_ROLES = {"ok": "good", "warning": "unsure", "problem": "bad"}
_WIDTH = 17  # of the names


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "doctor",
        help="say what is there, what is missing and what to do",
        description="Looks at all that a check needs, ends with a small check, and says what to do"
        " about what is missing. Exit status 0: checks can run; 2: there is a problem.",
        usage="whorl doctor [OPTION ...]",
        allow_abbrev=False,
    )
    add_output(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    found: list[Finding] = []
    for finding in chain((shown_on(terminal.out),), examine()):
        found.append(finding)
        _show(finding, terminal)
    levels = Counter(finding.level for finding in found)
    if terminal.json:
        from whorl.cli import json_output  # loaded where it is needed, as it takes time

        data = {"whorl": whorl.__version__, "ok": not levels["problem"]}
        data |= {"findings": [asdict(finding) for finding in found]}
        terminal.out.line(json_output.dumps(data))
    else:
        terminal.out.line(_last_line(levels, terminal.out.style))
    return EXIT_BAD_INPUT if levels["problem"] else 0


def shown_on(out: OutputStream) -> Finding:
    """What the output can show."""
    if not is_live(out.stream):
        said = f"no terminal: no colour, {out.encoding}"
    else:
        said = f"{'colour' if out.style.color else 'no colour'}, {out.encoding}"
    if out.style.symbols == ASCII:
        hint = "PYTHONIOENCODING=utf-8, or a locale such as C.UTF-8, shows more"
        return warning("output", f"{said}: symbols are ASCII", hint)
    return ok("output", said)


def _show(finding: Finding, terminal: Terminal) -> None:
    if terminal.json:
        return
    style = terminal.out.style
    level = style.paint(finding.level.ljust(7), _ROLES[finding.level])
    terminal.out.line(f"{level}  {finding.name.ljust(_WIDTH)}  {finding.said}")
    if finding.hint:
        terminal.out.line(f"{'':9}{'':{_WIDTH}}  hint: {finding.hint}")
    terminal.out.flush()  # the checks at the end take a moment


def _last_line(levels: Counter[Level], style: Style) -> str:
    if levels["problem"]:
        said = f"{style.symbols.violated} {counted(levels['problem'], 'problem')}"
        return style.paint(f"{said}: what is marked so has to be mended", "bad")
    warned = f", {counted(levels['warning'], 'warning')}" if levels["warning"] else ""
    return style.paint(f"{style.symbols.holds} checks can run{warned}", "good")
