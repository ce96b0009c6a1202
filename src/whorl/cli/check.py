"""`whorl check`: is the model right, and if not, which run shows it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import whorl
from whorl import api
from whorl.cli.arguments import load_allowed_model
from whorl.cli.from_table import add_grouped
from whorl.cli.pager import show
from whorl.cli.progress import ProgressLine
from whorl.cli.terminal import Terminal
from whorl.deadline import within
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.engines import reference_semantics
from whorl.files import write_file
from whorl.given import valid_options
from whorl.options import CHECK
from whorl.program.program import LtlProperty
from whorl.report import Detail, report_lines, verdict_line
from whorl.selection import WantedSearches
from whorl.trace.style import Style
from whorl.trace.trace import Trace
from whorl.verdict import Result

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "check",
        help="check a model's properties",
        description="Checks a model: its safety (assertions, end states, array bounds, divisions,"
        " channels), its ltl blocks, never claims and accept labels.",
        usage="whorl check [OPTION ...] MODEL",
        allow_abbrev=False,
        add_help=False,
    )
    add_grouped(parser, CHECK)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    asked = valid_options({option.name: getattr(arguments, option.name, None) for option in CHECK})
    with within(arguments.timeout):
        return run_in_time(arguments, asked, terminal)


def run_in_time(arguments: argparse.Namespace, asked: SimpleNamespace, terminal: Terminal) -> int:
    model = load_allowed_model(arguments)
    for name in asked_files(arguments).values():
        if name is not None and not Path(name).absolute().parent.is_dir():
            message = f"cannot write '{name}': there is no such folder"
            raise WhorlError(Diagnostic("error", message))
    for warning in model.warnings:
        terminal.err.line(warning.render(terminal.err.style.color))
    where = None if arguments.where is None else read_where(model, arguments.where)
    if arguments.emit_c is not None:
        terminal.out.line(emit_c(asked, model))
        return 0
    result = search(asked, model, terminal)
    terminal.verdict = verdict_line(result, model.name, terminal.err.style)
    written, problems = write_files(arguments, model, result)
    out = terminal.out
    if arguments.json:
        out.line(json_line(arguments, model, result, problems))
    else:
        lines: list[str] = []
        if not arguments.quiet:
            detail = detail_of(arguments, model, where, out.style)
            lines += report_lines(result, out.style, detail, arguments.unreached)
            lines += (out.style.paint(line, "faint") for line in written)
        lines.append(verdict_line(result, model.name, out.style))
        show(lines, out, paged=arguments.pager and not arguments.quiet)
    for problem in problems:
        terminal.error(problem.render(terminal.err.style.color))
    return result.exit_code  # what a file lacks does not change what was found


def detail_of(
    arguments: argparse.Namespace, model: whorl.Model, where: LtlProperty | None, style: Style
) -> Detail:
    """What is asked to be shown of a counterexample."""

    def more(trace: Trace) -> Iterator[str]:
        if where is not None:
            from whorl.cli.where import where_lines

            yield from where_lines(model, where, trace, style)

    return Detail(arguments.full_trace, arguments.fold, arguments.step, more)


# What most checks do without is loaded where it is needed: that takes time.


def json_line(
    arguments: argparse.Namespace, model: whorl.Model, result: Result, problems: list[Diagnostic]
) -> str:
    """The result for `--json`."""
    from whorl.cli import json_output

    return json_output.dumps(result_data(arguments, model, result, problems))


def result_data(
    arguments: argparse.Namespace, model: whorl.Model, result: Result, problems: list[Diagnostic]
) -> dict[str, Any]:
    """The result as plain data."""
    from whorl.cli import json_output
    from whorl.trace.as_json import trace_data

    warnings = (*model.warnings, *problems)
    data = json_output.result(result, model, dict(arguments.defines), warnings)
    if arguments.all_errors or len(result.traces) > 1:
        data["traces"] = [trace_data(trace) for trace in result.traces]
    return data


def read_where(model: whorl.Model, text: str) -> LtlProperty:
    """The expression of `--where`."""
    from whorl.cli.where import expression

    return expression(model, text)


def emit_c(asked: SimpleNamespace, model: whorl.Model) -> str:
    """Leaves the C of the search for safety that would be run; the command that builds it."""
    from whorl.native.emit import emit

    semantics = reference_semantics(model.program)
    (task,) = api.tasks_of(semantics, WantedSearches(True, ()), asked)
    return emit(task, Path(asked.emit_c))


def search(asked: SimpleNamespace, model: whorl.Model, terminal: Terminal) -> Result:
    """The check itself, with its progress shown."""
    progress = ProgressLine(terminal.err, not asked.quiet)
    asked.report = progress
    try:
        return api.run(lambda: model, asked)
    finally:
        progress.erase()


def asked_files(arguments: argparse.Namespace) -> dict[str, str | None]:
    """The files that may be written, by what they are."""
    return {
        "trail": arguments.trail,
        "trail for Spin": arguments.spin_trail,
        "ITF trace": arguments.itf,
        "graph": arguments.dot,
        "chart": arguments.chart,
        "page": arguments.html,
    }


def write_files(
    arguments: argparse.Namespace, model: whorl.Model, result: Result
) -> tuple[list[str], list[Diagnostic]]:
    """Writes the files that were asked for; what was written, and what could not be."""
    written: list[str] = []
    problems: list[Diagnostic] = []
    for kind, name in asked_files(arguments).items():
        if name is None:
            continue
        if result.trace is None:
            written.append(f"no counterexample, so no {kind} was written to {name}")
            continue
        try:
            if kind == "page":
                from whorl.trace.page import page

                text = page(result_data(arguments, model, result, problems))
            else:
                text = file_text(kind, result.trace, model, dict(arguments.defines))
            write_file(Path(name), text, kind)
            written.append(f"{kind}: {name}{_first_of(len(result.traces), kind)}")
        except WhorlError as error:
            problems += error.diagnostics
    return written, problems


def file_text(kind: str, trace: Trace, model: whorl.Model, defines: dict[str, str]) -> str:
    """The counterexample in the format of a file."""
    match kind:
        case "trail":
            from whorl.trace.trail import Trail

            return Trail.of(trace, model.program.source, defines).dumps()
        case "trail for Spin":
            from whorl.trace.spin_trail import spin_trail

            return spin_trail(model.program, trace.choices, trace.loop)
        case "ITF trace":
            from whorl.trace.itf import itf

            return itf(trace, model.name)
        case "graph":
            from whorl.trace.dot import dot

            return dot(trace)
    from whorl.trace.chart import chart

    return chart(trace)


def _first_of(traces: int, kind: str) -> str:
    return f" (counterexample 1 of {traces})" if traces > 1 and kind != "page" else ""
