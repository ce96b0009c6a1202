"""`whorl view`: a counterexample as a page in the browser."""

from __future__ import annotations

import argparse
import json
import tempfile
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import whorl
from whorl import api
from whorl.cli import json_output
from whorl.cli.arguments import STDIN, add_embedded, read_stdin
from whorl.cli.from_table import add_options
from whorl.cli.simulate import warn
from whorl.cli.spin_trails import understood
from whorl.cli.terminal import Terminal
from whorl.diagnostics import Diagnostic, WhorlError
from whorl.engines import reference_semantics
from whorl.files import read_text, write_file
from whorl.options import COMMON
from whorl.program.semantics import Semantics
from whorl.property.claim import Claim
from whorl.property.labels import ACCEPTANCE, NON_PROGRESS, acceptance, non_progress
from whorl.search.exploration import Options
from whorl.selection import Wanted, select
from whorl.trace import spin_trail
from whorl.trace import trail as trails
from whorl.trace.as_json import trace_data
from whorl.trace.page import page
from whorl.trace.path import path_trace
from whorl.trace.replay import ReplayError, follow, replay
from whorl.trace.spin_trail import SpinTrail, is_spin_trail
from whorl.trace.trace import NOTHING_WRONG, Trace
from whorl.trace.trail import Trail

if TYPE_CHECKING:
    from whorl.cli.arguments import Subparsers

HOW = "`whorl check --json` prints a result, `whorl check --trail FILE` writes a trail"


