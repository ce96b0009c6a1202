"""`whorl parse`: what the front end makes of a model: diagnostics, its tree, its automata."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import whorl
from whorl.cli import json_output
from whorl.cli.arguments import add_common, model_text
from whorl.cli.dot import dot_lines
from whorl.cli.terminal import Terminal
from whorl.cli.tree import tree_data, tree_lines
from whorl.diagnostics import Reporter, WhorlError
from whorl.figures import counted
from whorl.program.lower import lower
from whorl.program.program import Program
from whorl.promela.frontend import analyse

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "parse",
        help="read a model: its errors, its syntax tree, its automata",
        description="Reads a model and says what is wrong with it, if anything.",
        usage="whorl parse [OPTION ...] MODEL",
        allow_abbrev=False,
    )
    add_common(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--ast", action="store_true", help="print the syntax tree")
    shown.add_argument("--dot", action="store_true", help="print the process automata for Graphviz")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    source, base = model_text(arguments)
    reporter = Reporter()
    try:
        resolved = analyse(
            source,
            reporter,
            defines=dict(arguments.defines),
            include_dirs=[Path(directory) for directory in arguments.include_dirs],
            base=base,
        )
        program = lower(resolved, source, reporter)
        reporter.raise_if_errors()
    except WhorlError as error:
        # The warnings may say why; an error stands in for them otherwise.
        raise WhorlError(*reporter.warnings, *error.diagnostics) from None
    color = terminal.err.style.color
    for warning in reporter.warnings:
        terminal.err.line(warning.render(color))
    if arguments.json:
        data = {
            "whorl": whorl.__version__,
            "model": source.name,
            "warnings": [json_output.diagnostic(warning) for warning in reporter.warnings],
            "counts": counts(program),
        }
        if arguments.ast:
            data["ast"] = tree_data(resolved.model)
        if arguments.dot:
            data["dot"] = "\n".join(dot_lines(program))
        terminal.out.line(json_output.dumps(data))
    elif arguments.ast:
        for line in tree_lines(resolved.model):
            terminal.out.line(line)
    elif arguments.dot:
        for line in dot_lines(program):
            terminal.out.line(line)
    else:
        style = terminal.out.style
        summary = [counted(count, name) for name, count in counts(program).items() if count]
        warned = counted(len(reporter.warnings), "warning") if reporter.warnings else "no warnings"
        verdict = style.paint(f"{style.symbols.holds} {source.name}: no errors", "good")
        terminal.out.line(f"{verdict}, {warned}")
        terminal.out.line(f"  {', '.join(summary) or 'nothing in it'}")
    return 0


def counts(program: Program) -> dict[str, Any]:
    """How many of each thing a program has."""
    return {
        "process type": len(program.processes),
        "active process": len(program.active),
        "location": sum(len(process.locations) for process in program.processes),
        "global variable": len(program.variables),
        "message channel": len(program.channel_types),
        "mtype constant": len(program.mtypes),
        "never claim": len(program.never),
        "trace assertion": 0 if program.trace is None else 1,
        "ltl formula": len(program.formulas),
    }
