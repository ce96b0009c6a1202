"""`whorl check`: is the model right, and if not, which run shows it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import whorl
from whorl.cli.arguments import add_common, add_embedded, load_allowed_model, svg_name
from whorl.cli.numbers import bit_count, positive, seconds, size
from whorl.cli.progress import ProgressLine
from whorl.cli.terminal import Terminal
from whorl.deadline import within
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.engines import ENGINES
from whorl.files import write_file
from whorl.native.embedding import refuse_embedded
from whorl.native.engine import selection_of
from whorl.reduction.plan import plan
from whorl.reduction.schemes import CACHES, CANDIDATES, KEEPS, asked_reduction, names
from whorl.report import report_lines, verdict_line
from whorl.search.exploration import ALGORITHMS
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
    )
    add_common(parser)
    add_embedded(parser)
    _add_properties(parser)
    _add_search(parser)
    _add_limits(parser)
    _add_shown(parser)
    parser.set_defaults(run=run)


def _add_properties(parser: argparse.ArgumentParser) -> None:
    """What is checked, and of which runs."""
    what = parser.add_argument_group("what to check")
    what.add_argument("--no-assertions", action="store_true", help="ignore failing assertions")
    what.add_argument("--no-end-states", action="store_true", help="ignore invalid end states")
    only = parser.add_argument_group("what to check instead of all that the model asks for")
    only.add_argument("--safety", action="store_true", help="the model's safety")
    only.add_argument(
        "--ltl",
        metavar="FORMULA",
        action="append",
        default=[],
        help="that every run satisfies this LTL formula (repeatable)",
    )
    only.add_argument(
        "--claim",
        metavar="NAME",
        action="append",
        default=[],
        help="the ltl block or never claim of that name (repeatable)",
    )
    only.add_argument(
        "--hoa",
        metavar="FILE",
        action="append",
        default=[],
        help="that no run is accepted by this automaton, as by a never claim (repeatable)",
    )
    only.add_argument(
        "--acceptance", action="store_true", help="no cycle goes through an accept label"
    )
    only.add_argument(
        "--non-progress", action="store_true", help="every cycle goes through a progress label"
    )
    runs = parser.add_argument_group("which infinite runs count")
    runs.add_argument(
        "--fair",
        action="store_true",
        help="those in which no process waits for ever that could always move",
    )
    runs.add_argument(
        "--infinite-runs",
        action="store_true",
        help="those that never stop; otherwise one that stops stays where it is for ever",
    )


def _add_search(parser: argparse.ArgumentParser) -> None:
    """How it is searched, and what a reduction leaves out."""
    how = parser.add_argument_group("how to search")
    how.add_argument(
        "--shortest",
        action="store_true",
        help="find a counterexample as short as any, where an atomic sequence counts as one step;"
        " of infinite runs, a short one",
    )
    how.add_argument(
        "--no-shorten",
        action="store_true",
        help="show the run as it was found, with steps that have nothing to do with the violation",
    )
    how.add_argument("--all-errors", action="store_true", help="go on after the first violation")
    how.add_argument("--engine", choices=ENGINES, default="auto", help="(default: auto)")
    how.add_argument(
        "--algorithm",
        choices=ALGORITHMS,
        default="auto",
        help="how to look for cycles: HPY's figures, colours or components (default: auto)",
    )
    how.add_argument(
        "--por",
        choices=names(),
        default="auto",
        help="partial-order reduction (default: auto, combined where a reduction is sound)",
    )
    how.add_argument(
        "--cache",
        choices=CACHES,
        default="all",
        help="which states the reductions static and two-phase store (default: all; auto"
        " and combined: selective)",
    )
    how.add_argument(
        "--candidates",
        choices=CANDIDATES,
        help="whose steps an ample set may be: of dependent processes together, of one process, of"
        " one whose statements are all local, as in Spin, or, where no component has a single"
        " step, of a stubborn set too (default: the scheme's own)",
    )
    how.add_argument(
        "--keep",
        choices=KEEPS,
        default="number",
        help="of v0, v1, si and proviso: how the second search is told what the first one chose, by"
        " its number or by one bit",
    )
    how.add_argument(
        "--audit",
        action="store_true",
        help="compare what was stored with the full graph, of up to 20,000 states: was anything"
        " lost?",
    )
    how.add_argument(
        "--no-merge",
        action="store_true",
        help="keep the states between local steps and the values of dead variables, too",
    )
    how.add_argument(
        "--emit-c",
        metavar="DIR",
        help="leave the C of a search for safety and the command to build it, and stop",
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """How states are stored, and what a search may use."""
    stores = parser.add_argument_group("how to store states (default: --compress)")
    store = stores.add_mutually_exclusive_group()
    for option, name, told in (
        ("--compress", "tree", "exactly, as trees that share their parts: much less memory"),
        ("--no-compress", "exact", "exactly, as they are"),
        ("--hash-compact", "compact", "only 64-bit hashes: approximate"),
        ("--bitstate", "bitstate", "only bits of a hash table: approximate"),
    ):
        store.add_argument(
            option, dest="store", action="store_const", const=name, default="auto", help=told
        )
    stores.add_argument(
        "--bits", type=bit_count, metavar="N", help="the size of --bitstate: 2^N bits"
    )
    limits = parser.add_argument_group("limits (one that is hit makes the result inconclusive)")
    limits.add_argument("--max-depth", type=positive, metavar="N", help="steps in a run")
    limits.add_argument("--max-states", type=positive, metavar="N", help="states to store")
    limits.add_argument("--timeout", type=seconds, metavar="SECONDS", help="time for all of it")
    limits.add_argument(
        "--memory",
        type=size,
        metavar="SIZE",
        help="memory to use, like 512M or 2G (default: 80%% of what is free)",
    )


def _add_shown(parser: argparse.ArgumentParser) -> None:
    """What is shown of the result."""
    shown = parser.add_argument_group("what to show")
    shown.add_argument("-q", "--quiet", action="store_true", help="show the last line alone")
    shown.add_argument(
        "--full-trace", action="store_true", help="show every step of a long counterexample"
    )
    shown.add_argument(
        "--unreached", action="store_true", help="list the statements that were never executed"
    )
    shown.add_argument(
        "--trail", metavar="FILE", help="write the counterexample, for `whorl simulate --trail`"
    )
    shown.add_argument(
        "--chart",
        metavar="FILE.svg",
        type=svg_name,
        help="draw the counterexample as a sequence chart",
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with within(arguments.timeout):
        return run_in_time(arguments, terminal)


def run_in_time(arguments: argparse.Namespace, terminal: Terminal) -> int:
    model = load_allowed_model(arguments)
    for name in (arguments.trail, arguments.chart):
        if name is not None and not Path(name).absolute().parent.is_dir():
            message = f"cannot write '{name}': there is no such folder"
            raise WhorlError(Diagnostic("error", message))
    for warning in model.warnings:
        terminal.err.line(warning.render(terminal.err.style.color))
    if arguments.emit_c is not None:
        refuse_embedded(model.program)
        refuse_claims(arguments)
        terminal.out.line(emit_c(arguments, model))
        return 0
    result = search(arguments, model, terminal)
    terminal.verdict = verdict_line(result, model.name, terminal.err.style)
    written, problems = write_files(arguments, model, result)
    out = terminal.out
    if arguments.json:
        out.line(json_line(arguments, model, result, problems))
    else:
        if not arguments.quiet:
            for line in report_lines(result, out.style, arguments.full_trace, arguments.unreached):
                out.line(line)
            for line in written:
                out.line(out.style.paint(line, "faint"))
        out.line(verdict_line(result, model.name, out.style))
    for problem in problems:
        terminal.error(problem.render(terminal.err.style.color))
    return result.exit_code  # what a file lacks does not change what was found


# What most checks do without is loaded where it is needed: that takes time.


def json_line(
    arguments: argparse.Namespace, model: whorl.Model, result: Result, problems: list[Diagnostic]
) -> str:
    """The result for `--json`."""
    from whorl.cli import json_output
    from whorl.trace.as_json import trace_data

    warnings = (*model.warnings, *problems)
    data = json_output.result(result, model, dict(arguments.defines), warnings)
    if arguments.all_errors or len(result.traces) > 1:
        data["traces"] = [trace_data(trace) for trace in result.traces]
    return json_output.dumps(data)


def emit_c(arguments: argparse.Namespace, model: whorl.Model) -> str:
    """Leaves the C of the search for safety that would be run; the command that builds it."""
    from whorl.native.emit import emit

    program, shortest = model.program, arguments.shortest
    asked = asked_reduction(arguments.por, arguments.cache, arguments.candidates, arguments.keep)
    planned = plan(program, None, asked, fair=False, shortest=shortest)
    return emit(
        program,
        Path(arguments.emit_c),
        merge=not (arguments.no_merge or shortest),
        selection=selection_of(planned.reduction),
    )


def refuse_claims(arguments: argparse.Namespace) -> None:
    """`--emit-c` writes a search for safety: an error where another property is asked for."""
    for option in ("ltl", "claim", "hoa", "acceptance", "non_progress"):
        if getattr(arguments, option):
            spelling = f"--{option.replace('_', '-')}"
            message = f"--emit-c leaves the C of a search for safety, and {spelling} is none"
            raise WhorlError(Diagnostic("error", message))


def search(arguments: argparse.Namespace, model: whorl.Model, terminal: Terminal) -> Result:
    """The check itself, with its progress shown."""
    progress = ProgressLine(terminal.err, not arguments.quiet)
    try:
        return whorl.check(
            model,
            claim=arguments.claim,
            acceptance=arguments.acceptance,
            non_progress=arguments.non_progress,
            safety=arguments.safety,
            fair=arguments.fair,
            infinite_only=arguments.infinite_runs,
            algorithm=arguments.algorithm,
            por=arguments.por,
            cache=arguments.cache,
            candidates=arguments.candidates,
            keep=arguments.keep,
            audit=arguments.audit,
            engine=arguments.engine,
            assertions=not arguments.no_assertions,
            end_states=not arguments.no_end_states,
            shortest=arguments.shortest,
            all_errors=arguments.all_errors,
            max_states=arguments.max_states,
            max_depth=arguments.max_depth,
            timeout=arguments.timeout,
            memory_bytes=arguments.memory,
            allow_embedded_c=arguments.allow_embedded_c,
            store=arguments.store,
            bits=arguments.bits,
            merge=not arguments.no_merge,
            shorten=not arguments.no_shorten,
            no_cache=arguments.no_cache,
            report=progress,
        )
    finally:
        progress.erase()


def write_files(
    arguments: argparse.Namespace, model: whorl.Model, result: Result
) -> tuple[list[str], list[Diagnostic]]:
    """Writes the files that were asked for; what was written, and what could not be."""
    written: list[str] = []
    problems: list[Diagnostic] = []
    trace = result.trace
    for kind, name in (("trail", arguments.trail), ("chart", arguments.chart)):
        if name is None:
            continue
        if trace is None:
            written.append(f"no counterexample, so no {kind} was written to {name}")
            continue
        if kind == "trail":
            from whorl.trace.trail import Trail

            text = Trail.of(trace, model.program.source, dict(arguments.defines)).dumps()
        else:
            from whorl.trace.chart import chart

            text = chart(trace)
        try:
            write_file(Path(name), text, kind)
            written.append(f"{kind}: {name}{_first_of(len(result.traces))}")
        except WhorlError as error:
            problems += error.diagnostics
    return written, problems


def _first_of(traces: int) -> str:
    return f" (counterexample 1 of {traces})" if traces > 1 else ""