def add(commands: Subparsers) -> None:
    parser = commands.add_parser(
        "view",
        help="show a counterexample in the browser",
        description="Makes one HTML page of a counterexample, which needs nothing else, and opens"
        " it. Exit status 0: the page was written.",
        usage="whorl view [OPTION ...] TRACE [MODEL]",
        allow_abbrev=False,
    )
    parser.add_argument(
        "trace",
        metavar="TRACE",
        help="what `whorl check --json` printed, a trail of `whorl check --trail` or of Spin;"
        " - reads standard input",
    )
    parser.add_argument(
        "model", metavar="MODEL", nargs="?", help="of a trail: the model, if it is elsewhere now"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the page there, and not to a temporary file"
    )
    parser.add_argument(
        "--no-open", action="store_true", help="write the page, and do not open the browser"
    )
    parser.add_argument(
        "--hoa", metavar="FILE", help="of a trail that violates an automaton: the file of that"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="of a trail: mark what matters in it, as `whorl check --explain` does",
    )
    add_options(parser, COMMON)
    add_embedded(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    name = "<stdin>" if arguments.trace == STDIN else arguments.trace
    text = read_stdin() if arguments.trace == STDIN else _read(arguments.trace)
    if is_spin_trail(text):
        result = _of_spin(spin_trail.loads(text, name), arguments, terminal)
    else:
        data = _parsed(text, name)
        if data.get("format") == trails.FORMAT:
            result = _of_trail(trails.loads(text, name), arguments, terminal)
        else:
            result = _of_result(data, name)
            if arguments.explain:
                _require_explained(result, name)
    path = _write(_page(result, name), arguments.output)
    opened = not arguments.no_open and webbrowser.open(path.absolute().as_uri())
    if arguments.json:
        said = {"whorl": whorl.__version__, "page": str(path), "opened": opened}
        terminal.out.line(json_output.dumps(said))
    else:
        terminal.out.line(f"page: {path}")
        if not opened and not arguments.no_open:
            terminal.err.line("no browser could be opened: open the page in one yourself")
    return 0


def _read(name: str) -> str:
    try:
        return read_text(Path(name))
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise WhorlError(Diagnostic("error", f"cannot read '{name}': {reason}")) from None


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _bad(name, f"it is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise _bad(name, "it is JSON, but neither a result nor a trail")
    return data


def _bad(name: str, why: str, hint: str = HOW) -> WhorlError:
    return WhorlError(Diagnostic("error", f"'{name}' is no trace of whorl: {why}", None, hint))


# --- what `whorl check --json` printed ------------------------------------------------------------


def _of_result(data: dict[str, Any], name: str) -> dict[str, Any]:
    """A result, if it has a counterexample."""
    if "error" in data:
        raise _bad(name, "the check that printed it did not come to a result")
    if "verdict" not in data or "trace" not in data:
        raise _bad(name, "it is JSON, but neither a result nor a trail")
    if data["trace"] is None:
        message = f"'{name}' has no counterexample: its verdict is '{data['verdict']}'"
        raise WhorlError(Diagnostic("error", message))
    return data


def _require_explained(result: dict[str, Any], name: str) -> None:
    """Refuses a result without an explanation: there is no model here to find one with."""
    if isinstance(result["trace"], dict) and "explanation" not in result["trace"]:
        hint = "give --explain to the `whorl check --json` that prints the result, or view a trail"
        message = f"'{name}' does not say what matters in its counterexample"
        raise WhorlError(Diagnostic("error", message, None, hint))


def _page(result: dict[str, Any], name: str) -> str:
    """The page; a file that only looks like a result is refused."""
    try:
        for trace in result.get("traces") or [result["trace"]]:
            _require(trace)
        return page(result)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        why = f"a part of it is missing or wrong: {json_output.summary(error)}"
        raise _bad(name, why, "a result of this version of whorl has all that is needed") from None


def _require(trace: dict[str, Any]) -> None:
    """Raises an error unless the page can show the trace."""
    lists = ("steps", "positions", "propositions", "truth", "run")
    if not all(isinstance(trace[key], list) for key in lists):
        raise TypeError(f"{', '.join(lists)} must be lists")
    for key in ("initial", "final"):
        for process in trace[key]["processes"]:
            process["pid"], process["process"], process["line"], process["waiting"]
        for value in trace[key]["values"]:
            value["name"], value["value"], value["process"]
    for number, step in enumerate(trace["steps"], 1):
        if step["number"] != number:
            raise ValueError(f"step {number} has the number {step['number']!r}")
        step["pid"], step["process"], step["file"], step["line"], step["text"], step["changes"]
        for at in step.get("moved", ()):
            trace["positions"][at]["pid"]
    trace["cycle"], trace["fault"], trace["kind"], trace["message"], trace["automaton"]
    if "explanation" in trace:
        _require_explanation(trace["explanation"], len(trace["steps"]))


def _require_explanation(said: dict[str, Any], count: int) -> None:
    numbers = [*said["needed"], *said["undecided"], *(n for pair in said["races"] for n in pair)]
    if not all(type(number) is int and 0 < number <= count for number in numbers):
        raise ValueError("an explanation names steps that there are not")
    said["certain"], said["states"], said["unexplained"]
    if said["passing"] is not None:
        said["passing"]["after"], said["passing"]["ending"], said["passing"]["cycle"]
        for step in said["passing"]["steps"]:
            step["number"], step["pid"], step["process"], step["text"]


# --- trails ---------------------------------------------------------------------------------------


def _of_trail(trail: Trail, arguments: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    """A result that has the run of a trail, taken again on its model."""
    defines = {**trail.defines, **dict(arguments.defines)}
    model = _model(trail, arguments, defines)
    warn(model, trail, terminal.err)
    return _result(model, replace(trail, defines=defines), arguments.explain)


def _of_spin(spin: SpinTrail, arguments: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    """The same of a trail of Spin's, which lies beside its model as MODEL.trail."""
    path = Path(arguments.model or spin.name.removesuffix(".trail"))
    if arguments.model is None and (spin.name == str(path) or not path.is_file()):
        hint = "give the model behind the trail: whorl view TRAIL MODEL"
        message = f"'{spin.name}' is a trail of Spin's, which does not say of which model"
        raise WhorlError(Diagnostic("error", message, None, hint))
    model = _load(path, arguments, dict(arguments.defines))
    trail = understood(spin, model, dict(arguments.defines))
    warn(model, trail, terminal.err)
    return _result(model, trail, arguments.explain)


def _result(model: whorl.Model, trail: Trail, explained: bool) -> dict[str, Any]:
    try:
        trace = _replayed(model, trail, explained)
    except ReplayError as error:
        hint = "use the model and the -D options that the trail was made with"
        why = str(error).partition(": Choice(")[0]
        message = f"the trail does not fit the model: {why}"
        raise WhorlError(Diagnostic("error", message, None, hint)) from None
    return {
        "whorl": whorl.__version__,
        "model": model.name,
        "defines": dict(trail.defines),
        "trace": trace_data(trace),
        "sources": json_output.sources(model.program),
        "mtypes": {constant.name: constant.value for constant in model.program.mtypes},
    }


def _model(trail: Trail, arguments: argparse.Namespace, defines: dict[str, str]) -> whorl.Model:
    path = Path(arguments.model or trail.model)
    if arguments.model is None and not path.is_file():
        hint = "give the model behind the trail: whorl view TRAIL MODEL"
        message = f"the trail is of the model '{trail.model}', which is not there"
        raise WhorlError(Diagnostic("error", message, None, hint))
    model = _load(path, arguments, defines)
    known = [formula.name for formula in model.program.formulas]
    if trail.kind == "ltl" and trail.formula is not None and trail.claim not in known:
        return _load(path, arguments, defines, trail.formula)  # it was given beside the model
    return model


def _load(
    path: Path, arguments: argparse.Namespace, defines: dict[str, str], *ltl: str
) -> whorl.Model:
    hoa = () if arguments.hoa is None else arguments.hoa
    model = whorl.load(path, defines=defines, include_dirs=arguments.include_dirs, hoa=hoa, ltl=ltl)
    return api.allow(model, not arguments.no_cache) if arguments.allow_embedded_c else model


def _replayed(model: whorl.Model, trail: Trail, explained: bool) -> Trace:
    loop = None if trail.cycle is None else trail.cycle - 1
    if trail.kind == NOTHING_WRONG:
        semantics = reference_semantics(model.program, verbose=True)
        return path_trace(semantics, *follow(semantics, trail.choices), loop=loop)
    claim = _claim(model, trail)
    said = None if claim is not None else trail.message
    trace = replay(model.program, trail.kind, trail.choices, claim, loop, said=said)
    if explained:
        from whorl.causality.explain import explain  # few ask for it

        explanation = explain(Semantics(model.program), trace, claim, Options())
        trace = replace(trace, explanation=explanation)
    return trace


def _claim(model: whorl.Model, trail: Trail) -> Claim | None:
    """The claim that the trail's run violates; None for safety."""
    if trail.claim is None:
        return None
    if trail.kind == "hoa":
        if not model.automata:
            hint = "give the file of the automaton: --hoa FILE"
            message = f"the trail violates the automaton '{trail.claim}', which is no part of it"
            raise WhorlError(Diagnostic("error", message, None, hint))
        return model.automata[0]
    if trail.kind == ACCEPTANCE:
        return acceptance()
    if trail.kind == NON_PROGRESS:
        return non_progress()
    name = model.given[0] if model.given else trail.claim
    wanted = Wanted(formulas=(name,)) if model.given else Wanted(claims=(name,))
    (claim,) = select(model.program, wanted).claims
    return claim


# --- the page -------------------------------------------------------------------------------------


def _write(text: str, name: str | None) -> Path:
    if name is not None:
        write_file(Path(name), text, "page")
        return Path(name)
    with tempfile.NamedTemporaryFile(prefix="whorl-", suffix=".html", delete=False) as file:
        path = Path(file.name)
    write_file(path, text, "page")
    return path
