"""`whorl check`: is the model right, and if not, which run shows it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import whorl
from whorl import api
from whorl.cli.arguments import load_allowed_model
from whorl.cli.from_table import add_grouped
from whorl.cli.pager import show
from whorl.cli.points import is_range
from whorl.cli.progress import ProgressLine
from whorl.cli.terminal import Terminal
from whorl.deadline import within
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.engines import reference_semantics
from whorl.files import refuse_without_folder, write_file
from whorl.given import valid_options
from whorl.options import CHECK
from whorl.program.program import LtlProperty
from whorl.report import Detail, note_lines, report_lines, short_lines, verdict_line
from whorl.reports.outcome import ModelOutcome
from whorl.selection import WantedSearches
from whorl.trace.style import Style
from whorl.trace.trace import Trace
from whorl.verdict import EXIT_BAD_INPUT, VIOLATED, Result

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

Check = Callable[[Callable[[], whorl.Model], SimpleNamespace], Result]


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "check",
        help="check the properties of models",
        description="Checks a model: its safety (assertions, end states, array bounds, divisions,"
        " channels), its ltl blocks, never claims and accept labels.",
        usage="whorl check [OPTION ...] MODEL ...",
        allow_abbrev=False,
        add_help=False,
    )
    add_grouped(parser, CHECK, several=True)
    parser.set_defaults(run=run, short=False, about="")  # of several checks: see cli/call.py


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    asked = valid_options({option.name: getattr(arguments, option.name, None) for option in CHECK})

    def check_one(job: argparse.Namespace) -> ModelOutcome:
        return checked(job, asked, terminal)

    def report_one(job: argparse.Namespace, outcome: ModelOutcome) -> None:
        report(job, outcome, terminal)

    if is_plain(arguments):
        arguments.model = arguments.models[0]
        with within(arguments.timeout):
            outcome = check_one(arguments)
            report_one(arguments, outcome)
            return outcome.status
    from whorl.cli.call import CheckCall

    return CheckCall(arguments, terminal, check_one, report_one).run()


def is_plain(arguments: argparse.Namespace) -> bool:
    """Whether one model is to be checked once, for a reader and nobody else."""
    models = arguments.models
    others = ("watch", "sweep", "junit", "sarif", "gitlab", "github")
    return (
        len(models) == 1
        and not Path(models[0]).is_dir()
        and not any(getattr(arguments, name) for name in others)
        and not any(is_range(value) for _, value in arguments.defines)
    )


def checked(
    arguments: argparse.Namespace,
    asked: SimpleNamespace,
    terminal: Terminal,
    check: Check = api.run,
) -> ModelOutcome:
    """Checks one model, and writes the files that were asked for."""
    model = load_allowed_model(arguments)
    for name in asked_files(arguments).values():
        if name is not None:
            refuse_without_folder(name)
    for warning in model.warnings:
        terminal.warn(warning)
    arguments.wherever = None if arguments.where is None else read_where(model, arguments.where)
    defines = dict(arguments.defines)
    if arguments.emit_c is not None:
        return ModelOutcome(model.name, defines, 0, model, written=(emit_c(asked, model),))
    result = search(asked, model, terminal, arguments.about, check)
    terminal.verdict = verdict_line(result, model.name, terminal.err.style)
    written, problems = write_files(arguments, model, result)
    status = result.exit_code
    if problems and result.verdict != VIOLATED:  # a missing file takes nothing from a violation
        status = EXIT_BAD_INPUT
    return ModelOutcome(model.name, defines, status, model, result, tuple(problems), tuple(written))


def report(arguments: argparse.Namespace, outcome: ModelOutcome, terminal: Terminal) -> None:
    """Says what came of a check."""
    out, model, result = terminal.out, outcome.model, outcome.result
    assert model is not None
    if result is None:
        for line in outcome.written:
            out.line(line)
        return
    if arguments.json:
        out.line(json_line(arguments, model, result, outcome.errors))
    else:
        lines: list[str] = []
        if not arguments.quiet:
            detail = detail_of(arguments, model, arguments.wherever, out.style)
            if arguments.short:
                lines += short_lines(result, out.style, detail, arguments.unreached)
                lines += note_lines(terminal.unheard(result.notes), out.style)
            else:
                lines += report_lines(result, out.style, detail, arguments.unreached)
            lines += (out.style.paint(line, "faint") for line in outcome.written)
        if arguments.coverage == "-":
            from whorl.cli import coverage

            lines += coverage.report_lines(result, model, out.style)
        lines.append(verdict_line(result, model.name, out.style))
        show(lines, out, paged=arguments.pager and not arguments.quiet and not arguments.short)
    for problem in outcome.errors:
        terminal.error(problem.render(terminal.err.style.color))


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
    arguments: argparse.Namespace,
    model: whorl.Model,
    result: Result,
    problems: Sequence[Diagnostic],
) -> str:
    """The result for `--json`."""
    from whorl.cli import json_output

    return json_output.dumps(result_data(arguments, model, result, problems))


def result_data(
    arguments: argparse.Namespace,
    model: whorl.Model,
    result: Result,
    problems: Sequence[Diagnostic],
) -> dict[str, Any]:
    """The result as plain data."""
    from whorl.cli import json_output
    from whorl.trace.as_json import trace_data

    warnings = (*model.warnings, *problems)
    data = json_output.result(result, model, dict(arguments.defines), warnings)
    if arguments.all_errors or len(result.traces) > 1:
        data["traces"] = [trace_data(trace) for trace in result.traces]
    if arguments.coverage is not None:
        from whorl.cli import coverage

        data["coverage"] = coverage.data(result)
    return data


def page_data(
    arguments: argparse.Namespace, model: whorl.Model, result: Result, problems: list[Diagnostic]
) -> dict[str, Any]:
    """The result for the page, which shows witnesses, too."""
    from whorl.trace.as_json import trace_data

    data = result_data(arguments, model, result, problems)
    return data | {"traces": list(map(trace_data, (*result.traces, *result.witnesses)))}


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


def search(
    asked: SimpleNamespace,
    model: whorl.Model,
    terminal: Terminal,
    which: str = "",
    check: Check = api.run,
) -> Result:
    """The check itself, with its progress shown; `which` of several it is."""
    progress = ProgressLine(terminal.err, not asked.quiet, which)
    asked.report = progress
    try:
        return check(lambda: model, asked)
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
        "coverage": None if arguments.coverage == "-" else arguments.coverage,
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
        if kind == "coverage":
            written += write_coverage(model, result, name, problems)
            continue
        shown = (*result.traces, *result.witnesses)
        if not shown:
            if not arguments.short:
                written.append(f"no counterexample, so no {kind} was written to {name}")
            continue
        try:
            if kind == "page":
                from whorl.trace.page import page

                text = page(page_data(arguments, model, result, problems))
            else:
                text = file_text(kind, shown[0], model, arguments)
            write_file(Path(name), text, kind)
            written.append(f"{kind}: {name}{_which_of(result, kind)}")
        except WhorlError as error:
            problems += error.diagnostics
    return written, problems


def write_coverage(
    model: whorl.Model, result: Result, name: str, problems: list[Diagnostic]
) -> list[str]:
    """Writes the file of `--coverage`, likewise."""
    from whorl.cli import coverage

    if result.coverage is None:
        return [f"nothing was searched, so no coverage was written to {name}"]
    try:
        write_file(Path(name), coverage.file_text(result.coverage, model, name), "coverage")
    except WhorlError as error:
        problems += error.diagnostics
        return []
    return [f"coverage: {name}"]


def file_text(kind: str, trace: Trace, model: whorl.Model, arguments: argparse.Namespace) -> str:
    """The counterexample in the format of a file."""
    match kind:
        case "trail":
            from whorl.trace.trail import Trail

            return Trail.of(trace, model.program.source, dict(arguments.defines)).dumps()
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

    return chart(trace, arguments.fold)


def _which_of(result: Result, kind: str) -> str:
    """Which of several runs a file has."""
    what = "counterexample" if result.traces else "witness"
    count = len(result.traces or result.witnesses)
    if kind == "page":
        return ""
    return f" ({what} 1 of {count})" if count > 1 else "" if result.traces else f" ({what})"
